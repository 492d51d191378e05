"""Net-SNMP's trap receiver for tests, where installed (Debian: snmptrapd)."""

import shutil
import subprocess
import time
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.support.routersim_process import free_udp_port


def program() -> str | None:
    """Its path; None where it is not installed."""
    return shutil.which("snmptrapd", path="/usr/sbin:/usr/local/sbin:/usr/bin")


class SnmptrapdProcess:
    """Logs what it receives on 127.0.0.1:`port`; `users` are lines of snmptrapd.conf: `createUser …`, `authUser …`."""

    def __init__(self, directory: Path, users: tuple[str, ...]) -> None:
        self.port = free_udp_port()
        self._directory = directory
        self._conf = directory / "snmptrapd.conf"
        self._conf.write_text("\n".join(users) + "\n")

    def __enter__(self) -> Self:
        log, conf = self._directory / "traps.log", str(self._conf)
        command = [program() or "snmptrapd", "-f", "-Lf", str(log), "-On", "-C", "-c", conf, "-p", f"{conf}.pid"]
        self._process = subprocess.Popen(
            [*command, f"udp:127.0.0.1:{self.port}"],
            env={"SNMP_PERSISTENT_DIR": str(self._directory), "MIBS": ""},
        )
        deadline = time.monotonic() + 20
        while "NET-SNMP version" not in self.log():
            if self._process.poll() is not None or time.monotonic() > deadline:
                self._end()
                raise RuntimeError(f"snmptrapd did not start: {self.log()}")
            time.sleep(0.02)  # the process has no other sign of life
        return self

    def log(self) -> str:
        """Everything that it has received."""
        log = self._directory / "traps.log"
        return log.read_text(errors="replace") if log.exists() else ""

    def _end(self) -> None:
        self._process.kill()
        self._process.wait(10)

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end()
