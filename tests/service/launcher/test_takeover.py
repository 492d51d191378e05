"""The supervisor of a new release that cannot start: what served goes on, and is watched again (ADR-0066)."""

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from socket import create_server

import pytest

from launcher import handover
from launcher.layout import Instance
from launcher.ownership import clear_leftovers
from launcher.processes import Identity, spawn, wait_until
from launcher.record import READY, Record

TOY = Path(__file__).with_name("toy_up.py")
BACKEND = Path(__file__).parents[3] / "backend"
SERVICES = {"database", "broker", "cloudsim", "routersim", "worker", "web"}


class ToyUp:
    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self.root, self.instance = folder, Instance(folder)
        with closing(create_server(("127.0.0.1", 0))) as free:
            self._port = str(free.getsockname()[1])
        env = os.environ | {"PYTHONPATH": str(BACKEND)}
        self.process = spawn(self._command("first"), env=env, log=folder / "toy.log")
        assert wait_until(lambda: self.record() is not None and self.record().phase == READY, 30), self.output()

    def _command(self, release: str) -> list[str]:
        return [sys.executable, str(TOY), str(self.root), release, self._port]

    def record(self) -> Record:
        return Record.load(self.instance.record)  # type: ignore[return-value]

    def hand_over(self, release: str) -> str:
        """The refusal, "" for none."""
        return handover.order(self.instance, self.record(), self._command(release)).refusal

    def processes(self) -> dict[str, Identity]:
        return {name: service.identity for name, service in self.record().services.items() if service.identity}

    def command(self, service: str) -> str:
        return self.record().services[service].command[-2]

    def output(self) -> str:
        return (self.root / "toy.log").read_text()

    def runs_again(self, service: str, before: Identity) -> Callable[[], bool]:
        def again() -> bool:
            now = self.record().services[service]
            return now.state == "running" and now.identity != before

        return again


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ToyUp]:
    for name in ("DATABASE_URL", "REDIS_URL", "OS_CLIENT_CONFIG_FILE", "OS_CLOUD"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PYTHONPATH", str(BACKEND))
    toy = ToyUp(tmp_path / "state")
    yield toy
    toy.process.kill()
    toy.process.wait()
    clear_leftovers(toy.instance, print)


@pytest.mark.parametrize(
    ("release", "reason"),
    [("blind", "There is no PostgreSQL here."), ("buggy", "ValueError: version of PostgreSQL")],
)
def test_an_error_before_the_services_are_known_ends_none_of_them(toy: ToyUp, release: str, reason: str) -> None:
    first = toy.processes()
    assert toy.hand_over(release) == reason
    assert toy.processes() == first
    assert first.keys() == SERVICES
    assert all(process.alive for process in first.values())
    assert toy.record().database_url == "postgresql://here", "what other commands use"
    assert toy.hand_over("second") == "", "the next order is followed at once"
    assert not first["web"].alive
    assert first["database"].alive


def test_once_its_services_are_known_it_watches_those_of_before(toy: ToyUp) -> None:
    first = toy.processes()
    toy.hand_over("blind")
    (toy.root / "found").touch()
    assert wait_until(lambda: toy.command("web") == "blind", 30), "its own services have taken over the processes"
    assert toy.processes() == first
    first["web"].signal(signal.SIGKILL)
    assert wait_until(toy.runs_again("web", first["web"]), 30), toy.output()


def test_a_stop_while_it_tries_again_ends_all(toy: ToyUp) -> None:
    toy.hand_over("blind")
    services = toy.processes().values()
    toy.process.terminate()
    assert wait_until(lambda: not any(service.alive for service in services), 20)
    assert toy.process.wait() != 0


def test_a_database_that_is_not_ready_when_it_begins_is_started_until_it_is(toy: ToyUp) -> None:
    first = toy.processes()
    (toy.root / "unready").touch()
    first["database"].signal(signal.SIGKILL)
    assert "database does not stay up" in toy.hand_over("second")
    assert first["web"].alive
    assert first["worker"].alive
    (toy.root / "unready").unlink()
    assert wait_until(toy.runs_again("database", first["database"]), 30), toy.output()
    assert toy.hand_over("second") == ""


def test_a_database_of_another_program_that_does_not_start_gives_way_to_that_of_before(toy: ToyUp) -> None:
    first = toy.processes()
    assert "database does not stay up" in toy.hand_over("moved")
    assert wait_until(toy.runs_again("database", first["database"]), 30), toy.output()
    assert toy.command("database") == "1"
    assert first["web"].alive
