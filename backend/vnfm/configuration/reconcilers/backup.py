"""Backs up the configuration of an element."""

from vnfm.configuration.domain.statements import difference
from vnfm.configuration.models import ConfigurationJob, ConfigurationVersion
from vnfm.configuration.reconcilers.push import PushResult
from vnfm.configuration.services.versions import version_record
from vnfm.configuration.session.session import Session
from vnfm.kit import clock


def backup(job: ConfigurationJob, session: Session) -> PushResult:
    """Read the configuration and record it; the diff is against the last version, "" for the first."""
    latest = ConfigurationVersion.objects.filter(element=job.element).order_by("-number").first()
    text = session.running()
    version = version_record(element=job.element, text=text, reason=job.reason, by=job.by, now=clock.now())
    return PushResult(difference(latest.clear_text, text) if latest else "", version, is_first=latest is None)
