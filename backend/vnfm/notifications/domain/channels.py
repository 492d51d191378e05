"""Settings of the channels of alarm routes, as they are stored. Pure."""

from collections.abc import Mapping
from typing import Any

SECRETS: Mapping[str, tuple[str, ...]] = {
    "MAIL": ("password",),
    "WEBHOOK": ("secret",),
    "SYSLOG": (),
    "SNMP": ("authPassword", "privPassword"),
}
"""By channel: what is sealed, and never shown."""
DESTINATION: Mapping[str, tuple[str, ...]] = {
    "MAIL": ("host", "port", "security"),
    "WEBHOOK": ("url",),
    "SYSLOG": ("host", "port"),
    "SNMP": ("host", "port"),
}
"""By channel: where the secret goes. With another one the secret is asked for again."""


def place(channel: str, settings: Mapping[str, Any]) -> str:
    """Where it leads, in a few words for lists: "noc@example.com by mail.example.com"."""
    if channel == "WEBHOOK":
        return str(settings["url"]).partition("?")[0]
    server = f"{settings['host']}:{settings['port']}"
    return f"{', '.join(settings['recipients'])} by {server}" if channel == "MAIL" else server
