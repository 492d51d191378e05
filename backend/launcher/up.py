"""`vnfm up`: install, start, watch, until a signal or `vnfm down` stops it."""

import os
import signal
import socket
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path
from types import FrameType

from launcher import backup, forks, frontend, handover, ports
from launcher.console import Console
from launcher.errors import LaunchError, explain_os_error
from launcher.handover import Inherited
from launcher.keys import make_keys
from launcher.layout import Checkout, Instance
from launcher.ownership import AlreadyRunning, await_other, clear_leftovers, hold
from launcher.processes import Identity
from launcher.product import ADMIN, LOCK, Endpoints, Product, Web
from launcher.record import READY, STOPPING, Record
from launcher.schema import ensure_schema, require_migrated, schema_plan
from launcher.service import Service
from launcher.startable import certificate_of, choose_guests, cloud_of, require_joinable, require_servers
from launcher.supervisor import Supervisor
from launcher.tls import Certificate, TlsFiles
from launcher.toolchain import ensure_python
from launcher.tools import abandon_tools

DEFAULT_PORT = 8080
INTERRUPTED = 130  # 128 + SIGINT, as shells count
OTHER_SECONDS = 600.0  # a first installation on a slow line


@dataclass(frozen=True)
class UpOptions:
    state: Path
    port: int | None
    """None: DEFAULT_PORT, or that on which it runs already."""
    cloud: str | None = None
    detached: bool = False
    empty: bool = False
    """Do not register the simulated routers."""
    listen: str = ports.LOOPBACK
    tls: TlsFiles | None = None
    web_processes: int = 1
    guests: str = ""
    """One of `guests.NAMES`, or `guests.BEST`."""
    roles: tuple[str, ...] = ()
    """Of `product.ROLES`, what this host runs of an installation that another began; () is all, and begins it."""

    @property
    def down_command(self) -> str:
        usual = self.state == Checkout.here().default_state
        return "./vnfm down" if usual else f"./vnfm down --state-dir {self.state}"


class Stop(BaseException):
    """A request to end: Ctrl-C, `vnfm down`, a closed terminal."""


def up(checkout: Checkout, options: UpOptions, console: Console, on_ready: Callable[[], None] = lambda: None) -> int:
    """Run an instance until it is stopped; an exit code. `on_ready` is called once, when everything answers."""
    instance = Instance(options.state)
    certificate = certificate_of(options, console)
    require_joinable(options, instance)
    checkout.prepare()
    instance.prepare()
    inherited = Inherited.take()
    try:
        with hold(instance, inherited.lock if inherited else None) as lock:
            clear_leftovers(instance, console.say)
            run = _Run(checkout, instance, options, console, certificate, lock=lock, inherited=inherited)
            return run.to_the_end(on_ready)
    except AlreadyRunning:
        record = await_other(instance, OTHER_SECONDS)
        if options.port is not None and ports.address_of(record.url, options.port)[1] != options.port:
            raise LaunchError(
                f"It already runs on {record.url}, so it cannot listen on port {options.port} as well. "
                f"Stop it with {options.down_command} first."
            ) from None
        console.say(f"Already running: {record.users_url} (stop it with {options.down_command}).")
        return 0


def public_urls(options: UpOptions, port: int, certificate: Certificate | None) -> tuple[str, str]:
    """Where our own programs reach the web, and where users do."""
    address = ip_address(options.listen)
    here = {"0.0.0.0": ports.LOOPBACK, "::": "::1"}.get(str(address), str(address))  # noqa: S104 - compared, not bound
    scheme = "http" if certificate is None else "https"
    local = f"{scheme}://{_in_url(here)}:{port}"
    name = certificate.host_of("" if address.is_unspecified else here) if certificate else here
    named = f"{scheme}://{_in_url(name or here)}:{port}"
    return local, os.environ.get("VNFM_PUBLIC_URL", "").rstrip("/") or named


