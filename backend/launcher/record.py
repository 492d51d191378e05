"""The state file about the running services: the supervisor writes it, every other command reads it."""

import json
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from launcher.keys import write_private
from launcher.processes import Identity

STARTING, READY, STOPPING = "starting", "ready", "stopping"


@dataclass
class ServiceRecord:
    """The last known state of a service; `state` is starting, running, restarting or stopped."""

    pid: int | None
    started: str
    state: str
    restarts: int
    stop_signal: int
    grace: float
    command: list[str] = field(default_factory=list)

    @property
    def identity(self) -> Identity | None:
        return Identity(self.pid, self.started) if self.pid else None

    def runs(self, command: Sequence[str]) -> bool:
        """Return whether its process runs exactly this command, with the program that is on the disk now."""
        try:
            program = str(
                Path(f"/proc/{self.pid}/exe").readlink()
            )  # ends with " (deleted)" if the program was replaced
        except OSError:
            return False
        return self.command == [*command] and program in {os.path.realpath(word) for word in command}


@dataclass
class Record:
    """The state of one run of an instance. The file is private, as the URLs hold passwords."""

    supervisor: Identity
    phase: str = STARTING
    url: str = ""
    """The URL at which our own programs on this machine reach the web."""
    public_url: str = ""
    """The URL at which users reach the web."""
    listen: str = ""
    """The address of the web, as --listen has it; "" in a record of an earlier launcher."""
    tls_cert: str = ""
    """The web's certificate; "" if it serves plain HTTP."""
    tls_key: str = ""
    """The file with the certificate's key; "" also in a record of an earlier launcher."""
    web_processes: int = 1
    guests: str = ""
    """The hypervisor that boots servers of the simulated cloud from their images; "" for none."""
    roles: list[str] = field(default_factory=list)
    """The processes that this host runs of an installation of several hosts; empty for all."""
    clouds_yaml: str = ""
    cloud: str = ""
    database_url: str = ""
    redis_url: str = ""
    hands_over: int = 0
    """See `handover.PROTOCOL`."""
    handover: str = ""
    """The number of the order by which this run took over from another release; "" if `up` started it."""
    refusal: str = ""
    """The reason why the take-over failed, so that the earlier release's processes still run."""
    services: dict[str, ServiceRecord] = field(default_factory=dict)

    def save(self, path: Path) -> None:
        write_private(path, json.dumps(asdict(self), indent=1) + "\n")

    @classmethod
    def load(cls, path: Path) -> "Record | None":
        """Return the last record, None if there is none or it cannot be read."""
        try:
            document: dict[str, Any] = json.loads(path.read_text())
            document["supervisor"] = Identity(**document["supervisor"])
            document["services"] = {name: ServiceRecord(**value) for name, value in document["services"].items()}
            return cls(**document)
        except (FileNotFoundError, ValueError, TypeError, KeyError):
            return None

    @property
    def users_url(self) -> str:
        """The URL for users, also for an instance that an earlier launcher started."""
        return self.public_url or self.url

    @property
    def alive(self) -> bool:
        return self.supervisor.alive
