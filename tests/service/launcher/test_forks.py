"""The fork server: what it forks is the supervisor's own child, and outlives it."""

import os
import signal
import socket
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from launcher.errors import LaunchError
from launcher.processes import Identity, wait_until
from tests.service.launcher.fork_site import Site

THREAD = "import threading; threading.Thread(target=threading.Event().wait, daemon=True).start()"


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    site = Site(tmp_path)
    try:
        site.supervisor.await_ready()
        yield site
    finally:
        site.supervisor.stop()


def _command_line(pid: int) -> str:
    return Path(f"/proc/{pid}/cmdline").read_bytes().rstrip(b"\0").decode()


def test_a_fork_is_as_if_it_had_been_started(site: Site, tmp_path: Path) -> None:
    with socket.socket() as listener:
        site.supervisor.start(site.role("one", "--two", cwd=tmp_path, fds=(listener.fileno(),)))
        site.supervisor.await_ready()
        (reported,) = site.output()
        files = {0, 1, 2, listener.fileno()}
    forked: Mapping[str, object] = {
        "parent": os.getpid(),
        "session": site.pid(),
        "arguments": ["one", "--two"],
        "environment": {"ROLE": "role"},
        "folder": str(tmp_path),
        "umask": 0o077,
        "forked": True,
    }
    assert {key: reported[key] for key in forked} == forked
    assert len(set(reported["files"]) - files) == 1, "the one by which it looks"
    assert _command_line(site.pid()) == "vnfm role"
    assert Path(f"/proc/{site.pid()}/comm").read_text() == "vnfm-role\n"


def test_one_dies_and_is_forked_again_while_the_other_goes_on(site: Site) -> None:
    site.supervisor.start(site.role(name="one"), site.role(name="other"))
    site.supervisor.await_ready()
    other = site.pid("other")
    site.restarted("one")
    assert [reported["forked"] for reported in site.output("one")] == [True, True]
    assert site.pid("other") == other
    assert site.messages[0] == "one ended (killed by SIGKILL): starting it again in 0.5 s."


def test_forks_outlive_their_server_and_start_as_programs_meanwhile(site: Site) -> None:
    site.supervisor.start(site.role(name="one"), site.role(name="other"))
    site.supervisor.await_ready()
    other = Identity.of(site.pid("other"))
    os.kill(site.pid("forkserver"), signal.SIGKILL)
    os.kill(site.pid("one"), signal.SIGKILL)
    assert site.tick_until("one", "restarting")
    assert site.tick_until("one", "running")
    assert site.tick_until("forkserver", "running")
    assert other is not None
    assert other.alive
    site.restarted("one")
    assert site.output("one")[-1]["forked"], "by the new server"


def test_a_server_that_hangs_is_killed_and_the_service_starts_as_a_program(site: Site) -> None:
    hung = site.pid("forkserver")
    os.kill(hung, signal.SIGSTOP)
    site.supervisor.start(site.role())
    site.supervisor.await_ready("role")
    assert [reported["forked"] for reported in site.output()] == [False], "it runs once"

    def replaced() -> bool:
        site.supervisor.tick()
        server = site.supervisor.record.services["forkserver"]
        return server.state == "running" and server.pid != hung

    assert wait_until(replaced, 30)
    assert site.messages[0].startswith("forkserver does not fork role (timed out): restarting it.")


def test_the_error_of_a_failed_program_has_its_output(site: Site) -> None:
    with pytest.raises(LaunchError, match=r"(?s)upgrade failed.*it failed"):
        site.supervisor.run_once(site.role("fail", name="upgrade"))


def test_modules_that_start_threads_are_not_forked(tmp_path: Path) -> None:
    site = Site(tmp_path, THREAD)
    try:
        with pytest.raises(LaunchError, match=r"(?s)forkserver does not stay up.*loaded_once started a thread"):
            site.supervisor.await_ready()
    finally:
        site.supervisor.stop()
