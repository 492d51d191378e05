"""Alarm routes to real peers: an SMTP server, a syslog receiver over TLS, Net-SNMP's trap receiver."""

import socket
import ssl
import threading
from collections.abc import Iterator
from email import message_from_bytes, policy
from pathlib import Path
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult, Session

from launcher.ports import free_port
from tests.service.notifications.conftest import Tls
from tests.support import snmptrapd_process
from tests.support.installation import until
from tests.support.snmptrapd_process import SnmptrapdProcess
from vnfm.kit import clock
from vnfm.kit.problem import ProblemError
from vnfm.notifications.domain.routing import RoutedAlarm
from vnfm.notifications.models import AlarmRoute
from vnfm.notifications.reconcilers.outcomes import DeliveryError
from vnfm.notifications.reconcilers.route_channels import channel_of
from vnfm.notifications.services.alarm_routes import engine_id

PASSWORD = "canary-of-the-mail-server"


def _alarm(number: int = 1, **more: Any) -> RoutedAlarm:
    values = {
        "event": "raised", "severity": "CRITICAL", "highest": "CRITICAL", "object_type": "NETWORK_ELEMENT",
        "object_id": "e", "object_name": "pe-Köln", "site_id": "", "site_name": "Köln", "resource": "1/1/1",
        "fault_type": "LinkDown", "event_type": "COMMUNICATIONS_ALARM", "probable_cause": "linkFailure",
        "details": ["The port is down."], "remedy": "Check the cable.", "raised_at": clock.now().isoformat(),
        "at": clock.now().isoformat(), "url": f"https://vnfm.example/alarms?alarm={number}",
    }  # fmt: skip
    return RoutedAlarm(**{"id": str(number), **values, **more})


def _send(channel: str, stored: dict[str, Any], *alarms: RoutedAlarm, **secrets: str) -> None:
    channel_of(AlarmRoute(channel=channel, settings=stored), secrets).send(alarms or [_alarm()], "the-message-id")


class _Mailbox:
    def __init__(self) -> None:
        self.mails: list[Any] = []
        self.sessions: list[Session] = []
        self.refuse = ""

    async def handle_DATA(self, server: Any, session: Session, envelope: Any) -> str:  # noqa: N802 - aiosmtpd's name
        if self.refuse:
            return self.refuse
        self.sessions.append(session)
        self.mails.append((envelope, message_from_bytes(envelope.content, policy=policy.default)))
        return "250 OK"


def _authenticate(server: Any, session: Session, envelope: Any, mechanism: str, data: Any) -> AuthResult:
    return AuthResult(success=data.password == PASSWORD.encode(), handled=False)


@pytest.fixture
def mailbox(tls: Tls) -> Iterator[tuple[_Mailbox, Controller]]:
    """An SMTP server that wants STARTTLS and a login."""
    handler = _Mailbox()
    controller = Controller(
        handler,
        hostname="127.0.0.1",
        port=free_port(),
        tls_context=tls.context,
        require_starttls=True,
        authenticator=_authenticate,
        auth_required=True,
    )
    controller.start()
    try:
        yield handler, controller
    finally:
        controller.stop()


def _mail(controller: Controller, **more: Any) -> dict[str, Any]:
    port = controller.server.sockets[0].getsockname()[1]
    people = {"sender": "vnfm@example.com", "recipients": ["noc@example.com", "boss@example.com"]}
    return {"host": "127.0.0.1", "port": port, "security": "STARTTLS", "userName": "vnfm", **people, **more}


def test_a_mail_is_sent_by_starttls_with_a_login(mailbox: tuple[_Mailbox, Controller], tls: Tls) -> None:
    handler, controller = mailbox
    tls.trust()
    _send("MAIL", _mail(controller), _alarm(1), _alarm(2, severity="MINOR", highest="MINOR"), password=PASSWORD)
    ((envelope, mail),) = handler.mails
    assert handler.sessions[0].ssl is not None
    assert envelope.rcpt_tos == ["noc@example.com", "boss@example.com"]
    assert mail["Subject"] == "[VNFM] 2 alarms, the most severe: CRITICAL pe-Köln: LinkDown 1/1/1"
    assert mail["Message-ID"] == "<the-message-id@testserver>"
    assert mail["Auto-Submitted"] == "auto-generated"
    assert "Check the cable." in mail.get_content()
    assert "Site: Köln" in mail.get_content()


@pytest.mark.parametrize("mechanism", ["PLAIN", "LOGIN"])
def test_a_password_beyond_ascii_is_sent_as_utf_8(
    mailbox: tuple[_Mailbox, Controller], tls: Tls, mechanism: str
) -> None:
    handler, controller = mailbox
    tls.trust()
    found: list[tuple[str, bytes, bytes]] = []

    def authenticate(server: Any, session: Session, envelope: Any, way: str, data: Any) -> AuthResult:
        found.append((way, data.login, data.password))
        return AuthResult(success=True)

    controller.SMTP_kwargs |= {
        "authenticator": authenticate,
        "auth_exclude_mechanism": {"PLAIN", "LOGIN"} - {mechanism},
    }
    _send("MAIL", _mail(controller, userName="jürgen"), password="paßwört-€")
    assert found == [(mechanism, "jürgen".encode(), "paßwört-€".encode())]
    assert len(handler.mails) == 1


