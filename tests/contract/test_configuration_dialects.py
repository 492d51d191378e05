"""One suite for all dialects: a change is made once, or not at all; and a dry run leaves nothing behind.

Against simulated routers of each family over SSH, and against a real one: FRR's own vtysh, where network namespaces
can be made: line by line, and by files from its shell.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from launcher.ports import free_port
from tests.contract.dialect_subject import Subject, load, running, talk
from tests.support.frr import LINK, FrrRouter, frr, frr_traps, require_router
from tests.support.frr_ssh import ADDRESS, PASSWORD, USER, served
from tests.support.routersim_process import RoutersimProcess
from tests.support.waiting import until
from vnfm.configuration.domain.config_diff import changes_between
from vnfm.configuration.domain.dialects import FRR, MD_CLI, SROS, VRP, VRP_5, VTYSH
from vnfm.configuration.domain.statements import lines_of
from vnfm.configuration.session.cli_session import AsyncCliSession
from vnfm.configuration.session.confirmed_commit import LoadResult
from vnfm.configuration.session.frr_session import AsyncFrrSession
from vnfm.devices.errors import CutOff, DeviceRejected, Locked, NotReady
from vnfm.devices.provider import Devices
from vnfm.devices.types import SshTarget
from vnfm.kit.patterns import pattern

__all__ = ["frr", "frr_traps"]
SSH_PORT = free_port()


SROS_TEXTS = {
    "text": '# a comment\nconfigure\n    port 1/1/1\n        description "to the core"\n    exit\nexit all\n',
    "shown": 'description "to the core"',
    "changed": '/configure port 1/1/1 description "to edge-9"',
    "bad": "configure\n    system\n        location here\n    exit\n    nonsense 1\n",
    "late": "/configure system location here\n/configure port 9/9/9 shutdown",
    "more": "configure\n    router Base\n        interface more\n            address 10.9.9.1/30\n        exit\n"
    "    exit\n    system\n        location there\n    exit\n"
    '    port 1/1/1\n        description "to edge-9"\n    exit\n',
    "renamed": "configure\nsystem\nname edge-{n}\nexit all\nexit\nconfigure port 1/1/2 shutdown",
}
VRP_TEXTS = {
    "text": "#\ninterface {port}\n description to the core\n#\nreturn\n",
    "shown": " description to the core",
    "changed": "interface {port}\ndescription to edge-9",
    "bad": "interface {port}\n shutdown\n#\ninterface 100GE9/0/0\n",
    "late": "",
    "more": "bgp 65000\n peer 10.9.9.2 as-number 65009\n#\ninterface {port}\n description to edge-9\n shutdown\n#\n",
    "renamed": "sysname edge-{n}\ninterface {port}\nshutdown\nquit\nquit\nntp unicast-server 10.0.0.9",
}
MD_TEXTS = {
    "text": '# a comment\nconfigure {\n    port 1/1/1 {\n        description "to the core"\n    }\n}\n',
    "shown": 'description "to the core"',
    "changed": '/configure port 1/1/1 description "to edge-9"',
    "bad": "configure {\n    system {\n        location here\n    }\n    nonsense 1\n",
    "late": "/configure system location here\n/configure port 9/9/9 admin-state disable",
    "more": 'configure {\n    router "Base" {\n        interface more {\n            address 10.9.9.1/30\n        }\n'
    "    }\n    system {\n        location there\n    }\n"
    '    port 1/1/1 {\n        description "to edge-9"\n    }\n}\n',
    "renamed": "configure {\nsystem {\nname edge-{n}\nexit all\n}\n/configure port 1/1/2 admin-state disable",
}
VRP5_TEXTS = VRP_TEXTS | {"bad": "interface {port}\n shutdown\ninterface 100GE9/0/0\n"}
COMMAND_LINES = {"MD-CLI": ("7750-SR-12", "md-cli", MD_CLI, MD_TEXTS), "VRP-5": ("NE9000", "vrp5", VRP_5, VRP5_TEXTS)}
"""Command lines of routers whose family has another usual one, which is found out at login."""
FRR_TEXTS = {
    "text": f"!\ninterface {LINK}\n description to the core\nexit\n!\nend\n",
    "shown": " description to the core",
    "changed": f"interface {LINK}\n description to edge-9",
    "bad": f"interface {LINK}\n description half\n nonsense 1\n",
    "late": "",
    "more": f"interface {LINK}\n description to edge-9\nexit\nip prefix-list more seq 5 permit 10.9.0.0/16\n"
    "route-map more permit 10\n match ip address prefix-list more\nexit\n",
    "renamed": f"hostname edge-{{n}}\ninterface {LINK}\nno description\nexit\nexit\nip prefix-list P seq 5 permit any",
}


def _simulated(routersim: RoutersimProcess, kind: str, number: int) -> Subject:
    """The last address is the first virtual system's, where one is asked for."""
    address, port = f"127.67.{number}.1", SSH_PORT
    name, (kind, command_line, dialect, own) = kind, COMMAND_LINES.get(kind, (kind, "", None, None))
    wish = {"name": name, "kind": "NE9000" if kind == "VS" else kind, "address": address, "cards": 2, "ports": 4}
    if kind == "VS":
        wish |= {"virtualSystems": [{"name": "a", "address": f"127.67.{number}.2"}]}
        address = f"127.67.{number}.2"
    routersim.add(**wish, sshPort=port, oldSsh=kind.startswith("7750"))
    if command_line:
        routersim.fault(name, "command-line", kind=command_line)
    target = SshTarget(address, port, "admin", "admin", old_algorithms=kind.startswith("7750"))
    texts = own or (SROS_TEXTS if kind.startswith("7750") else VRP_TEXTS)
    filled = {key: text.replace("{port}", "100GE1/0/0").replace("{n}", str(number)) for key, text in texts.items()}
    return Subject(dialect or (SROS if kind.startswith("7750") else VRP), target, **filled)


