"""Reading plans, versions and jobs; their texts with secrets or masked."""

from collections.abc import Iterator
from datetime import datetime
from uuid import UUID

from django.db.models import Exists, F, OuterRef, QuerySet, Subquery
from django.db.models.fields.json import KeyTextTransform

from vnfm.configuration.domain.dialects import DIALECTS
from vnfm.configuration.domain.statements import difference
from vnfm.configuration.domain.xml import masked as xml_masked
from vnfm.configuration.models import ConfigurationJob, ConfigurationPlan, ConfigurationVersion, unseal_text
from vnfm.elements.models import NetworkElement
from vnfm.kit import clock
from vnfm.kit.durable.backlog import Backlog, backlog_of
from vnfm.kit.etsi.query import one

_Reason = ConfigurationVersion.Reason
_OF_OUR_CHANGES = (_Reason.PUSH, _Reason.ROLLBACK, _Reason.ADMIN_STATE)


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


def elements_with_configuration() -> Iterator[NetworkElement]:
    """The elements of which any version is stored."""
    return NetworkElement.objects.filter(id__in=ConfigurationVersion.objects.values("element")).iterator()


def job_list(*, element: NetworkElement) -> QuerySet[ConfigurationJob]:
    return ConfigurationJob.objects.filter(element=element).defer("sealed_text", "sealed_diff")


def job_get(*, element: NetworkElement, job_id: UUID) -> ConfigurationJob:
    """Raises a 404 problem."""
    return one(ConfigurationJob.objects.filter(element=element), f"configuration job of {element.name}", job_id)


def job_backlog() -> Backlog:
    waiting = ConfigurationJob.objects.filter(state=ConfigurationJob.State.WAITING)
    return backlog_of(waiting, "created_at")


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


def versions_found_since(restored_at: datetime) -> QuerySet[ConfigurationVersion]:
    """Versions, with their elements, that differ from what the restored backup knew, and that no change of ours made.

    They were found until the element's first successful backup since the restore; later ones find later changes.
    """
    compared_before = _reads(restored_at, "element").filter(ended_at__lt=OuterRef("taken_at"))
    rows = ConfigurationVersion.objects.filter(~Exists(compared_before), taken_at__gt=restored_at, number__gt=1)
    return rows.exclude(reason__in=_OF_OUR_CHANGES).select_related("element").order_by("element__name", "number")


def elements_not_read_since(restored_at: datetime) -> list[tuple[UUID, str, str | None]]:
    """Id and name of managed elements whose known configuration could not be read again, and the problem of the last
    backup, if any. Those that do not answer are left out.
    """
    backups = ConfigurationJob.objects.filter(kind=ConfigurationJob.Kind.BACKUP, element=OuterRef("pk"))
    failed = backups.filter(state=ConfigurationJob.State.FAILED, ended_at__gt=restored_at).order_by("-ended_at")
    reason = failed.annotate(detail=KeyTextTransform("detail", "problem")).values("detail")[:1]
    rows = _managed().filter(_known(restored_at), ~Exists(backups.filter(ended_at=None)))
    rows = rows.exclude(Exists(_reads(restored_at, "pk"))).exclude(reachable="False").order_by("name")
    return list(rows.values_list("id", "name", Subquery(reason)))


def elements_compared_since(restored_at: datetime) -> int:
    """The number of managed elements polled since the restore, and read again where a configuration was known."""
    compared = ~_known(restored_at) | Exists(_reads(restored_at, "pk"))
    return _managed().filter(compared, observed_at__gt=restored_at).count()


def _managed() -> QuerySet[NetworkElement]:
    return NetworkElement.objects.filter(state=NetworkElement.State.MANAGED)


def _known(restored_at: datetime) -> Exists:
    """True for an element of which the backup knew a configuration."""
    return Exists(ConfigurationVersion.objects.filter(element=OuterRef("pk"), taken_at__lte=restored_at))


def _reads(since: datetime, element: str) -> QuerySet[ConfigurationJob]:
    """Successful backups since then; `element` is the column of the outer query."""
    return ConfigurationJob.objects.filter(
        kind=ConfigurationJob.Kind.BACKUP,
        state=ConfigurationJob.State.DONE,
        ended_at__gt=since,
        element=OuterRef(element),
    )
