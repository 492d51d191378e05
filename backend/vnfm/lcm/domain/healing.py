"""HealVnf (SOL003 5.5.2.9): which VNFCs are healed, and how a VNFC escalates from the gentlest action to a new server.

Pure: Nova's report comes in as a `ServerState`. The VNFD gives the order of the actions (`Vdu.healing`); all but the
last keep the server's UUID, to which a license may be bound.
"""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

from vnfm.catalog.domain.vnfd import HealMethod, Vnfd
from vnfm.inventory.domain.observation import ACTIVE, MISSING
from vnfm.kit.problem import FieldError
from vnfm.kit.web.message import from_stored
from vnfm.lcm.domain.operation_request import OperationRequest, Rejection, VnfcState
from vnfm.lcm.domain.power import status_words
from vnfm.lcm.domain.request_params import AUTO, METHOD, VNFC_TO_HEAL
from vnfm.lcm.domain.requests import HealVnfRequest
from vnfm.lcm.domain.vnfc_lookup import find_vnfcs
from vnfm.lcm.domain.vnfc_names import label

SHUTOFF = "SHUTOFF"
VERIFY_RESIZE = "VERIFY_RESIZE"

ACTION_NAMES: Mapping[HealMethod, str] = {
    "start": "start",
    "reboot": "hard reboot",
    "rebuild": "rebuild",
    "evacuate": "evacuation",
    "recreate": "a new server",
}

ACTION_SECONDS: Mapping[str, float] = {"": 120.0, "start": 120.0, "reboot": 180.0, "rebuild": 600.0, "evacuate": 600.0}
"""Seconds that each action may take to reach ACTIVE before the next one is tried: a server on a host that died
unnoticed accepts every request and completes none. "" is the time for Nova's own task. A rebuild may copy an image."""


@dataclass(frozen=True, slots=True)
class HealParameters:
    """The validated parameters of a HealVnfRequest."""

    vnfcs: tuple[VnfcState, ...] = ()
    """Healed whatever their state; empty: every VNFC that is not healthy."""
    method: str = AUTO
    repair: bool = False
    """True if the other differences from the desired state are repaired as well."""


def validate_heal(op_request: OperationRequest[HealVnfRequest]) -> HealParameters | Rejection:
    request, vnfcs = op_request.request, op_request.instance.vnfcs
    params = request.additional_params
    errors: list[FieldError] = []
    chosen: dict[VnfcState, None] = {}
    for names, pointer in (
        (request.vnfc_instance_id, "/vnfcInstanceId"),
        (params.vnfc_to_heal, f"/additionalParams/{VNFC_TO_HEAL}"),
    ):
        found = find_vnfcs(names, vnfcs, pointer)
        if isinstance(found, Rejection):
            errors += found.errors
        else:
            chosen |= dict.fromkeys(found)
    errors += method_errors(chosen, op_request.vnfd, params.method)
    return Rejection(tuple(errors)) if errors else HealParameters(tuple(chosen), params.method, params.repair)


def method_errors(vnfcs: Iterable[VnfcState], vnfd: Vnfd, method: str) -> list[FieldError]:
    """An error for each VDU of these VNFCs for which the VNFD does not allow the method."""
    vdus = [vnfd.vdu(vdu_id) for vdu_id in sorted({vnfc.vdu_id for vnfc in vnfcs})]
    return [
        FieldError(
            f"/additionalParams/{METHOD}",
            f"The package does not allow {method} for {vdu.name}, only {', '.join(vdu.healing)}.",
        )
        for vdu in vdus
        if not escalation(vnfd, vdu.id, method)
    ]


def escalation(vnfd: Vnfd, vdu_id: str, method: str) -> tuple[HealMethod, ...]:
    """The actions for a VNFC of this VDU, gentlest first: all that its VNFD allows, or `method`; () if not allowed."""
    return tuple(action for action in vnfd.vdu(vdu_id).healing if method in (AUTO, action))


@dataclass(frozen=True, slots=True)
class ServerState:
    """One server as Nova reports it now."""

    status: str
    """MISSING when Nova does not know it."""
    busy: bool = False
    """Nova has a task under way for it."""
    fault: str = ""
    host: str = ""
    host_down: bool | None = None
    """None where our rights do not show it."""
    image: str = ""
    """"" when it boots from a volume."""
    updated: str = ""
    """When Nova last changed anything of it, in whole seconds; "" where that is unknown."""

    @property
    def is_running(self) -> bool:
        """A server in VERIFY_RESIZE, whose new size is not confirmed yet, runs as well."""
        return self.status in (ACTIVE, VERIFY_RESIZE) and not self.busy and self.host_down is not True

    def words(self) -> str:
        """The status as users read it, with what is known of its cause."""
        return self.description().replace(self.status, status_words(self.status), 1)

    def description(self) -> str:
        down = f" on {self.host}, which is down" if self.host_down else ""
        return f"{self.status}{down}" + (f": {self.fault}" if self.fault else "")


def is_healthy(vnfc: VnfcState, server: ServerState) -> bool:
    """A VNFC is healthy in its desired power state."""
    return server.is_running if vnfc.desired == "STARTED" else server.status == SHUTOFF