REAL = {"vtysh": (VTYSH, ()), "frr": (FRR, ("bash", "--norc"))}
"""A real FRR: dialect, and login shell where it is not vtysh."""


@pytest.fixture(
    scope="module",
    params=["7750-SR-12", "NE9000", "VS", *COMMAND_LINES, *REAL],
)
def subject(request: pytest.FixtureRequest) -> Iterator[Subject]:
    kind: str = request.param
    if kind not in REAL:
        number = ("7750-SR-12", "NE9000", "VS", *COMMAND_LINES).index(kind) + 1
        yield _simulated(request.getfixturevalue("routersim"), kind, number)
        return
    router: FrrRouter = request.getfixturevalue("frr")
    dialect, shell = REAL[kind]
    with served(router.home, *shell) as port:
        texts = {key: text.replace("{n}", str(4 + [*REAL].index(kind))) for key, text in FRR_TEXTS.items()}
        router_here = Subject(dialect, SshTarget(ADDRESS, port, USER, PASSWORD), **texts)
        until(lambda: router.neighbour in running(router_here), "bgpd, which reads its configuration", seconds=60)
        yield router_here


def test_two_readings_are_equal(subject: Subject) -> None:
    text = running(subject)
    assert text == running(subject)
    assert len(text.splitlines()) > 3


def test_a_change_is_loaded_once(subject: Subject) -> None:
    first = load(subject, subject.text)
    assert first.after == running(subject)
    assert subject.shown in (first.after or "")
    assert any(line.startswith("+") and subject.shown.strip() in line for line in first.diff.splitlines())
    again = load(subject, subject.text)
    assert (again.after, again.diff) == (first.after, "")


