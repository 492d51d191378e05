"""Hosts that can lose their power: network namespaces on a switch, with a server in each. Needs root.

A process that is killed closes its connections; a host without power says nothing to its peers. Names and addresses
have the test process' number in them, so that several can work side by side.
"""

import os
import shutil
import signal
import subprocess
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

import psycopg
import pytest
import redis

from launcher.binaries import find_valkey
from launcher.postgres import DATABASE, USER, PostgresCluster
from launcher.processes import spawn
from tests.support.installation import until
from tests.support.schema_template import copy_to

START_SECONDS = 60.0
PASSWORD = "of-the-broker"


def require_hosts() -> None:
    """Skip with a reason where no network namespace can be made."""
    if os.geteuid() != 0 or shutil.which("ip") is None:
        pytest.skip("hosts of their own need root and the program ip, for network namespaces")
    probe = f"probe-{os.getpid()}"
    made = subprocess.run(["ip", "netns", "add", probe], capture_output=True, text=True, check=False)
    if made.returncode:
        pytest.skip(f"no network namespace can be made here: {made.stderr.strip()}")
    _ip("netns", "delete", probe)


def _ip(*arguments: str) -> None:
    subprocess.run(["ip", *arguments], check=True, capture_output=True, text=True)


class Switch:
    """The hosts are connected to it; this machine is, too."""

    def __init__(self) -> None:
        self.name, self._subnet = f"vnfmt{os.getpid()}", f"10.196.{os.getpid() % 250}"
        self.network = f"{self._subnet}.0/24"
        self._hosts: list[Host] = []

    def host(self) -> "Host":
        """Another host, switched on."""
        host = Host(self.name, len(self._hosts) + 1, self._subnet)
        self._hosts.append(host)
        return host

    def __enter__(self) -> Self:
        _ip("link", "add", self.name, "type", "bridge")
        _ip("address", "add", f"{self._subnet}.254/24", "dev", self.name)
        _ip("link", "set", self.name, "up")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        for host in self._hosts:
            host.power_off()
            subprocess.run(["ip", "netns", "delete", host.space], check=False, capture_output=True)
        _ip("link", "delete", self.name)


class Host:
    def __init__(self, switch: str, number: int, subnet: str) -> None:
        self.space, self.address = f"{switch}-{number}", f"{subnet}.{number}"
        self._cable = f"{switch}p{number}"
        self._processes: list[subprocess.Popen[bytes]] = []
        _ip("netns", "add", self.space)
        _ip("link", "add", self._cable, "type", "veth", "peer", "name", "eth0", "netns", self.space)
        _ip("link", "set", self._cable, "master", switch, "up")
        _ip("-n", self.space, "address", "add", f"{self.address}/24", "dev", "eth0")
        for name in ("lo", "eth0"):
            _ip("-n", self.space, "link", "set", name, "up")

    def run(self, command: list[str], log: Path, user: int | None = None) -> subprocess.Popen[bytes]:
        """Start a program on the host."""
        process = spawn(["ip", "netns", "exec", self.space, *command], log=log, user=user)
        self._processes.append(process)
        return process

    def power_off(self) -> None:
        """From now on no peer hears of it, not even that its connections have ended."""
        _ip("link", "set", self._cable, "down")
        until(lambda: self._kill_all() or None, START_SECONDS, f"no process runs on {self.space}")
        for process in self._processes:
            process.wait()
        self._processes = []

    def _kill_all(self) -> bool:
        """Whether none was left, such as a server that one of our programs had started."""
        listed = subprocess.run(["ip", "netns", "pids", self.space], capture_output=True, text=True, check=False)
        for pid in listed.stdout.split():
            with suppress(ProcessLookupError):
                os.kill(int(pid), signal.SIGKILL)
        return not listed.stdout

    def power_on(self) -> None:
        """Power on the host, on which no program runs yet."""
        _ip("link", "set", self._cable, "up")


class PostgresHost:
    """A PostgreSQL on a host: a primary whose commits wait for the standby, or that standby."""

    def __init__(self, host: Host, root: Path) -> None:
        self.host, self.cluster = host, PostgresCluster(root, fsync=False)

    @property
    def at(self) -> str:
        return f"{self.host.address}:{self.cluster.port}"

    @property
    def url(self) -> str:
        return f"postgresql://{USER}:{self.cluster.password}@{self.at}/{DATABASE}"

    def start(self, *settings: str) -> None:
        flags = [word for setting in ("synchronous_commit=on", *settings) for word in ("-c", setting)]
        command = [*self.cluster.command, "-h", self.host.address, *flags]
        process = self.host.run(command, self.cluster.root / "server.log", self.cluster.user)
        until(lambda: self.cluster.ready(process.pid) or None, START_SECONDS, "PostgreSQL runs")

    def query(self, statement: str) -> object:
        """The only value of its answer."""
        with psycopg.connect(self.url, autocommit=True, connect_timeout=3) as connection:
            row = connection.execute(statement).fetchone()
        return row and row[0]

    def promote(self) -> None:
        """As Patroni does, once it is sure that the primary is gone."""
        assert self.query("SELECT pg_promote()") is True


def replicated(switch: Switch, folder: Path) -> tuple[PostgresHost, PostgresHost]:
    """A primary with the product's schema, and its synchronous standby."""
    primary, standby = (PostgresHost(switch.host(), folder / name) for name in ("primary", "standby"))
    copy_to(primary.cluster.root)
    with (primary.cluster.data / "pg_hba.conf").open("a") as rules:
        rules.writelines(f"host {what} all {switch.network} scram-sha-256\n" for what in ("all", "replication"))
    primary.start("synchronous_standby_names=*")
    shutil.copy2(primary.cluster.root / "password", standby.cluster.root / "password")
    runner = standby.cluster._runner
    copied = runner.run("pg_basebackup", "-D", str(standby.cluster.data), "-R", "-c", "fast", "-d", primary.url)
    assert copied.returncode == 0, copied.stderr
    standby.start()
    synchronous = "SELECT true FROM pg_stat_replication WHERE sync_state = 'sync'"
    until(lambda: primary.query(synchronous), START_SECONDS, "the standby is synchronous")
    return primary, standby


class BrokerHost:
    """A Valkey on a host, which begins with nothing each time."""

    def __init__(self, host: Host, root: Path) -> None:
        self.host, self._root = host, root
        self.url = f"redis://:{PASSWORD}@{host.address}:6379/0"

    def start(self) -> None:
        shutil.rmtree(self._root, ignore_errors=True)
        self._root.mkdir(parents=True)
        flags = ["--bind", self.host.address, "--requirepass", PASSWORD, "--dir", str(self._root)]
        self.host.run([str(find_valkey()), *flags, "--appendonly", "yes"], self._root / "server.log")
        until(self._answers, START_SECONDS, "the broker runs")

    def _answers(self) -> bool | None:
        try:
            return bool(self.client().ping()) or None
        except redis.RedisError:
            return None

    def client(self) -> redis.Redis:
        return redis.Redis.from_url(self.url, socket_timeout=3, socket_connect_timeout=3)
