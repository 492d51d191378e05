"""The subagent of the FRR router by itself: daemons that lie, hang or are gone, and the order of its answers."""

import json
import socket
import struct
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import Any

import pytest

from tests.factories.packages import ROOT

SUBAGENT = ROOT / "catalog" / "open" / "frr-router" / "image" / "files" / "usr" / "libexec" / "frr-mibs"
PEER = {"remoteAs": 65002, "bgpState": "Established", "lastErrorCodeSubcode": "0603", "connectionsEstablished": 4}
SESSION = {"id": 7, "peer": "192.0.2.2", "local": "192.0.2.1", "status": "up", "diagnostic": "ok"}


@pytest.fixture
def mibs() -> Any:
    module = ModuleType("frr_mibs")
    exec(compile(SUBAGENT.read_text(), SUBAGENT, "exec"), module.__dict__)  # no compiled file in the package
    return module


class FakeDaemon:
    """A daemon's VTY socket. Its answer: JSON, text as it is, or None: it hangs."""

    def __init__(self, path: Path) -> None:
        self.path, self.answer, self.asked = path, "", 0
        self._listener: socket.socket | None = None
        self._stuck: list[socket.socket] = []

    def start(self, answer: Any) -> "FakeDaemon":
        self.says(answer)
        self.path.unlink(missing_ok=True)
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(self.path))
        self._listener.listen()
        threading.Thread(target=self._serve, args=(self._listener,), daemon=True).start()
        return self

    def says(self, answer: Any) -> None:
        self.answer = answer if isinstance(answer, str | None) else json.dumps(answer)

    def die(self) -> None:
        """It ends as when it is killed: its socket's file stays."""
        if self._listener is not None:
            self._listener.shutdown(socket.SHUT_RDWR)
            self._listener.close()
            self._listener = None
        for each in self._stuck:
            each.close()

    def _serve(self, listener: socket.socket) -> None:
        while True:
            try:
                session, _ = listener.accept()
            except OSError:
                return
            self.asked += 1
            if self.answer is None:
                self._stuck.append(session)
                continue
            with session:
                for output in ("", self.answer):
                    session.recv(1000)
                    session.sendall(output.encode() + b"\0\0\0\0")


@pytest.fixture
def daemon() -> Iterator[FakeDaemon]:
    with TemporaryDirectory() as home:
        found = FakeDaemon(Path(home) / "daemon.vty")
        yield found
        found.die()


def vrfs(**peers: Any) -> dict[str, Any]:
    return {"default": {"vrfId": 0, "vrfName": "default", **peers}}


def test_a_read_that_fails_leaves_the_rows(mibs: Any, daemon: FakeDaemon) -> None:
    bgp = mibs.Daemon(str(daemon.start(vrfs(**{"192.0.2.2": PEER})).path), "show", mibs.bgp_rows)
    assert bgp.read() < mibs.RETRY_SECONDS
    rows = bgp.rows
    assert len(rows) == 8
    for odd in ("", "{", "[]", "null", "3"):
        daemon.says(odd)
        assert bgp.read() == mibs.RETRY_SECONDS
        assert bgp.rows is rows, odd
    daemon.says({})
    bgp.read()
    assert bgp.rows == {}, "it has no peers"


def test_a_daemon_that_is_gone_has_no_rows(mibs: Any, daemon: FakeDaemon) -> None:
    bgp = mibs.Daemon(str(daemon.start(vrfs(**{"192.0.2.2": PEER})).path), "show", mibs.bgp_rows)
    bgp.read()
    daemon.die()
    assert bgp.read() < mibs.RETRY_SECONDS
    assert bgp.rows == {}


def test_a_daemon_that_hangs_delays_no_answer_and_is_left_alone(
    mibs: Any, daemon: FakeDaemon, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mibs, "READ_SECONDS", 0.05)
    bgp = mibs.Daemon(str(daemon.start(vrfs(**{"192.0.2.2": PEER})).path), "show", mibs.bgp_rows)
    threading.Thread(target=bgp.run, daemon=True).start()
    bgp.refresh()
    rows = bgp.rows
    assert rows
    daemon.says(None)
    bgp.outdate()
    bgp.refresh()
    asked = daemon.asked
    for _ in range(3):
        bgp.outdate()
        bgp.refresh()
    assert (daemon.asked, bgp.rows) == (asked, rows)


def test_an_answer_that_trickles_has_one_deadline(
    mibs: Any, daemon: FakeDaemon, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mibs, "READ_SECONDS", 0.2)
    ours, its = socket.socketpair()
    stop = threading.Event()

    def trickle() -> None:
        with suppress(OSError):  # the reader has left
            while not stop.wait(0.02):
                its.sendall(b".")

    writer = threading.Thread(target=trickle)
    writer.start()
    try:
        with ours, pytest.raises(TimeoutError):
            mibs.say(ours, "show", mibs.time.monotonic() + 0.2)
    finally:
        stop.set()
        writer.join()
        its.close()


