"""A receiver of notifications for tests."""

from __future__ import annotations

import socket
import time
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from routersim.snmp.ber import Binding, Message, Oid, Pdu, decode_message, encode_message

TRAP_OID: Oid = (1, 3, 6, 1, 6, 3, 1, 1, 4, 1, 0)


@dataclass(frozen=True)
class Received:
    source: str
    oid: str
    message: Message

    def has(self, prefix: str) -> bool:
        """Return whether it has an object below that OID."""
        arcs = tuple(map(int, prefix.split(".")))
        return any(binding.oid[: len(arcs)] == arcs for binding in self.message.bindings)


class TrapSocket:
    """Listens for notifications; acknowledges informs by default."""

    def __init__(self, host: str = "127.0.0.1", *, acknowledge: bool = True) -> None:
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.bind((host, 0))
        self._acknowledge = acknowledge
        self.received: list[Received] = []

    @property
    def port(self) -> int:
        port: int = self._socket.getsockname()[1]
        return port

    @property
    def target(self) -> str:
        return f"{self._socket.getsockname()[0]}:{self.port}"

    def until(self, oid: str, seconds: float = 90.0) -> Received:
        """The next notification with that OID; earlier others stay in `received`."""
        deadline = time.monotonic() + seconds
        while True:
            received = self._next(deadline, oid)
            if received.oid == oid:
                return received

    def until_any(self, seconds: float = 90.0) -> Received:
        """The next notification."""
        return self._next(time.monotonic() + seconds, "anything")

    def none_for(self, seconds: float) -> bool:
        """Return whether none arrives for so long."""
        self._socket.settimeout(seconds)
        try:
            self._socket.recvfrom(65_535)
        except TimeoutError:
            return True
        return False

    def _next(self, deadline: float, wanted: str) -> Received:
        self._socket.settimeout(max(0.01, deadline - time.monotonic()))
        try:
            octets, source = self._socket.recvfrom(65_535)
        except TimeoutError:
            others = [one.oid for one in self.received]
            raise AssertionError(f"no {wanted} among {len(others)} notifications, at last {others[-9:]}") from None
        message = decode_message(octets)
        if message.pdu == Pdu.INFORM and self._acknowledge:
            self._socket.sendto(
                encode_message(message.community, Pdu.RESPONSE, message.request_id, 0, 0, bindings=[]), source
            )
        received = Received(source[0], _oid(message.bindings), message)
        self.received.append(received)
        return received

    def close(self) -> None:
        self._socket.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _oid(bindings: list[Binding]) -> str:
    (value,) = (binding.value for binding in bindings if binding.oid == TRAP_OID)
    assert isinstance(value, tuple)
    return ".".join(map(str, value))
