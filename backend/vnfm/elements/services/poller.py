"""Waking the poller, which reads its work from the database."""

from vnfm.kit.durable.listen import notify

CHANNEL = "vnfm_elements"
"""PostgreSQL NOTIFY channel of the pollers."""


def poller_wake() -> None:
    """NOTIFY the pollers when the transaction commits; a lost NOTIFY costs one interval of reading the list."""
    notify(CHANNEL)
