"""A supervisor with a fork server in a folder of its own."""

import json
import os
import signal
import sys
from pathlib import Path
from typing import Any

from launcher.forks import ForkServer
from launcher.processes import Identity, wait_until
from launcher.record import Record
from launcher.service import Service
from launcher.supervisor import Supervisor

BACKEND = Path(__file__).parents[3] / "backend"

ROLE = Path(__file__).with_name("toy_role.py")

MARK = "import colorsys; colorsys.forked = True"


class Site:
    """A supervisor with a fork server that has loaded one marked module."""

    def __init__(self, folder: Path, loaded: str = MARK) -> None:
        self.folder = folder
        self.messages: list[str] = []
        (folder / "loaded_once.py").write_text(loaded)
        me = Identity.of(os.getpid())
        assert me is not None
        self.supervisor = Supervisor(Record(me), folder / "state.json", folder, self.messages.append)
        self.env = {"PYTHONPATH": str(folder)}
        self.commands = folder / "commands"
        server = ForkServer(
            Path(sys.executable), ("loaded_once",), commands=self.commands, cwd=BACKEND, env=self.env, patience=2.0
        )
        self.supervisor.start_fork_server(server)

    def role(self, *arguments: str, name: str = "role", **options: Any) -> Service:
        command = (sys.executable, str(ROLE), *arguments)
        options = {"env": {"ROLE": name}, "forked": True, "ready": lambda run: run.has_logged("}\n"), **options}
        return Service(name, command, **options)

    def output(self, name: str = "role") -> list[dict[str, Any]]:
        return [json.loads(line) for line in (self.folder / f"{name}.log").read_text().splitlines()]

    def pid(self, name: str = "role") -> int:
        pid = self.supervisor.record.services[name].pid
        assert pid is not None
        return pid

    def tick_until(self, name: str, state: str) -> bool:
        def there() -> bool:
            self.supervisor.tick()
            return self.supervisor.record.services[name].state == state

        return wait_until(there, 30)

    def restarted(self, name: str) -> int:
        """Kill it; the pid of the next one, once it runs."""
        os.kill(self.pid(name), signal.SIGKILL)
        assert self.tick_until(name, "restarting")
        assert self.tick_until(name, "running")
        return self.pid(name)
