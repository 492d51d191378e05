"""Backoff, ports, keys, messages, log files, the console: one rule each."""

import errno
import io
import os
import shutil
import socket
from collections.abc import Callable
from pathlib import Path

import pytest
from cryptography.fernet import Fernet

from launcher import backoff, guests, keys, ports
from launcher.console import Console
from launcher.errors import explain_os_error, explain_output
from launcher.logs import Follower
from launcher.rotation import bound, quota, rotate
from launcher.supervisor import describe_exit


def test_delays_double_up_to_a_limit() -> None:
    assert [backoff.delay(failures) for failures in range(1, 9)] == [0.5, 1, 2, 4, 8, 16, 30, 30]
    assert backoff.delay(10_000) == backoff.LONGEST_SECONDS


def test_a_port_is_remembered_and_replaced_only_when_in_use(tmp_path: Path) -> None:
    file = tmp_path / "port"
    port = ports.remembered_port(file)
    assert ports.remembered_port(file) == port
    with socket.socket() as stranger:
        stranger.bind((ports.LOOPBACK, port))
        stranger.listen()
        assert not ports.is_free(port)
        assert ports.answers(ports.LOOPBACK, port)
        other = ports.remembered_port(file)
    assert other != port
    assert ports.remembered_port(file) == other


def test_a_free_port_is_none_of_outgoing_connections(tmp_path: Path) -> None:
    limits = tmp_path / "ip_local_port_range"
    limits.write_text("20200\t60999\n")
    found = {ports.free_port(limits) for _ in range(20)}
    assert len(found) > 1
    assert all(ports.LOWEST <= port < 20200 for port in found)


@pytest.mark.parametrize("content", ["", "1024\t65535\n", "unknown\n"])
def test_without_ports_below_those_of_connections_the_kernel_picks(tmp_path: Path, content: str) -> None:
    limits = tmp_path / "ip_local_port_range"
    limits.write_text(content)
    assert ports.is_free(ports.free_port(limits))
    assert ports.is_free(ports.free_port(tmp_path / "absent"))


@pytest.mark.parametrize("stored", [ports.remembered_port, ports.persistent_port, ports.remembered_trap_port])
def test_a_port_file_that_a_kill_left_empty_is_written_again(tmp_path: Path, stored: Callable[[Path], int]) -> None:
    file = tmp_path / "port"
    file.write_text("")
    assert stored(file) == int(file.read_text()) > 0
    assert stored(file) == int(file.read_text())


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("postgresql://u:p@db.example:6000/x", ("db.example", 6000)),
        ("postgresql://u@db.example/x", ("db.example", 5432)),
        ("postgresql:///x", ("127.0.0.1", 5432)),
    ],
)
def test_addresses_of_urls(url: str, address: tuple[str, int]) -> None:
    assert ports.address_of(url, 5432) == address
    assert ports.addresses_of(url, 5432) == [address]


def test_addresses_of_a_url_of_several_servers() -> None:
    url = "postgresql://u:p,q@db-1.example,[2001:db8::1]:6432/x?target_session_attrs=read-write"
    assert ports.addresses_of(url, 5432) == [("db-1.example", 5432), ("2001:db8::1", 6432)]


def test_secrets_are_private_and_stay(tmp_path: Path) -> None:
    file = tmp_path / "key"
    first = keys.read_or_create(file, keys.fernet_key)
    assert keys.read_or_create(file, keys.fernet_key) == first
    assert file.stat().st_mode & 0o777 == 0o600
    assert Fernet(first).decrypt(Fernet(first).encrypt(b"secret")) == b"secret"
    assert keys.password() != keys.password()


@pytest.mark.parametrize(
    ("output", "says"),
    [
        ("error: failed to write: No space left on device (os error 28)", "disk is full"),
        ("npm error code ENOSPC", "disk is full"),
        ("created because ensurepip is not available.  On Debian/Ubuntu systems", "apt install python3-venv"),
        ("/usr/bin/python3: No module named 'venv'", "apt install python3-venv"),
        ("Temporary failure in name resolution", "check the network"),
        ("npm error code EAI_AGAIN", "check the network"),
        ("npm error code EINTEGRITY", "hash"),
    ],
)
def test_known_failures_of_installers_get_one_sentence(output: str, says: str) -> None:
    sentence = explain_output(output, Path("/somewhere"))
    assert sentence is not None
    assert says in sentence
    assert "\n" not in sentence


def test_an_unknown_failure_is_not_explained() -> None:
    assert explain_output("SyntaxError: invalid syntax", Path("/somewhere")) is None