@dataclass(frozen=True, slots=True)
class HealTarget:
    """A VNFC that is being healed; stored in the step's parameters."""

    id: str
    label: str
    vdu_id: str
    slot: str
    server_id: str
    escalation: tuple[HealMethod, ...]
    status_before: str
    """Nova's status when the heal was planned."""
    requested: bool
    """The request names it: an action is taken even if Nova reports ACTIVE."""
    stop_after: bool
    """Its desired state is STOPPED: once healed, it is stopped again."""

    @classmethod
    def of(
        cls, vnfc: VnfcState, actions: tuple[HealMethod, ...], server: ServerState, *, requested: bool
    ) -> "HealTarget":
        return cls(
            id=str(vnfc.id),
            label=label(vnfc),
            vdu_id=vnfc.vdu_id,
            slot=vnfc.slot,
            server_id=vnfc.server_id,
            escalation=actions,
            status_before=server.status,
            requested=requested,
            stop_after=vnfc.desired == "STOPPED",
        )

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "HealTarget":
        return from_stored(cls, data)


HealResult = Literal["", "recovered", "replace", "failed"]


@dataclass(frozen=True, slots=True)
class HealProgress:
    """The progress of healing one target; stored in the step's receipt."""

    action: HealMethod | Literal[""] = ""
    since: float = 0.0
    """When the action was requested, in seconds since the step began."""
    updated: str = ""
    """`ServerState.updated` before the action was requested."""
    repeated: bool = False
    """Nova had accepted the action and shown no trace of it, so it was requested again."""
    started: bool = False
    """The action left the server SHUTOFF, as it was before, and it was started then."""
    result: HealResult = ""
    tried: tuple[str, ...] = ()
    """The outcome of each action, as text."""

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "HealProgress":
        return from_stored(cls, data)

    def finished(self, result: HealResult, outcome: str = "") -> "HealProgress":
        return replace(self, result=result, tried=(*self.tried, outcome) if outcome else self.tried)

    def action_failed(self, reason: str) -> "HealProgress":
        assert self.action, "only an action can fail"
        return replace(self, tried=(*self.tried, f"{ACTION_NAMES[self.action]}: {reason}"))


def start(target: HealTarget, *, server_exists: bool) -> HealProgress:
    """The first progress of a target."""
    if not server_exists:
        return _server_missing(target, HealProgress())
    return HealProgress(result="replace") if target.escalation == ("recreate",) else HealProgress()


NextMove = Literal["wait", "repeat", "start", "next"]


def evaluate(
    target: HealTarget, progress: HealProgress, server: ServerState, elapsed: float
) -> tuple[HealProgress, NextMove]:
    """The progress by what Nova reports, and what to do: wait, repeat the action, start the server, or try the next.

    Once the progress has a `result` the move has no meaning.
    """
    if server.status == MISSING:
        return _server_missing(target, progress), "wait"
    if server.is_running and (progress.action or not target.requested or target.status_before != ACTIVE):
        outcome = f"{ACTION_NAMES[progress.action]} brought it back" if progress.action else "it runs"
        return progress.finished("recovered", outcome), "wait"
    waits = server.busy and elapsed - progress.since <= ACTION_SECONDS[progress.action]
    if waits or not progress.action:
        return progress, "wait" if waits else "next"
    if server.updated and server.updated == progress.updated and not (server.busy or progress.repeated):
        return replace(progress, repeated=True, since=elapsed), "repeat"
    if server.status == SHUTOFF and progress.action in ("rebuild", "evacuate") and not progress.started:
        return replace(progress, started=True), "start"
    why = f"not back after {ACTION_SECONDS[progress.action]:.0f} s" if server.busy else server.description()
    return progress.action_failed(why), "next"


def _server_missing(target: HealTarget, progress: HealProgress) -> HealProgress:
    if "recreate" in target.escalation:
        return progress.finished("replace", "Nova does not know its server")
    only = ", ".join(target.escalation)
    return progress.finished("failed", f"Nova does not know its server, and only {only} may be tried, no new server")


def next_action(target: HealTarget, progress: HealProgress, server: ServerState, elapsed: float) -> HealProgress:
    """Progress with the next applicable action; with a result when none is left, or the next is a new server."""
    done = target.escalation.index(progress.action) + 1 if progress.action else 0
    for action in target.escalation[done:]:
        if action == "recreate":
            return progress.finished("replace")
        why_not = _not_applicable(action, server)
        if not why_not:
            return replace(
                progress, action=action, since=elapsed, updated=server.updated, repeated=False, started=False
            )
        progress = replace(progress, tried=(*progress.tried, f"{ACTION_NAMES[action]}: {why_not}"))
    return progress.finished("recovered" if target.escalation == ("start",) and server.is_running else "failed")


def _not_applicable(action: HealMethod, server: ServerState) -> str:
    """Return why this action cannot help the server; "" when it may be tried."""
    if action == "evacuate":
        return "" if server.host_down else "its host is not known to be down"
    if server.host_down:
        return f"its host {server.host} is down"
    if action == "start" and server.status != SHUTOFF:
        return f"it is {server.status}, and only what is {SHUTOFF} can be started"
    if action == "rebuild" and not server.image:
        return "it boots from a volume"
    return ""
