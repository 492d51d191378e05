"""The state file: what runs, written by the supervisor, read by every other command."""

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
    """One service as last seen. `state` is starting, running, restarting or stopped."""

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
        """Whether its process runs that very command, by the program that is on the disk now."""
        try:
            program = str(Path(f"/proc/{self.pid}/exe").readlink())  # ends with " (deleted)" once that was replaced
        except OSError:
            return False
        return self.command == [*command] and program in {os.path.realpath(word) for word in command}


@dataclass
class Record:
    """One run of an instance. The URLs hold passwords: the file is private."""

    supervisor: Identity
    phase: str = STARTING
    url: str = ""
    """Where our own programs reach the web, on this machine."""
    public_url: str = ""
    """Where users reach it."""
    listen: str = ""
    """The address of the web, as --listen has it; "" in a record of an earlier launcher."""
    tls_cert: str = ""
    """The web's certificate; "": it speaks HTTP in clear."""
    tls_key: str = ""
    """File with its key; "" also in a record of an earlier launcher."""
    web_processes: int = 1
    guests: str = ""
    """What boots servers of the simulated cloud from their images; "": nothing does."""
    roles: list[str] = field(default_factory=list)
    """What it runs of an installation of several hosts; empty: all."""
    clouds_yaml: str = ""
    cloud: str = ""
    database_url: str = ""
    redis_url: str = ""
    hands_over: int = 0
    """See `handover.PROTOCOL`."""
    handover: str = ""
    """The number of the order with which this run took over from one of another release; "" when it began by `up`."""
    refusal: str = ""
    """Why that failed, so that the processes of before go on."""
    services: dict[str, ServiceRecord] = field(default_factory=dict)

    def save(self, path: Path) -> None:
        write_private(path, json.dumps(asdict(self), indent=1) + "\n")

    @classmethod
    def load(cls, path: Path) -> "Record | None":
        """The last record, None when there is none that can be read."""
        try:
            document: dict[str, Any] = json.loads(path.read_text())
            document["supervisor"] = Identity(**document["supervisor"])
            document["services"] = {name: ServiceRecord(**value) for name, value in document["services"].items()}
            return cls(**document)
        except (FileNotFoundError, ValueError, TypeError, KeyError):
            return None

    @property
    def users_url(self) -> str:
        """The public one, also of an instance that an earlier launcher started."""
        return self.public_url or self.url

    @property
    def alive(self) -> bool:
        return self.supervisor.alive