@pytest.mark.parametrize(
    ("number", "says"),
    [(errno.ENOSPC, "disk is full"), (errno.EACCES, "--state-dir"), (errno.EROFS, "--state-dir")],
)
def test_system_errors_get_one_sentence(number: int, says: str) -> None:
    sentence = explain_os_error(OSError(number, "system's words", "/somewhere"))
    assert says in sentence
    assert "/somewhere" in sentence


def test_exits_in_words() -> None:
    assert describe_exit(1) == "exit code 1"
    assert describe_exit(-9) == "killed by SIGKILL"


def test_large_logs_are_moved_aside_and_the_oldest_dropped(tmp_path: Path) -> None:
    log = tmp_path / "web.log"
    with log.open("a") as writer:
        for text in ("one", "two", "three", "four"):
            writer.write(text)
            writer.flush()
            assert rotate(log, largest=2, generations=2)
        writer.write("more")
    assert log.read_text() == "more", "the open writer goes on in the emptied file"
    assert (tmp_path / "web.log.1").read_text() == "four"
    assert (tmp_path / "web.log.2").read_text() == "three"
    assert not (tmp_path / "web.log.3").exists()
    assert (tmp_path / "web.log.1").stat().st_mode & 0o777 == 0o600
    assert not rotate(log, largest=10)


def test_all_logs_together_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for age, name in enumerate(("web.log.1", "worker.log.2", "worker.log.1", "web.log", "worker.log")):
        (tmp_path / name).write_bytes(b"x" * (40 if name == "web.log" else 10))
        os.utime(tmp_path / name, (1000 + age, 1000 + age))
    assert bound(tmp_path, 80) == []
    assert bound(tmp_path, 65) == ["web.log.1", "worker.log.2"], "the oldest first"
    assert bound(tmp_path, 20) == ["worker.log.1", "web.log"]
    assert ((tmp_path / "web.log").stat().st_size, (tmp_path / "worker.log").stat().st_size) == (0, 10)
    monkeypatch.setenv("VNFM_LOGS_QUOTA", "12345")
    assert quota(tmp_path) == 12345
    monkeypatch.setenv("VNFM_LOGS_QUOTA", "1%")
    assert quota(tmp_path) == int(shutil.disk_usage(tmp_path).total * 0.01)


def test_of_a_flood_the_end_stays(tmp_path: Path) -> None:
    log = tmp_path / "web.log"
    log.write_text("0123456789")
    assert rotate(log, largest=2)
    assert (tmp_path / "web.log.1").read_text() == "456789"


def test_following_a_log_over_half_lines_and_rotation(tmp_path: Path) -> None:
    log = tmp_path / "web.log"
    log.write_text("one\ntwo\nthr")
    follower = Follower(log)
    assert follower.tail(1) == ["two"]
    with log.open("a") as writer:
        writer.write("ee\nfour\n")
    assert list(follower.new_lines()) == ["three", "four"]
    log.write_text("new\n")
    assert list(follower.new_lines()) == ["new"]


def test_plain_output_has_the_start_and_the_end_of_a_step() -> None:
    stream = io.StringIO()
    console = Console(stream)
    with console.step("npm packages"):
        assert stream.getvalue() == "  npm packages ...\n"
    assert "done: npm packages (0.0 s)" in stream.getvalue()
    with pytest.raises(RuntimeError), console.step("web pages"):
        raise RuntimeError
    assert "failed: web pages" in stream.getvalue()
    assert "\x1b" not in stream.getvalue()


class Terminal(io.StringIO):
    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


def test_a_terminal_gets_signs_and_a_live_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("NO_COLOR", "1")
    stream = Terminal()
    with Console(stream).step("npm packages"):
        pass
    assert "✓ npm packages" in stream.getvalue()


def test_guests_are_run_as_the_user_may(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("qemu-system-x86_64", "qemu-img", "ip", "unshare"):
        (tmp_path / name).touch(mode=0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    expected = {True: "qemu-bridges", False: "qemu"}[os.geteuid() == 0]
    assert guests.choose(guests.BEST)[0] == expected
    assert guests.choose("") == ("", "")
    assert guests.choose("qemu")[0] == "qemu"


def test_without_qemu_it_says_so_and_all_servers_are_simulated(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    way, words = guests.choose("qemu")
    assert way == ""
    assert words == (
        "No guests: qemu-system-x86_64, qemu-img missing (Debian: qemu-system-x86, qemu-utils and iproute2). "
        "All servers are simulated."
    )
