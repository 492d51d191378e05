"""Automatic backups: scheduled, and when an element has changed; retention of versions."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.service.configuration.jobs import Router, complete, start_push, versions
from vnfm.configuration.models import ConfigurationContent, ConfigurationJob, ConfigurationPlan, ConfigurationVersion
from vnfm.configuration.reconcilers.sweep import sweep
from vnfm.configuration.services.jobs import backup_start
from vnfm.configuration.services.plans import plan_update
from vnfm.configuration.services.push import rollback_start
from vnfm.configuration.services.versions import versions_prune
from vnfm.elements.models import ElementFact, NetworkElement, Trap
from vnfm.kit import clock

pytestmark = pytest.mark.django_db


def test_scheduled_backups(router: Router) -> None:
    element, now = router(), clock.now()
    plan = plan_update(element=element, changes={"interval_seconds": 3600}, now=now)
    assert plan.due_at is not None
    assert timedelta(seconds=3240) <= plan.due_at - now <= timedelta(seconds=3960)
    assert sweep(plan.due_at - timedelta(seconds=1)) == 0
    assert sweep(plan.due_at) == 1
    job = ConfigurationJob.objects.get(element=element)
    assert (job.kind, job.reason, job.by) == ("BACKUP", "SCHEDULE", "schedule")
    ConfigurationPlan.objects.update(due_at=plan.due_at)
    sweep(plan.due_at)
    assert ConfigurationJob.objects.filter(element=element).count() == 1, "one waits already"
    ConfigurationPlan.objects.update(due_at=plan.due_at)
    NetworkElement.objects.filter(id=element.id).update(state="SUSPENDED")
    ConfigurationJob.objects.all().delete()
    assert sweep(plan.due_at) == 1
    assert not ConfigurationJob.objects.exists()
    assert ConfigurationPlan.objects.get(element=element).due_at > plan.due_at, "the next one is scheduled"


@pytest.mark.parametrize("signal", ["trap", "fact"])
def test_a_backup_when_the_element_reports_a_change(router: Router, signal: str) -> None:
    element, now = router(), clock.now()
    plan_update(element=element, changes={"on_change": True}, now=now)
    assert sweep(now) == 0
    reported_at = now + timedelta(seconds=1)
    for second in range(2):
        if signal == "trap":
            Trap.objects.create(
                element=element, source_address="x", trap_oid="1.3.6.1.4.1.6527.3.1.3.1.0.8",
                received_at=reported_at + timedelta(seconds=second),
            )  # fmt: skip
        else:
            ElementFact.objects.update_or_create(
                element=element, name="configuration_changed", defaults={"value": str(second), "since": reported_at}
            )
        sweep(reported_at)
    (job,) = ConfigurationJob.objects.filter(element=element)
    assert job.reason == "CHANGE"
    assert job.wake_at is not None
    assert job.wake_at > reported_at, "signals that follow at once belong to the same change"
    assert sweep(reported_at) == 0


def test_an_overdue_job_is_enqueued_again(router: Router) -> None:
    backup_start(element=router(), by="ann", wake_at=clock.now())
    assert sweep(clock.now() + timedelta(seconds=5)) == 1


def test_old_versions_are_pruned(router: Router) -> None:
    element = router()
    plan_update(element=element, changes={"keep_versions": 2}, now=clock.now())
    for location in ("one", "two", "three"):
        complete(start_push(element, f"/configure system location {location}"))
    assert len(versions(element)) == 4
    oldest = ConfigurationVersion.objects.get(element=element, number=1)
    rollback = rollback_start(element=element, version=oldest, dry_run=False, by="ann", now=clock.now())
    versions_prune(jobs_before=clock.now() - timedelta(days=1))
    assert [number for number, _, _ in versions(element)] == [1, 3, 4], "a rollback to 1 waits"
    complete(rollback)
    versions_prune(jobs_before=clock.now() + timedelta(days=1))
    assert [number for number, _, _ in versions(element)] == [4, 5]
    assert ConfigurationContent.objects.filter(element=element).count() == 2
    assert not ConfigurationJob.objects.exists()
