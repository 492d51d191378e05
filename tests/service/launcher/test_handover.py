"""A supervisor becomes that of another release: what stays, what is replaced in which order, and the way back."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from launcher import handover, ports
from launcher.errors import LaunchError
from launcher.layout import Instance
from launcher.ownership import AlreadyRunning, clear_leftovers, hold
from launcher.processes import Identity, spawn, wait_until
from launcher.record import READY, Record
from launcher.upgrade import alone

TOY = Path(__file__).with_name("toy_handover.py")
BACKEND = Path(__file__).parents[3] / "backend"


class Toy:
    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self.instance = Instance(folder)
        env = os.environ | {"PYTHONPATH": str(BACKEND), "PYTHONUNBUFFERED": "1"}
        self.process = spawn(self.command("first"), env=env, log=folder / "toy.log")
        assert wait_until(lambda: self.record() is not None and self.record().phase == READY, 30)

    def command(self, release: str) -> list[str]:
        return [sys.executable, str(TOY), str(self.instance.root), release]

    def record(self) -> Record | None:
        return Record.load(self.instance.record)

    def hand_over(self, release: str, monkeypatch: pytest.MonkeyPatch) -> Record:
        monkeypatch.setenv("PYTHONPATH", str(BACKEND))
        record = self.record()
        assert record is not None
        return handover.order(self.instance, record, self.command(release))

    def processes(self) -> dict[str, Identity]:
        record = self.record()
        assert record is not None
        return {name: service.identity for name, service in record.services.items() if service.identity}

    def output(self) -> str:
        return (self.instance.root / "toy.log").read_text()

    def words(self, service: str) -> list[str]:
        return self.instance.log(service).read_text().splitlines()


@pytest.fixture
def toy(tmp_path: Path) -> Iterator[Toy]:
    toy = Toy(tmp_path / "state")
    yield toy
    toy.process.kill()
    toy.process.wait()
    clear_leftovers(toy.instance, print)


def test_the_new_release_has_pid_lock_socket_and_database_of_the_old_one(
    toy: Toy, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, first = toy.record(), toy.processes()
    after = toy.hand_over("second", monkeypatch)
    now = toy.processes()
    assert after.refusal == ""
    assert after.supervisor == before.supervisor
    assert now["database"] == first["database"]
    assert now.keys() == {"database", "traps", "web"}
    assert all(process.alive for process in now.values())
    assert not any(first[name].alive for name in ("traps", "web", "odd"))
    assert after.url == before.url
    assert ports.answers(*ports.address_of(urlsplit(after.url).geturl(), 1)), "the socket listens on"
    with pytest.raises(AlreadyRunning), hold(toy.instance):
        pass


def test_the_old_web_serves_until_the_new_one_is_ready(toy: Toy, monkeypatch: pytest.MonkeyPatch) -> None:
    toy.hand_over("second", monkeypatch)
    assert toy.words("web") == ["first begins", "second begins", "first ends"]
    assert toy.words("traps") == ["first begins", "first ends", "second begins"], "both would have one address"
    assert toy.words("database") == ["1 begins"]


def test_a_release_whose_web_does_not_start_leaves_the_old_one_serving(
    toy: Toy, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = toy.processes()
    after = toy.hand_over("broken", monkeypatch)
    assert "web does not stay up" in after.refusal
    assert toy.processes()["web"] == first["web"]
    assert first["web"].alive
    again = toy.hand_over("second", monkeypatch)
    assert again.refusal == ""
    assert not first["web"].alive


def test_a_supervisor_that_handed_over_takes_its_services_with_it(toy: Toy, monkeypatch: pytest.MonkeyPatch) -> None:
    toy.hand_over("second", monkeypatch)
    services = toy.processes().values()
    toy.process.kill()
    assert wait_until(lambda: not any(service.alive for service in services), 10), "also those that it inherited"


def test_an_order_that_cannot_be_run_is_refused_at_once_and_the_next_is_followed(
    toy: Toy, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, record = toy.processes(), toy.record()
    assert record is not None
    refused = handover.order(toy.instance, record, [str(tmp_path / "none")])
    assert str(tmp_path / "none") in refused.refusal
    (toy.instance.run / "handover.json").write_text('["no order"]')
    record.supervisor.signal(handover.SIGNAL)
    assert wait_until(lambda: "list indices" in toy.output(), 10)
    assert toy.processes() == first
    assert toy.hand_over("second", monkeypatch).refusal == ""


def test_an_order_while_it_begins_is_followed_once_it_can_be(toy: Toy, monkeypatch: pytest.MonkeyPatch) -> None:
    after = toy.hand_over("hurried", monkeypatch)
    assert after.refusal == ""
    assert wait_until(lambda: "handover.json" in toy.output(), 10), "there is no second one to follow"
    assert toy.record().alive


def test_a_request_to_end_while_it_begins_ends_all_in_order(toy: Toy, monkeypatch: pytest.MonkeyPatch) -> None:
    services = toy.processes().values()
    with pytest.raises(LaunchError, match=r"The instance has stopped: start it with \./vnfm up"):
        toy.hand_over("stopped", monkeypatch)
    assert "stopped by us" in toy.output()
    assert wait_until(lambda: not any(service.alive for service in services), 10)
    assert toy.words("database")[-1] == "1 ends"


def test_two_upgrades_exclude_each_other(toy: Toy) -> None:
    with (
        alone(toy.instance),
        pytest.raises(LaunchError, match="upgrade is under way"),
        alone(toy.instance),
    ):
        pass
    with alone(toy.instance):
        pass
