"""The URL of a database as libpq reads it, with several hosts too, and what the loss of one must not hold up.

A peer that dies closes its connections; one that loses its power, or its network, says nothing. TCP would wait for it
for a quarter of an hour with data under way, and for two hours without (ADR-0082).
"""

from typing import Any

import psycopg
from django.core.exceptions import ImproperlyConfigured
from psycopg.conninfo import conninfo_to_dict

CONNECT_SECONDS = 3
_LOST_SERVER = {"keepalives_idle": 5, "keepalives_interval": 2, "keepalives_count": 3, "tcp_user_timeout": 10_000}
"""libpq's: a server that is gone is noticed after 11 s at most, in the midst of a statement as well."""
_LOST_CLIENT = {"tcp_keepalives_idle": 5, "tcp_keepalives_interval": 2, "tcp_keepalives_count": 3}
"""The server's, for our session: the locks of a host that is gone are released after 11 s."""


def connection_to(url: str, variable: str = "DATABASE_URL") -> dict[str, Any]:
    """Parameters of libpq for a URL, with ours for lost peers. Raises ImproperlyConfigured, without the password."""
    try:
        parts = {name: str(value) for name, value in conninfo_to_dict(url).items()}
    except psycopg.ProgrammingError as error:
        wrong = str(error).strip() if "query parameter" in str(error) else "it is not one"
        raise ImproperlyConfigured(
            f"{variable} must be a URL such as postgresql://user:password@host:5432/name: {wrong}."
        ) from None
    if "," in parts.get("host", ""):
        parts.setdefault("target_session_attrs", "read-write")  # the others are standbys
    settings = [parts["options"]] if "options" in parts else []
    settings += [f"-c {name}={value}" for name, value in _LOST_CLIENT.items()]
    return {"connect_timeout": CONNECT_SECONDS} | _LOST_SERVER | parts | {"options": " ".join(settings)}
