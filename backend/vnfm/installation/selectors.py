from datetime import datetime

from django.db import connection

from vnfm.installation.models import AppliedMigration, Restoration


def recorded_migrations() -> dict[str, tuple[str, str]]:
    """Digest and release by migration; empty for a database of before they were recorded."""
    if AppliedMigration._meta.db_table not in connection.introspection.table_names():  # noqa: SLF001 - Django documents _meta
        return {}
    rows = AppliedMigration.objects.values_list("name", "sha256", "version")
    return {name: (digest, version) for name, digest, version in rows}


def restoration_latest() -> Restoration | None:
    return Restoration.objects.order_by("-id").first()


def released_at() -> datetime | None:
    """Return when the last hold ended; None when there was none, or while one lasts."""
    latest = restoration_latest()
    return latest.released_at if latest is not None else None


def on_hold() -> bool:
    """True while a restored backup waits for an administrator: then nothing acts by itself (ADR-0047)."""
    return restoration_on_hold() is not None


def restoration_on_hold() -> Restoration | None:
    """The restore that waits for an administrator, if any."""
    return Restoration.objects.filter(released_at=None).first()
