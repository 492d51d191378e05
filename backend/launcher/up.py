"""`vnfm up`: installs, starts and watches an instance until a signal or `vnfm down` stops it."""

import signal
import socket
import time
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from itertools import count
from types import FrameType

from launcher import backoff, forks, frontend, handover, ports
from launcher.console import Console
from launcher.errors import INTERRUPTED, LaunchError, Stop, explain_os_error
from launcher.handover import Inherited
from launcher.layout import ADMIN, Checkout, Instance
from launcher.ownership import AlreadyRunning, await_other, clear_leftovers, hold
from launcher.ports import DEFAULT_PORT
from launcher.processes import wait_until
from launcher.product import LOCK, Endpoints, Product
from launcher.record import READY, STOPPING, Record
from launcher.run_plan import RunPlan, plan_run, prepare_run, record_of
from launcher.schema import ensure_schema, require_migrated, schema_plan
from launcher.service import Service
from launcher.startable import require_servers
from launcher.supervisor import Supervisor
from launcher.tools import abandon_tools
from launcher.up_options import UpOptions

OTHER_SECONDS = 600.0  # a first installation on a slow line


def up(checkout: Checkout, options: UpOptions, console: Console, on_ready: Callable[[], None] = lambda: None) -> int:
    """Run an instance until it is stopped; return an exit code. `on_ready` is called once everything answers."""
    instance = Instance(options.state)
    inherited = Inherited.take()
    if inherited is None:  # else `_Run` does so and retries: an error here would end the running services
        prepare_run(checkout, instance, options, console)
    try:
        with hold(instance, inherited.lock if inherited else None) as lock:
            clear_leftovers(instance, console.say)
            run = _Run(checkout, instance, options, console, lock=lock, inherited=inherited)
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


