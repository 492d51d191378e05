"""What is asked for by request: jobs for a worker, and when backups are made. Nobody here speaks to an element."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import F

from vnfm.configuration.domain.dialects import DIALECTS, Dialect
from vnfm.configuration.domain.jobs import next_due
from vnfm.configuration.domain.language import Language
from vnfm.configuration.domain.parts import admin_text, managed_by
from vnfm.configuration.domain.statements import CONTROL, lines_of
from vnfm.configuration.domain.xml import MODELS, NOT_AT_THE_COMMAND_LINE, PLAIN, nodes_of
from vnfm.configuration.models import ConfigurationJob, ConfigurationPlan, ConfigurationVersion
from vnfm.configuration.versions import TOPIC, Reason, sealed, text_of
from vnfm.elements.models import Equipment, Interface, NetworkElement
from vnfm.kit import outbox, tasks
from vnfm.kit.problem import FieldError, ProblemError, conflict, not_found, unprocessable
from vnfm.kit.xml import XmlError, is_xml

RUN = "configuration.run"
JOB_TOPIC = "configuration_job.changed"
SCHEDULE = "schedule"
"""Who asked for backups by the clock, and because of a change."""

Kind = ConfigurationJob.Kind


def plan_update(*, element: NetworkElement, changes: Mapping[str, Any], now: datetime) -> ConfigurationPlan:
    """When to back up from now on. A backup by the clock is due within its first interval."""
    _require_way(element)
    with transaction.atomic():
        plan, made = ConfigurationPlan.objects.select_for_update().get_or_create(
            element=element, defaults={"changes_seen_at": now}
        )
        if changes.get("on_change") and not plan.on_change:
            plan.changes_seen_at = now
        for name, value in changes.items():
            setattr(plan, name, value)
        if "interval_seconds" in changes:
            seconds = changes["interval_seconds"]
            plan.due_at = next_due(now, seconds, element.id) if seconds is not None else None
        plan.version += 0 if made else 1
        plan.save()
        outbox.publish(TOPIC, element.id, plan.version)
    return plan


def backup_start(
    *, element: NetworkElement, reason: str = Reason.REQUEST, by: str, wake_at: datetime
) -> ConfigurationJob:
    """Read the configuration and keep it, if it is another than the last version."""
    _require_way(element)
    return _start(element, Kind.BACKUP, wake_at, reason=reason, by=by)


def push_start(*, element: NetworkElement, text: str, dry_run: bool, by: str, now: datetime) -> ConfigurationJob:
    """Make lines, or by NETCONF XML, part of the element's configuration. Raises 422 for what cannot be such."""
    _require_way(element)
    if element.netconf_policy_id is not None:
        _require_xml(text)
    else:
        _require_lines(DIALECTS[element.driver], text)
    return _start(element, Kind.PUSH, now, dry_run=dry_run, reason=Reason.PUSH, by=by, sealed_text=sealed(text))


def _require_lines(dialect: Dialect, text: str) -> None:
    if is_xml(text):
        raise _unfit("NO_NETCONF_POLICY", NOT_AT_THE_COMMAND_LINE)
    lines = lines_of(dialect.syntax, text)
    if not lines:
        raise _unfit("NOTHING_TO_PUSH", "There is no line of configuration in it.")
    bad = next((line.number for line in lines if CONTROL.search(line.text)), None)
    if bad is not None:
        words = f"Line {bad} has a control character: the element would not see one line."
        raise _unfit("CONTROL_CHARACTER", words, "Take it out.")


def _require_xml(text: str) -> None:
    try:
        nodes_of(text)
    except XmlError as error:
        raise _unfit("BAD_XML", str(error)) from error


def _unfit(code: str, words: str, next_step: str = "") -> ProblemError:
    return unprocessable(code, words, [FieldError("/text", words)], next_step)


def rollback_start(
    *, element: NetworkElement, version: ConfigurationVersion, dry_run: bool, by: str, now: datetime
) -> ConfigurationJob:
    """Make a version the running configuration again; a dry run tells how it differs from what runs."""
    _require_way(element)
    require_same_language(element, version)
    return _start(element, Kind.ROLLBACK, now, dry_run=dry_run, reason=Reason.ROLLBACK, by=by, target=version)


