"""Keeps services running: starts them in stages, restarts those that die, stops all in reverse order.

One thread runs one loop (`tick`). Every change is written to the state file at once, so that other commands, and the
next supervisor after a `kill -9` of this one, recognise every process by pid and start time.
"""

import os
import signal
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from launcher import backoff
from launcher.errors import LaunchError, explain_os_error, last_lines
from launcher.forks import Forked, ForkServer, NoForkError
from launcher.heartbeats import HeartbeatWatch
from launcher.processes import Identity, spawn, wait_until
from launcher.record import Record, ServiceRecord
from launcher.rotation import bound, quota, rotate
from launcher.service import BESIDE, KEPT, Running, Service

if TYPE_CHECKING:
    import subprocess

TICK_SECONDS = 0.1
IDLE_TICK_SECONDS = 0.5
ROTATE_SECONDS = 5.0
START_ATTEMPTS = 3
PRIVATE = 0o077  # files of services are private to their owner
STARTING, RUNNING, RESTARTING, STOPPED = "starting", "running", "restarting", "stopped"


class _Child:
    """One service and its current process, if any."""

    def __init__(self, service: Service, log: Path) -> None:
        self.service = service
        self.log = log
        self.heartbeats = HeartbeatWatch(service.heartbeats, service.name) if service.heartbeats else None
        self.process: subprocess.Popen[bytes] | Forked | None = None
        self.identity: Identity | None = None
        self.running: Running | None = None
        self.state = STOPPED
        self.restarts = 0
        self.failures = 0
        self.been_ready = False
        self.changed_at = 0.0
        self.due_at = 0.0

    def adopt(self, before: ServiceRecord) -> None:
        """Watch an inherited process as this service; it is still our child after exec(2)."""
        assert before.identity is not None, "it runs"
        self.identity = before.identity
        self.process = Forked(before.identity.pid)
        self.running = Running(self.identity.pid, self.log, 0)
        self.restarts = before.restarts
        self.became_ready()

    def exchange(self, other: "_Child") -> None:
        """Take over the process of `other`, which then has none."""
        self.process, self.identity, self.running = other.process, other.identity, other.running
        other.process = other.identity = other.running = None
        self.became_ready()

    def end(self, forced: Callable[[], bool]) -> None:
        """Send the stop signal, wait, and kill the process if it does not end."""
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(self.service.stop_signal)
        self.wait_gone(time.monotonic() + self.service.grace, forced)

    def launch(self, start: "Callable[[Service, Path], subprocess.Popen[bytes] | Forked]") -> None:
        size = self.log.stat().st_size if self.log.exists() else 0
        self.process = start(self.service, self.log)
        self.identity = Identity.of(self.process.pid)
        self.running = Running(self.process.pid, self.log, size)
        self._enter(STARTING)

    def _enter(self, state: str) -> None:
        self.state = state
        self.changed_at = time.monotonic()

    def is_ready(self) -> bool:
        return self.running is not None and self.service.ready(self.running)

    def became_ready(self) -> None:
        self.been_ready = True
        self._enter(RUNNING)

    def kill_if_silent(self) -> float | None:
        """Kill a process that hangs, and return the seconds for which it was silent; else return None."""
        if self.process is None or self.heartbeats is None or self.state != RUNNING:
            return None
        silent = self.heartbeats.silent_seconds(self.process.pid)
        if silent < self.heartbeats.limit:
            return None
        _kill_group(self.process.pid)
        return silent

    def reap(self) -> float:
        """Count a death, kill the rest of its process group, and return the seconds until the next start."""
        assert self.process is not None
        _kill_group(self.process.pid)
        stable = self.state == RUNNING and time.monotonic() - self.changed_at > backoff.STABLE_SECONDS
        self.failures = 1 if stable else self.failures + 1
        wait = backoff.delay(self.failures)
        self.due_at = time.monotonic() + wait
        self.process = self.identity = self.running = None
        self._enter(RESTARTING)
        return wait

    def wait_gone(self, deadline: float, forced: Callable[[], bool]) -> None:
        """Wait for a signalled process until the deadline or a forced stop, then kill it if it still runs."""
        if self.process is not None:
            process = self.process
            wait_until(lambda: process.poll() is not None or forced(), deadline - time.monotonic())
            if process.poll() is None:
                process.kill()
                process.wait()
            _kill_group(process.pid)
        self.process = self.identity = self.running = None
        self._enter(STOPPED)

    def record(self) -> ServiceRecord:
        pid, started = (self.identity.pid, self.identity.started) if self.identity else (None, "")
        service = self.service
        return ServiceRecord(
            pid, started, self.state, self.restarts, int(service.stop_signal), service.grace, [*service.command]
        )


