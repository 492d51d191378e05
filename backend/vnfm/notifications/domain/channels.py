"""Settings of the channels of alarm routes, as they are stored. Pure."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

SECRETS: Mapping[str, tuple[str, ...]] = {
    "MAIL": ("password",),
    "WEBHOOK": ("secret",),
    "SYSLOG": (),
    "SNMP": ("authPassword", "privPassword"),
}
"""By channel, the settings that are sealed, and never shown."""
DESTINATION: Mapping[str, tuple[str, ...]] = {
    "MAIL": ("host", "port", "security"),
    "WEBHOOK": ("url",),
    "SYSLOG": ("host", "port"),
    "SNMP": ("host", "port"),
}
"""By channel, the settings that say where the secret goes. When they change, the secret must be given again."""


def place(channel: str, settings: Mapping[str, Any]) -> str:
    """Where it leads, in a few words for lists: "noc@example.com by mail.example.com"."""
    if channel == "WEBHOOK":
        return server_of(settings["url"])
    server = f"{settings['host']}:{settings['port']}"
    return f"{', '.join(settings['recipients'])} by {server}" if channel == "MAIL" else server


def server_of(url: str) -> str:
    """Scheme, host and port: the path of a webhook often is its secret."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"
