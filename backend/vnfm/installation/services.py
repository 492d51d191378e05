"""Recording applied migrations; beginning and ending the hold after a restore."""

from collections.abc import Mapping
from datetime import datetime
from uuid import NAMESPACE_OID, uuid5

from django.db import transaction

from vnfm.installation.models import AppliedMigration, Restoration
from vnfm.kit import clock
from vnfm.kit.durable import outbox
from vnfm.kit.problem import conflict

RELEASED_TOPIC = "installation.released"


def migrations_record(*, digests: Mapping[str, str], version: str) -> None:
    """Record those that are not recorded yet."""
    AppliedMigration.objects.bulk_create(
        (AppliedMigration(name=name, sha256=digest, version=version) for name, digest in digests.items()),
        ignore_conflicts=True,
    )


@transaction.atomic
def hold_begin(*, taken_at: datetime, source: str) -> Restoration:
    """An earlier hold that still lasts, or was in the backup itself, ends by this one."""
    now = clock.now()
    Restoration.objects.filter(released_at=None).update(released_at=now, released_by="restored again")
    return Restoration.objects.create(taken_at=taken_at, restored_at=now, source=source[:255])


@transaction.atomic
def hold_release(*, by: str) -> Restoration:
    """Raises 409 when nothing is held. The event is for whom our records of before were copied to."""
    restoration = Restoration.objects.select_for_update().filter(released_at=None).first()
    if restoration is None:
        raise conflict("NOT_ON_HOLD", "No restored backup waits to be released.")
    restoration.released_at, restoration.released_by = clock.now(), by
    restoration.save(update_fields=["released_at", "released_by"])
    payload = {"takenAt": restoration.taken_at.isoformat(), "by": by}
    outbox.publish(RELEASED_TOPIC, uuid5(NAMESPACE_OID, f"restoration {restoration.id}"), 1, payload)
    return restoration
