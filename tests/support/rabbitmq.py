"""A RabbitMQ of the tests' own: OpenStack's message bus is AMQP, and only a real broker behaves like one.

Debian's package `rabbitmq-server` brings the programs; its own broker, if it runs, is left alone.
"""

import os
import signal
import subprocess
import time
from pathlib import Path
from types import TracebackType
from typing import Self

import amqp

from launcher.ports import free_port

SERVER = Path("/usr/lib/rabbitmq/bin/rabbitmq-server")
START_SECONDS = 90.0


def installed() -> bool:
    return SERVER.exists()


class RabbitMq:
    """One node and an epmd, both of this process, in a folder of their own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = free_port()
        self._ended: list[subprocess.Popen[bytes]] = []

    @property
    def url(self) -> str:
        return f"amqp://guest:guest@127.0.0.1:{self.port}//"

    def __enter__(self) -> Self:
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / "enabled_plugins").write_text("[].\n")
        (self.folder / "rabbitmq.conf").write_text("")
        epmd = free_port()
        env = os.environ | {
            "HOME": str(self.folder),
            "ERL_EPMD_PORT": str(epmd),
            "RABBITMQ_NODENAME": f"vnfm-tests-{os.getpid()}@localhost",
            "RABBITMQ_NODE_IP_ADDRESS": "127.0.0.1",
            "RABBITMQ_NODE_PORT": str(self.port),
            "RABBITMQ_DIST_PORT": str(free_port()),
            "RABBITMQ_MNESIA_BASE": str(self.folder / "mnesia"),
            "RABBITMQ_LOG_BASE": str(self.folder / "log"),
            "RABBITMQ_PID_FILE": str(self.folder / "pid"),
            "RABBITMQ_ENABLED_PLUGINS_FILE": str(self.folder / "enabled_plugins"),
            "RABBITMQ_CONFIG_FILE": str(self.folder / "rabbitmq.conf"),
            "RABBITMQ_CONF_ENV_FILE": "/dev/null",
            "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS": "+S 1:1 +sbwt none +sbwtdcpu none +sbwtdio none",
        }
        self._start(["epmd", "-port", str(epmd), "-address", "127.0.0.1"], env)
        self._start([str(SERVER)], env)
        deadline = time.monotonic() + START_SECONDS
        while not self._answers():
            log = (self.folder / "output").read_text()
            assert time.monotonic() < deadline, f"RabbitMQ did not start: {log}"
            time.sleep(0.1)
        return self

    def _start(self, command: list[str], env: dict[str, str]) -> None:
        with (self.folder / "output").open("ab") as output:
            started = subprocess.Popen(
                command, env=env, stdin=subprocess.DEVNULL, stdout=output, stderr=output, start_new_session=True
            )
        self._ended.append(started)

    def _answers(self) -> bool:
        try:
            with amqp.Connection(f"127.0.0.1:{self.port}", connect_timeout=2, login_method="PLAIN"):
                return True
        except (amqp.AMQPError, OSError):
            return False

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Nothing on it is worth an orderly end, which takes its tools several seconds."""
        for process in reversed(self._ended):
            os.killpg(process.pid, signal.SIGKILL)
            process.wait(timeout=10)
