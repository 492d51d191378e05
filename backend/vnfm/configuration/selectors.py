"""Reading plans, versions and jobs; their texts with secrets or masked."""

from uuid import UUID

from django.db.models import F, QuerySet

from vnfm.configuration.domain.dialects import DIALECTS
from vnfm.configuration.domain.statements import difference
from vnfm.configuration.domain.xml import masked as xml_masked
from vnfm.configuration.models import ConfigurationJob, ConfigurationPlan, ConfigurationVersion, unseal_text
from vnfm.elements.models import NetworkElement
from vnfm.kit import clock
from vnfm.kit.etsi.query import one


def plan_of(*, element: NetworkElement) -> ConfigurationPlan:
    """The stored plan, or the default: version 0, without automatic backups."""
    stored = ConfigurationPlan.objects.filter(element=element).first()
    return stored or ConfigurationPlan(element=element, changes_seen_at=clock.now(), version=0)


def version_list(*, element: NetworkElement) -> QuerySet[ConfigurationVersion]:
    """Versions of the element, each with `lines` and `size` of its content."""
    rows = ConfigurationVersion.objects.filter(element=element).select_related("content").defer("content__sealed_text")
    return rows.annotate(lines=F("content__lines"), size=F("content__size"))


def version_get(*, element: NetworkElement, version_id: UUID) -> ConfigurationVersion:
    """The version with its text. Raises a 404 problem."""
    rows = version_list(element=element).defer(None)
    return one(rows, f"configuration version of {element.name}", version_id)


def job_list(*, element: NetworkElement) -> QuerySet[ConfigurationJob]:
    return ConfigurationJob.objects.filter(element=element).defer("sealed_text", "sealed_diff")


def job_get(*, element: NetworkElement, job_id: UUID) -> ConfigurationJob:
    """Raises a 404 problem."""
    return one(ConfigurationJob.objects.filter(element=element), f"configuration job of {element.name}", job_id)


def version_text(version: ConfigurationVersion, element: NetworkElement, *, secrets: bool) -> str:
    """The configuration; its secrets are masked unless `secrets`."""
    return _masked(version.clear_text, element, secrets=secrets)


def version_difference(
    before: ConfigurationVersion, after: ConfigurationVersion, element: NetworkElement, *, secrets: bool
) -> str:
    """Between two versions. When masked, a changed secret appears as two equal lines."""
    diff = difference(
        before.clear_text, after.clear_text, names=(f"version {before.number}", f"version {after.number}")
    )
    return _masked(diff, element, secrets=secrets, diff=True)


def job_diff(job: ConfigurationJob, element: NetworkElement, *, secrets: bool) -> str:
    """The lines that the job changed, or would change."""
    return _masked(unseal_text(job.sealed_diff), element, secrets=secrets, diff=True)


def job_text(job: ConfigurationJob, element: NetworkElement, *, secrets: bool) -> str:
    """The text that the job pushes."""
    return _masked(unseal_text(job.sealed_text), element, secrets=secrets)


def _masked(text: str, element: NetworkElement, *, secrets: bool, diff: bool = False) -> str:
    """Masks by the dialect of the element's driver, by all dialects if the driver is unknown, and always as XML."""
    if secrets:
        return text
    known = DIALECTS.get(element.driver)
    for dialect in DIALECTS.values() if known is None else (known,):
        text = dialect.masked_diff(text) if diff else dialect.masked(text)
    return xml_masked(text)
