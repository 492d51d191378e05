"""One end of a traffic probe: sends numbered UDP packets to the other end and counts the packets from there.

    python3 - OWN_ADDRESS OTHER_ADDRESS PACKETS_A_SECOND PATH FLOWS

It is copied to a customer's router and run there by its own Python, so it uses the standard library alone. The packets
are spread over FLOWS flows, each with ports of its own. Every second it writes a line of JSON about the path from the
other end to this one: `at` (seconds since 1970), `seconds`, `sent`, `lost`, `gap`, and the same for each of `flows`.
While no packet arrives it reports the expected number as lost; the numbers of the next packets correct that.
"""

import json
import select
import socket
import struct
import sys
import time
from contextlib import suppress

PORT = 9999
NUMBER = struct.Struct("!Q")
PAYLOAD = b"\0" * 56
BURST = 100
"""The most packets sent at once to catch up after this process was delayed."""


class Counter:
    """Counts sent and lost packets from the numbers of those that arrive."""

    def __init__(self, rate: int, now: float) -> None:
        self._rate = rate
        self._last: int | None = None
        self._arrived_at = self._begin = now
        self._sent = self._received = self._owed = 0
        self._gap = 0.0

    def arrived(self, number: int, now: float) -> None:
        """Count a packet; one that arrives out of order is not lost."""
        if self._last is None:
            self._last, self._begin = number - 1, now
        else:
            self._gap = max(self._gap, now - self._arrived_at)
        self._arrived_at = now
        self._received += 1
        if number > self._last:
            self._sent += number - self._last
            self._last = number

    def report(self, now: float) -> dict[str, float] | None:
        """Return the counts since the last report; None before the first packet."""
        if self._last is None:
            return None
        seconds, sent, lost = now - self._begin, self._sent, self._sent - self._received
        if self._received == 0:
            sent = lost = round(self._rate * seconds)
            self._owed += sent
        elif self._owed:
            known = min(self._owed, lost)
            sent, lost, self._owed = sent - known, lost - known, 0
        gap = max(self._gap, now - self._arrived_at) if self._received == 0 else self._gap
        self._begin, self._sent, self._received, self._gap = now, 0, 0, 0.0
        return {"at": now - seconds, "seconds": seconds, "sent": sent, "lost": max(0, lost), "gap": gap}


class Flow:
    """The packets of one pair of ports; routers with equal-cost paths (ECMP) keep a flow on one path."""

    def __init__(self, own: str, other: str, port: int, rate: int) -> None:
        self._to, self._number = (other, port), 0
        self.counter = Counter(rate, time.time())
        self.end = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.end.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 20)
        self.end.bind((own, port))
        self.end.setblocking(False)

    def send(self) -> None:
        self._number += 1
        with suppress(OSError):  # no route at present: the packet is lost, and the other end counts it
            self.end.sendto(NUMBER.pack(self._number) + PAYLOAD, self._to)

    def receive(self) -> None:
        """Read all packets that have arrived."""
        while True:
            try:
                data = self.end.recv(2048)
            except BlockingIOError:
                return
            except OSError:
                continue  # an ICMP error about a packet that we sent
            self.counter.arrived(NUMBER.unpack_from(data)[0], time.time())


def main() -> None:
    own, other, rate, path, count = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4], int(sys.argv[5])
    flows = [Flow(own, other, PORT + place, rate // count) for place in range(count)]
    ends = {flow.end: flow for flow in flows}
    number, begin = 0, time.time()
    report_at = begin + 1
    while True:
        now = time.time()
        due = int((now - begin) * rate)
        if due - number > BURST:  # packets that were not sent in time must not count as lost
            begin += (due - number - BURST) / rate
            due = number + BURST
        while number < due:
            flows[number % count].send()
            number += 1
        for end in select.select([*ends], [], [], 0.5 / rate)[0]:
            ends[end].receive()
        if now >= report_at:
            report_at += 1
            report([flow.counter.report(now) for flow in flows], path)


def report(flows: list[dict[str, float] | None], path: str) -> None:
    """Write a line with the sums over all flows and the values of each."""
    known = [flow for flow in flows if flow]
    if not known:
        return
    total = {"at": min(flow["at"] for flow in known), "seconds": max(flow["seconds"] for flow in known)}
    total |= {key: sum(flow[key] for flow in known) for key in ("sent", "lost")}
    total["gap"] = max(flow["gap"] for flow in known)
    sys.stdout.write(json.dumps({"path": path, **total, "flows": flows}) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
