"""The gentle half of a heal: each VNFC climbs its ladder by itself, and keeps its server, UUID and ports if it can."""

from collections.abc import Mapping
from contextlib import suppress

from vnfm.clouds.errors import CloudError, Conflict, Denied, Failed, NotFound, QuotaExceeded, Rejected
from vnfm.clouds.ports import Cloud
from vnfm.kit.problem import Cause, Problem
from vnfm.lcm.domain.healing import WORDS, Climb, Patient, Sight, judge, next_rung, opening
from vnfm.lcm.domain.steps import Blocked, Done, Outcome, Receipt, Waiting
from vnfm.lcm.sagas.base import Context, Step, step_kind
from vnfm.lcm.sagas.power import put_back
from vnfm.lcm.sagas.servers import Hosts, servers_seen, sight_of

KIND = "revive_vnfcs@1"
REFUSALS = (Conflict, Denied, Rejected, QuotaExceeded)
"""Nova's ways of saying that this rung is not for this server."""


def patients_of(ctx: Context) -> list[Patient]:
    """All that this heal is about."""
    step = ctx.op.steps.get(kind=KIND)
    return [Patient.from_json(data) for data in step.params["patients"]]


def climbs_of(ctx: Context) -> dict[str, Climb]:
    """How it went for each, by VNFC id."""
    step = ctx.op.steps.get(kind=KIND)
    return {i: Climb.from_json(data) for i, data in (step.receipt or {"climbs": {}})["climbs"].items()}


def left(ctx: Context) -> list[Patient]:
    """Those that nothing gentle has helped: they get a new server."""
    climbs = climbs_of(ctx)
    return [p for p in patients_of(ctx) if p.id in climbs and climbs[p.id].end == "replace"]


NOT_NEEDED = {"notNeeded": True, "untouched": True}


class OnlyForLeft(Step):
    """What the steps share that have nothing to do when every patient came back with its own server."""

    def find(self, ctx: Context) -> Receipt | None:
        return None if left(ctx) else NOT_NEEDED

    def observe(self, ctx: Context, receipt: Receipt) -> Outcome:
        return Done("Not needed") if receipt.get("notNeeded") else self.go_on(ctx, receipt)

    def go_on(self, ctx: Context, receipt: Receipt) -> Outcome:
        raise NotImplementedError

    def again(self, ctx: Context, receipt: Receipt) -> Receipt:
        return receipt if receipt.get("notNeeded") else self.anew(ctx, receipt)

    def anew(self, ctx: Context, receipt: Receipt) -> Receipt:
        return receipt

    def undo(self, ctx: Context, receipt: Receipt) -> Outcome:
        return Done("Nothing had been touched") if receipt.get("untouched") else self.take_back(ctx, receipt)

    def take_back(self, ctx: Context, receipt: Receipt) -> Outcome:
        raise AssertionError("a deleted server cannot be put back: states.operation_actions refuses it")


@step_kind
class ReviveVnfcs(Step):
    """Try on each patient what its VNFD allows, gentlest first, until it is ACTIVE or only a new server is left.

    The receipt says on which rung each one is, so that a crash goes on from there. A crash between a request and its
    receipt repeats the request at worst, which leads to the same server in the same state.
    """

    kind = KIND

    def submit(self, ctx: Context) -> Receipt:
        patients = [Patient.from_json(data) for data in ctx.params["patients"]]
        seen = servers_seen(ctx.cloud, [p.server_id for p in patients])
        return {
            "climbs": {p.id: opening(p, known=p.server_id in seen).as_json() for p in patients},
            "names": {p.server_id: p.label for p in patients},
            "before": {i: server.status for i, server in seen.items()},
        }

    def observe(self, ctx: Context, receipt: Receipt) -> Outcome:
        if not ctx.params["patients"]:
            return Done(ctx.params["well"])
        before = {i: Climb.from_json(data) for i, data in receipt["climbs"].items()}
        round_ = _Round(ctx, before)
        round_.run()
        moved = round_.climbs != before
        if round_.error is not None and not moved:
            raise round_.error
        if moved or round_.pending:
            climbs = {i: climb.as_json() for i, climb in round_.climbs.items()}
            return Waiting(round_.words(), {**receipt, "climbs": climbs})
        if any(climb.end == "failed" for climb in before.values()):
            return Blocked(_not_healed(round_.patients, before))
        return Done(round_.words())

    def again(self, ctx: Context, receipt: Receipt) -> Receipt:
        """From the first rung, but for those that came back."""
        climbs = {
            i: climb if climb["end"] == "revived" else Climb().as_json() for i, climb in receipt["climbs"].items()
        }
        return {**receipt, "climbs": climbs}

    def undo(self, ctx: Context, receipt: Receipt) -> Outcome:
        """Servers kept their ids and ports, and what was restarted runs on; but what is wanted stopped stops again."""
        stopped = {p.server_id for p in map(Patient.from_json, ctx.params["patients"]) if p.stopped}
        before = {i: status for i, status in receipt["before"].items() if i in stopped}
        return put_back(ctx, {**receipt, "before": before, "names": {i: receipt["names"][i] for i in before}})


