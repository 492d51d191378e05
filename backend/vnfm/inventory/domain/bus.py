"""The message bus of a cloud: where it is, and what of all that is told there is news for us. Pure."""

from collections.abc import Sequence
from urllib.parse import parse_qs, quote, unquote, urlsplit

from vnfm.clouds.types import Notification

EXCHANGES = ("nova", "neutron", "heat")
"""The `control_exchange` that these services have unless somebody changed it."""

_SCHEMES = {"rabbit": "amqp", "amqp": "amqp", "amqps": "amqps"}
_SHAPE = "rabbit://user:password@host:5672/vhost"

_OF_INTEREST = ("compute.instance.", "port.", "orchestration.stack.")
_NO_NEWS = ("compute.instance.exists", "compute.instance.volume.usage")
"""Told every hour or so of every server, for billing."""


def transport_urls(text: str) -> tuple[str, ...]:
    """The members of an oslo.messaging transport URL, each as kombu takes it. Raises ValueError with a sentence."""
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


def is_news(notification: Notification, project_id: str) -> bool:
    """Whether to look at the cloud for it: it is about something that we watch, of our project as far as it says.

    What has only begun is no news yet; its end is told as well.
    """
    kind = notification.event_type
    if not kind.startswith(_OF_INTEREST) or kind.startswith(_NO_NEWS) or kind.endswith(".start"):
        return False
    return not (project_id and notification.project_id) or notification.project_id == project_id


def words_of_missing(missing: Sequence[str]) -> str:
    """A sentence about the exchanges that are not there; "" when all are."""
    if not missing:
        return ""
    return f"There is no exchange {', '.join(missing)} yet: a service makes its own when it first notifies."
