"""`./vnfm up` where it cannot succeed: one sentence, exit code 1, no traceback, nothing left running."""

import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from launcher.errors import LaunchError
from launcher.ports import free_port
from launcher.startable import check_external

ROOT = Path(__file__).parents[3]


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A fresh clone, as far as the launcher looks at it before the product is installed."""
    checkout = tmp_path / "checkout"
    shutil.copytree(ROOT / "backend" / "launcher", checkout / "backend" / "launcher")
    shutil.copytree(ROOT / "backend" / "requirements", checkout / "backend" / "requirements")
    shutil.copy2(ROOT / "vnfm", checkout / "vnfm")
    return checkout


def vnfm(checkout: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    env = {name: value for name, value in os.environ.items() if not name.startswith(("PIP_", "UV_"))}
    env |= {"HOME": str(checkout.parent), **environment}
    command = [sys.executable, str(checkout / "vnfm"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, env=env, cwd=checkout)


def test_a_port_in_use(checkout: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as stranger:
        port = stranger.getsockname()[1]
        answer = vnfm(checkout, "up", "--port", str(port))
    assert answer.returncode == 1
    assert answer.stderr == f"Port {port} is taken by another program: choose another with --port.\n"


def test_no_network(checkout: Path) -> None:
    answer = vnfm(checkout, "up", "--detach", "--port", str(free_port()), PIP_INDEX_URL="http://127.0.0.1:1/simple")
    assert answer.returncode == 1
    assert answer.stderr.startswith("Packages could not be downloaded: check the network")
    assert answer.stderr.count("\n") == 1
    assert vnfm(checkout, "status").returncode == 3


def test_a_python_that_cannot_make_environments(checkout: Path) -> None:
    """Python is as on Debian without python3-venv: a stand-in that says what that one says."""
    words = "The virtual environment was not created successfully because ensurepip is not\\navailable."
    stand_in = checkout / "python"
    stand_in.write_text(
        f"#!/bin/sh\ncase \"$*\" in *' -m venv '*) printf '{words}'; exit 1;; esac\nexec {sys.executable} \"$@\"\n"
    )
    stand_in.chmod(0o755)
    program = f"import sys; sys.executable = {str(stand_in)!r}; sys.path[:0] = ['backend']; import launcher.cli as c"
    answer = subprocess.run(
        [sys.executable, "-c", f"{program}; sys.exit(c.main(['up', '--port', '{free_port()}']))"],
        capture_output=True,
        text=True,
        check=False,
        cwd=checkout,
    )
    assert answer.returncode == 1
    assert "apt install python3-venv" in answer.stderr
    assert answer.stderr.count("\n") == 1


def test_an_external_database_that_does_not_answer_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://vnfm:secret@127.0.0.1:1/vnfm")
    with pytest.raises(
        LaunchError,
        match=r"^DATABASE_URL names 127\.0\.0\.1:1, which does not answer: start it or correct the address\.$",
    ):
        check_external("DATABASE_URL", 5432)


@pytest.mark.parametrize("rest", ["db:secret/vnfm", "vnfm:secret/word@db/vnfm", "[secret/vnfm"])
def test_a_url_that_is_none_is_refused_without_its_password(monkeypatch: pytest.MonkeyPatch, rest: str) -> None:
    monkeypatch.setenv("DATABASE_URL", f"postgresql://{rest}")
    with pytest.raises(LaunchError, match=r"^DATABASE_URL is not a valid URL: write its port as a number") as refused:
        check_external("DATABASE_URL", 5432)
    assert "secret" not in str(refused.value)
