"""Leases in PostgreSQL: one worker at a time on one thing, given back by expiry when the worker dies."""

import os
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from uuid import uuid4

from django.db import connection, connections

from vnfm.kit import clock
from vnfm.kit.models import Lease

TTL = timedelta(seconds=15)
"""A dead worker's operation is picked up after at most this long plus one sweep; a live one renews at a third of it."""

PROCESS = f"{socket.gethostname()}:{os.getpid()}"

_TAKE = """
INSERT INTO kit_lease (key, owner, fence, expires_at) VALUES (%(key)s, %(owner)s, 1, now() + %(ttl)s)
ON CONFLICT (key) DO UPDATE SET owner = excluded.owner, fence = kit_lease.fence + 1, expires_at = excluded.expires_at
WHERE kit_lease.expires_at < now()
RETURNING fence
"""


@dataclass(frozen=True, slots=True)
class Held:
    """Proof of holding: `fence` distinguishes this holding from every earlier one."""

    key: str
    owner: str
    fence: int

    def is_current(self) -> bool:
        """Whether nobody has taken over; ask before writing what only the holder may write."""
        return Lease.objects.filter(key=self.key, owner=self.owner, fence=self.fence).exists()


@contextmanager
def hold(key: str, ttl: timedelta = TTL) -> Iterator[Held | None]:
    """Hold `key` for the length of the block, renewing in the background; yields None when another holds it."""
    owner = f"{PROCESS}:{uuid4().hex[:8]}"
    with connection.cursor() as cursor:
        cursor.execute(_TAKE, {"key": key, "owner": owner, "ttl": ttl})
        row = cursor.fetchone()
    if row is None:
        yield None
        return
    held = Held(key, owner, row[0])
    stop = threading.Event()
    renewer = threading.Thread(target=_renew, args=(held, ttl, stop), daemon=True, name=f"lease {key}")
    renewer.start()
    try:
        yield held
    finally:
        stop.set()
        # The row stays, so that the fence never runs backwards.
        Lease.objects.filter(key=key, owner=owner, fence=held.fence).update(expires_at=clock.now() - ttl)


def _renew(held: Held, ttl: timedelta, stop: threading.Event) -> None:
    while not stop.wait(ttl.total_seconds() / 3):
        with connection.cursor() as cursor:
            cursor.execute(
                "UPDATE kit_lease SET expires_at = now() + %s WHERE key = %s AND owner = %s AND fence = %s",
                [ttl, held.key, held.owner, held.fence],
            )
            renewed = cursor.rowcount
        connections.close_all()
        if not renewed:
            return
