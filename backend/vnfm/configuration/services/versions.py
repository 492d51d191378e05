"""Configuration versions: each content is stored once, sealed, and a version whenever the configuration differs."""

import hashlib
from datetime import datetime

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, Window
from django.db.models.functions import RowNumber
from django.utils.crypto import salted_hmac

from vnfm.configuration.models import (
    ConfigurationContent,
    ConfigurationJob,
    ConfigurationPlan,
    ConfigurationVersion,
    seal_text,
)
from vnfm.elements.models import NetworkElement
from vnfm.kit.durable import outbox

TOPIC = "configuration.changed"
"""Its aggregate is the element, its version the number of the configuration version, or the version of the plan."""

Reason = ConfigurationVersion.Reason


@transaction.atomic
def version_record(*, element: NetworkElement, text: str, reason: str, by: str, now: datetime) -> ConfigurationVersion:
    """The version of this configuration: a new one, unless it is the same as the last.

    The lease of the session already serialises readers of an element; the lock is for one that has lost its lease.
    """
    NetworkElement.objects.select_for_update(no_key=True).filter(id=element.id).first()
    latest = ConfigurationVersion.objects.filter(element=element).order_by("-number").first()
    content = _content(element, text)
    if latest is not None and latest.content_id == content.id:
        ConfigurationVersion.objects.filter(id=latest.id).update(confirmed_at=now)
        latest.confirmed_at = now
        return latest
    version = ConfigurationVersion.objects.create(
        element=element,
        number=latest.number + 1 if latest is not None else 1,
        content=content,
        reason=reason,
        by=by[:150],
        taken_at=now,
        confirmed_at=now,
    )
    outbox.publish(TOPIC, element.id, version.number)
    return version


def _content(element: NetworkElement, text: str) -> ConfigurationContent:
    octets = text.encode()
    plain = hashlib.sha256(octets).hexdigest()
    digest = salted_hmac("vnfm.configuration.content", plain, algorithm="sha256").hexdigest()
    known = ConfigurationContent.objects.filter(element=element, digest=digest).first()
    return known or ConfigurationContent.objects.create(
        element=element, digest=digest, sealed_text=seal_text(text), lines=text.count("\n"), size=len(octets)
    )


def versions_prune(*, jobs_before: datetime) -> int:
    """Delete old jobs, and versions beyond the number that the element's plan keeps; returns how many versions."""
    ConfigurationJob.objects.filter(ended_at__lt=jobs_before).delete()
    newest_first = Window(RowNumber(), partition_by=F("element_id"), order_by=F("number").desc())
    keep = {plan.element_id: plan.keep_versions for plan in ConfigurationPlan.objects.all()}
    default = ConfigurationPlan._meta.get_field("keep_versions").default  # noqa: SLF001 - Django's documented way
    needed = Exists(ConfigurationJob.objects.filter(ended_at__isnull=True, target=OuterRef("pk")))
    ranked = ConfigurationVersion.objects.filter(~Q(needed)).annotate(rank=newest_first)
    old = [row.id for row in ranked.only("id", "element_id") if row.rank > keep.get(row.element_id, default)]
    deleted = ConfigurationVersion.objects.filter(id__in=old).delete()[1]
    ConfigurationContent.objects.filter(versions__isnull=True).delete()
    return deleted.get("configuration.ConfigurationVersion", 0)
