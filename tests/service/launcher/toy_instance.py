"""A supervisor with toy services, as a program of its own: `toy_instance.py STATE_DIR`."""

import os
import sys
from pathlib import Path

from launcher.forks import ForkServer
from launcher.layout import Instance
from launcher.ownership import hold
from launcher.processes import Identity
from launcher.record import READY, Record
from launcher.service import Service
from launcher.supervisor import Supervisor

BACKEND = Path(__file__).parents[3] / "backend"
ROLE = Path(__file__).with_name("toy_role.py")
WAIT = "import signal; signal.pause()"
UNTIED = "import ctypes, signal; ctypes.CDLL(None).prctl(1, 0); print('untied', flush=True); signal.pause()"


def main() -> None:
    instance = Instance(Path(sys.argv[1]))
    instance.prepare()
    me = Identity.of(os.getpid())
    assert me is not None
    record = Record(me, url="http://127.0.0.1:1")
    supervisor = Supervisor(record, instance.record, instance.logs, print)
    with hold(instance):
        supervisor.start(Service("tied", (sys.executable, "-c", WAIT)))
        supervisor.start(
            Service("untied", (sys.executable, "-c", UNTIED), ready=lambda running: running.has_logged("untied"))
        )
        supervisor.start_fork_server(
            ForkServer(Path(sys.executable), ("json",), commands=instance.commands, cwd=BACKEND, env=os.environ)
        )
        supervisor.await_ready()
        supervisor.start(
            Service(
                "forked",
                (sys.executable, str(ROLE)),
                env=os.environ,
                ready=lambda running: running.has_logged("}"),
                forked=True,
            )
        )
        supervisor.await_ready()
        record.phase = READY
        supervisor.save()
        try:
            supervisor.serve()
        finally:
            supervisor.stop()


main()
