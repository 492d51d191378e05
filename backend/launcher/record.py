"""The state file: what runs, written by the supervisor, read by every other command."""

import json
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

    @property
    def identity(self) -> Identity | None:
        return Identity(self.pid, self.started) if self.pid else None


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
    clouds_yaml: str = ""
    cloud: str = ""
    database_url: str = ""
    redis_url: str = ""
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
