"""The embedded Valkey, for real."""

import os
import signal
from pathlib import Path

import pytest
import redis

from launcher.errors import LaunchError
from launcher.valkey import EmbeddedValkey


def test_data_and_url_survive_a_restart_even_after_kill_9(tmp_path: Path) -> None:
    with EmbeddedValkey(tmp_path / "valkey") as first:
        client = redis.Redis.from_url(first.url)
        client.set("kept", "42")
        client.execute_command("WAITAOF", 1, 0, 5000)
        url = first.url
        os.kill(first.pid, signal.SIGKILL)
    with EmbeddedValkey(tmp_path / "valkey") as second:
        assert second.url == url
        assert redis.Redis.from_url(second.url).get("kept") == b"42"


def test_the_password_is_required(tmp_path: Path) -> None:
    with EmbeddedValkey(tmp_path / "valkey") as server, pytest.raises(redis.AuthenticationError):
        redis.Redis(port=server.files.port, retry=None).get("kept")
    assert (tmp_path / "valkey" / "valkey.conf").stat().st_mode & 0o777 == 0o600


def test_a_failed_start_is_reported(tmp_path: Path) -> None:
    with pytest.raises(LaunchError, match="did not start"):
        EmbeddedValkey(tmp_path / "valkey", program=Path("/bin/false")).start()
