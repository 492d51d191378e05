"""NETCONF of a simulated router, without sockets: datastores, operations, and confirmed commits."""

from __future__ import annotations

import asyncio
from xml.etree import ElementTree as ET

import pytest

from routersim.cli.model import running
from routersim.netconf.schemas import SCHEMAS, statements_of, tree_of
from routersim.netconf.session import Session, SessionEnded, frame, unframe
from routersim.netconf.store import Datastores
from tests.unit.routersim.elements import PEERS, Lab

BASE = "urn:ietf:params:xml:ns:netconf:base:1.0"
NOKIA = "urn:nokia.com:sros:ns:yang:sr:conf"
HELLO = f'<hello xmlns="{BASE}"><capabilities><capability>{BASE}</capability></capabilities></hello>'.encode()


def session(stores: Datastores) -> Session:
    made = Session(stores)
    assert made.answer(HELLO) == b""
    return made


def rpc(of: Session, body: str) -> str:
    return of.answer(f'<rpc xmlns="{BASE}" message-id="7">{body}</rpc>'.encode()).decode()


def edit(of: Session, config: str, *, options: str = "") -> str:
    inner = f'<configure xmlns="{NOKIA}" xmlns:nc="{BASE}">{config}</configure>'
    return rpc(of, f"<edit-config><target><candidate/></target>{options}<config>{inner}</config></edit-config>")


@pytest.mark.parametrize("kind", ["7750-SR-12", "NE9000"])
def test_statements_and_trees_are_equivalent(kind: str) -> None:
    peers = [{**PEERS[0], "port": ""}] if kind == "7750-SR-12" else []
    lab = Lab(kind, cards=1, ports=2, peers=peers, location="here" if kind == "7750-SR-12" else "")
    tree, rest = tree_of(lab.router.family, running(lab.router))
    assert rest == []
    assert sorted(statements_of(lab.router.family, tree)) == sorted(running(lab.router))
    assert lab.element.sys_name in Datastores(lab.router).to_xml("running")
    assert SCHEMAS[lab.router.family].parts


def test_a_committed_candidate_is_running() -> None:
    lab = Lab(cards=1, ports=1)
    one = session(Datastores(lab.router))
    port = "<port><port-id>1/1/1</port-id><admin-state>disable</admin-state><description>core</description></port>"
    assert "<ok/>" in edit(one, port)
    assert "core" not in rpc(one, "<get-config><source><running/></source></get-config>")
    assert "core" in rpc(one, "<get-config><source><candidate/></source></get-config>")
    lab.notified()
    assert 'message-id="7"><ok/>' in rpc(one, "<commit/>")
    assert lab.notified(), "a notification was sent"
    found = lab.element.port("1/1/1")
    assert found is not None
    assert (found.admin_up, found.description) == (False, "core")


@pytest.mark.parametrize(
    ("config", "tag", "path"),
    [
        ("<nonsense/>", "unknown-element", "/configure/nonsense"),
        ("<port><description>x</description></port>", "missing-element", "/configure/port"),
        ("<port><port-id>1/1/1</port-id><admin-state>perhaps</admin-state></port>", "invalid-value", "admin-state"),
        ('<system><location nc:operation="delete"/></system>', "data-missing", "/configure/system/location"),
        ('<system><name nc:operation="create">x</name></system>', "data-exists", "/configure/system/name"),
    ],
)
def test_errors_name_their_path(config: str, tag: str, path: str) -> None:
    lab = Lab(cards=1, ports=1)
    reply = ET.fromstring(edit(session(Datastores(lab.router)), config))
    assert reply.findtext(f".//{{{BASE}}}error-tag") == tag
    assert path in (reply.findtext(f".//{{{BASE}}}error-path") or "")


def test_validation_finds_missing_parts() -> None:
    lab = Lab(cards=1, ports=1)
    one, before = session(Datastores(lab.router)), running(lab.router)
    config = "<port><port-id>9/9/9</port-id><admin-state>disable</admin-state></port>"
    assert "<ok/>" in edit(one, config)
    for operation in ("<validate><source><candidate/></source></validate>", "<commit/>"):
        assert "9/9/9" in rpc(one, operation)
    assert running(lab.router) == before
    assert "<ok/>" in rpc(one, "<discard-changes/>")


def test_a_locked_candidate_is_locked_for_the_command_line() -> None:
    lab = Lab(cards=1, ports=1)
    stores = Datastores(lab.router)
    one, other = session(stores), session(stores)
    lock = "<lock><target><candidate/></target></lock>"
    assert "<ok/>" in rpc(one, lock)
    assert "lock-denied" in rpc(other, lock)
    assert "in-use" in edit(other, "<system><name>x</name></system>")
    assert lab.router.editor is one
    one.ended(noticed=True)
    assert lab.router.editor is None
    assert "<ok/>" in rpc(other, lock)


def test_replacing_keeps_statements_outside_the_schema() -> None:
    lab = Lab(cards=1, ports=1, location="here")
    lab.element.config.append("configure\trouter Base\tinterface more\taddress 10.0.0.1/30")
    one = session(Datastores(lab.router))
    config = rpc(one, "<get-config><source><running/></source></get-config>")
    assert "10.0.0.1" not in config
    edit(one, '<system nc:operation="replace"><name>new</name></system>')
    rpc(one, "<commit/>")
    assert (lab.element.sys_name, lab.element.location) == ("new", "")
    assert "10.0.0.1" in str(running(lab.router))


CONFIRMED = "<commit><confirmed/><confirm-timeout>{0}</confirm-timeout></commit>"


def name_after(lab: Lab, steps: list[str], *, end: bool = False, wait: float = 0.0) -> str:
    """Its name after these operations, with time for timers."""

    async def go() -> str:
        one = session(Datastores(lab.router))
        edit(one, "<system><name>new</name></system>")
        for step in steps:
            assert "<ok/>" in rpc(one, step)
        assert lab.element.sys_name in ("new", "pe1")
        if end:
            one.ended(noticed=True)
        await asyncio.sleep(wait)
        return lab.element.sys_name

    return asyncio.run(go())


def test_an_unconfirmed_commit_is_rolled_back() -> None:
    assert name_after(Lab(), [CONFIRMED.format(60)]) == "new"
    assert name_after(Lab(), [CONFIRMED.format(60), "<commit/>"], end=True) == "new"
    assert name_after(Lab(), [CONFIRMED.format(60)], end=True) == "pe1"
    assert name_after(Lab(), [CONFIRMED.format(60), "<cancel-commit/>"]) == "pe1"
    hurried = Lab()
    hurried.element.behaviour.confirm_seconds = 0.01
    assert name_after(hurried, [CONFIRMED.format(60)], wait=0.1) == "pe1"
    assert name_after(hurried, [CONFIRMED.format(60), "<commit/>"], wait=0.1) == "new"


def test_a_session_begins_with_a_hello_and_ends_with_close_session() -> None:
    lab = Lab()
    with pytest.raises(SessionEnded):
        Session(Datastores(lab.router)).answer(b"<rpc/>")
    with pytest.raises(SessionEnded) as bye:
        rpc(session(Datastores(lab.router)), "<close-session/>")
    assert b"<ok/>" in bye.value.args[0]


@pytest.mark.parametrize("chunked", [False, True])
def test_frames_survive_encoding(chunked: bool) -> None:
    buffer = bytearray()
    for octet in frame(b"<rpc-reply/>", chunked=chunked):
        assert unframe(buffer, chunked=chunked) is None
        buffer.append(octet)
    assert unframe(buffer, chunked=chunked) == b"<rpc-reply/>"
    assert not buffer