def test_a_dry_run_changes_nothing(subject: Subject) -> None:
    load(subject, subject.text)
    before = running(subject)
    foreseen = load(subject, subject.changed, dry_run=True)
    assert foreseen.after is None
    assert foreseen.takes_back == (subject.dialect in (VRP, FRR, MD_CLI)), (
        "the others cannot, or not without a place for checkpoints"
    )
    assert any(line.startswith("+") and "to edge-9" in line for line in foreseen.diff.splitlines())
    assert running(subject) == before
    assert load(subject, subject.text, dry_run=True).diff == ""


def test_a_rejected_line_has_its_number_and_the_words_of_the_element(subject: Subject) -> None:
    before = running(subject)
    with pytest.raises(DeviceRejected) as refusal:
        load(subject, subject.bad)
    assert refusal.value.line == len(subject.bad.splitlines())
    assert refusal.value.words
    assert refusal.value.words in refusal.value.message
    assert f"line {refusal.value.line}" in refusal.value.message
    if subject.dialect.atomic:
        assert running(subject) == before
    else:
        assert "2 lines before it are in force" in refusal.value.message
        assert ("description half" if subject.dialect is VTYSH else " shutdown") in running(subject)


def test_an_error_at_the_commit_leaves_nothing(subject: Subject) -> None:
    if not subject.late:
        pytest.skip("it refuses at the line")
    before = running(subject)
    with pytest.raises(DeviceRejected, match="9/9/9"):
        load(subject, subject.late)
    assert running(subject) == before
    assert load(subject, subject.changed, dry_run=True).diff, "the candidate is free"


def test_a_change_is_reverted_line_by_line(subject: Subject) -> None:
    load(subject, subject.text)
    before = running(subject)
    after = load(subject, subject.more).after
    assert after is not None
    assert after != before
    back = changes_between(subject.dialect.syntax, after, before)

    async def work(session: AsyncCliSession) -> LoadResult:
        return await session.load(await session.running(), back, dry_run=False)

    assert talk(subject, work).after == before


def test_a_new_host_name_is_recognised(subject: Subject) -> None:
    """And lines that would leave the configuration are not sent."""
    done = load(subject, subject.renamed)
    if subject.dialect is not FRR:  # each vtysh has the name that it was started with
        assert "edge-" in (done.after or "")
    again = [line for line in load(subject, subject.renamed).diff.splitlines() if line[:1] in "+-"]
    names = [line for line in again if "hostname" in line]  # vtysh reads its host name at every login
    assert [line for line in again[2:] if line not in names] == []
    assert not names or subject.dialect in (FRR, VTYSH)
    last = subject.renamed.splitlines()[-1].split()[-1]
    assert last in (done.after or "")


def test_an_operation_is_not_sent(subject: Subject) -> None:
    before = running(subject)
    own = {"SR OS": "candidate commit", "VRP": "commit", "VRP 5": "save", MD_CLI.name: "commit"}
    show = "display version" if subject.dialect.name.startswith("VRP") else "show version"
    for operation in (own.get(subject.dialect.name, "do write memory"), "ping 10.0.0.1", show):
        for dry_run in (True, False):
            with pytest.raises(DeviceRejected, match=r"line 2.*operation"):
                load(subject, f"{subject.changed.splitlines()[0]}\n{operation}", dry_run=dry_run)
    assert running(subject) == before


@pytest.fixture
def on_trial(routersim: RoutersimProcess) -> Iterator[Subject]:
    """A router that reverts a commit after 2 s, whatever time is requested; managed through its first port."""
    address, port = "127.67.9.1", "100GE1/0/0"
    routersim.add(name="trial", kind="NE9000", address=address, cards=2, ports=4, sshPort=SSH_PORT, managementPort=port)
    routersim.fault("trial", "confirm-timeout", seconds=2)
    texts = {key: text.replace("{port}", port).replace("{n}", "9") for key, text in VRP_TEXTS.items()}
    yield Subject(VRP, SshTarget(address, SSH_PORT, "admin", "admin"), **texts)
    routersim.control("DELETE", "/elements/trial")