class Supervisor:
    """The services of one instance. Call it from one thread, which must live at least as long as they.

    `inherited` are processes of another release, which are our children because this process was its supervisor.
    """

    def __init__(
        self,
        record: Record,
        record_file: Path,
        logs: Path,
        say: Callable[[str], None],
        inherited: Mapping[str, ServiceRecord] | None = None,
    ) -> None:
        self.record = record
        self._record_file = record_file
        self._logs = logs
        self._say = say
        self._stages: list[list[_Child]] = []
        self._inherited = dict(inherited or {})
        self._old: dict[str, _Child] = {}
        """Processes of another release that serve until their successors are ready."""
        self._commands: dict[str, list[str]] = {}
        """Earlier commands, by name, of KEPT services whose command has changed, so that they ended first."""
        self._fork_server: ForkServer | None = None
        self._rotate_at = 0.0
        self._forced = False
        self._complaint = ""
        self._unsaved = False

    @property
    def _children(self) -> list[_Child]:
        return [child for stage in self._stages for child in stage]

    def save(self) -> None:
        self.record.services = self._inherited | {child.service.name: child.record() for child in self._children}
        self.record.save(self._record_file)
        self._unsaved = False

    def save_soon(self) -> None:
        """Save now, or by `tick` later if the disk is full: that must not end the instance."""
        self._unsaved = True
        with suppress(OSError):
            self.save()

    def start(self, *services: Service) -> None:
        """Start services as one stage: later stages depend on it and are stopped before it."""
        stage = [_Child(service, self._logs / f"{service.name}.log") for service in services]
        self._stages.append(stage)
        for child in stage:
            if not self._keeps(child):
                child.launch(self._launch)
            self.save()

    def _keeps(self, child: _Child) -> bool:
        """Return whether the inherited process continues as the service; else end it, now or in `end_old`."""
        service = child.service
        before = self._inherited.pop(service.name, None)
        if before is None or before.identity is None or not before.identity.alive:
            return False
        if service.replaced == KEPT and before.runs(service.command):
            child.adopt(before)
            return True
        old = _Child(replace(service, stop_signal=before.stop_signal, grace=before.grace), child.log)
        old.adopt(before)
        if service.replaced == BESIDE:
            self._old[service.name] = old
        else:
            if service.replaced == KEPT:
                self._commands[service.name] = before.command
            old.end(lambda: self._forced)
        return False

    def end_old(self) -> None:
        """End processes that have a successor, then, one by one, services that this release does not have."""
        for old in self._old.values():
            if old.process is not None and old.process.poll() is None:
                old.process.send_signal(old.service.stop_signal)
        while self._old:
            _, old = self._old.popitem()
            old.wait_gone(time.monotonic() + old.service.grace, lambda: self._forced)
        while self._inherited:
            name, before = next(reversed(self._inherited.items()))
            if before.identity is not None and before.identity.alive:
                rest = _Child(Service(name, (), stop_signal=before.stop_signal, grace=before.grace), Path())
                rest.adopt(before)
                rest.end(lambda: self._forced)
            del self._inherited[name]
        self.save_soon()

    def return_to_old(self, *services: Service) -> None:
        """End the successors and watch the inherited processes again; `services` are all services."""
        for child in self._children:
            if (old := self._old.pop(child.service.name, None)) is not None and old.process is not None:
                if child.process is not None:
                    _kill_group(child.process.pid)
                    child.process.wait()
                child.exchange(old)
            elif (command := self._commands.pop(child.service.name, None)) and not child.been_ready:
                self._run_again(child, command)
        rest = [service for service in services if service.name in self._inherited]
        stage = [_Child(service, self._logs / f"{service.name}.log") for service in rest]
        self._stages.append(stage)
        for child in stage:
            before = self._inherited.pop(child.service.name)
            if before.identity is not None and before.identity.alive:
                child.adopt(before)
            else:
                child.launch(self._launch)
        self.save_soon()

    def _run_again(self, child: _Child, command: list[str]) -> None:
        """Run a server by its earlier command, in place of the one that did not become ready."""
        self._say(f"{child.service.name} did not become ready: starting it by its earlier command.")
        if child.process is not None:
            _kill_group(child.process.pid)
            child.process.wait()
        child.service = replace(child.service, command=tuple(command))
        child.launch(self._launch)

    def start_fork_server(self, fork_server: ForkServer) -> None:
        """Start the fork server, which starts services once it is ready."""
        self._fork_server = fork_server
        self.start(fork_server.service)

    def _launch(self, service: Service, log: Path) -> "subprocess.Popen[bytes] | Forked":
        """Start a service by the fork server; while that does not run, start it as a new program."""
        if service.forked and self._fork_server is not None:
            server = next(child for child in self._children if child.service is self._fork_server.service)
            if server.state == RUNNING and server.process is not None and server.process.poll() is None:
                try:
                    return self._fork_server.fork(service, log, umask=PRIVATE)
                except NoForkError as error:
                    self._say(f"{server.service.name} does not fork {service.name} ({error}): restarting it.")
                    _kill_group(server.process.pid)
        return spawn(
            service.command,
            log=log,
            env=service.env,
            cwd=service.cwd,
            orphan_signal=service.orphan_signal,
            user=service.user,
            umask=PRIVATE,
            fds=service.fds,
        )

    def await_ready(self, *names: str) -> None:
        """Wait until the named services, or all, are ready. Raises LaunchError if one does not become ready."""
        waited = [child for child in self._children if not names or child.service.name in names]
        while any(not child.been_ready for child in waited):
            self.tick()
            for child in waited:
                self._check_start(child)
            time.sleep(TICK_SECONDS)

    def _check_start(self, child: _Child) -> None:
        if child.been_ready:
            return
        late = child.state == STARTING and time.monotonic() - child.changed_at > child.service.ready_seconds
        if late or child.failures >= START_ATTEMPTS:
            reason = f"was not ready after {child.service.ready_seconds:.0f} s" if late else "does not stay up"
            raise LaunchError(f"{child.service.name} {reason}; {child.log} ends with:\n{last_lines(child.log)}")

    def run_once(self, service: Service) -> None:
        """Run a program to its end while watching the services. Raises LaunchError unless it exits with 0."""
        name, log = service.name, self._logs / f"{service.name}.log"
        process = self._launch(service, log)
        try:
            while process.poll() is None:
                self.tick()
                for child in self._children:
                    self._check_start(child)
                time.sleep(TICK_SECONDS / 2)
        finally:
            if process.poll() is None:
                process.kill()
                process.wait()
        if process.returncode:
            raise LaunchError(f"{name} failed; {log} ends with:\n{last_lines(log)}")

    def serve(self, until: Callable[[], bool] = lambda: False) -> None:
        """Watch the services until `until` is true or an exception, usually of a signal, ends the loop."""
        while not until():
            self.tick()
            settled = all(child.state == RUNNING for child in self._children)
            time.sleep(IDLE_TICK_SECONDS if settled else TICK_SECONDS)

    def tick(self) -> None:
        """Check every child once. A full disk is reported once, and the services continue to run."""
        try:
            self._tick()
            self._complaint = ""
        except OSError as error:
            if (complaint := explain_os_error(error)) != self._complaint:
                self._complaint = complaint
                self._say(complaint)

    def _tick(self) -> None:
        changed = [self._look_at(child) for child in self._children]
        self._unsaved = self._unsaved or any(changed)
        if self._unsaved:
            self.save()
        if time.monotonic() > self._rotate_at:
            self._rotate_at = time.monotonic() + ROTATE_SECONDS
            for log in self._logs.glob("*.log"):
                rotate(log)
            if gone := bound(self._logs, quota(self._logs)):
                self._say(f"The logs had more than VNFM_LOGS_QUOTA: removed {', '.join(gone)}.")

    def _look_at(self, child: _Child) -> bool:
        name = child.service.name
        if child.process is not None and (code := child.process.poll()) is not None:
            wait = child.reap()
            self._say(f"{name} ended ({describe_exit(code)}): starting it again in {wait:g} s.")
        elif child.state == RESTARTING and time.monotonic() >= child.due_at:
            child.restarts += 1
            child.launch(self._launch)
        elif (silent := child.kill_if_silent()) is not None:
            self._say(f"{name} has been silent for {silent:.0f} s: killed it to start it again.")
        elif child.state == STARTING and child.is_ready():
            if child.been_ready:
                self._say(f"{name} runs again (restart {child.restarts}).")
            child.became_ready()
        else:
            return False
        return True

    def force_stop(self) -> None:
        """Stop without grace, as the user asked a second time."""
        self._forced = True

    def stop(self) -> None:
        """Stop all services, the latest stage first, all of a stage at once. A second call is harmless."""
        if self._old or self._inherited:
            self.end_old()
        while self._stages:
            stage = self._stages[-1]
            deadlines = [time.monotonic() + child.service.grace for child in stage]
            for child in stage:
                if child.process is not None and child.process.poll() is None:
                    child.process.send_signal(child.service.stop_signal)
            for child, deadline in zip(stage, deadlines, strict=True):
                child.wait_gone(deadline, lambda: self._forced)
            self.save_soon()
            self._stages.pop()


def _kill_group(group: int) -> None:
    """Kill the processes that a dead service left in its process group."""
    try:
        os.killpg(group, signal.SIGKILL)
    except ProcessLookupError:
        return


def describe_exit(code: int) -> str:
    """Describe a return code of Popen."""
    if code < 0:
        return f"killed by {signal.Signals(-code).name}"
    return f"exit code {code}"
