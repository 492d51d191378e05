"""When an element's configuration is backed up automatically."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import transaction

from vnfm.configuration.domain.jobs import next_due
from vnfm.configuration.models import ConfigurationPlan
from vnfm.configuration.services.jobs import require_login
from vnfm.configuration.services.versions import TOPIC
from vnfm.elements.models import NetworkElement
from vnfm.kit.durable import outbox


def plan_update(*, element: NetworkElement, changes: Mapping[str, Any], now: datetime) -> ConfigurationPlan:
    """Change the plan. The first scheduled backup is due within one interval."""
    require_login(element)
    with transaction.atomic():
        plan, created = ConfigurationPlan.objects.select_for_update().get_or_create(
            element=element, defaults={"changes_seen_at": now}
        )
        if changes.get("on_change") and not plan.on_change:
            plan.changes_seen_at = now
        for name, value in changes.items():
            setattr(plan, name, value)
        if "interval_seconds" in changes:
            seconds = changes["interval_seconds"]
            plan.due_at = next_due(now, seconds, element.id) if seconds is not None else None
        plan.version += 0 if created else 1
        plan.save()
        outbox.publish(TOPIC, element.id, plan.version)
    return plan