class _Round:
    """One look at all patients, and at most one request for each."""

    def __init__(self, ctx: Context, climbs: Mapping[str, Climb]) -> None:
        self.patients = [Patient.from_json(data) for data in ctx.params["patients"]]
        self.climbs = dict(climbs)
        self.error: CloudError | None = None
        """Passing trouble that ended the round early; what was done before it must not be forgotten."""
        self._cloud = ctx.cloud
        self._elapsed = ctx.elapsed

    @property
    def pending(self) -> bool:
        return any(not climb.end for climb in self.climbs.values())

    def run(self) -> None:
        climbing = [p for p in self.patients if not self.climbs[p.id].end]
        try:
            hosts = Hosts(self._cloud)
            seen = servers_seen(self._cloud, [p.server_id for p in climbing])
            for patient in climbing:
                sight = sight_of(seen.get(patient.server_id), hosts)
                self.climbs[patient.id] = self._treat(patient, self.climbs[patient.id], sight)
        except CloudError as error:
            self.error = error

    def _treat(self, patient: Patient, climb: Climb, sight: Sight) -> Climb:
        climb, move = judge(patient, climb, sight, self._elapsed)
        if climb.end or move == "wait":
            return climb
        if move == "start":
            with suppress(Conflict, NotFound):  # it is moving already, or gone: the next look tells
                self._cloud.servers.start(patient.server_id)
            return climb
        while not climb.end:
            climb = next_rung(patient, climb, sight, self._elapsed)
            refusal = _apply(self._cloud, patient, climb, sight)
            if not refusal:
                break
            climb = climb.failed(refusal)
        return climb

    def words(self) -> str:
        return "; ".join(_told(p, self.climbs[p.id]) for p in self.patients)


def _apply(cloud: Cloud, patient: Patient, climb: Climb, sight: Sight) -> str:
    """Ask Nova for what the rung is; its words when it refuses."""
    servers, server_id = cloud.servers, patient.server_id
    try:
        match climb.rung if not climb.end else "":
            case "start":
                servers.start(server_id)
            case "reboot":
                servers.reboot(server_id)
            case "rebuild":
                servers.rebuild(server_id, sight.image)
            case "evacuate":
                # Whether instances lie on shared storage Nova tells nobody; a local disk is rebuilt from the image.
                servers.evacuate(server_id, on_shared_storage=False)
    except NotFound:
        return ""  # the next look finds it gone
    except REFUSALS as error:
        return f"Nova refuses: {error.message}"
    return ""


def _told(patient: Patient, climb: Climb) -> str:
    if climb.end == "replace":
        return f"{patient.label}: to be made anew ({'; '.join(climb.tried) or 'as asked for'})"
    if climb.end:
        return f"{patient.label}: {'; '.join(climb.tried)}"
    return f"{patient.label}: {WORDS[climb.rung]}" if climb.rung else f"{patient.label}: looking"


def _not_healed(patients: list[Patient], climbs: Mapping[str, Climb]) -> Problem:
    failed = [p for p in patients if climbs[p.id].end == "failed"]
    return Problem(
        Failed.status,
        "NOT_HEALED",
        "A VNFC could not be healed",
        "; ".join(f"{p.label} could not be healed by {', '.join(WORDS[rung] for rung in p.ladder)}" for p in failed)
        + ".",
        "See what came of each. Retry; or roll back, and heal by another method, or have the package allow more.",
        tuple(Cause("nova", f"{p.label}: {words}") for p in failed for words in climbs[p.id].tried),
    )
