"""Three hosts with Debian's etcd, Patroni, PostgreSQL, Redis and Sentinel, by the files of backend/docs/ha; HAProxy.

Patroni and Sentinel decide; nothing here promotes.
"""

import os
import re
import shutil
import signal
import subprocess
from pathlib import Path
from types import TracebackType
from typing import Self

import psycopg
import pytest
import redis
import requests

from launcher.ports import LOOPBACK, answers, free_port
from launcher.postgres import USER
from launcher.processes import spawn
from launcher.unprivileged import Unprivileged, choose
from tests.chaos.hosts import PASSWORD, START_SECONDS, Host, Switch
from tests.support.installation import ROOT, until

FILES = ROOT / "backend" / "docs" / "ha"
NAMES = ("db-1", "db-2", "db-3")
_DOCUMENTED = ("192.0.2.21", "192.0.2.22", "192.0.2.23")
_PROGRAMS = ("etcd", "patroni", "patronictl", "haproxy", "redis-server", "redis-sentinel")
_DEBIAN = ("env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C.UTF-8")
"""Patroni is a program of the system's Python."""
_ROLES = {"leader": 1, "sync_standby": 1, "replica": 1}
_SECONDS = 2.0
"""For an answer of one of its servers."""


def _postgres_bin() -> Path | None:
    """Return the programs of Debian's newest PostgreSQL."""
    found = Path("/usr/lib/postgresql").glob("*/bin")
    return max(found, key=lambda path: int(path.parent.name), default=None)


def require_ha() -> None:
    """Skip with a reason where a program is absent; fail where they are required."""
    missing = [name for name in _PROGRAMS if shutil.which(name) is None]
    missing += [] if _postgres_bin() else ["postgresql"]
    if missing and os.environ.get("REQUIRE_HA"):
        pytest.fail(f"missing: {', '.join(missing)}")
    if missing:
        pytest.skip(f"high availability needs what is missing here: {', '.join(missing)}")


def filled(name: str, values: dict[str, str]) -> str:
    """A file of the documentation with other values in place of its own; each must be in it."""
    text = (FILES / name).read_text()
    for ours, theirs in values.items():
        assert ours in text, f"{name} has no {ours}"
        text = text.replace(ours, theirs)
    left = re.findall(r"^[^#]*(@[a-z-]+@)", text, re.MULTILINE)
    assert not left, f"{name}: {left}"
    return text


def _client(address: str, port: int = 6379) -> redis.Redis:
    password = PASSWORD if port == 6379 else None
    return redis.Redis(
        address,
        port,
        password=password,
        socket_timeout=_SECONDS,
        socket_connect_timeout=_SECONDS,
        decode_responses=True,
    )


