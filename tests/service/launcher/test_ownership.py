"""Nothing stays behind, nothing foreign is touched: kill -9 of the supervisor, then `down`."""

import dataclasses
import io
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from launcher.console import Console
from launcher.errors import LaunchError
from launcher.layout import Checkout, Instance
from launcher.ownership import AlreadyRunning, clear_leftovers, hold
from launcher.processes import Identity, spawn, wait_until
from launcher.record import READY, Record
from launcher.status import NOT_RUNNING, down, status
from launcher.up import up
from launcher.up_options import UpOptions

TOY = Path(__file__).with_name("toy_instance.py")
BACKEND = Path(__file__).parents[3] / "backend"


class Toy:
    """An instance with toy services, run by a supervisor in another process."""

    def __init__(self, folder: Path) -> None:
        self.instance = Instance(folder)
        env = os.environ | {"PYTHONPATH": str(BACKEND)}
        folder.mkdir()
        self.process = spawn([sys.executable, TOY, folder], env=env, log=folder / "toy.log")
        assert wait_until(self._ready, 30), (folder / "toy.log").read_text()

    def _ready(self) -> bool:
        record = Record.load(self.instance.record)
        return record is not None and record.phase == READY

    def identity(self, service: str) -> Identity:
        identity = Record.load(self.instance.record).services[service].identity
        assert identity is not None
        return identity

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()


@pytest.fixture
def toy(tmp_path: Path) -> Iterator[Toy]:
    toy = Toy(tmp_path / "state")
    yield toy
    toy.kill()
    clear_leftovers(toy.instance, print)


def test_kill_9_of_the_supervisor_takes_the_services_with_it(toy: Toy) -> None:
    services = [toy.identity(name) for name in ("tied", "forkserver", "forked")]
    assert all(service.alive for service in services)
    toy.kill()
    assert wait_until(lambda: not any(service.alive for service in services), 10)


def test_down_removes_the_leftovers_of_a_killed_supervisor(toy: Toy) -> None:
    untied = toy.identity("untied")
    toy.kill()
    assert untied.alive, "this toy cut the tie, as a service on another system would"
    words = io.StringIO()
    assert down(toy.instance, Console(words)) == 0
    assert not untied.alive
    assert f"Stopping untied (pid {untied.pid})" in words.getvalue()


def test_down_never_kills_a_stranger_with_a_recorded_pid(toy: Toy) -> None:
    toy.kill()
    stranger = subprocess.Popen([sys.executable, "-c", "import signal; signal.pause()"])
    try:
        record = Record.load(toy.instance.record)
        old = toy.identity("untied")
        service = dataclasses.replace(record.services["untied"], pid=stranger.pid)
        record.services = {"untied": service}
        record.save(toy.instance.record)
        assert down(toy.instance, Console(io.StringIO())) == 0
        assert stranger.poll() is None
        old.end(signal.SIGKILL, 5)
    finally:
        stranger.kill()
        stranger.wait()


def test_down_ends_a_living_supervisor_and_all_it_runs(toy: Toy) -> None:
    services = [toy.identity("tied"), toy.identity("untied")]
    assert down(toy.instance, Console(io.StringIO())) == 0
    toy.process.wait()
    assert not any(service.alive for service in services)
    assert down(toy.instance, Console(io.StringIO())) == 0, "a second time is no error"


def test_status_from_another_process(toy: Toy) -> None:
    words = io.StringIO()
    assert status(toy.instance, Console(words), as_json=False) == 0
    assert "http://127.0.0.1:1" in words.getvalue()
    assert f"pid {toy.identity('tied').pid}" in words.getvalue()
    toy.kill()
    assert status(toy.instance, Console(io.StringIO()), as_json=False) == NOT_RUNNING


def test_a_state_directory_has_one_supervisor(toy: Toy) -> None:
    with pytest.raises(AlreadyRunning), hold(toy.instance):
        pass
    toy.kill()
    with hold(toy.instance):
        pass


def test_a_second_up_on_another_port_is_refused_in_a_sentence(toy: Toy) -> None:
    url, folder = Record.load(toy.instance.record).url, toy.instance.root
    port, words = urlsplit(url).port, io.StringIO()
    assert up(Checkout.here(), UpOptions(folder, port), Console(words)) == 0
    assert up(Checkout.here(), UpOptions(folder, None), Console(words)) == 0, "no port was named"
    assert words.getvalue().count("Already running") == 2
    with pytest.raises(LaunchError, match=rf"already runs on {url}, so it cannot listen on port {port + 1}"):
        up(Checkout.here(), UpOptions(folder, port + 1), Console(words))
