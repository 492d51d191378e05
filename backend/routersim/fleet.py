"""All elements of the process, with their sockets, changes and storage."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, cast

from routersim.mibs.notifications import link_flap
from routersim.model.build import ElementSpec, InvalidSpec, build
from routersim.model.parts import Port, sends_signal
from routersim.router import Router
from routersim.snmp.ber import Garbled
from routersim.snmp.recording import InvalidRecording
from routersim.ssh import SshServers

if TYPE_CHECKING:
    from routersim.clock import Clock
    from routersim.model.element import Chassis, Element
    from routersim.store import Store

log = logging.getLogger("routersim.fleet")
STORM_TICK_SECONDS = 0.005
"""The interval at which a storm sends the notifications that are due."""


class UnknownElement(LookupError):
    """No element has that name."""


class _SnmpEndpoint(asyncio.DatagramProtocol):
    """The SNMP port of one element."""

    def __init__(self, fleet: Fleet, name: str) -> None:
        self._fleet, self._name = fleet, name
        self.transport: asyncio.DatagramTransport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.DatagramTransport", transport)

    def datagram_received(self, data: bytes, addr: tuple[str | Any, int]) -> None:
        self._fleet.received(self._name, self, data, addr)

    def send(self, octets: bytes, target: tuple[str, int]) -> None:
        if self.transport is not None and not self.transport.is_closing():
            self.transport.sendto(octets, target)


def announce_port(element: Element, port: Port, other: Port) -> bool:
    """Set a port as the neighbour of the port at the other end of its link; return False if nothing changed."""
    ours = (element.name, port.name, element.sys_name, element.address, element.chassis.mac)
    known = (other.neighbour, other.neighbour_port, other.far_name, other.far_address, other.far_mac)
    other.neighbour, other.neighbour_port, other.far_name, other.far_address, other.far_mac = ours
    begins = port.bfd and not other.bfd
    other.bfd = other.bfd or port.bfd
    return ours != known or begins


class Fleet:
    """The elements by name. All work is done in the event loop's thread."""

    def __init__(self, clock: Clock, store: Store, **defaults: Any) -> None:
        """`defaults` are ports and trap targets of elements that name none, as in `model.build.build`."""
        self.clock, self._store, self._defaults = clock, store, defaults
        self.routers: dict[str, Router] = {}
        self._endpoints: dict[str, _SnmpEndpoint] = {}
        self.counters: Counter[str] = Counter()
        self._ssh = SshServers(clock, self.counters, store)
        self._dirty: dict[str, Router] = {}
        self._linked: set[str] = set()
        """Names of the elements with links to neighbours."""
        self._storms: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Restore all stored elements."""
        for element in self._store.elements():
            try:
                await self._open(element)
            except InvalidRecording as error:
                log.error("%s is left out: %s", element.name, error)  # noqa: TRY400 - no traceback needed
        self._link_neighbours(list(self.routers.values()))
        for router in self.routers.values():
            router.refresh()

    async def stop(self) -> None:
        for task in self._storms:
            task.cancel()
        for router in self.routers.values():
            router.stop()
        self._store.save(router.element for router in self.routers.values())
        await self._ssh.stop()
        for endpoint in self._endpoints.values():
            if endpoint.transport is not None:
                endpoint.transport.close()
        self._store.close()

    def router(self, name: str) -> Router:
        """Return an element by name. Raises UnknownElement."""
        if name not in self.routers:
            raise UnknownElement(f"no element is called {name!r}")
        return self.routers[name]

    async def add(self, specs: Iterable[ElementSpec]) -> list[Router]:
        """Build, open and store elements. Raises InvalidSpec, after closing all of them again."""
        added: list[Router] = []
        try:
            for spec in specs:
                for element in build(spec, now=self.clock.time(), **self._defaults):
                    added.append(await self._open(element))  # noqa: PERF401 - added ones are closed when one fails
        except (InvalidSpec, InvalidRecording) as error:
            for router in added:
                await self._close(router)
            raise InvalidSpec(str(error)) from error
        self._store.save(router.element for router in added)
        self.refresh(self._link_neighbours(added))
        return added

    def _link_neighbours(self, added: list[Router]) -> list[Router]:
        """Link the new elements, and existing ones that have links to them; return these elements."""
        names = {router.element.name for router in added}
        self._linked |= {
            router.element.name for router in added if any(p.neighbour for *_, p in router.element.ports())
        }
        ends = {name: {p.neighbour for *_, p in self.routers[name].element.ports()} for name in self._linked}
        return [self.routers[name] for name, neighbours in ends.items() if name in names or neighbours & names]

    async def remove(self, name: str) -> None:
        """Remove an element with its virtual systems. Raises UnknownElement."""
        router = self.router(name)
        chassis = router.element.chassis
        shared = [other for other in self.sharing(chassis) if other is router or router.element.system == ""]
        for other in shared:
            await self._close(other)
            self._store.delete(other.element, chassis=not self.sharing(chassis))

    def sharing(self, chassis: Chassis) -> list[Router]:
        """Return all elements on a chassis."""
        return [router for router in self.routers.values() if router.element.chassis is chassis]

    def storm(self, rate: int, seconds: float, names: list[str]) -> None:
        """Send `rate` notifications a second from the elements in turn; a second storm runs beside the first."""
        routers = [self.router(name) for name in names] if names else list(self.routers.values())
        if not routers:
            raise InvalidSpec("no element exists that could send")
        task = asyncio.get_running_loop().create_task(self._storm(rate, seconds, routers))
        self._storms.add(task)
        task.add_done_callback(self._storms.discard)

    async def _storm(self, rate: int, seconds: float, routers: list[Router]) -> None:
        """Send link down and link up in turn, evenly, as one burst a second would overflow any receive buffer."""
        loop = asyncio.get_running_loop()
        started, sent = loop.time(), 0
        while sent < rate * seconds:
            due = min(rate * seconds, (loop.time() - started) * rate)
            while sent < due:
                router = routers[sent % len(routers)]
                router.notify(link_flap(router.element, sent // len(routers)))
                sent += 1
            await asyncio.sleep(STORM_TICK_SECONDS)

    async def _open(self, element: Element) -> Router:
        if element.name in self.routers:
            raise InvalidSpec(f"an element {element.name!r} exists already")
        endpoint = _SnmpEndpoint(self, element.name)
        router = Router(element, self.clock, endpoint.send, self._changed)
        loop = asyncio.get_running_loop()
        try:
            await loop.create_datagram_endpoint(lambda: endpoint, local_addr=(element.address, element.snmp_port))
        except OSError as error:
            where = f"{element.address}:{element.snmp_port}"
            raise InvalidSpec(f"{element.name}: cannot listen on {where}: {error.strerror}") from error
        assert endpoint.transport is not None
        element.snmp_port = endpoint.transport.get_extra_info("sockname")[1]
        self.routers[element.name], self._endpoints[element.name] = router, endpoint
        await self._ssh.open(router)
        return router

    async def _close(self, router: Router) -> None:
        name = router.element.name
        router.stop()
        del self.routers[name]
        self._linked.discard(name)
        endpoint = self._endpoints.pop(name)
        if endpoint.transport is not None:
            endpoint.transport.close()
        await self._ssh.close(name)

    def _changed(self, router: Router) -> None:
        self.refresh(self.sharing(router.element.chassis))

    def refresh(self, routers: list[Router]) -> None:
        """Propagate a change of these elements or of their chassis to them and their neighbours; store all."""
        for router in routers:
            router.refresh()
            self._dirty[router.element.name] = router
        for router in routers:
            for neighbour in self._signal(router):
                for changed in (neighbour, *self._signal(neighbour)):  # a new neighbour also announces itself
                    changed.refresh()
                    self._dirty[changed.element.name] = changed
        if self._dirty:
            asyncio.get_running_loop().call_soon(self._save_dirty)

    def _signal(self, router: Router) -> list[Router]:
        """Set the signal of the ports of simulated neighbours; return the neighbours that changed."""
        now, changed = self.clock.time(), {}
        down = router.element.is_down(now)
        for card, mda, port in router.element.ports():
            neighbour = self.routers.get(port.neighbour) if port.neighbour else None
            other = neighbour.element.port(port.neighbour_port) if neighbour else None
            if neighbour is None or other is None:
                continue
            sends = not down and sends_signal(card, mda, port, now)
            if announce_port(router.element, port, other) or other.signal != sends:
                other.signal = sends
                changed[neighbour.element.name] = neighbour
        return list(changed.values())

    def _save_dirty(self) -> None:
        """Store all changes of one iteration of the event loop at once."""
        dirty, self._dirty = self._dirty, {}
        if dirty:
            self._store.save(router.element for router in dirty.values())

    def received(self, name: str, endpoint: _SnmpEndpoint, data: bytes, source: tuple[str, int]) -> None:
        """Handle octets that arrived at an element's SNMP port."""
        router = self.routers.get(name)
        self.counters["requests"] += 1
        if router is None or not router.element.answers(self.clock.time()):
            self.counters["unanswered"] += 1
            return
        try:
            answer = router.engine.received(data, source, self.clock.time())
        except Garbled as error:
            self.counters["garbled"] += 1
            log.info("%s: %s", name, error)
            return
        if answer is None:
            self.counters["unanswered"] += 1
            return
        self.counters["answers"] += 1
        delay = router.element.behaviour.seconds
        if delay:
            asyncio.get_running_loop().call_later(delay, endpoint.send, answer, source)
        else:
            endpoint.send(answer, source)
