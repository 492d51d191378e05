"""HealVnf (SOL003 5.5.2.9): who is healed, and how a VNFC climbs the ladder from the gentlest means to a new server.

Pure: what Nova says comes in as a `Sight`. The order of the ladder is the VNFD's (`Vdu.healing`); all rungs but the
last keep the server's UUID, on which a license may hang.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal, get_args

from vnfm.catalog.domain.vnfd import HealMethod, Vnfd
from vnfm.inventory.domain.observation import ACTIVE, MISSING
from vnfm.kit.problem import FieldError
from vnfm.lcm.domain.naming import label, named
from vnfm.lcm.domain.target import Asking, Refused, StandingVnfc, unknown_params

VNFC_TO_HEAL, METHOD, REPAIR = "vnfcToHeal", "method", "repair"
AUTO = "auto"
METHODS: tuple[HealMethod, ...] = get_args(HealMethod)

SHUTOFF = "SHUTOFF"
VERIFY_RESIZE = "VERIFY_RESIZE"

WORDS: Mapping[HealMethod, str] = {
    "start": "start",
    "reboot": "hard reboot",
    "rebuild": "rebuild",
    "evacuate": "evacuation",
    "recreate": "a new server",
}

SECONDS: Mapping[str, float] = {"": 120.0, "start": 120.0, "reboot": 180.0, "rebuild": 600.0, "evacuate": 600.0}
"""How long each rung may take to lead to ACTIVE before the next is tried: a server on a host that died unnoticed takes
every request and answers none. "" is the patience with what Nova is at by itself. A rebuild may copy an image first."""


@dataclass(frozen=True, slots=True)
class Healing:
    """What a heal is asked for."""

    named: tuple[StandingVnfc, ...] = ()
    """Healed whatever their state; empty for every VNFC that is not as it should be."""
    method: str = AUTO
    repair: bool = False
    """Whether the other differences from what was asked for are put right, too."""


def heal(asking: Asking) -> Healing | Refused:
    """Who and how, or every reason why not."""
    request, vnfcs = asking.request, asking.standing.vnfcs
    params = request.get("additionalParams") or {}
    errors = list(unknown_params(params, (VNFC_TO_HEAL, METHOD, REPAIR)).errors)
    found: dict[StandingVnfc, None] = {}
    for names, pointer in (
        (request.get("vnfcInstanceId"), "/vnfcInstanceId"),
        (params.get(VNFC_TO_HEAL), f"/additionalParams/{VNFC_TO_HEAL}"),
    ):
        meant = named(names, vnfcs, pointer) if names else ()
        if isinstance(meant, Refused):
            errors += meant.errors
        else:
            found |= dict.fromkeys(meant)
    if not isinstance(params.get(REPAIR, False), bool):
        errors.append(FieldError(f"/additionalParams/{REPAIR}", "Give true or false."))
    method = params.get(METHOD, AUTO)
    errors += _method_errors(method, found, asking.vnfd)
    return Refused(tuple(errors)) if errors else Healing(tuple(found), method, params.get(REPAIR, False))


def _method_errors(method: object, vnfcs: Mapping[StandingVnfc, None], vnfd: Vnfd) -> list[FieldError]:
    pointer = f"/additionalParams/{METHOD}"
    if method == AUTO:
        return []
    if method not in METHODS:
        return [FieldError(pointer, f"{method!r} is none of {AUTO}, {', '.join(METHODS)}.")]
    strict = {v.vdu_id for v in vnfcs if method not in vnfd.vdu(v.vdu_id).healing}
    return [FieldError(pointer, not_allowed(vnfd, vdu_id, method)) for vdu_id in sorted(strict)]


def not_allowed(vnfd: Vnfd, vdu_id: str, method: object) -> str:
    vdu = vnfd.vdu(vdu_id)
    return f"The package does not allow {method} for {vdu.name}, only {', '.join(vdu.healing)}."


def ladder(vnfd: Vnfd, vdu_id: str, method: str) -> tuple[HealMethod, ...]:
    """The rungs for a VNFC of this VDU: what its VNFD allows, or what was asked for; () if that is forbidden."""
    return tuple(rung for rung in vnfd.vdu(vdu_id).healing if method in (AUTO, rung))


@dataclass(frozen=True, slots=True)
class Sight:
    """One server as Nova shows it now."""

    status: str
    """MISSING when Nova does not know it."""
    busy: bool = False
    """Nova is at something with it."""
    fault: str = ""
    host: str = ""
    host_down: bool | None = None
    """None where our rights do not let us see."""
    image: str = ""
    """"" when it boots from a volume."""

    @property
    def runs(self) -> bool:
        """A server whose new size nobody has confirmed yet runs as well."""
        return self.status in (ACTIVE, VERIFY_RESIZE) and not self.busy and self.host_down is not True

    def words(self) -> str:
        down = f" on {self.host}, which is down" if self.host_down else ""
        return f"{self.status}{down}" + (f": {self.fault}" if self.fault else "")


def is_well(vnfc: StandingVnfc, sight: Sight) -> bool:
    """Whether the VNFC is as it should be."""
    return sight.runs if vnfc.desired == "STARTED" else sight.status == SHUTOFF


@dataclass(frozen=True, slots=True)
class Patient:
    """A VNFC that is being healed, as it is kept with the step."""

    id: str
    label: str
    vdu_id: str
    slot: str
    server_id: str
    ladder: tuple[HealMethod, ...]
    before: str
    """Nova's status when the heal was planned."""
    insisted: bool
    """Somebody named it: something is done to it even if Nova says ACTIVE."""
    stopped: bool
    """It is wanted STOPPED: once healed, it is stopped again."""

    @classmethod
    def of(cls, vnfc: StandingVnfc, rungs: tuple[HealMethod, ...], sight: Sight, *, insisted: bool) -> "Patient":
        return cls(
            id=str(vnfc.id),
            label=label(vnfc),
            vdu_id=vnfc.vdu_id,
            slot=vnfc.slot,
            server_id=vnfc.server_id,
            ladder=rungs,
            before=sight.status,
            insisted=insisted,
            stopped=vnfc.desired == "STOPPED",
        )

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Patient":
        return cls(**{**data, "ladder": tuple(data["ladder"])})


