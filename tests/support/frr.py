"""A real router for tests: FRR and Net-SNMP's agent of Debian in a network namespace, with a neighbour in another.

    host ── management ── router (zebra, bgpd, bfdd, ospfd, snmpd, frr-mibs) ── link ── neighbour

They have BGP sessions for IPv4 and IPv6, BFD and OSPF with each other, and LLDP where lldpd is installed. The router
answers SNMPv2c and v3 at `address` on the usual port and sends traps to `host`. It has IF-MIB, the address and system
groups, BGP4-MIB, OSPF-MIB and what the package's `frr-mibs` adds, but neither ENTITY-MIB nor ALARM-MIB. Needs root and
the packages frr, frr-snmp, snmpd.
Names and addresses have the test process' number in them, so that several can work side by side.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import gettempdir
from types import TracebackType
from typing import Self

import pytest

from tests.factories.packages import ROOT
from tests.service.routersim.traps import TrapSocket

ROUTER_AS, NEIGHBOUR_AS = 65001, 65002
LINK = "to-neighbour"
"""Name of the router's interface towards the neighbour."""
NEIGHBOURS_LINK = "to-router"
LINK_V6, NEIGHBOUR_V6 = "2001:db8:ffff::1", "2001:db8:ffff::2"
COMMUNITY = "public"
V3_USER, V3_AUTH, V3_PRIV = "vnfm", "authentication-secret", "privacy-secret"
"""SHA and AES128."""
FRR = Path("/usr/lib/frr")
SUBAGENT = ROOT / "catalog" / "open" / "frr-router" / "image" / "files" / "usr" / "libexec" / "frr-mibs"
START_SECONDS = 30.0

_SNMPD = f"""\
agentAddress udp:{{address}}:161
rocommunity {COMMUNITY}
createUser {V3_USER} SHA "{V3_AUTH}" AES "{V3_PRIV}"
rouser {V3_USER} authpriv
sysName frr-1
sysLocation test bench
sysContact unknown
master agentx
trap2sink {{host}}:{{port}} {COMMUNITY}
createUser inside
rouser inside
iquerySecName inside
notificationEvent went-up .1.3.6.1.6.3.1.1.5.4 .1.3.6.1.2.1.2.2.1.1 .1.3.6.1.2.1.2.2.1.7 .1.3.6.1.2.1.2.2.1.8
notificationEvent went-down .1.3.6.1.6.3.1.1.5.3 .1.3.6.1.2.1.2.2.1.1 .1.3.6.1.2.1.2.2.1.7 .1.3.6.1.2.1.2.2.1.8
monitor -r 1 -S -e went-up "link up" .1.3.6.1.2.1.2.2.1.8 == 1
monitor -r 1 -S -e went-down "link down" .1.3.6.1.2.1.2.2.1.8 != 1
"""
_CONFIGURATIONS = {
    "zebra": "",
    "bfdd": "bfd\n profile quick\n  transmit-interval 100\n  receive-interval 100\n",
    "bgpd": """\
router bgp {local_as}
 bgp router-id {local}
 no bgp ebgp-requires-policy
 no bgp network import-check
 timers bgp 1 3
 neighbor {remote} remote-as {remote_as}
 neighbor {remote} timers connect 1
 neighbor {remote} bfd profile quick
 neighbor {remote_v6} remote-as {remote_as}
 neighbor {remote_v6} timers connect 1
 address-family ipv4 unicast
  network 192.0.2.{number}/32
  no neighbor {remote_v6} activate
 address-family ipv6 unicast
  network 2001:db8:{number}::/48
  network 2001:db8:1{number}::/48
  neighbor {remote_v6} activate
""",
    "ospfd": """\
interface {link}
 ip ospf network point-to-point
 ip ospf hello-interval 1
 ip ospf dead-interval 3
router ospf
 ospf router-id {local}
 network {local}/30 area 0
""",
}