class _Run:
    """One run of an instance, or with `inherited` the continuation of another release's run."""

    def __init__(
        self,
        checkout: Checkout,
        instance: Instance,
        options: UpOptions,
        console: Console,
        *,
        lock: int,
        inherited: Inherited | None,
    ) -> None:
        self.checkout, self.instance, self.options, self.console = checkout, instance, options, console
        self.product = Product(checkout, instance, takes_over=inherited is not None)
        self.port = options.port or DEFAULT_PORT
        before = Record.load(instance.record) if inherited else None
        self.record = record_of(options, self.port, before)
        self.lock, self.inherited = lock, inherited
        self.listener: socket.socket | None = None
        self.record.handover = inherited.number if inherited else ""
        self.supervisor = Supervisor(
            self.record, instance.record, instance.logs, self._log, before.services if before else {}
        )
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
        """Become the supervisor of another release; return only if that failed."""
        self.ordered = False
        reason = handover.follow(self.instance, self.record, self.lock, self.listener)
        self._log(f"The upgrade did not start: {reason}")
        self.supervisor.save_soon()

    def _start(self) -> None:
        signal.signal(handover.SIGNAL, self._order)
        handover.take_signals()
        if self.inherited:
            self.listener = self.inherited.listener()
        elif self.options.runs("web"):
            self.listener = ports.bind(self.options.listen, self.port)
        self.supervisor.save_soon()
        plan = self._plan_at_last() if self.inherited else self._plan()
        if not self.record.refusal:
            try:
                self._start_all(plan)
            except Exception as error:
                if not self.inherited:
                    raise
                self._refuse(error)
        if self.record.refusal:
            self.supervisor.return_to_old(*plan.databases)
            self.supervisor.return_to_old(*plan.services)
        self.record.phase = READY
        self.supervisor.save_soon()

    def _plan(self) -> RunPlan:
        if self.inherited:
            prepare_run(self.checkout, self.instance, self.options, self.console)
        plan, message = plan_run(self.product, self.options, self.record, self.listener, self.console)
        if message:
            self._log(message)
        return plan

    def _plan_at_last(self) -> RunPlan:
        """Plan a run after a hand-over, and retry after an error, which must not end the running services.

        The earlier release's processes serve unwatched until the plan succeeds or another release is ordered.
        """
        for failures in count(1):
            try:
                return self._plan()
            except Exception as error:  # noqa: BLE001 - any error would end the running services with this process
                self._refuse(error)
            self.record.phase = READY
            self.supervisor.save_soon()
            if wait_until(lambda: self.ordered, backoff.delay(failures), pause=0.1):
                self._hand_over()
        raise AssertionError("the loop has no end")

    def _refuse(self, error: Exception) -> None:
        known = isinstance(error, LaunchError | OSError)
        message = explain_os_error(error) if isinstance(error, OSError) else str(error)
        reason = message if known else f"{type(error).__name__}: {message}"
        if reason != self.record.refusal:
            self._log(f"The earlier release continues to run: {reason}")
            if not known:
                self._log("".join(traceback.format_exception(error)))
        self.record.refusal = reason

    def _start_all(self, plan: RunPlan) -> None:
        with ThreadPoolExecutor(max_workers=1) as pool:
            pages = pool.submit(self._ensure_pages)
            try:
                self._start_services(plan, pages)
                self.supervisor.end_old()
            except BaseException:
                abandon_tools()
                raise

    def _ensure_pages(self) -> None:
        if self.options.runs("web"):
            frontend.ensure_pages(self.checkout, LOCK, self.console)

    def _start_services(self, plan: RunPlan, pages: "Future[None]") -> None:
        supervisor, product = self.supervisor, self.product
        with self.console.step("databases"):
            self._start_databases(plan)
        if forks.supported():
            with self.console.step("code"):
                supervisor.start_fork_server(product.fork_server(plan.env, simulators=plan.simulated))
                supervisor.await_ready("forkserver")
        # The schema is checked before any process of the product starts.
        if self.options.roles:
            require_migrated(schema_plan(self.checkout, self.instance, self.record.database_url))
        else:
            ensure_schema(product, plan.env, self._upgrade_schema)
        supervisor.start(*plan.clouds)
        early = plan.web if pages.done() else ()
        with self.console.step("services"):
            supervisor.start(*plan.background, *early)
            if plan.simulated:
                supervisor.await_ready("cloudsim")
                supervisor.start(*plan.routers)
            network = plan.simulated and not self.options.empty
            if not self.options.roles:
                supervisor.run_once(product.bootstrap(plan.env, plan.cloud, network=network))
            supervisor.await_ready()
        self._await_pages(pages)
        if plan.web and not early:
            with self.console.step("web"):
                supervisor.start(*plan.web)
                supervisor.await_ready()

    def _upgrade_schema(self, program: Service) -> None:
        with self.console.step("database schema"):
            self.supervisor.run_once(program)

    def _start_databases(self, plan: RunPlan) -> None:
        if not self.inherited:  # `upgrade` has checked them; a failure now would end the running services
            require_servers()
        if plan.databases:
            self.supervisor.start(*plan.databases)
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
            f"  password  {self.product.admin_password or 'the one that you have set'}\n"
        )
        self.console.say(
            f"\nReady in {time.monotonic() - self.started_at:.0f} s.\n"
            f"{web if self.options.runs('web') else ''}"
            f"  cloud     {cloud or self.record.cloud or 'those of the installation'}\n"
            f"  state     {self.instance.root}\n"
            f"Stop it with {'' if self.options.detached else 'Ctrl-C or '}{self.options.down_command}.\n"
        )

    def _end(self) -> None:
        abandon_tools()
        self.record.phase = STOPPING
        if self.listener is not None:
            self.listener.close()  # so that connections are refused after the web has ended, and do not wait
        self.supervisor.stop()
        self.instance.record.unlink(missing_ok=True)

    def _log(self, text: str) -> None:
        """Write to the console and, with the time, to the supervisor's own log."""
        self.console.say(text)
        with suppress(OSError), self.instance.log("supervisor").open("a") as log:
            log.write(f"{time.strftime('%Y-%m-%dT%H:%M:%S%z')} {text}\n")


@contextmanager
def _stop_by_exception() -> Iterator[Callable[[Callable[[], None]], None]]:
    """Raise Stop for the signals that request an end; yield a function that sets another action for them."""
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