End = Literal["", "revived", "replace", "failed"]


@dataclass(frozen=True, slots=True)
class Climb:
    """How far a patient has come; the receipt of the step."""

    rung: HealMethod | Literal[""] = ""
    since: float = 0.0
    """When the rung was begun, in seconds since the step was."""
    started: bool = False
    """The rung left it SHUTOFF, as it was before, and it was started then."""
    end: End = ""
    tried: tuple[str, ...] = ()
    """What came of each rung, in words."""

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Climb":
        return cls(**{**data, "tried": tuple(data["tried"])})

    def ended(self, end: End, words: str = "") -> "Climb":
        return replace(self, end=end, tried=(*self.tried, words) if words else self.tried)

    def failed(self, words: str) -> "Climb":
        """The same after its rung was of no use."""
        assert self.rung, "only a rung can fail"
        return replace(self, tried=(*self.tried, f"{WORDS[self.rung]}: {words}"))


def opening(patient: Patient, *, known: bool) -> Climb:
    """Where a patient begins, by whether Nova knows its server."""
    if not known:
        return _gone(patient, Climb())
    return Climb(end="replace") if patient.ladder == ("recreate",) else Climb()


Move = Literal["wait", "start", "next"]


def judge(patient: Patient, climb: Climb, sight: Sight, elapsed: float) -> tuple[Climb, Move]:
    """Where a patient stands by what Nova shows, and what to do: wait, start it, or try the next rung.

    When the climb has come to an `end` the move means nothing.
    """
    if sight.status == MISSING:
        return _gone(patient, climb), "wait"
    if sight.runs and (climb.rung or not patient.insisted or patient.before != ACTIVE):
        words = f"{WORDS[climb.rung]} brought it back" if climb.rung else "it runs"
        return climb.ended("revived", words), "wait"
    if sight.busy and elapsed - climb.since <= SECONDS[climb.rung]:
        return climb, "wait"
    if not climb.rung:
        return climb, "next"
    if sight.status == SHUTOFF and climb.rung in ("rebuild", "evacuate") and not climb.started:
        return replace(climb, started=True), "start"
    why = f"not back after {SECONDS[climb.rung]:.0f} s" if sight.busy else sight.words()
    return climb.failed(why), "next"


def _gone(patient: Patient, climb: Climb) -> Climb:
    if "recreate" in patient.ladder:
        return climb.ended("replace", "Nova does not know its server")
    only = ", ".join(patient.ladder)
    return climb.ended("failed", f"Nova does not know its server, and only {only} may be tried, no new server made")


def next_rung(patient: Patient, climb: Climb, sight: Sight, elapsed: float) -> Climb:
    """The climb on the next rung that fits; at its end when there is none left, or the next is a new server."""
    behind = patient.ladder.index(climb.rung) + 1 if climb.rung else 0
    for rung in patient.ladder[behind:]:
        if rung == "recreate":
            return climb.ended("replace")
        why_not = _unfit(rung, sight)
        if not why_not:
            return replace(climb, rung=rung, since=elapsed, started=False)
        climb = replace(climb, tried=(*climb.tried, f"{WORDS[rung]}: {why_not}"))
    return climb.ended("revived" if patient.ladder == ("start",) and sight.runs else "failed")


def _unfit(rung: HealMethod, sight: Sight) -> str:
    """Why this rung is of no use to the server; "" when it may be tried."""
    if rung == "evacuate":
        return "" if sight.host_down else "its host is not known to be down"
    if sight.host_down:
        return f"its host {sight.host} is down"
    if rung == "start" and sight.status != SHUTOFF:
        return f"it is {sight.status}, and only what is {SHUTOFF} can be started"
    if rung == "rebuild" and not sight.image:
        return "it boots from a volume"
    return ""
