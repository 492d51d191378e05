"""Sets the admin state of a port or card."""

from vnfm.configuration.domain.admin_state import admin_state_text
from vnfm.configuration.models import ConfigurationJob
from vnfm.configuration.reconcilers.push import PushResult, apply_job_change, running_before
from vnfm.configuration.services.admin_state import require_other_path
from vnfm.configuration.session.session import Session
from vnfm.elements.models import Equipment
from vnfm.kit.problem import Problem, ProblemError


def set_admin_state(job: ConfigurationJob, session: Session) -> PushResult:
    part = Equipment.objects.filter(element=job.element, fdn=job.fdn).first()
    text = admin_state_text(session.language, part, job.admin_state) if part is not None else ""
    if part is None or not text:
        words = f"{job.element.name} has no {job.fdn} any more."
        raise ProblemError(Problem(409, "NO_SUCH_PART", "Conflict", words, "Look at its equipment again."))
    if job.admin_state == "DOWN":  # again: more may be known than when the job was created
        require_other_path(job.element, part, even_if_unknown=job.even_if_path_unknown)
    change, before = session.parse(text), running_before(job, session)
    return apply_job_change(job, session, change, before, scope=("EQUIPMENT", "INTERFACES"))
