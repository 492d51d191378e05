"""Configuring by NETCONF: a change is made once, or not at all; and one that cuts us off is reverted.

Against simulated routers of each family: SR OS and VRP with base 1.1, an old SR OS with base 1.0 and old algorithms.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

import pytest

from launcher.ports import free_port
from tests.support.routersim_process import RoutersimProcess
from vnfm.configuration.domain.xml import XmlEdit, nodes_of, text_of, xml_changes_between
from vnfm.configuration.session.confirmed_commit import LoadResult
from vnfm.configuration.session.netconf_session import AsyncNetconfSession
from vnfm.devices.errors import CutOff, DeviceRejected, Locked, NotSupported, Refused, Unreachable
from vnfm.devices.ports import Netconf
from vnfm.devices.provider import Devices
from vnfm.devices.types import SshTarget

T = TypeVar("T")
PORT = free_port()
NOKIA = '<configure xmlns="urn:nokia.com:sros:ns:yang:sr:conf">{0}</configure>'
HUAWEI = '<ifm xmlns="http://www.huawei.com/netconf/vrp/huawei-ifm"><interfaces>{0}</interfaces></ifm>'


@dataclass(frozen=True)
class Subject:
    name: str
    target: SshTarget
    family: str

    def described(self, text: str, port: str = "", more: str = "") -> str:
        """Configuration that describes its first port, or `port`."""
        if self.family == "sros":
            inner = f"<port-id>{port or '1/1/1'}</port-id>{more}<description>{text}</description>"
            return NOKIA.format(f"<port>{inner}</port>")
        inner = f"<ifName>{port or '100GE1/0/0'}</ifName>{more}<ifDescr>{text}</ifDescr>"
        return HUAWEI.format(f"<interface>{inner}</interface>")

    @property
    def down(self) -> str:
        state = "<admin-state>disable</admin-state>" if self.family == "sros" else "<ifAdminStatus>down</ifAdminStatus>"
        return self.described("down", more=state)


@pytest.fixture(scope="module", params=["sros", "vrp", "old"])
def subject(request: pytest.FixtureRequest, routersim: RoutersimProcess) -> Subject:
    name: str = request.param
    address = f"127.66.{('sros', 'vrp', 'old').index(name) + 1}.1"
    kind = "NE9000" if name == "vrp" else "7750-SR-12"
    first = "100GE1/0/0" if name == "vrp" else "1/1/1"
    routersim.add(
        name=name, kind=kind, address=address, cards=2, ports=2, netconfPort=PORT, sshPort=0, oldSsh=name == "old",
        managementPort=first, bootSeconds=0,
    )  # fmt: skip
    target = SshTarget(address, PORT, "admin", "admin", old_algorithms=name == "old")
    return Subject(name, target, "vrp" if name == "vrp" else "sros")


@pytest.fixture(autouse=True)
def _as_usual(routersim: RoutersimProcess, subject: Subject) -> Iterator[None]:
    yield
    for fault, body in (
        ("answering", {}),
        ("slow", {"seconds": 0}),
        ("confirm-timeout", {"seconds": 0}),
        ("lock-dirty", {"on": 0}),
    ):
        routersim.fault(subject.name, fault, **body)


class Committing:
    """A session, and what happens just before it commits."""

    def __init__(self, netconf: Netconf, before: Callable[[], object]) -> None:
        self._netconf, self._before = netconf, before

    def __getattr__(self, name: str) -> Any:
        return getattr(self._netconf, name)

    async def commit(self, **options: Any) -> None:
        await asyncio.to_thread(self._before)
        await self._netconf.commit(**options)


def talk(
    subject: Subject,
    work: Callable[[AsyncNetconfSession], Awaitable[T]],
    *,
    confirm: int = 60,
    committing: Callable[[], object] = lambda: None,
) -> T:
    async def go() -> T:
        async with Devices().netconf(subject.target) as opened:
            netconf: Any = Committing(opened, committing)
            again = lambda: Devices().netconf(subject.target)  # noqa: E731 - as the session makes it
            session = AsyncNetconfSession(netconf, again, subject.target.address, confirm=confirm)
            return await work(session)

    return asyncio.run(go())


def load(subject: Subject, edit: XmlEdit | str, *, dry_run: bool = False, **options: Any) -> LoadResult:
    change = edit if isinstance(edit, XmlEdit) else XmlEdit(nodes_of(edit))

    async def work(session: AsyncNetconfSession) -> LoadResult:
        async with session.locked():
            return await session.load(await session.running(), change, dry_run=dry_run)

    return talk(subject, work, **options)


def running(subject: Subject) -> str:
    return talk(subject, lambda session: session.running())


def with_session(subject: Subject, work: Callable[[Netconf], Awaitable[T]]) -> T:
    async def go() -> T:
        async with Devices().netconf(subject.target) as netconf:
            return await work(netconf)

    return asyncio.run(go())


def test_capabilities(subject: Subject) -> None:
    async def capabilities(netconf: Netconf) -> frozenset[str]:
        assert netconf.host_key.startswith("ssh-rsa " if subject.name == "old" else "ssh-ed25519 ")
        return netconf.capabilities

    announced = with_session(subject, capabilities)
    assert {"candidate:1.0", "urn:ietf:params:netconf:base:1.0"} <= announced
    assert ("urn:ietf:params:netconf:base:1.1" in announced) == (subject.name != "old")
    assert ("confirmed-commit:1.1" in announced) == (subject.name != "old")


def test_two_readings_are_equal(subject: Subject) -> None:
    text = running(subject)
    assert text == running(subject)
    assert subject.name in text
    assert len(text.splitlines()) > 10


def test_a_change_is_loaded_once(subject: Subject, routersim: RoutersimProcess) -> None:
    text = subject.described("to the core &amp; back")
    first = load(subject, text)
    assert first.after == running(subject)
    assert any(line.startswith("+") and "to the core &amp; back" in line for line in first.diff.splitlines())
    assert "to the core & back" in str(routersim.control("GET", f"/elements/{subject.name}/config"))
    again = load(subject, text)
    assert (again.after, again.diff) == (first.after, "")


def test_a_dry_run_changes_nothing(subject: Subject) -> None:
    load(subject, subject.described("to the core"))
    before = running(subject)
    foreseen = load(subject, subject.described("to edge-9"), dry_run=True)
    assert foreseen.after is None
    assert any(line.startswith("+") and "to edge-9" in line for line in foreseen.diff.splitlines())
    assert running(subject) == before
    assert load(subject, subject.described("to the core"), dry_run=True).diff == ""


@pytest.mark.parametrize("dry_run", [False, True])
def test_a_rejected_edit_has_the_words_of_the_element_and_changes_nothing(subject: Subject, dry_run: bool) -> None:
    before = running(subject)
    nonsense = "<nonsense/>" if subject.family == "sros" else "<nonsense xmlns=''/>"
    bad = (
        (subject.described("half", more=nonsense), r"unknown-element\) at .*/nonsense"),
        (subject.described("half", port="9/9/9" if subject.family == "sros" else "100GE9/9/9"), "operation-failed"),
    )
    for text, words in bad:
        with pytest.raises(DeviceRejected, match=words) as refusal:
            load(subject, text, dry_run=dry_run)
        assert refusal.value.words in refusal.value.message
        assert running(subject) == before
    assert load(subject, subject.described("after"), dry_run=True).diff, "the candidate is free"


def test_a_rollback_restores_the_configuration(subject: Subject) -> None:
    load(subject, subject.described("first"))
    before = running(subject)
    after = load(subject, subject.described("second", port="2/1/1" if subject.family == "sros" else "100GE2/0/1")).after
    assert after is not None
    back = xml_changes_between(after, before)
    assert "-" in load(subject, back, dry_run=True).diff
    assert load(subject, back).after == before
    assert load(subject, xml_changes_between(before, before)).diff == ""


def test_the_element_reverts_a_change_that_cuts_us_off(subject: Subject, routersim: RoutersimProcess) -> None:
    """Its management port goes down; its own timer brings it up again, and we notice that."""
    before = running(subject)
    routersim.fault(subject.name, "confirm-timeout", seconds=2)
    with pytest.raises(CutOff, match="taken the change back by itself, and runs what it ran before"):
        load(subject, subject.down)
    assert running(subject) == before
    assert load(subject, subject.described("again")).diff, "the candidate is free"


def test_a_late_answer_to_the_commit_is_ignored(subject: Subject, routersim: RoutersimProcess) -> None:
    """It is unknown whether it was committed, until the element is found to have reverted."""
    load(subject, subject.described("before"))
    before = running(subject)
    late = lambda: routersim.fault(subject.name, "slow", seconds=1.5)  # noqa: E731 - of the commit alone
    with pytest.raises(CutOff, match="taken the change back") as cut_off:
        load(subject, subject.described("lost"), confirm=1, committing=late)
    assert cut_off.value.running == ""
    routersim.fault(subject.name, "slow", seconds=0)
    assert running(subject) == before


def test_a_slow_element_gets_more_time_to_commit(subject: Subject, routersim: RoutersimProcess) -> None:
    """As much as reading and editing took; reading it again afterwards does not count."""
    routersim.fault(subject.name, "slow", seconds=1.5)
    after = load(subject, subject.described("slow and sure"), confirm=2).after
    assert after is not None
    assert "slow and sure" in after
    routersim.fault(subject.name, "slow", seconds=0)
    assert running(subject) == after


def test_a_worker_that_dies_before_it_confirms(subject: Subject) -> None:
    """Its connection ends: the element reverts at once, before the time is over."""
    before = running(subject)

    async def die(netconf: Netconf) -> None:
        await netconf.lock("candidate")
        await netconf.edit_config("candidate", nodes_of(subject.described("half done")))
        await netconf.commit(confirm_within=600)
        netconf.hang_up()

    with_session(subject, die)
    assert running(subject) == before


def test_another_session_has_the_candidate(subject: Subject) -> None:
    async def lock_and_edit(netconf: Netconf) -> None:
        await netconf.lock("candidate")
        with pytest.raises(Locked, match="lock-denied"):
            await asyncio.to_thread(load, subject, subject.described("mine"))
        await netconf.unlock("candidate")
        await netconf.edit_config("candidate", nodes_of(subject.described("theirs")))
        with pytest.raises(Locked):
            await asyncio.to_thread(load, subject, subject.described("mine"))
        await netconf.discard_changes()

    with_session(subject, lock_and_edit)
    assert "theirs" not in running(subject)


def test_no_other_session_edits_between_reading_and_changing(subject: Subject) -> None:
    edit = XmlEdit(nodes_of(subject.described("ours")))

    async def work(session: AsyncNetconfSession) -> LoadResult:
        async with session.locked():
            before = await session.running()
            async with Devices().netconf(subject.target) as theirs:
                with pytest.raises(Locked):
                    await theirs.edit_config("candidate", nodes_of(subject.described("theirs")))
                with pytest.raises(Locked):
                    await theirs.commit()
            return await session.load(before, edit, dry_run=False)

    assert "theirs" not in talk(subject, work).diff
    assert "ours" in running(subject)


@pytest.mark.parametrize("dry_run", [False, True])
def test_uncommitted_changes_of_another_session_stay(
    subject: Subject, routersim: RoutersimProcess, dry_run: bool
) -> None:
    """Also where the server lets us lock a candidate that holds them."""
    routersim.fault(subject.name, "lock-dirty")

    async def edited(netconf: Netconf) -> None:
        await netconf.edit_config("candidate", nodes_of(subject.described("theirs")))
        with pytest.raises(Locked, match="changes of another session"):
            await asyncio.to_thread(load, subject, subject.described("mine"), dry_run=dry_run)
        assert "theirs" in text_of(await netconf.get_config("candidate"))
        await netconf.lock("candidate")
        await netconf.discard_changes()
        await netconf.unlock("candidate")

    with_session(subject, edited)


@pytest.mark.parametrize(
    ("tag", "error"),
    [("access-denied", Refused), ("operation-not-supported", NotSupported), ("resource-denied", DeviceRejected)],
)
def test_its_errors_are_ours_with_its_words(
    subject: Subject, routersim: RoutersimProcess, tag: str, error: type[Exception]
) -> None:
    routersim.fault(subject.name, "rpc-error", operation="commit", tag=tag, message="not today", path="/here")
    before = running(subject)
    try:
        with pytest.raises(error, match=rf"not today \({tag}\) at /here"):
            load(subject, subject.described("refused"))
    finally:
        routersim.fault(subject.name, "rpc-error", operation="commit")
    assert running(subject) == before


def test_a_closed_port(subject: Subject, routersim: RoutersimProcess) -> None:
    routersim.fault(subject.name, "silent")
    with pytest.raises(Unreachable):
        running(subject)