def test_the_element_reverts_a_change_that_cuts_us_off(on_trial: Subject) -> None:
    before = running(on_trial)
    with pytest.raises(CutOff, match="taken the change back by itself, and runs what it ran before"):
        load(on_trial, "interface 100GE1/0/0\n shutdown\n")
    assert running(on_trial) == before
    assert load(on_trial, on_trial.changed, dry_run=True).diff, "the candidate is free"


def test_a_confirmed_change_stays(on_trial: Subject) -> None:
    after = load(on_trial, on_trial.text).after

    async def aborted() -> str:
        async with Devices().cli(on_trial.target) as cli:
            await cli.say("system-view", until=pattern(r"\]$"))
            return await cli.say("abort trial", until=pattern(r"\]$"))

    assert "is not in the trial configuration mode" in asyncio.run(aborted())
    assert running(on_trial) == after


def test_an_unconfirmed_change_of_a_worker_that_died_is_reverted(on_trial: Subject) -> None:
    before = running(on_trial)

    async def die() -> None:
        async with Devices().cli(on_trial.target) as cli:
            for line in ("system-view", *on_trial.text.splitlines()[1:3], "commit trial 60"):
                assert "Error" not in await cli.say(line, until=pattern(r"\]$"))

    asyncio.run(die())
    assert "to the core" in running(on_trial)
    with pytest.raises(Locked, match=r"may be taken back.*trial"):
        talk(on_trial, lambda session: session.require_no_trial())
    until(lambda: running(on_trial) == before, "what ran before")


@pytest.fixture
def frr_shell(frr: FrrRouter) -> Iterator[Subject]:
    with served(frr.home, "bash", "--norc") as port:
        subject = Subject(FRR, SshTarget(ADDRESS, port, USER, PASSWORD), **FRR_TEXTS)
        until(lambda: frr.neighbour in running(subject), "bgpd, which reads its configuration", seconds=60)
        yield subject


def test_frr_restores_the_unconfirmed_commit_of_a_killed_worker(frr_shell: Subject) -> None:
    """Its timer runs at the router, without a session."""
    before = running(frr_shell)
    lines = lines_of(FRR.syntax, "router bgp 65001\n no bgp network import-check\n neighbor 10.9.9.9 remote-as 65009\n")

    async def die(session: AsyncCliSession) -> None:
        assert isinstance(session, AsyncFrrSession)
        await session.stage(await session.running(), lines)
        await session.commit_trial(3)

    talk(frr_shell, die)
    assert "neighbor 10.9.9.9 remote-as 65009" in running(frr_shell)
    with pytest.raises(Locked, match="may be taken back"):
        talk(frr_shell, lambda session: session.require_no_trial())
    until(lambda: running(frr_shell) == before, "what ran before", seconds=30)
    until(lambda: talk(frr_shell, _free), "the end of the trial", seconds=10)


async def _free(session: AsyncCliSession) -> bool:
    try:
        await session.require_no_trial()
    except Locked:
        return False
    return True


def test_a_load_that_frr_refuses_changes_nothing(frr_shell: Subject) -> None:
    """A second BGP instance is refused by bgpd itself, after the lines before it."""
    before = running(frr_shell)
    with pytest.raises(DeviceRejected, match="line 3"):
        load(frr_shell, f"interface {LINK}\n description half\nrouter bgp 65099\n")
    assert running(frr_shell) == before


def test_a_router_whose_frr_does_not_run_is_not_ready(tmp_path: Path) -> None:
    """It answers as while its first boot installs it: no line of a configuration is at fault."""
    require_router()
    with served(tmp_path, "bash", "--norc") as port:
        subject = Subject(FRR, SshTarget(ADDRESS, port, USER, PASSWORD), **FRR_TEXTS)
        with pytest.raises(NotReady, match=r"No daemon of FRR runs at .*failed to connect"):
            running(subject)
