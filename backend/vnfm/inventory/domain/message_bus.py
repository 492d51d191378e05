"""The message bus of a cloud: its address, and which notifications matter. Pure."""

from collections.abc import Sequence
from urllib.parse import parse_qs, quote, unquote, urlsplit

from vnfm.clouds.types import OsloNotification

EXCHANGES = ("nova", "neutron", "heat")
"""The default `control_exchange` of these services."""

_SCHEMES = {"rabbit": "amqp", "amqp": "amqp", "amqps": "amqps"}
_SHAPE = "rabbit://user:password@host:5672/vhost"

_RELEVANT = ("compute.instance.", "port.", "orchestration.stack.")
_PERIODIC = ("compute.instance.exists", "compute.instance.volume.usage")
"""Sent every hour or so for every server, for billing."""


def transport_urls(text: str) -> tuple[str, ...]:
    """The hosts of an oslo.messaging transport URL, each as a URL for kombu. Raises ValueError with a sentence."""
    scheme, _, rest = text.strip().partition("://")
    hosts, _, tail = rest.partition("/")
    vhost, _, query = tail.partition("?")
    if scheme not in _SCHEMES or not hosts:
        raise ValueError(f"This is no transport URL of AMQP, such as {_SHAPE}.")
    tls = parse_qs(query).get("ssl", ["0"])[-1].lower() in {"1", "true"}
    kind = "amqps" if tls else _SCHEMES[scheme]
    return tuple(f"{kind}://{_member(host)}/{quote(unquote(vhost), safe='')}" for host in hosts.split(","))


def _member(host: str) -> str:
    try:
        parts = urlsplit(f"amqp://{host}")
        usable = parts.hostname and parts.port != 0
    except ValueError:
        usable = False
    if not usable:
        raise ValueError(f"A member of the transport URL is not as user:password@host:5672, as in {_SHAPE}.")
    return host


def is_relevant(notification: OsloNotification, project_id: str) -> bool:
    """Return whether to poll the cloud: the notification concerns something that we watch, and no other project.

    Notifications that an action starts are skipped: another follows at its end.
    """
    kind = notification.event_type
    if not kind.startswith(_RELEVANT) or kind.startswith(_PERIODIC) or kind.endswith(".start"):
        return False
    return not (project_id and notification.project_id) or notification.project_id == project_id


def missing_exchanges_note(missing: Sequence[str]) -> str:
    """A sentence about the exchanges that do not exist; "" when all do."""
    if not missing:
        return ""
    return f"There is no exchange {', '.join(missing)} yet: a service makes its own when it first notifies."
