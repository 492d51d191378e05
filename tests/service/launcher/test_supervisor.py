"""The supervisor with toy services: real processes, real signals."""

import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from launcher.errors import LaunchError
from launcher.processes import Identity, spawn, wait_until
from launcher.record import Record, ServiceRecord
from launcher.service import Service
from launcher.supervisor import Supervisor

WAIT = "import signal; signal.pause()"
REPORT_EXIT = (
    "import signal, sys\n"
    "def end(*_):\n"
    "    open(sys.argv[2], 'a').write(sys.argv[1] + ' ')\n"
    "    sys.exit(0)\n"
    "signal.signal(signal.SIGTERM, end)\n"
    "print('up', flush=True)\n"
    "while True: signal.pause()\n"
)
DEAF = (
    "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('up', flush=True)\nwhile True: signal.pause()"
)


class Watched:
    """A supervisor, what it said, and its state file."""

    def __init__(self, folder: Path) -> None:
        self.messages: list[str] = []
        self.file = folder / "state.json"
        me = Identity.of(os.getpid())
        assert me is not None
        self.supervisor = Supervisor(Record(me), self.file, folder, self.messages.append)

    def record(self) -> Record:
        record = Record.load(self.file)
        assert record is not None
        return record

    def tick_until(self, service: str, state: str, seconds: float = 20) -> bool:
        def there() -> bool:
            self.supervisor.tick()
            return self.record().services[service].state == state

        return wait_until(there, seconds)


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[Watched]:
    watched = Watched(tmp_path)
    yield watched
    watched.supervisor.stop()


def toy(name: str, program: str, *arguments: str, **options: object) -> Service:
    return Service(name, (sys.executable, "-c", program, *arguments), **options)


def inherited_record(pid: int, service: Service) -> ServiceRecord:
    """Return the record of a process that another release's supervisor started."""
    process = Identity.of(pid)
    assert process is not None
    command = [*service.command]
    return ServiceRecord(pid, process.started, "running", 0, int(service.stop_signal), service.grace, command)


def has_logged_up(running: object) -> bool:
    return running.has_logged("up")


def test_a_dead_service_is_restarted_and_reported(watched: Watched) -> None:
    watched.supervisor.start(toy("web", WAIT))
    watched.supervisor.await_ready()
    first = watched.record().services["web"].pid
    os.kill(first, signal.SIGKILL)
    assert watched.tick_until("web", "restarting")
    assert watched.tick_until("web", "running")
    after = watched.record().services["web"]
    assert after.pid != first
    assert after.restarts == 1
    assert watched.messages == [
        "web ended (killed by SIGKILL): starting it again in 0.5 s.",
        "web runs again (restart 1).",
    ]


def test_each_further_death_waits_longer(watched: Watched) -> None:
    watched.supervisor.start(toy("web", WAIT))
    for _ in range(3):
        assert watched.tick_until("web", "running")
        os.kill(watched.record().services["web"].pid, signal.SIGKILL)
        assert watched.tick_until("web", "restarting")
    assert [line.split()[-2] for line in watched.messages if "starting" in line] == ["0.5", "1", "2"]


def test_a_service_that_dies_at_once_fails_the_start_with_its_own_words(watched: Watched) -> None:
    watched.supervisor.start(toy("web", "raise SystemExit('no such table')", ready=lambda _: False))
    with pytest.raises(LaunchError, match=r"(?s)web does not stay up.*no such table"):
        watched.supervisor.await_ready()


def test_a_service_that_is_never_ready_fails_the_start(watched: Watched) -> None:
    watched.supervisor.start(toy("web", WAIT, ready=lambda _: False, ready_seconds=0.2))
    with pytest.raises(LaunchError, match="web was not ready after"):
        watched.supervisor.await_ready()


def test_stages_stop_in_reverse_order(watched: Watched, tmp_path: Path) -> None:
    ends = tmp_path / "ends"
    for name in ("database", "worker", "web"):
        watched.supervisor.start(toy(name, REPORT_EXIT, name, str(ends), ready=has_logged_up))
    watched.supervisor.await_ready()
    watched.supervisor.stop()
    assert ends.read_text().split() == ["web", "worker", "database"]


def test_a_process_that_ignores_sigterm_is_killed_after_its_grace(watched: Watched) -> None:
    watched.supervisor.start(toy("deaf", DEAF, ready=has_logged_up, grace=0.2))
    watched.supervisor.await_ready()
    identity = watched.record().services["deaf"].identity
    watched.supervisor.stop()
    assert not identity.alive


def test_a_forced_stop_does_not_wait(watched: Watched) -> None:
    watched.supervisor.start(toy("deaf", DEAF, ready=has_logged_up, grace=3600))
    watched.supervisor.await_ready()
    watched.supervisor.force_stop()
    watched.supervisor.stop()
    assert watched.record().services["deaf"].state == "stopped"