def noticed(tables: Any) -> list[tuple[Any, int]]:
    """Notifications and sessions since the last call."""
    found = [(rows[0][2], rows[3][0][-1]) for rows in tables.waiting]
    tables.waiting.clear()
    return found


def test_sessions_go_down_with_their_daemon_and_not_with_a_failed_read(mibs: Any, daemon: FakeDaemon) -> None:
    daemon.path = daemon.path.with_name("bfdd.vty")
    daemon.start([SESSION, {**SESSION, "id": 8, "status": "down"}])
    tables = mibs.Tables(str(daemon.path.parent))
    tables._bfd.read()
    assert noticed(tables) == [], "nothing changed"
    daemon.says("{")
    tables._bfd.read()
    daemon.says([SESSION])
    tables._bfd.read()
    assert noticed(tables) == []
    daemon.die()
    tables._bfd.read()
    state = tables.waiting[0][3]
    assert state[1:] == (mibs.INTEGER, mibs.SESSION_STATES["down"])
    assert noticed(tables) == [(mibs.BFD_DOWN, 7)]
    daemon.start([{**SESSION, "id": 9}])
    tables._bfd.read()
    assert noticed(tables) == [(mibs.BFD_UP, 9)]
    daemon.says([])
    tables._bfd.read()
    assert noticed(tables) == [], "a session that is removed did not fail"


@pytest.mark.parametrize(
    "odd",
    [
        {"lastErrorCodeSubcode": "x"},
        {"remoteAs": "many"},
        {"remoteAs": [1]},
        {"addressFamilyInfo": {"ipv4Unicast": 3}},
        {"bgpState": {}},
    ],
)
def test_a_peer_that_cannot_be_read_is_left_out(mibs: Any, odd: dict[str, Any], capsys: Any) -> None:
    rows = mibs.bgp_rows(vrfs(**{"192.0.2.2": PEER, "192.0.2.3": {**PEER, **odd}}))
    assert {name[-1] for name in rows} == {2}
    assert "192.0.2.3" in capsys.readouterr().err


def test_what_a_daemon_leaves_empty_is_read(mibs: Any) -> None:
    empty = {"lastErrorCodeSubcode": "", "lastResetDueTo": None, "remoteAs": None, "addressFamilyInfo": None}
    rows = mibs.bgp_rows(vrfs(**{"192.0.2.2": {**PEER, **empty}}))
    assert b"".join(mibs.pack_row(name, *row) for name, row in rows.items())
    assert all(kind == mibs.OCTETS or isinstance(value, int) for kind, value in rows.values())


def test_a_session_that_cannot_be_read_is_left_out(mibs: Any) -> None:
    rows = mibs.bfd_rows([None, {}, {**SESSION, "id": "x"}, {**SESSION, "status": []}, {**SESSION, "interface": None}])
    assert {name[-1] for name in rows} == {7}


def test_repetitions_of_a_bulk_are_interleaved(mibs: Any) -> None:
    """RFC 2741 7.2.3.3: the next of each column, then the next but one of each."""
    tables = mibs.Tables("/nonexistent")
    tables._rows = {(1, column, row): (mibs.INTEGER, row) for column in (1, 2, 3) for row in (1, 2)}
    tables._names = sorted(tables._rows)
    agent = object.__new__(mibs.Agent)
    agent._tables = tables
    ranges = [((1, 1), (1, 2)), ((1, 2), (1, 3)), ((1, 3), (1, 3, 2))]
    octets = b"".join(mibs.pack_oid(start) + mibs.pack_oid(end) for start, end in ranges)

    def names(single: int, repeated: int) -> list[tuple[tuple[int, ...], bool]]:
        reader = mibs.Reader(struct.pack(">HH", single, repeated) + octets)
        return [(row[0], row[1] == mibs.END_OF_VIEW) for row in agent._rows(mibs.GET_BULK, reader)]

    first = [((1, 1, 1), False), ((1, 2, 1), False), ((1, 3, 1), False)]
    assert names(0, 2) == [*first, ((1, 1, 2), False), ((1, 2, 2), False), ((1, 3, 1), True)]
    assert names(1, 2) == [*first, ((1, 2, 2), False), ((1, 3, 1), True)]
    assert names(0, 50)[-3:] == [((1, 1, 2), True), ((1, 2, 2), True), ((1, 3, 1), True)]
    assert len(names(0, 50)) == 9