class HaCluster:
    def __init__(self, switch: Switch, folder: Path) -> None:
        self.hosts: dict[str, Host] = {name: switch.host() for name in NAMES}
        self._network = switch.network
        self._folder = folder
        self._running: dict[tuple[str, str], subprocess.Popen[bytes]] = {}
        self._addresses = dict(zip(_DOCUMENTED, (host.address for host in self.hosts.values()), strict=True))

    def start(self) -> None:
        for name in NAMES:
            self.start_host(name)
        self.wait_until_whole()

    def start_host(self, name: str) -> None:
        """All its programs, as its services start with it."""
        (self._folder / name).mkdir(exist_ok=True)
        for program in PROGRAMS:
            self._run(name, program)

    def kill(self, name: str, program: str) -> None:
        """SIGKILL, and its service starts it again at once; PostgreSQL is started again by Patroni."""
        if program == "postgres":
            pid = (self._runner(name).home / "main" / "postmaster.pid").read_text().split()[0]
            os.kill(int(pid), signal.SIGKILL)
            return
        self.signal(name, program, signal.SIGKILL)
        self._running[name, program].wait()
        self._run(name, program)

    def signal(self, name: str, program: str, number: int) -> None:
        self._running[name, program].send_signal(number)

    def _run(self, name: str, program: str) -> None:
        command = PROGRAMS[program](self, name)
        user = self._runner(name).user if program == "patroni" else None
        log = self._folder / name / f"{program}.log"
        self._running[name, program] = self.hosts[name].run([*_DEBIAN, *command], log, user)

    def _runner(self, name: str) -> Unprivileged:
        """Return how PostgreSQL and Patroni run there."""
        bin_dir = _postgres_bin()
        assert bin_dir is not None
        return choose(self._folder / name / "postgresql", bin_dir)

    def _etcd(self, name: str) -> list[str]:
        data = str(self._folder / name / "etcd")
        own = {"@name@": name, "@address@": self.hosts[name].address, "/var/lib/etcd/vnfm": data}
        lines = filled("etcd.default", self._addresses | own).splitlines()
        return [*(line for line in lines if line and not line.startswith("#")), "etcd"]

    def _patroni(self, name: str) -> list[str]:
        runner = self._runner(name)
        config = runner.home / "patroni.yml"
        own = {
            "@name@": name,
            "@address@": self.hosts[name].address,
            "@api-password@": PASSWORD,
            "@postgres-password@": PASSWORD,
            "@replicator-password@": PASSWORD,
            "192.0.2.0/24": self._network,
            "/usr/lib/postgresql/15/bin": str(runner.bin_dir),
            "/var/lib/postgresql/15/main": str(runner.home / "main"),
            "/var/lib/postgresql/patroni.pgpass": str(runner.home / "pgpass"),
            "/var/run/postgresql": "''",  # a socket of this machine's file system, which the hosts share
        }
        config.write_text(filled("patroni.yml", self._addresses | own))
        runner.give(config)
        return [*runner.prefix, "patroni", str(config)]

    def _redis(self, name: str) -> list[str]:
        return ["redis-server", self._remembered(name, "redis.conf")]

    def _sentinel(self, name: str) -> list[str]:
        return ["redis-sentinel", self._remembered(name, "sentinel.conf")]

    def _remembered(self, name: str, file: str) -> str:
        """A file in which Sentinel notes who is the master, so it is written once."""
        config = self._folder / name / file
        if not config.exists():
            own = {"@address@": self.hosts[name].address, "@broker-password@": PASSWORD}
            first = {_DOCUMENTED[0]: self._addresses[_DOCUMENTED[0]]}
            text = filled(file, own | first) + f"dir {config.parent}\n"
            config.write_text(re.sub(r"(?m)^replicaof.*\n", "", text) if name == NAMES[0] else text)
        return str(config)

    def wait_until_whole(self) -> None:
        """Wait until every host has its part."""
        until(lambda: self._is_whole() or None, 2 * START_SECONDS, "the cluster is whole", every=0.5)

    def _is_whole(self) -> bool:
        roles = [member["role"] for member in self.members() if member["state"] in {"running", "streaming"}]
        brokers = [self._broker_role(host) for host in self.hosts.values()]
        return sorted(roles) == ["leader", "replica", "sync_standby"] and sorted(brokers) == [
            "master",
            "slave",
            "slave",
        ]

    def members(self) -> list[dict[str, str]]:
        """As Patroni shows them, by any host that answers."""
        for host in self.hosts.values():
            try:
                answer = requests.get(f"http://{host.address}:8008/cluster", timeout=_SECONDS)
                found: list[dict[str, str]] = answer.json().get("members", [])
            except (requests.RequestException, ValueError):
                continue
            return found
        return []

    def member(self, role: str) -> str:
        """The host that has this role in the whole cluster."""
        return next(member["name"] for member in self.members() if member["role"] == role)

    def primary(self) -> str | None:
        """The host that Patroni says is it."""
        for name, host in self.hosts.items():
            try:
                if requests.get(f"http://{host.address}:8008/primary", timeout=_SECONDS).ok:
                    return name
            except requests.RequestException:
                continue
        return None

    def broker(self) -> str | None:
        """The host of the broker that takes commands."""
        return next((name for name, host in self.hosts.items() if self._broker_role(host) == "master"), None)

    def move_broker(self, name: str) -> None:
        """Move the primary to that host by Sentinel: it chooses the replica with the lowest priority, once it has read
        it.
        """
        if self.broker() == name:
            return
        address = self.hosts[name].address
        with _client(address, 26379) as sentinel, _client(address) as own:

            def chosen() -> bool | None:
                replicas = sentinel.sentinel_slaves("vnfm")
                return any(one["ip"] == address and one["slave-priority"] == 1 for one in replicas) or None

            own.config_set("replica-priority", 1)
            until(chosen, START_SECONDS, f"Sentinel has read the priority of {name}")
            sentinel.sentinel_failover("vnfm")
            until(lambda: self.broker() == name or None, START_SECONDS, f"the broker is on {name}")
            own.config_set("replica-priority", 100)
        self.wait_until_whole()

    def _broker_role(self, host: Host) -> str | None:
        try:
            with _client(host.address) as own:
                role: str = own.info("replication")["role"]
        except redis.RedisError:
            return None
        return role

    def switchover(self, candidate: str) -> None:
        """On purpose, as a person does it."""
        config = next((self._folder / candidate / "postgresql").glob("patroni.yml"))
        primary = self.primary()
        assert primary is not None
        command = ["patronictl", "-c", str(config), "switchover", "--primary", primary, "--candidate", candidate]
        done = subprocess.run([*_DEBIAN, *command, "--force", "vnfm"], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr

    def make_database(self, name: str) -> str:
        """For the product, by a person; its URL by the names of all hosts."""
        primary = self.hosts[self.primary() or ""].address
        with psycopg.connect(
            host=primary, user="postgres", password=PASSWORD, dbname="postgres", autocommit=True
        ) as own:
            if own.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [USER]).fetchone() is None:
                own.execute(f"CREATE ROLE {USER} LOGIN PASSWORD '{PASSWORD}'")
            own.execute(f"CREATE DATABASE {name} OWNER {USER}")
        return f"postgresql://{USER}:{PASSWORD}@{','.join(host.address for host in self.hosts.values())}/{name}"

    def haproxy(self, folder: Path) -> "Haproxy":
        return Haproxy(folder, self._addresses)


PROGRAMS = {
    "etcd": HaCluster._etcd,
    "patroni": HaCluster._patroni,
    "redis-server": HaCluster._redis,
    "redis-sentinel": HaCluster._sentinel,
}
"""The programs of each host, and their commands there."""


class Haproxy:
    """HAProxy on a host of the product: `database` and `broker` are its ports on the loopback address."""

    def __init__(self, folder: Path, addresses: dict[str, str]) -> None:
        self.database, self.broker = free_port(), free_port()
        self._folder = folder
        own = {"@broker-password@": PASSWORD}
        own |= {f"{LOOPBACK}:5432": f"{LOOPBACK}:{self.database}", f"{LOOPBACK}:6379": f"{LOOPBACK}:{self.broker}"}
        folder.mkdir()
        (folder / "haproxy.cfg").write_text(filled("haproxy.cfg", addresses | own))

    def __enter__(self) -> Self:
        command = [*_DEBIAN, "haproxy", "-db", "-f", self._folder / "haproxy.cfg"]
        self._process = spawn(command, log=self._folder / "haproxy.log")
        until(lambda: answers(LOOPBACK, self.broker) or None, START_SECONDS, "HAProxy listens")
        return self

    def kill(self) -> None:
        """SIGKILL; its service starts it again at once."""
        self.__exit__(None, None, None)
        self.__enter__()

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.kill()
        self._process.wait()
