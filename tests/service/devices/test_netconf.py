"""The NETCONF adapter against faulty servers in this process."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import asyncssh
import pytest

from vnfm.devices.errors import DeviceError, DeviceRejected, Garbled, NotSupported, Refused, Unreachable
from vnfm.devices.netconf.framing import framed
from vnfm.devices.provider import Devices
from vnfm.devices.types import SshTarget
from vnfm.kit.xml import XmlNode

BASE = "urn:ietf:params:xml:ns:netconf:base:1.0"
ED25519 = asyncssh.generate_private_key("ssh-ed25519")
RSA = asyncssh.generate_private_key("ssh-rsa", key_size=2048)


def hello(*capabilities: str) -> bytes:
    listed = "".join(f"<capability>{one}</capability>" for one in capabilities)
    return f'<hello xmlns="{BASE}"><capabilities>{listed}</capabilities></hello>'.encode()


OLD = hello("urn:ietf:params:netconf:base:1.0", "urn:ietf:params:netconf:capability:candidate:1.0?x=1")


class Server(asyncssh.SSHServer):
    def password_auth_supported(self) -> bool:
        return True

    def validate_password(self, username: str, password: str) -> bool:
        return (username, password) == ("admin", "good")


@asynccontextmanager
async def server(answers: Sequence[bytes], key: asyncssh.SSHKey = ED25519, **options: Any) -> AsyncIterator[int]:
    """Sends its first answer at once, and one for every message, until none is left. b"" closes the session."""

    async def talk(process: Any) -> None:
        process.stdout.write(framed(answers[0], chunked=False))
        came = b""
        for answer in (b"ignored", *answers[1:]):
            while b"]]>]]>" not in came:
                part = await process.stdin.read(65536)
                if not part:
                    return
                came += part
            came = came.partition(b"]]>]]>")[2]
            if not answer:
                break
            if answer != b"ignored":
                process.stdout.write(answer)
        else:
            await process.stdin.read(-1)
        process.exit(0)

    listener = await asyncssh.create_server(
        Server, "127.0.0.1", 0, server_host_keys=[key], process_factory=talk, encoding=None, **options
    )
    async with listener:
        yield listener.sockets[0].getsockname()[1]


def target(port: int, **fields: Any) -> SshTarget:
    return SshTarget("127.0.0.1", port, "admin", **{"password": "good", "timeout": 30.0, **fields})


def reading(answers: Sequence[bytes], *, fields: Any = None, **options: Any) -> Sequence[XmlNode]:
    """The result of a get-config."""

    async def run() -> Sequence[XmlNode]:
        async with server(answers, **options) as port, Devices().netconf(target(port, **(fields or {}))) as netconf:
            return await netconf.get_config("running")

    return asyncio.run(run())


def reply(body: str, number: int = 1) -> bytes:
    return framed(f'<rpc-reply xmlns="{BASE}" message-id="{number}">{body}</rpc-reply>'.encode(), chunked=False)


def test_a_server_of_base_1_0() -> None:
    (node,) = reading([OLD, reply('<data><a xmlns="urn:x">1</a></data>'), reply("<ok/>", 2)])
    assert (node.name, node.namespace, node.text) == ("a", "urn:x", "1")


def test_capabilities_without_parameters() -> None:
    async def run() -> frozenset[str]:
        async with server([OLD]) as port, Devices().netconf(target(port)) as netconf:
            netconf.hang_up()
            return netconf.capabilities

    assert "candidate:1.0" in asyncio.run(run())


@pytest.mark.parametrize(
    ("answer", "error", "words"),
    [
        (reply("<rpc-error><error-tag>too-big</error-tag></rpc-error>"), DeviceRejected, "refuses get-config: too-big"),
        (reply("<rpc-error/>"), DeviceRejected, "without a message"),
        (reply("<ok/>"), Garbled, "without data"),
        (reply("<data/>", 9), Garbled, "request 9 instead of 1"),
        (framed(b"<notification/>", chunked=False), Garbled, "notification"),
        (framed(b"<rpc-reply", chunked=False), Garbled, "well-formed"),
        (framed(b'<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><rpc-reply>&b;</rpc-reply>', chunked=False),
         Garbled, "document type"),
        (b"", Unreachable, "closed the session"),
    ],
)  # fmt: skip
def test_invalid_answers(answer: bytes, error: type[DeviceError], words: str) -> None:
    with pytest.raises(error, match=words):
        reading([OLD, answer, b""])


def test_a_warning_is_no_error() -> None:
    warning = "<rpc-error><error-tag>x</error-tag><error-severity>warning</error-severity></rpc-error>"
    assert reading([OLD, reply(f"{warning}<data/>"), reply("<ok/>", 2)]) == []


@pytest.mark.parametrize(
    ("first", "error", "words"),
    [
        (b"<nonsense", Garbled, "cannot be parsed"),
        (b"<rpc-reply/>", Garbled, "instead of a hello"),
        (hello("urn:example:other"), NotSupported, "no version of NETCONF"),
    ],
)
def test_invalid_hellos(first: bytes, error: type[DeviceError], words: str) -> None:
    with pytest.raises(error, match=words):
        reading([first])


def test_a_server_without_netconf() -> None:
    async def run() -> None:
        listener = await asyncssh.create_server(Server, "127.0.0.1", 0, server_host_keys=[ED25519])
        async with listener:
            port = listener.sockets[0].getsockname()[1]
            async with Devices().netconf(target(port)):
                pass

    with pytest.raises(NotSupported, match="has no NETCONF"):
        asyncio.run(run())


def test_a_server_that_stops_answering() -> None:
    """The session is closed then: a late answer would be taken for that to another request."""

    async def run() -> None:
        async with server([OLD]) as port, Devices().netconf(target(port)) as netconf:
            with pytest.raises(Unreachable, match=r"within 0\.2 s"):
                await netconf.commit(seconds=0.2)
            with pytest.raises(Unreachable, match="over"):
                await netconf.commit()

    asyncio.run(run())


def plain(key: asyncssh.SSHKey) -> str:
    return " ".join(key.export_public_key().decode().split()[:2])


def test_only_the_pinned_key_is_accepted() -> None:
    fine = [OLD, reply("<data/>"), reply("<ok/>", 2)]
    assert reading(fine, fields={"host_key": plain(ED25519)}) == []
    with pytest.raises(Refused, match="not the one that was pinned"):
        reading(fine, fields={"host_key": plain(asyncssh.generate_private_key("ssh-ed25519"))})


def test_a_wrong_password_is_refused() -> None:
    with pytest.raises(Refused, match="user admin"):
        reading([OLD], fields={"password": "bad"})


def test_old_algorithms_only_where_the_policy_allows_them() -> None:
    fine = [OLD, reply("<data/>"), reply("<ok/>", 2)]
    old: dict[str, Any] = {"key": RSA, "signature_algs": ["ssh-rsa"], "kex_algs": ["diffie-hellman-group14-sha1"]}
    with pytest.raises(NotSupported, match="allows old algorithms"):
        reading(fine, **old)
    assert reading(fine, fields={"old_algorithms": True}, **old) == []


def test_operations_as_they_are_sent() -> None:
    """Verbatim, by RFC 6241."""
    requests: list[bytes] = []

    async def talk(process: Any) -> None:
        process.stdout.write(framed(OLD, chunked=False))
        count, came = 0, b""
        while part := await process.stdin.read(65536):
            came += part
            while b"]]>]]>" in came:
                message, _, came = came.partition(b"]]>]]>")
                requests.append(b"".join(message.split()))
                if count:
                    process.stdout.write(reply("<ok/>", count))
                count += 1

    async def run() -> None:
        options: Any = {"process_factory": talk, "encoding": None}
        listener = await asyncssh.create_server(Server, "127.0.0.1", 0, server_host_keys=[ED25519], **options)
        async with listener, Devices().netconf(target(listener.sockets[0].getsockname()[1])) as netconf:
            await netconf.lock("candidate")
            await netconf.commit(confirm_within=60)
            await netconf.copy_config("running", "startup")
            await netconf.edit_config("candidate", [XmlNode("a", "urn:x", "<>")])

    asyncio.run(run())
    assert [b"base:1.1" in requests[0], b"<lock><target><candidate/></target></lock>" in requests[1]] == [True, True]
    assert b"<commit><confirmed/><confirm-timeout>60</confirm-timeout></commit>" in requests[2]
    assert b"<copy-config><target><startup/></target><source><running/></source></copy-config>" in requests[3]
    assert b"<default-operation>merge</default-operation><config><axmlns=" in requests[4]
    assert b"&lt;&gt;</a></config>" in requests[4]
    assert b"test-option" not in requests[4]
    assert b"<close-session/>" in requests[5]
