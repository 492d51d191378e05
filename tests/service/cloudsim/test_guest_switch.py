"""The switch between guests, by the protocol that QEMU speaks with it."""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.support.simulator_process import BACKEND

BROADCAST = b"\xff" * 6
HELLO = b"hello"
MACS = [bytes([2, 0, 0, 0, 0, number]) for number in range(4)]


class Nic:
    """A guest's end."""

    def __init__(self, path: Path) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._socket.connect(str(path))
        self._socket.settimeout(10)

    def send(self, target: bytes, source: bytes, text: bytes) -> None:
        frame = target + source + b"\x88\xb5" + text
        self._socket.sendall(len(frame).to_bytes(4) + frame)

    def receive(self) -> bytes:
        """Return the text of the next frame that is not a greeting."""
        while (text := self.receive_any()) == HELLO:
            pass
        return text

    def receive_any(self) -> bytes:
        size = int.from_bytes(self._exactly(4))
        return self._exactly(size)[14:]

    def _exactly(self, size: int) -> bytes:
        data = b""
        while len(data) < size:
            more = self._socket.recv(size - len(data))
            assert more
            data += more
        return data


def join(*nics: Nic) -> None:
    """Wait until the switch has accepted them all: its answer to a command says only that it listens."""
    first, *others = nics
    for nic, mac in zip(others, MACS[1:], strict=False):
        nic.send(BROADCAST, mac, HELLO)
        assert first.receive_any() == HELLO


@pytest.fixture
def plug() -> Iterator[Callable[[str, str], Nic]]:
    """`plug("a", "red")`: a NIC in a network."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory()))
        switch = stack.enter_context(
            subprocess.Popen(
                [sys.executable, "-m", "cloudsim.guests.switch", str(folder)],
                cwd=BACKEND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1,
            )
        )  # fmt: skip
        assert switch.stdin is not None
        assert switch.stdout is not None
        commands, answers = switch.stdin, switch.stdout

        def plug(port: str, network: str) -> Nic:
            commands.write(f"plug {port} {network}\n")
            assert answers.readline() == "ok\n"
            return Nic(folder / port)

        yield plug
        commands.close()
        assert switch.wait(10) == 0


def test_frames_stay_in_their_network(plug: Callable[[str, str], Nic]) -> None:
    a, b, c, d = plug("a", "red"), plug("b", "red"), plug("c", "blue"), plug("d", "blue")
    join(a, b)
    join(c, d)
    a.send(BROADCAST, MACS[0], b"red")
    c.send(BROADCAST, MACS[2], b"blue")
    assert (b.receive(), d.receive()) == (b"red", b"blue")


def test_a_known_address_gets_its_frames_alone(plug: Callable[[str, str], Nic]) -> None:
    a, b, c = (plug(name, "red") for name in "abc")
    join(a, b, c)
    a.send(MACS[1], MACS[0], b"for b")
    assert b.receive() == b"for b"
    a.send(BROADCAST, MACS[0], b"for all")
    assert c.receive() == b"for all"


def test_a_nic_that_is_plugged_again_gets_its_frames(plug: Callable[[str, str], Nic]) -> None:
    a, b = plug("a", "red"), plug("b", "red")
    join(a, b)
    again = plug("b", "red")
    join(a, again)
    a.send(MACS[1], MACS[0], b"to the new")
    assert again.receive() == b"to the new"