def require_same_language(element: NetworkElement, version: ConfigurationVersion) -> None:
    """Raises 409 for a version that was read in another way than the element is configured now."""
    by_netconf = element.netconf_policy_id is not None
    if is_xml(text_of(version)) == by_netconf:
        return
    was, now = ("at its command line", "by NETCONF") if by_netconf else ("by NETCONF", "at its command line")
    words = f"Version {version.number} was read {was}, and {element.name} is configured {now}."
    next_step = "Choose a later version, or change the NETCONF policy of the element back."
    raise conflict("OTHER_LANGUAGE", words, next_step)


def admin_state_start(
    *,
    element: NetworkElement,
    fdn: str,
    admin_state: str,
    dry_run: bool,
    by: str,
    now: datetime,
    even_if_path_unknown: bool = False,
) -> ConfigurationJob:
    """Bring a port or card up or down.

    Raises 404 for an unknown part, 422 for one that cannot be, and 409 for one without which we could not reach the
    element any more, or of which nobody knows that; the latter unless `even_if_path_unknown`.
    """
    _require_way(element)
    part = Equipment.objects.filter(element=element, fdn=fdn).first()
    if part is None:
        raise not_found(f"part of {element.name}", fdn)
    by_netconf = element.netconf_policy_id is not None
    language: Language = MODELS.get(element.driver, PLAIN) if by_netconf else DIALECTS[element.driver]
    if not admin_text(language, part, admin_state):
        words = f"{language.name} has nothing by which a {part.equipment_class} is brought up or down."
        raise unprocessable("NOT_SWITCHABLE", words, [FieldError("/fdn", words)], "Choose a port, or a card of SR OS.")
    if admin_state == "DOWN":
        require_other_path(element, part, even_if_unknown=even_if_path_unknown)
    return _start(
        element, Kind.ADMIN_STATE, now, dry_run=dry_run, reason=Reason.ADMIN_STATE, by=by, fdn=fdn,
        admin_state=admin_state, even_if_path_unknown=even_if_path_unknown,
    )  # fmt: skip


def require_other_path(element: NetworkElement, part: Equipment, *, even_if_unknown: bool) -> None:
    """Raises 409 for a part without which we could not reach the element any more, and where nobody knows that."""
    ports = Equipment.objects.filter(element=element, equipment_class=Equipment.Class.PORT)
    interfaces = Interface.objects.filter(element=element)
    address = element.management_address
    ours = managed_by(part, ports, interfaces, address)
    if ours:
        words = f"{element.name} is managed by {address}, which is the address of {ours} on it."
        raise conflict("MANAGEMENT_PATH", words, "Manage the element by another address first.")
    if ours is None and not even_if_unknown:
        words = (
            f"{element.name} is managed by {address}, and nobody knows through which port. "
            "Were it this one, it could not be brought up again from here."
        )
        next_step = "Make sure that there is another way to it, then ask with evenIfManagementPathUnknown."
        raise conflict("MANAGEMENT_PATH_UNKNOWN", words, next_step)


def _require_way(element: NetworkElement) -> None:
    """Raises 409 for an element that nobody can log in to."""
    if element.state != NetworkElement.State.MANAGED:
        raise conflict("NOT_MANAGED", f"{element.name} is {element.state.lower()}.", "Manage it first.")
    if element.netconf_policy_id is not None:
        return
    if element.ssh_policy_id is None:
        words = f"{element.name} has neither a NETCONF nor an SSH policy."
        raise conflict("NO_SSH_POLICY", words, "Give it one: nobody can log in else.")
    if element.driver not in DIALECTS:
        words = f"What {element.name} is has not been read yet."
        raise conflict("NOT_READ_YET", words, "Wait until it was read by SNMP, and see its `resync`.")


@transaction.atomic
def _start(element: NetworkElement, kind: str, wake_at: datetime, **columns: Any) -> ConfigurationJob:
    job = ConfigurationJob.objects.create(element=element, kind=kind, wake_at=wake_at, **columns)
    job.refresh_from_db()
    outbox.publish(JOB_TOPIC, job.id, job.version)
    tasks.enqueue_on_commit(RUN, job.id, after=max(0.0, (wake_at - job.created_at).total_seconds()))
    return job


def job_change(job: ConfigurationJob, **columns: Any) -> bool:
    """Compare-and-set on the version; False when somebody else has changed it meanwhile."""
    with transaction.atomic():
        mine = ConfigurationJob.objects.filter(id=job.id, version=job.version)
        if not mine.update(**columns, version=F("version") + 1):
            return False
        job.refresh_from_db()
        outbox.publish(JOB_TOPIC, job.id, job.version)
    return True
