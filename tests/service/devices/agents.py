"""Faulty SNMP agents, and a lossy UDP proxy, in threads."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

RESPONSE = 0xA2

Answer = Callable[[bytes], bytes | None]


@contextmanager
def udp(answer: Answer) -> Iterator[int]:
    """A UDP port that replies to each datagram with `answer(datagram)`, or not at all."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as door:
        door.bind(("127.0.0.1", 0))
        thread = threading.Thread(target=_serve, args=(door, answer), daemon=True)
        thread.start()
        yield door.getsockname()[1]
        _knock(door)
        thread.join(5)


def _knock(door: socket.socket) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other:
        other.sendto(b"", door.getsockname())


def _serve(door: socket.socket, answer: Answer) -> None:
    while True:
        request, source = door.recvfrom(65536)
        if not request:
            return
        if (said := answer(request)) is not None:
            door.sendto(said, source)


def losing(port: int, every: int) -> Answer:
    """Forwards to the agent at `port`, except the first of every `every` requests."""
    requests = 0

    def passes(_: bytes) -> bool:
        nonlocal requests
        requests += 1
        return requests % every != 1

    return forwarding(port, passes)


def forwarding(port: int, only: Callable[[bytes], bool]) -> Answer:
    """Forwards to the agent at `port` the requests for which `only` is true."""

    def answer(request: bytes) -> bytes | None:
        if not only(request):
            return None
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as onward:
            onward.settimeout(5)
            onward.sendto(request, ("127.0.0.1", port))
            return onward.recv(65536)

    return answer


def _tlv(tag: int, content: bytes) -> bytes:
    size = bytes([len(content)]) if len(content) < 128 else b"\x82" + len(content).to_bytes(2, "big")
    return bytes([tag]) + size + content


def _parts(content: bytes) -> Iterator[tuple[int, bytes]]:
    while content:
        tag, length, start = content[0], content[1], 2
        if length & 0x80:
            start += length & 0x7F
            length = int.from_bytes(content[2:start], "big")
        yield tag, content[start : start + length]
        content = content[start + length :]


def answered(request: bytes, names: Callable[[bytes], list[bytes]]) -> bytes:
    """A response to an SNMPv2c request; `names` maps the encoded requested name to those in the response."""
    ((_, message),) = _parts(request)
    version, community, (_, pdu) = _parts(message)
    request_id, _, _, (_, bindings) = _parts(pdu)
    ((_, binding),) = _parts(bindings)
    asked = next(content for tag, content in _parts(binding) if tag == 6)
    rows = b"".join(_tlv(0x30, _tlv(6, name) + _tlv(2, b"\x01")) for name in names(asked))
    body = _tlv(*request_id) + _tlv(2, b"\0") + _tlv(2, b"\0") + _tlv(0x30, rows)
    return _tlv(0x30, _tlv(*version) + _tlv(*community) + _tlv(RESPONSE, body))


def endless(request: bytes) -> bytes:
    """An endless table: each answer continues one octet after the request."""

    def names(asked: bytes) -> list[bytes]:
        last = asked[-1] if len(asked) > 10 else 0
        stem = asked[:-1] if len(asked) > 10 else asked
        if last >= 126:
            stem, last = asked, 0
        return [stem + bytes([last + 1])]

    return answered(request, names)


def roundabout(request: bytes) -> bytes:
    """A table that repeats itself: every answer has the same two rows."""
    return answered(request, lambda asked: [asked[:9] + b"\x01", asked[:9] + b"\x02"])
