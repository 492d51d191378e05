"""One end of a traffic probe: numbered UDP packets to the other end, and what of its packets arrives.

    python3 - OWN_ADDRESS OTHER_ADDRESS PACKETS_A_SECOND PATH FLOWS

Sent to a customer's router and run there by its own Python, so it needs the standard library alone. The packets are
shared by so many flows, which have ports of their own. Writes a line of JSON a second for the path from the other end
to this one: `at` (seconds since 1970), `seconds`, `sent`, `lost`, `gap`, and the same of each of `flows`.
In silence it reports what should have come; the numbers of the packets after it correct that.
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
"""Most packets sent at once to catch up after this process was kept waiting."""


class Counter:
    """Counts what arrives, by numbers."""

    def __init__(self, rate: int, now: float) -> None:
        self._rate = rate
        self._last: int | None = None
        self._arrived_at = self._begin = now
        self._sent = self._received = self._owed = 0
        self._gap = 0.0

    def arrived(self, number: int, now: float) -> None:
        """A packet; one that was overtaken is no loss after all."""
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
        """Of the time since the last report; None before the first packet."""
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
    """Packets of one pair of ports: routers with equal paths keep all of them on one path."""

    def __init__(self, own: str, other: str, port: int, rate: int) -> None:
        self._to, self._number = (other, port), 0
        self.counter = Counter(rate, time.time())
        self.end = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.end.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 20)
        self.end.bind((own, port))
        self.end.setblocking(False)

    def send(self) -> None:
        self._number += 1
        with suppress(OSError):  # no route for now: it is lost, and the other end will see that
            self.end.sendto(NUMBER.pack(self._number) + PAYLOAD, self._to)

    def receive(self) -> None:
        """All that is there."""
        while True:
            try:
                data = self.end.recv(2048)
            except BlockingIOError:
                return
            except OSError:
                continue  # an ICMP error of the way there
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
        if due - number > BURST:  # what could not be sent in time was never sent: it is no loss
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
    """Write what is known of all flows together, and of each."""
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