def lacking() -> str:
    """Why no real router can run here; "" if it can."""
    if os.geteuid() != 0:
        return "a real router needs root, for its network namespaces"
    missing = [name for name in ("ip", "snmpd") if shutil.which(name) is None]
    missing += [name for name in ("zebra", "bgpd") if not (FRR / name).exists()]
    missing += [] if list(Path("/usr/lib").glob("*/frr/modules/bgpd_snmp.so")) else ["frr-snmp"]
    missing += [] if (FRR / "frr-reload.py").exists() else ["frr-pythontools"]
    if missing:
        return f"a real router needs what is missing here: {', '.join(missing)}"
    probe = f"probe-{os.getpid()}"
    made = subprocess.run(["ip", "netns", "add", probe], capture_output=True, text=True, check=False)
    if made.returncode:
        return f"a real router needs network namespaces, and none can be made here: {made.stderr.strip()}"
    subprocess.run(["ip", "netns", "delete", probe], check=True)
    return ""


def require_router() -> None:
    """Skip with a reason where none can run; fail where one is required."""
    why = lacking()
    if why and os.environ.get("REQUIRE_ROUTER"):
        pytest.fail(why)
    if why:
        pytest.skip(why)


@pytest.fixture(scope="module")
def frr_traps() -> Iterator[TrapSocket]:
    """The receiver of the router's traps."""
    with TrapSocket("0.0.0.0") as receiver:  # the router is in another namespace
        yield receiver


@pytest.fixture(scope="module")
def frr(tmp_path_factory: pytest.TempPathFactory, frr_traps: TrapSocket) -> Iterator[FrrRouter]:
    """A running router, with `frr_traps` as receiver; import both. Skipped without root."""
    require_router()
    with FrrRouter(tmp_path_factory.mktemp("frr"), frr_traps.port) as running:
        yield running


def _ip(*arguments: str) -> None:
    subprocess.run(["ip", *arguments], check=True, capture_output=True, text=True)


def _forget_the_dead() -> None:
    """Remove leftovers of a test process that was killed."""
    spaces = subprocess.run(["ip", "netns", "list"], check=True, capture_output=True, text=True).stdout.split()
    for space in spaces:
        owner = space.rpartition("-")[2]
        if space.startswith("vnfmt-") and owner.isdigit() and not Path(f"/proc/{owner}").exists():
            subprocess.run(["ip", "netns", "del", space], check=False, capture_output=True)