def test_a_refused_mail_says_why_without_the_password(mailbox: tuple[_Mailbox, Controller], tls: Tls) -> None:
    handler, controller = mailbox
    with pytest.raises(ProblemError, match="certificate"):
        _send("MAIL", _mail(controller), password=PASSWORD)
    tls.trust()
    with pytest.raises(DeliveryError, match="535"):
        _send("MAIL", _mail(controller), password="wrong")
    handler.refuse = f"554 No spam with {PASSWORD}"
    with pytest.raises(DeliveryError, match=r"answers 554: No spam with \*\*\*") as caught:
        _send("MAIL", _mail(controller), password=PASSWORD)
    assert caught.value.permanent


def test_a_server_without_starttls_gets_no_password(reachable: None) -> None:
    controller = Controller(_Mailbox(), hostname="127.0.0.1", port=free_port())
    controller.start()
    try:
        with pytest.raises(DeliveryError, match="STARTTLS"):
            _send("MAIL", _mail(controller), password=PASSWORD)
    finally:
        controller.stop()


def test_a_server_that_is_away_is_named(reachable: None) -> None:
    stored = {"host": "127.0.0.1", "port": free_port(), "messageFormat": "CEF"}
    with pytest.raises(ProblemError, match=r"127\.0\.0\.1 cannot be read from: Connection refused"):
        _send("SYSLOG", stored)


@pytest.fixture
def siem(tls: Tls) -> Iterator[tuple[int, list[bytes], threading.Event]]:
    """A syslog receiver (RFC 5425): its port, the streams it has received, and an event after each."""
    streams: list[bytes] = []
    received = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            while True:
                try:
                    plain, _ = server.accept()
                except OSError:
                    return
                try:
                    with tls.context.wrap_socket(plain, server_side=True) as line:
                        streams.append(b"".join(iter(lambda: line.recv(65536), b"")))
                        received.set()
                except (OSError, ssl.SSLError):
                    continue

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield server.getsockname()[1], streams, received
        server.shutdown(socket.SHUT_RDWR)
    thread.join(10)


def _frames(stream: bytes) -> list[str]:
    """By octet counting (RFC 5425, 4.3)."""
    found = []
    while stream:
        length, _, rest = stream.partition(b" ")
        found.append(rest[: int(length)].decode())
        stream = rest[int(length) :]
    return found


@pytest.mark.parametrize("form", ["RFC5424", "CEF"])
def test_syslog_messages_are_framed_and_encrypted(
    form: str, siem: tuple[int, list[bytes], threading.Event], tls: Tls
) -> None:
    port, streams, received = siem
    stored = {"host": "127.0.0.1", "port": port, "messageFormat": form}
    with pytest.raises(ProblemError, match="certificate"):
        _send("SYSLOG", stored)
    tls.trust()
    _send("SYSLOG", stored, _alarm(1), _alarm(2, event="cleared", severity="CLEARED"))
    assert received.wait(10)
    raised, cleared = _frames(streams[-1])
    assert raised.startswith("<130>1 ")
    assert cleared.startswith("<134>1 ")
    assert ("CEF:0|VNFM|" in raised) == (form == "CEF")
    assert ("[alarm resource=" in raised) == (form == "RFC5424")


@pytest.mark.skipif(snmptrapd_process.program() is None, reason="snmptrapd is absent (Debian: snmptrapd)")
@pytest.mark.parametrize(("auth", "priv"), [("SHA-256", "AES"), ("SHA", "AES")])
def test_net_snmp_decrypts_our_traps(auth: str, priv: str, tmp_path: Path, reachable: None) -> None:
    user = f"createUser -e 0x{engine_id().hex()} noc {auth} authsecret1 {priv} privsecret1"
    with SnmptrapdProcess(tmp_path, (user, "authUser log noc priv")) as receiver:
        stored = {
            "host": "127.0.0.1", "port": receiver.port, "userName": "noc", "authAlgorithm": auth, "privAlgorithm": priv,
        }  # fmt: skip
        secrets = {"authPassword": "authsecret1", "privPassword": "privsecret1"}
        storm = [_alarm(number, object_name="pe-1") for number in range(60)]
        ends = [_alarm(number, event="cleared", severity="CLEARED") for number in range(10)]
        _send("SNMP", stored, *storm, *ends, _alarm(100, object_name="the-last"), **secrets)
        until(lambda: "the-last" in receiver.log() or None, 15, "the last trap arrives")
    log = receiver.log()
    assert log.count("1.3.6.1.2.1.118.0.2") == 61, "every event, however many"
    assert log.count("1.3.6.1.2.1.118.0.3") == 10, "also of an alarm that was raised in the same group"
    assert ".1.3.6.1.2.1.121.1.1.1.1.1 = INTEGER: 3" in log
    assert "LinkDown 1/1/1; The port is down." in log


def test_a_name_with_a_private_address_is_refused(settings: Any) -> None:
    stored = {"host": "localhost", "port": 162, "userName": "u", "authAlgorithm": "SHA", "privAlgorithm": "AES"}
    with pytest.raises(ProblemError, match="not public"):
        _send("SNMP", stored, authPassword="12345678", privPassword="12345678")