def _in_url(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def record_of(options: UpOptions, port: int, certificate: Certificate | None) -> Record:
    """Of a run by this process that begins; it has all that `upgrade` needs to start it again."""
    me = Identity.of(os.getpid())
    assert me is not None, "a running process has an identity"
    url, public = public_urls(options, port, certificate)
    cert, key = (str(options.tls.cert), str(options.tls.key)) if options.tls else ("", "")
    return Record(
        me,
        url=url,
        public_url=public,
        listen=options.listen,
        tls_cert=cert,
        tls_key=key,
        web_processes=options.web_processes,
        roles=list(options.roles),
        hands_over=handover.PROTOCOL,
    )


class _Run:
    """One life of an instance, or with `inherited` of what another release began."""

    def __init__(
        self,
        checkout: Checkout,
        instance: Instance,
        options: UpOptions,
        console: Console,
        certificate: Certificate | None,
        *,
        lock: int,
        inherited: Inherited | None,
    ) -> None:
        self.checkout, self.instance, self.options, self.console = checkout, instance, options, console
        self.product = Product(checkout, instance, takes_over=inherited is not None)
        self.port = options.port or DEFAULT_PORT
        self.record = record_of(options, self.port, certificate)
        self.lock, self.inherited = lock, inherited
        self.listener: socket.socket | None = None
        before = Record.load(instance.record) if inherited else None
        self.record.handover = inherited.number if inherited else ""
        self.supervisor = Supervisor(
            self.record, instance.record, instance.logs, self._log, before.services if before else {}
        )
        self.services: list[Service] = []
        """All of this run but the databases, once they are known."""
        self.ordered = False
        self.started_at = time.monotonic()

    def to_the_end(self, on_ready: Callable[[], None]) -> int:
        ready = False
        with _stop_by_exception() as ignore_signals:
            try:
                self._start()
                ready = True
                self._greet()
                on_ready()
                while True:
                    self.supervisor.serve(until=lambda: self.ordered)
                    self._hand_over()
            except Stop:
                self._log("Stopping ...")
            finally:
                ignore_signals(self.supervisor.force_stop)
                self._end()
        self._log("Stopped; the data are kept.")
        return 0 if ready else INTERRUPTED

    def _order(self, *_: object) -> None:
        self.ordered = True

    def _hand_over(self) -> None:
        """Become the supervisor of another release; returns only when that failed."""
        self.ordered = False
        reason = handover.follow(self.instance, self.record, self.lock, self.listener)
        self._log(f"The upgrade was not begun: {reason}")
        self.supervisor.save_soon()

    def _start(self) -> None:
        signal.signal(handover.SIGNAL, self._order)
        handover.take_signals()
        if self.inherited:
            self.listener = self.inherited.listener()
        elif self._runs("web"):
            self.listener = ports.bind(self.options.listen, self.port)
        self.supervisor.save_soon()
        ensure_python(self.checkout, LOCK, self.console)
        cloud = cloud_of(self.options, self.instance, self.product.python)
        with ThreadPoolExecutor(max_workers=1) as pool:
            pages = pool.submit(self._ensure_pages)
            try:
                self.record.clouds_yaml, self.record.cloud = str(cloud.clouds_yaml), cloud.name
                self.record.guests, words = choose_guests(self.options, cloud)
                if words:
                    self._log(words)
                self._start_services(pages, simulated=cloud.simulated)
                self.supervisor.end_old()
            except (LaunchError, OSError) as error:
                if not (self.inherited and self.services):
                    abandon_tools()
                    raise
                self.record.refusal = explain_os_error(error) if isinstance(error, OSError) else str(error)
                self._log(f"The processes of before go on: {self.record.refusal}")
                self.supervisor.return_to_old(*self.services)
            except BaseException:
                abandon_tools()
                raise
        self.record.phase = READY
        self.supervisor.save_soon()

    def _runs(self, role: str) -> bool:
        return not self.options.roles or role in self.options.roles

    def _ensure_pages(self) -> None:
        if self._runs("web"):
            frontend.ensure_pages(self.checkout, LOCK, self.console)

    def _start_services(self, pages: "Future[None]", *, simulated: bool) -> None:
        supervisor, product = self.supervisor, self.product
        if not self.options.roles:
            make_keys(self.instance.keys)
        with self.console.step("databases"):
            self._start_databases()
        endpoints = Endpoints.of(self.record, self.instance)
        env = product.environment(endpoints)
        web: tuple[Service, ...] = ()
        if self._runs("web"):
            assert self.listener is not None, "bound at the start"
            listener = self.listener.fileno()
            web = product.web(env, Web(listener, self.record.url, self.options.tls, self.options.web_processes))
        background = (
            *(service for service in product.background(env) if self._runs(service.name)),
            *backup.scheduled(self.checkout, self.instance, endpoints.database_url),
        )
        clouds = (product.cloudsim(self.record.guests),) if simulated else ()
        routers = (product.routersim(endpoints.cloud, env["VNFM_TRAP_LISTEN"]),) if simulated else ()
        self.services = [*clouds, *background, *web, *routers]
        if forks.supported():
            with self.console.step("code"):
                supervisor.start_fork_server(product.fork_server(env, simulators=simulated))
                supervisor.await_ready("forkserver")
        # What does not fit is refused before anything of the product starts.
        if self.options.roles:
            require_migrated(schema_plan(self.checkout, self.instance, endpoints.database_url))
        else:
            ensure_schema(product, env, self._upgrade_schema)
        supervisor.start(*clouds)
        early = web if pages.done() else ()
        with self.console.step("services"):
            supervisor.start(*background, *early)
            if simulated:
                supervisor.await_ready("cloudsim")
                supervisor.start(*routers)
            network = simulated and not self.options.empty
            if not self.options.roles:
                supervisor.run_once(product.bootstrap(env, endpoints.cloud, network=network))
            supervisor.await_ready()
        self._await_pages(pages)
        if web and not early:
            with self.console.step("web"):
                supervisor.start(*web)
                supervisor.await_ready()

    def _upgrade_schema(self, program: Service) -> None:
        with self.console.step("database schema"):
            self.supervisor.run_once(program)

    def _start_databases(self) -> None:
        services: list[Service] = []
        self.record.database_url = os.environ.get("DATABASE_URL", "")
        self.record.redis_url = os.environ.get("REDIS_URL", "")
        if not self.record.database_url:
            cluster, service = self.product.postgres()
            self.record.database_url = cluster.url
            services.append(service)
        if not self.record.redis_url:
            store, service = self.product.valkey()
            self.record.redis_url = store.url
            services.append(service)
        if not self.inherited:  # `upgrade` has asked them: by now what serves would end for a moment's silence
            require_servers()
        if services:
            self.supervisor.start(*services)
            self.supervisor.await_ready()

    def _await_pages(self, pages: "Future[None]") -> None:
        while not pages.done():
            self.supervisor.tick()
            time.sleep(0.1)
        pages.result()

    def _greet(self) -> None:
        cloud = f"{self.record.cloud} (simulated)" if Endpoints.of(self.record, self.instance).cloud.simulated else ""
        web = (
            f"  URL       {self.record.users_url}\n"
            f"  name      {ADMIN}\n"
            f"  password  {self.product.admin_password or 'as you have set it'}\n"
        )
        self.console.say(
            f"\nReady in {time.monotonic() - self.started_at:.0f} s.\n"
            f"{web if self._runs('web') else ''}"
            f"  cloud     {cloud or self.record.cloud or 'those of the installation'}\n"
            f"  state     {self.instance.root}\n"
            f"Stop it with {'' if self.options.detached else 'Ctrl-C or '}{self.options.down_command}.\n"
        )

    def _end(self) -> None:
        abandon_tools()
        self.record.phase = STOPPING
        if self.listener is not None:
            self.listener.close()  # once the web has ended, connections are refused and not kept waiting
        self.supervisor.stop()
        self.instance.record.unlink(missing_ok=True)

    def _log(self, text: str) -> None:
        """To the console and, with the time, to the supervisor's own log."""
        self.console.say(text)
        with suppress(OSError), self.instance.log("supervisor").open("a") as log:
            log.write(f"{time.strftime('%Y-%m-%dT%H:%M:%S%z')} {text}\n")


@contextmanager
def _stop_by_exception() -> Iterator[Callable[[Callable[[], None]], None]]:
    """Turn the signals that mean "end" into Stop; yields how to take them differently while ending."""
    names = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

    def stop(_number: int, _frame: FrameType | None) -> None:
        raise Stop

    def instead(action: Callable[[], None]) -> None:
        for name in names:
            signal.signal(name, lambda _number, _frame: action())

    before = {name: signal.signal(name, stop) for name in names}
    try:
        yield instead
    finally:
        for name, handler in before.items():
            signal.signal(name, handler)
