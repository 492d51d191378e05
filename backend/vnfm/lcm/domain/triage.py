"""The plan of a heal: who is healed by which means, what becomes of the others, and what to be warned of. Pure."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from vnfm.catalog.domain.vnfd import Vnfd
from vnfm.inventory.domain.observation import ACTIVE, MISSING
from vnfm.kit.problem import FieldError
from vnfm.lcm.domain.healing import (
    METHOD,
    SHUTOFF,
    WORDS,
    Healing,
    Patient,
    Sight,
    is_well,
    ladder,
    not_allowed,
)
from vnfm.lcm.domain.naming import label
from vnfm.lcm.domain.plan import PlannedResource
from vnfm.lcm.domain.target import Refused, StandingVnfc


@dataclass(frozen=True, slots=True)
class Triage:
    patients: tuple[Patient, ...]
    endangered: tuple[str, ...]
    """Siblings that Heat would replace along with a patient, each with its state; see `_endangered`."""
    resources: tuple[PlannedResource, ...]
    warnings: tuple[str, ...]

    @property
    def may_replace(self) -> bool:
        return any("recreate" in patient.ladder for patient in self.patients)


def triage(
    healing: Healing,
    vnfd: Vnfd,
    vnfcs: Sequence[StandingVnfc],
    sights: Mapping[UUID, Sight],
    *,
    must_check: bool,
) -> Triage | Refused:
    """`must_check` where Heat learns of dead servers by a check of the whole stack alone (Liberty)."""
    chosen = healing.named or tuple(v for v in vnfcs if not is_well(v, sights[v.id]))
    rungs = {v.id: ladder(vnfd, v.vdu_id, healing.method) for v in chosen}
    if forbidden := sorted({v.vdu_id for v in chosen if not rungs[v.id]}):
        pointer = f"/additionalParams/{METHOD}"
        return Refused(tuple(FieldError(pointer, not_allowed(vnfd, vdu_id, healing.method)) for vdu_id in forbidden))
    patients = {v.id: Patient.of(v, rungs[v.id], sights[v.id], insisted=bool(healing.named)) for v in chosen}
    checked = must_check and any("recreate" in patient.ladder for patient in patients.values())
    siblings = [(v, sights[v.id]) for v in vnfcs if v.id not in patients] if checked else []
    resting = [label(v) for v, sight in siblings if sight.status == SHUTOFF]
    return Triage(
        patients=tuple(patients.values()),
        endangered=tuple(_endangered(siblings)),
        resources=tuple(_resource(v, vnfd, patients.get(v.id), sights[v.id], checked=checked) for v in vnfcs),
        warnings=(
            *_losses(patients.values()),
            *(f"{name} is stopped, and runs for a while: else Heat would take it for dead." for name in resting),
            *_all_at_once(vnfd, vnfcs, patients, sights),
        ),
    )


def _endangered(siblings: Sequence[tuple[StandingVnfc, Sight]]) -> Iterator[str]:
    """All that a check finds not ACTIVE is replaced by the next update. What is merely stopped can be started for it;
    what Nova is at is waited for.
    """
    for vnfc, sight in siblings:
        if not sight.busy and sight.status not in (ACTIVE, SHUTOFF):
            yield f"{label(vnfc)} is {sight.status}"


def _resource(
    vnfc: StandingVnfc, vnfd: Vnfd, patient: Patient | None, sight: Sight, *, checked: bool
) -> PlannedResource:
    name = f"{vnfd.vdu(vnfc.vdu_id).name}, slot {vnfc.slot}"
    if patient is None:
        detail = f"{sight.status}; is not touched"
        if checked and sight.status == SHUTOFF:
            detail = f"{SHUTOFF}; runs while Heat looks for dead servers, then is stopped again"
        return PlannedResource("keep", "vnfc", name, detail)
    if sight.status == MISSING or patient.ladder == ("recreate",):
        return PlannedResource("replace", "vnfc", name, f"{sight.words()}; a new server with the same slot and ports")
    ways = ", else ".join(WORDS[rung] for rung in patient.ladder)
    return PlannedResource("update", "vnfc", name, f"{sight.words()}; {ways}")


def _losses(patients: Iterable[Patient]) -> Iterator[str]:
    for patient in patients:
        if "recreate" in patient.ladder:
            sure = patient.before == MISSING or patient.ladder == ("recreate",)
            when = "gets" if sure else "gets, if nothing gentler helps,"
            yield f"{patient.label} {when} a new server with another UUID: a license bound to the old one is lost."
        if "rebuild" in patient.ladder:
            yield f"A rebuild gives {patient.label} a fresh disk: what was written to the old one is lost."


def _all_at_once(
    vnfd: Vnfd, vnfcs: Sequence[StandingVnfc], patients: Mapping[UUID, Patient], sights: Mapping[UUID, Sight]
) -> Iterator[str]:
    for vdu in vnfd.vdus:
        members = [v for v in vnfcs if v.vdu_id == vdu.id]
        if len(members) > 1 and all(v.id in patients for v in members) and any(sights[v.id].runs for v in members):
            yield f"Every VNFC of {vdu.name} is healed at once: its service is down meanwhile."
