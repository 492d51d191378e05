"""The part of `settings` that follows from DATABASE_URL."""

import os
from typing import Any

from vnfm.kit.durable.database_url import CONNECT_SECONDS, POOLED, connection_to

_DEFAULT = "postgresql://vnfm@127.0.0.1:5432/vnfm"


def database(lease_seconds: float, url: str = "") -> dict[str, Any]:
    """Django's settings of the database, and of the pool; `url` wins over DATABASE_URL."""
    options = connection_to(url or os.environ.get("DATABASE_URL") or _DEFAULT)
    names = {"NAME": "dbname", "USER": "user", "PASSWORD": "password", "HOST": "host", "PORT": "port"}
    found: dict[str, Any] = {ours: options.pop(theirs, "") for ours, theirs in names.items()}
    # A process that was stopped in the midst of a transaction would keep its rows locked, and with them the operations
    # that another worker has taken over.
    options["options"] += f" -c idle_in_transaction_session_timeout={round(4000 * lease_seconds)}"
    options["pool"] = {
        "max_size": 16,
        "timeout": CONNECT_SECONDS * (found["HOST"].count(",") + 1),  # the first host may be one that is gone
        **POOLED,
    }
    return {"ENGINE": "vnfm.kit.postgresql", **found, "OPTIONS": options}
