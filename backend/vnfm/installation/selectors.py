from datetime import datetime

from vnfm.installation.models import Restoration


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