def test_children_of_a_dead_service_go_with_it(watched: Watched, tmp_path: Path) -> None:
    pid_file = tmp_path / "pid"
    parent = (
        "import subprocess, sys, signal\n"
        f"child = subprocess.Popen([sys.executable, '-c', {WAIT!r}])\n"
        "open(sys.argv[1], 'w').write(str(child.pid))\n"
        "print('up', flush=True); signal.pause()\n"
    )
    watched.supervisor.start(toy("family", parent, str(pid_file), ready=has_logged_up))
    watched.supervisor.await_ready()
    grandchild = Identity.of(int(pid_file.read_text()))
    watched.supervisor.stop()
    assert wait_until(lambda: not grandchild.alive, 10)


def test_a_failed_one_shot_raises_its_own_words(watched: Watched, tmp_path: Path) -> None:
    program = toy("upgrade", "raise SystemExit('no such migration')")
    with pytest.raises(LaunchError, match=r"(?s)upgrade failed.*no such migration"):
        watched.supervisor.run_once(program)


def test_an_unwritable_state_file_is_reported_once_and_endured(watched: Watched) -> None:
    watched.supervisor.start(toy("web", WAIT))
    watched.supervisor.await_ready()
    blocker = watched.file.with_name(watched.file.name + ".new")
    blocker.mkdir()
    os.kill(watched.record().services["web"].pid, signal.SIGKILL)

    def restarted() -> bool:
        watched.supervisor.tick()
        return any("runs again" in line for line in watched.messages)

    assert wait_until(restarted, 20)
    assert sum(str(blocker) in line for line in watched.messages) == 1
    blocker.rmdir()
    watched.supervisor.tick()
    assert watched.record().services["web"].restarts == 1


BEATING = (
    "import os, pathlib, sys, time\n"
    "file = pathlib.Path(sys.argv[1], f'worker.{os.getpid()}')\n"
    "while True: file.touch(); print('up', flush=True); time.sleep(0.1)\n"
)


def test_a_hung_service_is_killed_and_restarted(
    watched: Watched, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also when another process of that name, such as a second worker, goes on to beat."""
    monkeypatch.setenv("VNFM_PROCESS_RESTART_SECONDS", "3")
    watched.supervisor.start(toy("worker", BEATING, str(tmp_path), ready=has_logged_up, heartbeats=tmp_path))
    watched.supervisor.await_ready()
    (tmp_path / f"worker.{os.getpid()}").touch()
    first = watched.record().services["worker"].pid
    assert wait_until((tmp_path / f"worker.{first}").exists, 20)
    os.kill(first, signal.SIGSTOP)
    assert watched.tick_until("worker", "restarting", 60)
    assert "has been silent for" in watched.messages[0]
    assert watched.tick_until("worker", "running")
    assert watched.record().services["worker"].pid != first


def test_a_service_that_beats_is_left_alone(watched: Watched, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It beats again and again while another, with the same limit, is killed for its silence."""
    monkeypatch.setenv("VNFM_PROCESS_RESTART_SECONDS", "3")
    services = (toy(n, BEATING.replace("worker", n), str(tmp_path), heartbeats=tmp_path) for n in ("watch", "worker"))
    watched.supervisor.start(*services)
    watched.supervisor.await_ready()
    hung = watched.record().services["worker"].pid
    assert wait_until((tmp_path / f"worker.{hung}").exists, 20)
    os.kill(hung, signal.SIGSTOP)
    assert watched.tick_until("worker", "restarting", 60)
    assert watched.record().services["watch"].restarts == 0
    assert not any(line.startswith("watch") for line in watched.messages)


def test_what_was_inherited_ends_latest_first_also_on_a_full_disk(tmp_path: Path) -> None:
    ended = tmp_path / "ended"
    inherited = {}
    for name in ("database", "traps", "web"):
        service = toy(name, REPORT_EXIT, name, str(ended))
        process = spawn(service.command, log=tmp_path / name)
        assert wait_until((tmp_path / name).read_text, 10)
        inherited[name] = inherited_record(process.pid, service)
    me = Identity.of(os.getpid())
    assert me is not None
    Supervisor(Record(me), tmp_path / "none" / "state.json", tmp_path, print, inherited).stop()
    assert ended.read_text().split() == ["web", "traps", "database"]


def test_a_return_to_the_old_processes_bears_a_full_disk(tmp_path: Path) -> None:
    folder = tmp_path / "run"  # not there yet: nothing can be written into it
    me = Identity.of(os.getpid())
    assert me is not None
    service, old = toy("web", WAIT), spawn((sys.executable, "-c", WAIT))
    inherited = {"web": inherited_record(old.pid, service)}
    supervisor = Supervisor(Record(me), folder / "state.json", tmp_path, print, inherited)
    supervisor.return_to_old(service)
    assert old.poll() is None
    folder.mkdir()
    supervisor.tick()
    record = Record.load(folder / "state.json")
    assert record is not None
    assert record.services["web"].pid == old.pid, "noted once there is room"
    supervisor.stop()
    assert old.wait(10) is not None
