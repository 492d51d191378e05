"""What each kind of job does at the element. Every one may be begun again after a crash: it looks first."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from vnfm.configuration.contact import Session
from vnfm.configuration.domain.parts import admin_text
from vnfm.configuration.domain.statements import difference
from vnfm.configuration.models import ConfigurationJob, ConfigurationVersion
from vnfm.configuration.push import Put, put
from vnfm.configuration.services import require_other_path, require_same_language
from vnfm.configuration.versions import Reason, text_of, unsealed, version_record
from vnfm.elements.models import Equipment
from vnfm.kit import clock
from vnfm.kit.problem import Problem, ProblemError

Kind = ConfigurationJob.Kind


@dataclass(frozen=True, slots=True)
class Result:
    """What came of a job."""

    changed: bool
    diff: str
    version: ConfigurationVersion | None
    takes_back: bool | None = None
    """Of a dry run: whether the element would take the change back by itself, were we cut off by it."""


def work(job: ConfigurationJob, session: Session) -> Result:
    """Do it. Raises DeviceError, and ProblemError for what is not to be done any more."""
    if job.kind == Kind.BACKUP:
        return backup(job, session)
    with session.held():
        return CHANGES[job.kind](job, session)


def backup(job: ConfigurationJob, session: Session) -> Result:
    """Read the configuration; `changed` says whether it is another than the last version."""
    latest = ConfigurationVersion.objects.filter(element=job.element).order_by("-number").first()
    text = session.running()
    version = version_record(element=job.element, text=text, reason=job.reason, by=job.by, now=clock.now())
    changed = latest is None or version.id != latest.id
    return Result(changed, difference(text_of(latest), text) if latest is not None and changed else "", version)


def push(job: ConfigurationJob, session: Session) -> Result:
    assert job.sealed_text is not None
    change = session.read(unsealed(job.sealed_text))
    before = _before(job, session)
    made = put(job.element, session, change, before, dry_run=job.dry_run, why=(job.reason, job.by))
    return _result(job, made, made.diff)


def roll_back(job: ConfigurationJob, session: Session) -> Result:
    """Turn the running configuration into the version. Raises ProblemError when something of it is left otherwise."""
    if job.target is None:
        raise ProblemError(Problem(409, "VERSION_GONE", "Conflict", "The version is not kept any more."))
    require_same_language(job.element, job.target)
    wanted, running = text_of(job.target), _before(job, session)
    if job.dry_run:
        change = session.turned(running, wanted)
        made = put(job.element, session, change, running, dry_run=True, why=(job.reason, job.by))
        names = ("running", f"version {job.target.number}")
        whole = session.language.sees_candidate
        return _result(job, made, made.diff if whole else difference(running, wanted, names=names))
    for explicit in (False, True):
        change = session.turned(running, wanted, explicit=explicit)
        if not change and explicit:
            break
        made = put(job.element, session, change, running, dry_run=False, why=(job.reason, job.by))
        running = made.after or running
    if session.turned(running, wanted, explicit=True):
        raise ProblemError(_left(job, session, difference(wanted, running, names=("wanted", "running"))))
    return _result(job, made, made.diff)


def set_admin_state(job: ConfigurationJob, session: Session) -> Result:
    part = Equipment.objects.filter(element=job.element, fdn=job.fdn).first()
    text = admin_text(session.language, part, job.admin_state) if part is not None else ""
    if not text:
        words = f"{job.element.name} has no {job.fdn} any more."
        raise ProblemError(Problem(409, "NO_SUCH_PART", "Conflict", words, "Look at its equipment again."))
    assert part is not None, "it has a text"
    if job.admin_state == "DOWN":  # what is known may be more than when it was asked for
        require_other_path(job.element, part, even_if_unknown=job.even_if_path_unknown)
    change, before = session.read(text), _before(job, session)
    scope = ("EQUIPMENT", "INTERFACES")
    made = put(job.element, session, change, before, dry_run=job.dry_run, why=(job.reason, job.by), scope=scope)
    return _result(job, made, made.diff)


CHANGES: Mapping[str, Callable[[ConfigurationJob, Session], Result]] = {
    Kind.PUSH: push,
    Kind.ROLLBACK: roll_back,
    Kind.ADMIN_STATE: set_admin_state,
}


def _before(job: ConfigurationJob, session: Session) -> str:
    """What runs now. What ran before the first attempt is recorded once: it is what the job is compared with."""
    text = session.running()
    if not job.dry_run and job.before is None:
        version = version_record(element=job.element, text=text, reason=Reason.BEFORE_PUSH, by=job.by, now=clock.now())
        ConfigurationJob.objects.filter(id=job.id).update(before=version)
        job.before = version
    return text


def _result(job: ConfigurationJob, made: Put, diff: str) -> Result:
    """Against what was there before the first attempt, which may have done some of it, or all."""
    if made.version is not None and job.before is not None:
        diff = difference(text_of(job.before), text_of(made.version))
    return Result(bool(diff), diff, made.version, made.takes_back)


def _left(job: ConfigurationJob, session: Session, diff: str) -> Problem:
    assert job.target is not None
    shown = session.language.masked_diff(diff)[:2000]
    return Problem(
        422,
        "DIFFERENCE_LEFT",
        "The configuration is not as it was",
        f"{job.element.name} took all lines, but its configuration still differs from version {job.target.number}:\n"
        f"{shown}",
        "Push what is missing by hand; the version before this rollback is kept.",
    )
