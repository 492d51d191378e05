"""All elements of the process: their sockets, their changes, their memory."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, cast

from routersim.mibs.notices import flapping
from routersim.model.build import BadWish, Wish, build
from routersim.model.parts import Port, port_sends
from routersim.router import Router
from routersim.snmp.ber import Garbled, Pdu, decode_message
from routersim.ssh import Doors

if TYPE_CHECKING:
    from routersim.clock import Clock
    from routersim.model.element import Chassis, Element
    from routersim.store import Store

log = logging.getLogger("routersim.fleet")
STORM_STEP = 0.005
"""Seconds between two looks at how many notifications of a storm are due."""


class Unknown(LookupError):
    """There is no element of that name."""


class _Door(asyncio.DatagramProtocol):
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


def introduce(element: Element, port: Port, other: Port) -> bool:
    """Let the port at the other end of a link know who is at this one; False when it knew.

    A cable has two ends: whoever is named as a neighbour has one as well.
    """
    told = (element.name, port.name, element.sys_name, element.address, element.chassis.mac)
    known = (other.neighbour, other.neighbour_port, other.far_name, other.far_address, other.far_mac)
    other.neighbour, other.neighbour_port, other.far_name, other.far_address, other.far_mac = told
    return told != known


class Fleet:
    """Elements by name. Everything happens in the event loop's thread."""

    def __init__(self, clock: Clock, store: Store, **defaults: Any) -> None:
        """`defaults` are those that `model.build.build` takes: ports and trap targets of elements that name none."""
        self.clock, self._store, self._defaults = clock, store, defaults
        self.routers: dict[str, Router] = {}
        self._doors: dict[str, _Door] = {}
        self.counters: Counter[str] = Counter()
        self._ssh = Doors(clock, self.counters)
        self._dirty: dict[str, Router] = {}
        self._cabled: set[str] = set()
        """Names of the elements with ports that lead to a neighbour."""
        self._storms: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Everything that was there before."""
        for element in self._store.elements():
            await self._open(element)
        self._cabled_to(list(self.routers.values()))
        for router in self.routers.values():
            router.refresh()

    async def stop(self) -> None:
        for task in self._storms:
            task.cancel()
        for router in self.routers.values():
            router.stop()
        self._store.keep(router.element for router in self.routers.values())
        await self._ssh.stop()
        for door in self._doors.values():
            if door.transport is not None:
                door.transport.close()
        self._store.close()

    def router(self, name: str) -> Router:
        """Raises Unknown."""
        if name not in self.routers:
            raise Unknown(f"there is no element {name!r}")
        return self.routers[name]

    async def add(self, wishes: Iterable[Wish]) -> list[Router]:
        """Build, open and keep. Raises BadWish; what was opened before it is closed again."""
        made: list[Router] = []
        try:
            for wish in wishes:
                for element in build(wish, now=self.clock.time(), **self._defaults):
                    made.append(await self._open(element))  # noqa: PERF401 - what was made is closed when one fails
        except BadWish:
            for router in made:
                await self._close(router)
            raise
        self._store.keep(router.element for router in made)
        self.refresh(self._cabled_to(made))
        return made

    def _cabled_to(self, made: list[Router]) -> list[Router]:
        """The new ones that have a link, and those that were waiting for one of them at the end of theirs."""
        names = {router.element.name for router in made}
        self._cabled |= {router.element.name for router in made if any(p.neighbour for *_, p in router.element.ports())}
        ends = {name: {p.neighbour for *_, p in self.routers[name].element.ports()} for name in self._cabled}
        return [self.routers[name] for name, neighbours in ends.items() if name in names or neighbours & names]

    async def remove(self, name: str) -> None:
        """Take it down with its virtual systems. Raises Unknown."""
        router = self.router(name)
        chassis = router.element.chassis
        shared = [other for other in self.sharing(chassis) if other is router or router.element.system == ""]
        for other in shared:
            await self._close(other)
            self._store.forget(other.element, chassis=not self.sharing(chassis))

    def sharing(self, chassis: Chassis) -> list[Router]:
        """Every element on a chassis."""
        return [router for router in self.routers.values() if router.element.chassis is chassis]

    def storm(self, rate: int, seconds: float, names: list[str]) -> None:
        """`rate` notifications a second from now on, from each of the elements in turn; a second storm is added."""
        routers = [self.router(name) for name in names] if names else list(self.routers.values())
        if not routers:
            raise BadWish("there is no element that could send")
        task = asyncio.get_running_loop().create_task(self._storm(rate, seconds, routers))
        self._storms.add(task)
        task.add_done_callback(self._storms.discard)

    async def _storm(self, rate: int, seconds: float, routers: list[Router]) -> None:
        """Evenly: a burst of a second's worth would fill any receiver's buffer. Link down and link up alternate."""
        loop = asyncio.get_running_loop()
        began, sent = loop.time(), 0
        while sent < rate * seconds:
            due = min(rate * seconds, (loop.time() - began) * rate)
            while sent < due:
                router = routers[sent % len(routers)]
                router.notify(flapping(router.element, sent // len(routers)))
                sent += 1
            await asyncio.sleep(STORM_STEP)

    async def _open(self, element: Element) -> Router:
        if element.name in self.routers:
            raise BadWish(f"there is an element {element.name!r} already")
        door = _Door(self, element.name)
        loop = asyncio.get_running_loop()
        try:
            await loop.create_datagram_endpoint(lambda: door, local_addr=(element.address, element.snmp_port))
        except OSError as error:
            where = f"{element.address}:{element.snmp_port}"
            raise BadWish(f"{element.name}: cannot listen on {where}: {error.strerror}") from error
        assert door.transport is not None
        element.snmp_port = door.transport.get_extra_info("sockname")[1]
        router = Router(element, self.clock, door.send, self._changed)
        self.routers[element.name], self._doors[element.name] = router, door
        await self._ssh.open(router)
        return router

    async def _close(self, router: Router) -> None:
        name = router.element.name
        router.stop()
        del self.routers[name]
        self._cabled.discard(name)
        door = self._doors.pop(name)
        if door.transport is not None:
            door.transport.close()
        await self._ssh.close(name)

    def _changed(self, router: Router) -> None:
        self.refresh(self.sharing(router.element.chassis))

    def refresh(self, routers: list[Router]) -> None:
        """Let them follow a change of their chassis or of themselves, their neighbours follow them, and keep all."""
        for router in routers:
            router.refresh()
            self._dirty[router.element.name] = router
        for router in routers:
            for neighbour in self._signal(router):
                for heard in (neighbour, *self._signal(neighbour)):  # a neighbour that is new answers
                    heard.refresh()
                    self._dirty[heard.element.name] = heard
        if self._dirty:
            asyncio.get_running_loop().call_soon(self._keep)

    def _signal(self, router: Router) -> list[Router]:
        """Tell simulated neighbours what they hear from its ports; those for whom that is news."""
        now, changed = self.clock.time(), {}
        down = router.element.is_down(now)
        for card, mda, port in router.element.ports():
            neighbour = self.routers.get(port.neighbour) if port.neighbour else None
            other = neighbour.element.port(port.neighbour_port) if neighbour else None
            if neighbour is None or other is None:
                continue
            sends = not down and port_sends(card, mda, port, now)
            if introduce(router.element, port, other) or other.signal != sends:
                other.signal = sends
                changed[neighbour.element.name] = neighbour
        return list(changed.values())

    def _keep(self) -> None:
        """Once a turn of the loop, however many changes there were in it."""
        dirty, self._dirty = self._dirty, {}
        if dirty:
            self._store.keep(router.element for router in dirty.values())

    def received(self, name: str, door: _Door, data: bytes, source: tuple[str, int]) -> None:
        """Octets at an element's SNMP port."""
        router = self.routers.get(name)
        self.counters["requests"] += 1
        if router is None or not router.element.answers(self.clock.time()):
            self.counters["unanswered"] += 1
            return
        try:
            message = decode_message(data)
        except Garbled as error:
            self.counters["garbled"] += 1
            log.info("%s: %s", name, error)
            return
        if message.pdu == Pdu.RESPONSE:
            router.notifier.acknowledged(message.request_id, source)
            return
        answer = router.agent.answer(message, self.clock.time())
        if answer is None:
            self.counters["unanswered"] += 1
            return
        self.counters["answers"] += 1
        delay = router.element.behaviour.seconds
        if delay:
            asyncio.get_running_loop().call_later(delay, door.send, answer, source)
        else:
            door.send(answer, source)
