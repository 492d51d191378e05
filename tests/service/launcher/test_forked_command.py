"""Commands of the terminal as forks of the fork server: input, outputs, exit code, signals and death."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryFile

import pytest

from launcher.forked_command import run_forked
from launcher.processes import wait_until
from tests.service.launcher.fork_site import BACKEND, Site

CLIENT = """
import sys
from pathlib import Path
from launcher.forked_command import run_forked
sys.exit(run_forked(Path(sys.argv[1]), sys.argv[2:], env={"MINE": "1"}, cwd=Path.cwd()))
"""
REPORT = """
import colorsys, json, os, sys
print(json.dumps([os.environ.get("MINE"), os.getcwd(), sys.argv[1:], hasattr(colorsys, "forked"), sys.stdin.read()]))
sys.exit(5)
"""
WAIT = """
import os, signal
try:
    print(os.getpid(), flush=True)
    signal.pause()
except KeyboardInterrupt:
    raise SystemExit(7)
"""


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    deep = tmp_path / ("long" * 30)
    deep.mkdir()
    site = Site(deep)
    try:
        site.supervisor.await_ready()
        yield site
    finally:
        site.supervisor.stop()


def _program(site: Site, text: str) -> str:
    file = site.folder / "program.py"
    file.write_text(text)
    return str(file)


def _client(site: Site, *arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", CLIENT, str(site.commands), *arguments]
    pipe = subprocess.PIPE
    return subprocess.Popen(
        command, stdin=pipe, stdout=pipe, text=True, cwd=site.folder, env={**os.environ, "PYTHONPATH": str(BACKEND)}
    )


def test_a_command_has_its_clients_input_output_folder_and_exit_code(site: Site) -> None:
    client = _client(site, _program(site, REPORT), "--word", "x")
    output, _ = client.communicate("what was typed", timeout=30)
    assert json.loads(output) == ["1", str(site.folder), ["--word", "x"], True, "what was typed"]
    assert client.returncode == 5


def test_ctrl_c_reaches_the_command(site: Site) -> None:
    client = _client(site, _program(site, WAIT))
    assert client.stdout is not None
    client.stdout.readline()
    client.send_signal(signal.SIGINT)
    assert client.wait(30) == 7


def test_a_command_ends_with_its_client(site: Site) -> None:
    client = _client(site, _program(site, WAIT))
    assert client.stdout is not None
    command = int(client.stdout.readline())
    client.kill()
    assert wait_until(lambda: not Path(f"/proc/{command}").exists(), 30)


def test_a_command_that_was_killed_has_the_exit_code_that_shells_give(site: Site) -> None:
    with TemporaryFile() as output:
        program = _program(site, "import os, signal; os.kill(os.getpid(), signal.SIGKILL)")
        files = (0, output.fileno(), output.fileno())
        assert run_forked(site.commands, [program], env={}, cwd=site.folder, files=files) == 128 + signal.SIGKILL


def test_without_a_fork_server_nothing_is_run(site: Site) -> None:
    os.kill(site.pid("forkserver"), signal.SIGSTOP)
    ran = site.folder / "ran"
    program = _program(site, f"open({str(ran)!r}, 'w')")
    assert run_forked(site.commands, [program], env={}, cwd=site.folder) is None
    os.kill(site.pid("forkserver"), signal.SIGCONT)
    with TemporaryFile() as output:
        files = (0, output.fileno(), output.fileno())
        assert run_forked(site.commands, ["-m", "this"], env={}, cwd=site.folder, files=files) == 0
    assert not ran.exists(), "a client that gave up starts no command"
    assert run_forked(site.folder / "absent", [program], env={}, cwd=site.folder) is None
