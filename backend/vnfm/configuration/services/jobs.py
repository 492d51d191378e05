"""Jobs at an element's configuration: created by a request, run by a worker. Also backups, the simplest of them."""

from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import F

from vnfm.configuration.domain.dialects import DIALECTS
from vnfm.configuration.models import ConfigurationJob
from vnfm.configuration.services.versions import Reason
from vnfm.elements.models import NetworkElement
from vnfm.kit.durable import outbox, tasks
from vnfm.kit.problem import conflict

RUN = "configuration.run"
JOB_TOPIC = "configuration_job.changed"


def backup_start(
    *, element: NetworkElement, reason: str = Reason.REQUEST, by: str, wake_at: datetime
) -> ConfigurationJob:
    """Read the configuration, and store it if it differs from the last version."""
    require_login(element)
    return job_create(element, ConfigurationJob.Kind.BACKUP, wake_at, reason=reason, by=by)


def require_login(element: NetworkElement) -> None:
    """Raises 409 for an element that is not managed, or that we cannot log in to."""
    if element.state != NetworkElement.State.MANAGED:
        raise conflict("NOT_MANAGED", f"{element.name} is {element.state.lower()}.", "Manage it first.")
    if element.netconf_policy_id is not None:
        return
    if element.ssh_policy_id is None:
        words = f"{element.name} has neither a NETCONF nor an SSH policy."
        raise conflict("NO_SSH_POLICY", words, "Give it one of them: without, we cannot log in.")
    if element.driver not in DIALECTS:
        words = f"{element.name} has not been polled yet, so its driver is unknown."
        raise conflict("NOT_READ_YET", words, "Wait until it has been polled by SNMP, and see its `resync`.")


@transaction.atomic
def job_create(element: NetworkElement, kind: str, wake_at: datetime, **columns: Any) -> ConfigurationJob:
    job = ConfigurationJob.objects.create(element=element, kind=kind, wake_at=wake_at, **columns)
    job.refresh_from_db()
    outbox.publish(JOB_TOPIC, job.id, job.version)
    tasks.enqueue_on_commit(RUN, job.id, after=max(0.0, (wake_at - job.created_at).total_seconds()))
    return job


def job_change(job: ConfigurationJob, **columns: Any) -> bool:
    """Compare-and-set on the version; False when another process has changed the job."""
    with transaction.atomic():
        unchanged = ConfigurationJob.objects.filter(id=job.id, version=job.version)
        if not unchanged.update(**columns, version=F("version") + 1):
            return False
        job.refresh_from_db()
        outbox.publish(JOB_TOPIC, job.id, job.version)
    return True
