"""Drift of an instance: read it, accept it, or have it repaired."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db import transaction

from vnfm.accounts.services import audit
from vnfm.inventory.domain.conditions import InstanceCondition, in_sync
from vnfm.inventory.domain.drift import Difference
from vnfm.inventory.services import instances_lock
from vnfm.inventory.services.drift import differences_accept
from vnfm.kit import clock
from vnfm.kit.problem import FieldError, Problem, ProblemError, conflict
from vnfm.lcm.domain.request_params import REPAIR, HealParams
from vnfm.lcm.domain.requests import HealVnfRequest
from vnfm.lcm.models import LcmOpOcc
from vnfm.lcm.selectors.instance_status import instance_status
from vnfm.lcm.services.instances import Precondition, unconditional
from vnfm.lcm.services.operations import op_start


@dataclass(frozen=True, slots=True)
class DriftState:
    """The differences of an instance from its desired state. The condition is Unknown while these are not known."""

    condition: InstanceCondition
    differences: Sequence[Difference]
    version: int


@dataclass(frozen=True, slots=True)
class DifferenceSelector:
    """Selects differences by kind, and by VNFC or other subject where these are given."""

    kind: str
    vnfc_id: str = ""
    subject: str = ""

    def matches(self, difference: Difference) -> bool:
        return (
            self.kind == difference.kind
            and self.vnfc_id in ("", difference.vnfc_id)
            and self.subject in ("", difference.subject)
        )


def drift_get(*, instance_id: UUID) -> DriftState:
    """Raises 404 when there is no such instance."""
    insight = instance_status(instance_id=instance_id)
    condition, differences = in_sync(insight.view, clock.now())
    return DriftState(condition, differences, insight.instance.version)


@transaction.atomic
def drift_accept(
    *, instance_id: UUID, named: Sequence[DifferenceSelector], actor: str, precondition: Precondition = unconditional
) -> DriftState:
    """Make what was found the desired state, for the named differences, or for all; returns what is left.

    All or nothing: raises 409 when one of them cannot be accepted, or is not there (any more), or the drift is not
    known now. Nothing in the cloud is changed.
    """
    locked = instances_lock([instance_id])
    state = _known_drift(instance_id)
    precondition(state.version)
    chosen = _selected(state.differences, named)
    stuck = [item for item in chosen if not item.acceptable]
    if stuck:
        raise ProblemError(_cannot_accept(stuck, chosen))
    differences_accept(instance=locked[0], differences=chosen)
    if chosen:
        accepted = [{"kind": item.kind, "subject": item.subject, "found": item.found} for item in chosen]
        audit(actor=actor, action="drift_accept", target=str(instance_id), detail={"accepted": accepted})
    return drift_get(instance_id=instance_id)


def drift_repair(*, instance_id: UUID, actor: str, precondition: Precondition = unconditional) -> LcmOpOcc:
    """Start the operation that brings the instance back to its desired state.

    Raises 409 when nothing differs, when no repair can help, or when the instance takes no operation now.
    """
    state = _known_drift(instance_id, allow_running=True)
    if not state.differences and state.condition.status == "True":
        raise conflict("NOTHING_TO_REPAIR", state.condition.message, "Nothing to do.")
    if state.differences and not any(item.repair for item in state.differences):
        words = " ".join(f"{item.message} {item.accept or item.why_not}" for item in state.differences)
        raise conflict("CANNOT_BE_REPAIRED", words, "Accept it, or read what to do instead.")
    request = HealVnfRequest(cause="Drift", additional_params=HealParams({REPAIR: True}))
    return op_start(instance_id=instance_id, request=request, actor=actor, precondition=precondition)


def _known_drift(instance_id: UUID, *, allow_running: bool = False) -> DriftState:
    """Raises 409 when the drift is not known; with `allow_running` only if no operation is the reason."""
    state = drift_get(instance_id=instance_id)
    condition = state.condition
    if condition.status == "Unknown" and not (allow_running and condition.reason == "OperationRunning"):
        raise conflict("DRIFT_UNKNOWN", condition.message, "Reload it once the cloud has answered.")
    return state


def _selected(differences: Sequence[Difference], named: Sequence[DifferenceSelector]) -> list[Difference]:
    for item in named:
        if not any(item.matches(difference) for difference in differences):
            what = " ".join(filter(None, (item.kind, item.subject or item.vnfc_id)))
            raise conflict(
                "NO_SUCH_DIFFERENCE", f"There is no difference {what!r} (any more).", "Reload the differences."
            )
    return [item for item in differences if not named or any(name.matches(item) for name in named)]


def _cannot_accept(stuck: Collection[Difference], chosen: Collection[Difference]) -> Problem:
    errors = tuple(FieldError(f"/differences/{item.kind}", f"{item.message} {item.why_not}") for item in stuck)
    rest = sorted({item.kind for item in chosen if item.acceptable})
    next_step = "Repair it (POST repair)." if any(item.repair for item in stuck) else "Do what is said."
    if rest:
        next_step += f" These can be accepted by themselves: {', '.join(rest)}."
    text = " ".join(error.message for error in errors)
    return Problem(409, "CANNOT_BE_ACCEPTED", "Cannot be accepted", text, next_step, errors=errors)
