"""A supervisor that hands over, of three releases: `toy_handover.py STATE_DIR RELEASE`.

`first` has a service that `second` does not have, and the web of `broken` does not stay up. `hurried` gets an order
before it can take one, and `stopped` a request to end.
"""

import os
import signal
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from launcher import handover
from launcher.errors import LaunchError
from launcher.handover import Inherited
from launcher.layout import Instance
from launcher.ownership import hold
from launcher.processes import Identity
from launcher.record import READY, Record
from launcher.service import AFTER, KEPT, Service
from launcher.supervisor import Supervisor

EARLY = {"hurried": handover.SIGNAL, "stopped": signal.SIGTERM}
ROLE = """
import signal, sys
def end(*_):
    print(sys.argv[1], "ends", flush=True)
    sys.exit(0)
signal.signal(signal.SIGTERM, end)
if sys.argv[1] == "broken":
    sys.exit("no such table")
print(sys.argv[1], "begins", flush=True)
while True:
    signal.pause()
"""


def role(name: str, release: str, **options: object) -> Service:
    ready = lambda running: running.has_logged(f"{release} begins")  # noqa: E731
    return Service(name, (sys.executable, "-c", ROLE, release), ready=ready, **options)


def main() -> None:
    instance, release = Instance(Path(sys.argv[1])), sys.argv[2]
    instance.prepare()
    inherited = Inherited.take()
    me = Identity.of(os.getpid())
    assert me is not None
    if release in EARLY:
        os.kill(os.getpid(), EARLY[release])
    ordered: list[int] = []
    signal.signal(handover.SIGNAL, lambda *_: ordered.append(1))
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped by us"))
    with hold(instance, inherited.lock if inherited else None) as lock:
        listener = inherited.listener() if inherited else socket.create_server(("127.0.0.1", 0))
        before = Record.load(instance.record)
        record = Record(me, url=f"http://127.0.0.1:{listener.getsockname()[1]}", hands_over=handover.PROTOCOL)
        record.handover = inherited.number if inherited else ""
        supervisor = Supervisor(
            record, instance.record, instance.logs, print, before.services if inherited and before else {}
        )
        web = role("web", release)
        with ending(supervisor):
            handover.take_signals()
            run(supervisor, record, web, release)
            while True:
                supervisor.serve(until=lambda: bool(ordered))
                ordered.clear()
                sys.stderr.write(handover.follow(instance, record, lock, listener))
                supervisor.save_soon()


@contextmanager
def ending(supervisor: Supervisor) -> Iterator[None]:
    try:
        yield
    finally:
        supervisor.stop()


def run(supervisor: Supervisor, record: Record, web: Service, release: str) -> None:
    """Until all is ready, or what was before is again."""
    try:
        supervisor.start(role("database", "1", replaced=KEPT))
        supervisor.start(
            role("traps", release.replace("broken", "second"), replaced=AFTER),
            *([role("odd", release)] * (release == "first")),
        )
        supervisor.start(web)
        supervisor.await_ready()
        supervisor.end_old()
    except LaunchError as error:
        record.refusal = str(error)
        supervisor.return_to_old(web)
    record.phase = READY
    supervisor.save()


main()
