"""Net-SNMP's agent for tests, where installed (Debian: snmpd)."""

import shutil
import subprocess
import time
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.support.routersim_process import free_udp_port

SYS_NAME = "1.3.6.1.2.1.1.5.0"


def program() -> str | None:
    """Its path; None where it is not installed."""
    return shutil.which("snmpd", path="/usr/sbin:/usr/local/sbin:/usr/bin")


class SnmpdProcess:
    """Serves this machine's own MIBs on 127.0.0.1:`port` to the community `public` and to the `users` given.

    `users` are lines of snmpd.conf: `createUser …` and `rouser …`.
    """

    def __init__(self, directory: Path, users: tuple[str, ...] = ()) -> None:
        self.port = free_udp_port()
        self._directory = directory
        lines = [f"agentAddress udp:127.0.0.1:{self.port}", "rocommunity public", "sysName linux", *users]
        self._conf = directory / "snmpd.conf"
        self._conf.write_text("\n".join(lines) + "\n")

    def __enter__(self) -> Self:
        command = [program() or "snmpd", "-f", "-Lf", str(self._directory / "log"), "-C", "-c", str(self._conf)]
        self._process = subprocess.Popen(
            [*command, "-p", str(self._directory / "pid")],
            env={"SNMP_PERSISTENT_DIR": str(self._directory), "MIBS": ""},
        )
        deadline = time.monotonic() + 20
        while "NET-SNMP version" not in self._log():
            if self._process.poll() is not None or time.monotonic() > deadline:
                self._end()
                raise RuntimeError(f"snmpd did not start: {self._log()}")
            time.sleep(0.02)  # the process has no other sign of life
        return self

    def _log(self) -> str:
        log = self._directory / "log"
        return log.read_text() if log.exists() else ""

    def _end(self) -> None:
        self._process.kill()
        self._process.wait(10)

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end()