class FrrRouter:
    """The router and its neighbour; `start` waits until they run. Traps go to `host`, port `trap_port`."""

    def __init__(self, state: Path, trap_port: int) -> None:
        self._state, self._trap_port = state, trap_port
        self._processes: dict[str, subprocess.Popen[bytes]] = {}
        pid = os.getpid()
        self._router, self._neighbour, self._cable = f"vnfmt-r-{pid}", f"vnfmt-n-{pid}", f"vnfmt{pid}"
        self.host, self.address = (f"10.{199 if pid % 2 else 197}.{pid % 250}.{last}" for last in (1, 2))
        self.link_address, self.neighbour = f"10.198.{pid % 250}.1", f"10.198.{pid % 250}.2"

    @property
    def home(self) -> Path:
        """The directory of the daemons' sockets for vtysh."""
        return self._state / "router"

    def start(self) -> Self:
        try:
            _forget_the_dead()
            self._wire()
            (self._state / "agentx").mkdir(parents=True)
            (self._state / "group").write_text(re.sub(r"(?m)^(frrvty:.*)$", r"\1,root", Path("/etc/group").read_text()))
            conf = self._state / "snmpd.conf"
            conf.write_text(_SNMPD.format(address=self.address, host=self.host, port=self._trap_port))
            self._run("snmpd", self._router, "snmpd", "-f", "-C", "-c", str(conf), "-Lf", "snmpd.log")
            self._await((self._state / "agentx" / "master").exists, "snmpd")
            for number, name in enumerate(("router", "neighbour")):
                self._daemons(name, self._values(number))
            options = ("--vty", str(self.home), "--master", "/var/agentx/master")
            self._run("frr-mibs", self._router, "python3", str(SUBAGENT), *options)
            self._neighbour_discovery()
        except BaseException:
            self.stop()
            raise
        return self

    def _wire(self) -> None:
        for space in (self._router, self._neighbour):
            _ip("netns", "add", space)
            _ip("-n", space, "link", "set", "lo", "up")
        _ip("link", "add", self._cable, "type", "veth", "peer", "name", "mgmt", "netns", self._router)
        _ip("address", "add", f"{self.host}/30", "dev", self._cable)
        _ip("link", "set", self._cable, "up")
        _ip(
            "-n",
            self._router,
            "link",
            "add",
            LINK,
            "type",
            "veth",
            "peer",
            "name",
            NEIGHBOURS_LINK,
            "netns",
            self._neighbour,
        )
        for space, name, address in (
            (self._router, "mgmt", self.address),
            (self._router, LINK, self.link_address),
            (self._neighbour, NEIGHBOURS_LINK, self.neighbour),
        ):
            _ip("-n", space, "address", "add", f"{address}/30", "dev", name)
            _ip("-n", space, "link", "set", name, "up")
        self._give_v6(self._router, LINK, LINK_V6)
        self._give_v6(self._neighbour, NEIGHBOURS_LINK, NEIGHBOUR_V6)

    @staticmethod
    def _give_v6(space: str, name: str, address: str) -> None:
        """This avoids the second in which the kernel looks for duplicates."""
        _ip("-n", space, "address", "replace", f"{address}/64", "dev", name, "nodad")

    def _unwire(self) -> None:
        """Deleting a namespace deletes its ends of the cables."""
        for space in (self._router, self._neighbour):
            subprocess.run(["ip", "netns", "del", space], check=False, capture_output=True)

    def _run(self, name: str, space: str, *command: str) -> None:
        """In the namespace, with an AgentX socket of its own, and root in FRR's group: both are compiled into it."""
        shell = (
            'mkdir -p /var/agentx && mount --bind "$0/agentx" /var/agentx && mount --bind "$0/group" /etc/group'
            ' && exec "$@"'
        )
        with (self._state / f"{name}.out").open("ab") as out:
            self._processes[name] = subprocess.Popen(
                ["ip", "netns", "exec", space, "sh", "-c", shell, str(self._state), *command],
                cwd=self._state, stdout=out, stderr=out,
            )  # fmt: skip

    def _values(self, number: int) -> dict[str, str | int]:
        """Return what the configurations name, of the router (0) or of its neighbour (1)."""
        router = (ROUTER_AS, self.link_address, LINK_V6, LINK)
        ends = (router, (NEIGHBOUR_AS, self.neighbour, NEIGHBOUR_V6, NEIGHBOURS_LINK))
        (local_as, local, _, link), (remote_as, remote, remote_v6, _) = ends[number], ends[1 - number]
        named: dict[str, str | int] = {"local_as": local_as, "local": local, "link": link, "number": number + 1}
        return {**named, "remote_as": remote_as, "remote": remote, "remote_v6": remote_v6}

    def _daemons(self, name: str, values: dict[str, str | int]) -> None:
        space = self._space(name)
        agentx = "agentx" if name == "router" else ""
        (self._state / name).mkdir()
        for program, lines in _CONFIGURATIONS.items():
            text = f"hostname {name}\n{agentx}\n{lines.format(**values)}"
            (self._state / name / f"{program}.conf").write_text(text)
            self._daemon(name, space, program)
            if program == "zebra":
                self._await((self._state / name / "zserv.api").exists, f"zebra of the {name}")

    def _neighbour_discovery(self) -> None:
        """LLDP at both ends, where lldpd is installed; the router's has its MIB. -d: in the foreground, without a file
        for its process number."""
        if shutil.which("lldpd") is None:
            return
        for name, link, mib in (("router", LINK, ("-X", "/var/agentx/master")), ("neighbour", NEIGHBOURS_LINK, ())):
            socket = str(self._discovery_socket(name))
            self._run(f"lldpd-{name}", self._space(name), "lldpd", "-d", "-u", socket, "-I", link, *mib)

    @staticmethod
    def _discovery_socket(name: str) -> Path:
        """Where lldpd's own user may reach it, which it may not in a directory of pytest."""
        return Path(gettempdir()) / f"vnfmt-{name}-{os.getpid()}.lldpd"

    def _space(self, name: str) -> str:
        return self._router if name == "router" else self._neighbour

    def _daemon(self, name: str, space: str, program: str) -> None:
        home = self._state / name
        options = [
            "-f",
            str(home / f"{program}.conf"),
            "-z",
            str(home / "zserv.api"),
            "-i",
            str(home / f"{program}.pid"),
        ]
        options += [
            "--vty_socket",
            str(home),
            "-P",
            "0",
            "-u",
            "root",
            "-g",
            "root",
            "--log",
            f"file:{home}/{program}.log",
        ]
        options += ["-M", "snmp"] if name == "router" and program != "bfdd" else []
        options += ["--bfdctl", str(home / "bfdd.sock")] if program == "bfdd" else []
        self._run(f"{program}-{name}", space, str(FRR / program), *options)

    def _await(self, ready: Callable[[], bool], what: str) -> None:
        deadline = time.monotonic() + START_SECONDS
        while not ready():
            dead = [name for name, process in self._processes.items() if process.poll() is not None]
            if dead or time.monotonic() > deadline:
                logs = "\n".join(path.read_text(errors="replace") for path in self._state.rglob("*.out"))
                raise RuntimeError(f"{what} did not come up; ended: {dead}\n{logs}")
            time.sleep(0.02)  # the process has no other sign of life

    def cut_link(self) -> None:
        """Set the neighbour's end down: the router loses carrier, and then the BGP session."""
        _ip("-n", self._neighbour, "link", "set", NEIGHBOURS_LINK, "down")

    def mend_link(self) -> None:
        _ip("-n", self._neighbour, "link", "set", NEIGHBOURS_LINK, "up")
        _ip("-n", self._neighbour, "address", "replace", f"{self.neighbour}/30", "dev", NEIGHBOURS_LINK)
        self._give_v6(self._neighbour, NEIGHBOURS_LINK, NEIGHBOUR_V6)

    def freeze_neighbour(self) -> None:
        """Stop the neighbour's BFD: its other daemons and the link stay."""
        self._processes["bfdd-neighbour"].send_signal(signal.SIGSTOP)

    def thaw_neighbour(self) -> None:
        self._processes["bfdd-neighbour"].send_signal(signal.SIGCONT)

    def drop_neighbour(self) -> None:
        """Kill the neighbour's BGP daemon; the link stays up."""
        self._end("bgpd-neighbour", signal.SIGKILL)

    def bring_back_neighbour(self) -> None:
        self._daemon("neighbour", self._neighbour, "bgpd")

    def peer_states(self) -> dict[str, str]:
        """BGP's states by the address of the peer, as vtysh shows them."""
        (self.home / "vtysh.conf").touch()
        command = ["vtysh", "--vty_socket", self.home, "--config_dir", self.home, "-c", "show bgp summary json"]
        shown = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
        return {
            address: str(peer["state"]).upper()
            for family in shown.values()
            for address, peer in family.get("peers", {}).items()
        }

    def stop(self) -> None:
        for name in [*self._processes]:
            self._end(name, signal.SIGTERM)
        for name in ("router", "neighbour"):
            self._discovery_socket(name).unlink(missing_ok=True)
        self._unwire()

    def _end(self, name: str, how: signal.Signals) -> None:
        process = self._processes.pop(name)
        if process.poll() is None:
            process.send_signal(how)
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(timeout=10)

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()
