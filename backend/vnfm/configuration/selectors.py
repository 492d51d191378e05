"""What is known of configurations, with their secrets or without."""

from uuid import UUID

from django.db.models import QuerySet

from vnfm.configuration.domain.dialects import DIALECTS
from vnfm.configuration.domain.statements import difference
from vnfm.configuration.domain.xml import masked as xml_masked
from vnfm.configuration.models import ConfigurationJob, ConfigurationPlan, ConfigurationVersion
from vnfm.configuration.versions import text_of, unsealed
from vnfm.elements.models import NetworkElement
from vnfm.kit import clock
from vnfm.kit.query import one


def plan_of(*, element: NetworkElement) -> ConfigurationPlan:
    """As stored, or as it is for elements of which nobody has said anything: version 0, and no backup by itself."""
    stored = ConfigurationPlan.objects.filter(element=element).first()
    return stored or ConfigurationPlan(element=element, changes_seen_at=clock.now(), version=0)


def version_list(*, element: NetworkElement) -> QuerySet[ConfigurationVersion]:
    return ConfigurationVersion.objects.filter(element=element).select_related("content").defer("content__sealed_text")


def version_get(*, element: NetworkElement, version_id: UUID) -> ConfigurationVersion:
    """With its text. Raises a 404 problem."""
    rows = ConfigurationVersion.objects.filter(element=element).select_related("content")
    return one(rows, f"configuration version of {element.name}", version_id)


def job_list(*, element: NetworkElement) -> QuerySet[ConfigurationJob]:
    return ConfigurationJob.objects.filter(element=element).defer("sealed_text", "sealed_diff")


def job_get(*, element: NetworkElement, job_id: UUID) -> ConfigurationJob:
    """Raises a 404 problem."""
    return one(ConfigurationJob.objects.filter(element=element), f"configuration job of {element.name}", job_id)


def shown_text(version: ConfigurationVersion, element: NetworkElement, *, secrets: bool) -> str:
    """The configuration; without `secrets`, what its dialect knows to be one is masked."""
    return _shown(text_of(version), element, secrets=secrets)


def shown_difference(
    before: ConfigurationVersion, after: ConfigurationVersion, element: NetworkElement, *, secrets: bool
) -> str:
    """Between two versions; a secret that alone has changed shows as two lines that look the same."""
    diff = difference(text_of(before), text_of(after), names=(f"version {before.number}", f"version {after.number}"))
    return _shown(diff, element, secrets=secrets, diff=True)


def shown_job_diff(job: ConfigurationJob, element: NetworkElement, *, secrets: bool) -> str:
    """What the job changed, or would change."""
    text = unsealed(job.sealed_diff) if job.sealed_diff is not None else ""
    return _shown(text, element, secrets=secrets, diff=True)


def shown_job_text(job: ConfigurationJob, element: NetworkElement, *, secrets: bool) -> str:
    """What the job pushes."""
    text = unsealed(job.sealed_text) if job.sealed_text is not None else ""
    return _shown(text, element, secrets=secrets)


def _shown(text: str, element: NetworkElement, *, secrets: bool, diff: bool = False) -> str:
    """An element whose driver is not known any more may speak any dialect: all of them are asked, and of XML always."""
    if secrets:
        return text
    known = DIALECTS.get(element.driver)
    for dialect in DIALECTS.values() if known is None else (known,):
        text = dialect.masked_diff(text) if diff else dialect.masked(text)
    return xml_masked(text)
