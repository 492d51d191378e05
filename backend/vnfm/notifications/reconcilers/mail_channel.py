"""Alarms by mail (SMTP)."""

import smtplib
import ssl
from collections.abc import Mapping, Sequence
from email.message import EmailMessage
from email.utils import format_datetime
from socket import socket
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings

from vnfm.kit import clock
from vnfm.kit.outgoing.addresses import OutboundUrl
from vnfm.kit.outgoing.outbound import Address, Deadline, open_socket, resolve, translate_errors
from vnfm.notifications.domain.error_text import MASK, MAX_LENGTH
from vnfm.notifications.domain.route_text import mail_text
from vnfm.notifications.domain.routing import AlarmGroup, RoutedAlarm, group_of
from vnfm.notifications.models import AlarmRoute
from vnfm.notifications.reconcilers.outcomes import DeliveryError
from vnfm.notifications.services.alarm_routes import ROUTES, route_policy

SECONDS = 30.0
"""For one whole mail: servers make strangers wait for their greeting."""
MAX_SUBJECT = 200


class MailChannel:
    """One mail for a group, to all recipients of the route."""

    def __init__(self, stored: Mapping[str, Any], secrets: Mapping[str, str]) -> None:
        self._settings, self._password = stored, secrets.get("password", "")

    def send(self, events: Sequence[RoutedAlarm], message_id: str) -> None:
        group = group_of(events)
        if not group.total:
            return
        policy = route_policy(AlarmRoute.Channel.MAIL)
        url = policy.parse_host("smtp", self._settings["host"], self._settings["port"])
        with Deadline(SECONDS) as deadline:
            addresses = resolve(url, policy, deadline)
            with translate_errors(url, ROUTES, deadline):
                try:
                    self._submit(url, addresses, deadline, self._mail(group, message_id))
                except smtplib.SMTPException as error:
                    if deadline.over:  # which cut the connection
                        raise TimeoutError from error
                    raise self._failure(error) from error

    def _submit(self, url: OutboundUrl, addresses: list[Address], deadline: Deadline, mail: EmailMessage) -> None:
        security = self._settings["security"]
        with _CheckedSmtp(url, addresses, deadline, tls=security == "TLS") as server:
            if security == "STARTTLS":
                server.starttls(context=ssl.create_default_context())
                assert server.sock is not None, "it has just sent STARTTLS"
                deadline.watch(server.sock)
            if self._password:
                server.login(_Utf8(self._settings["userName"]), _Utf8(self._password))
            server.send_message(mail)

    def _mail(self, group: AlarmGroup, message_id: str) -> EmailMessage:
        mail = EmailMessage()
        mail["Subject"] = f"[VNFM] {' '.join(group.subject.split())}"[:MAX_SUBJECT]
        mail["From"], mail["To"] = self._settings["sender"], ", ".join(self._settings["recipients"])
        mail["Date"] = format_datetime(clock.now())
        domain = urlsplit(settings.PUBLIC_URL).hostname or "localhost"
        mail["Message-ID"] = f"<{message_id}@{domain}>"
        mail["Auto-Submitted"] = "auto-generated"  # RFC 3834: no holiday notes come back
        mail.set_content(mail_text(group))
        return mail

    def _failure(self, error: smtplib.SMTPException) -> DeliveryError:
        if isinstance(error, smtplib.SMTPRecipientsRefused):
            refused = "; ".join(f"{name}: {_plain(text)}" for name, (_, text) in error.recipients.items())
            return DeliveryError(self._masked(f"The mail server refuses all recipients: {refused}"))
        if isinstance(error, smtplib.SMTPResponseException):
            return DeliveryError(
                self._masked(f"The mail server answers {error.smtp_code}: {_plain(error.smtp_error)}"),
                permanent=isinstance(error, smtplib.SMTPDataError) and error.smtp_code >= 500,  # noqa: PLR2004 - RFC 5321
            )
        return DeliveryError(self._masked(f"The mail server cannot be used: {error or type(error).__name__}"))

    def _masked(self, words: str) -> str:
        return (words.replace(self._password, MASK) if self._password else words)[:MAX_LENGTH]


def _plain(text: bytes | str) -> str:
    words = text.decode("utf-8", "replace") if isinstance(text, bytes) else text
    return " ".join(words.split())


class _Utf8(str):
    """Text that smtplib, which asks for ASCII, sends as UTF-8 (RFC 4616, and what servers take for LOGIN)."""

    __slots__ = ()

    def encode(self, encoding: str = "utf-8", errors: str = "strict") -> bytes:
        return super().encode("utf-8", errors)


class _CheckedSmtp(smtplib.SMTP):
    """Connects to one of the checked addresses; the certificate is checked against the host's name."""

    def __init__(self, url: OutboundUrl, addresses: list[Address], deadline: Deadline, *, tls: bool) -> None:
        self._url, self._addresses, self._deadline, self._tls = url, addresses, deadline, tls
        super().__init__(url.host, url.port, local_hostname=urlsplit(settings.PUBLIC_URL).hostname, timeout=SECONDS)

    def _get_socket(self, host: str, port: int, timeout: float) -> socket:
        return open_socket(self._url, self._addresses, self._deadline, tls=self._tls)

    def auth_plain(self, challenge: Any = None) -> str:  # Any: octets, which PLAIN never has
        return _Utf8(super().auth_plain(challenge))
