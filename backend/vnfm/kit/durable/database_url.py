"""The URL of a database as libpq reads it, with several hosts too, and what the loss of one must not hold up.

A peer that dies closes its connections; one that loses its power, or its network, says nothing. TCP would wait for it
for a quarter of an hour with data under way, and for two hours without (ADR-0082).
"""

import re
from typing import Any

import psycopg
from django.core.exceptions import ImproperlyConfigured
from psycopg.conninfo import conninfo_to_dict

CONNECT_SECONDS = 3
_LOST_SERVER = {"keepalives_idle": 5, "keepalives_interval": 2, "keepalives_count": 3, "tcp_user_timeout": 10_000}
"""libpq's: a server that is gone is noticed after 11 s at most, in the midst of a statement as well."""
_LOST_CLIENT = {"tcp_keepalives_idle": 5, "tcp_keepalives_interval": 2, "tcp_keepalives_count": 3}
"""The server's, for our session: the locks of a host that is gone are released after 11 s."""
POOLED: dict[str, Any] = {
    "min_size": 0,
    # A pool gives up one unneeded connection after each period of these seconds; each costs PostgreSQL 4 MiB.
    "max_idle": 15,
    # Each attempt to connect stands alone: the pool would wait ever longer between them, and long after the
    # database is back. The next request makes the next attempt.
    "reconnect_timeout": 0,
}
"""Every pool of connections has these arguments of psycopg_pool."""
_URL = re.compile(r"postgres(ql)?://([^@/]*@)?[^@]*")
_NO_URL = "it is not one; in a password / is written %2F, ? %3F, @ %40 and % %25"


def connection_to(url: str, variable: str = "DATABASE_URL") -> dict[str, Any]:
    """Parameters of libpq for a URL, with ours for lost peers. Raises ImproperlyConfigured, without the password."""
    try:
        parts = _parsed(url)
    except ValueError as wrong:
        raise ImproperlyConfigured(
            f"{variable} must be a URL such as postgresql://user:password@host:5432/name: {wrong}."
        ) from None
    # If there are several hosts, the others are standbys; one address may lead to a standby for a while after a
    # failover.
    parts.setdefault("target_session_attrs", "read-write")
    settings = [parts["options"]] if "options" in parts else []
    settings += [f"-c {name}={value}" for name, value in _LOST_CLIENT.items()]
    return {"connect_timeout": CONNECT_SECONDS} | _LOST_SERVER | parts | {"options": " ".join(settings)}


def _parsed(url: str) -> dict[str, str]:
    """Parameters of libpq. Raises ValueError with what is wrong, in words without any part of a password: libpq's quote
    what comes after a bare `/` or `@` in one, as a port, a query or a host.
    """
    if not _URL.fullmatch(url):
        raise ValueError(_NO_URL)
    try:
        parts = {name: str(value) for name, value in conninfo_to_dict(url).items()}
    except psycopg.ProgrammingError as error:
        words = str(error).strip()
        raise ValueError(words if words.startswith("invalid URI query parameter") else _NO_URL) from None
    if not all(_is_port(port) for port in parts.get("port", "").split(",")):
        raise ValueError("its port is no number from 1 to 65535")
    return parts


def _is_port(text: str) -> bool:
    """Also without one: libpq has a default."""
    return not text or (text.isascii() and text.isdecimal() and 0 < int(text) < 2**16)
