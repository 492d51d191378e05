"""python-tackerclient as it is published: OpenStackClient's shell with the commands that a test gives.

Run as a script it reads a JSON array of arguments from each line, and answers with the exit code and output.
"""

import contextlib
import io
import json
import os
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any


class TackerShell:
    """Sends commands as a user with that API token; JSON answers where a command has one."""

    def __init__(self, url: str, token: str) -> None:
        self._login = ["--os-auth-type", "admin_token", "--os-endpoint", url, "--os-token", token]
        arguments = [sys.executable, str(Path(__file__))]
        self._process = subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def run(self, version: str, *command: str, shows: bool = True) -> Any:
        """Return what the command shows, parsed; raises AssertionError with its words when it fails."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        output = ["-f", "json"] if shows else []
        arguments = [*self._login, "--os-tacker-api-version", version, *command, *output]
        self._process.stdin.write(json.dumps(arguments) + "\n")
        self._process.stdin.flush()
        answer = json.loads(self._process.stdout.readline())
        assert answer["code"] == 0, f"{' '.join(command)}: {answer['text']}"
        return json.loads(answer["out"]) if shows else answer["out"]

    def end(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(30)


def commands(version: str) -> set[str]:
    """Commands of the client for SOL003 and SOL005, as they are typed."""
    found = entry_points(group=f"openstack.tackerclient.v{version}")
    return {each.name.replace("_", " ") for each in found if not each.name.startswith("vim_")}


def _serve() -> None:
    """Each command in a process of its own, as on a command line: the client keeps state between commands."""
    import openstackclient.shell  # noqa: F401 - once, for all children

    for line in sys.stdin:
        child = os.fork()
        if not child:
            _answer(json.loads(line))
            os._exit(0)
        os.waitpid(child, 0)


def _answer(arguments: list[str]) -> None:
    from openstackclient.shell import OpenStackShell

    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = OpenStackShell().run(arguments)
        except SystemExit as error:
            code = error.code or 0
    answer = {"code": code, "out": out.getvalue(), "text": err.getvalue() + out.getvalue()}
    assert sys.__stdout__ is not None
    sys.__stdout__.write(json.dumps(answer) + "\n")
    sys.__stdout__.flush()


if __name__ == "__main__":
    _serve()
