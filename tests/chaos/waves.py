"""Cases in waves: several operations, each at a step boundary of its own, meet one disaster together."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.chaos.boundaries import Boundary, mentioning
from tests.chaos.disasters import Disaster, Moment
from tests.chaos.ledger import Finding
from tests.chaos.operations import DEFAULT, Deed
from tests.chaos.stage import FINAL, PATIENCE, Stage
from tests.installation import until

WIDTH = 10
"""Cases of one wave. A held call keeps one of the worker's threads; some must be left for the rest."""
REACHED = 60.0
"""Seconds within which an operation comes to its boundary."""
ROUNDS = 4
"""How often a person helps an operation before giving it up."""


@dataclass(slots=True)
class Case:
    """One operation, where it is struck, and what came of it."""

    deed: Deed
    boundary: Boundary | None
    moment: Moment
    disaster: Disaster
    first_help: str = "retry"
    """What a person tries first when the operation asks for help: retry or rollback."""
    instance: str = ""
    op: str = ""
    held: str = ""
    rule: str = ""
    lost: set[str] = field(default_factory=set)
    """Servers and ports that went behind our back, for the operation to make anew."""
    before: dict[str, str] = field(default_factory=dict)
    """Slot to server id before the operation."""
    end: str = ""
    helped: list[str] = field(default_factory=list)
    asked: str = ""
    """What it said when it first asked for help."""
    mended: bool = False
    """Whether something came to pass after its end that the product told as drift, and a repair undid."""
    seconds: float = 0.0
    """From the strike to the end."""
    faults: list[str] = field(default_factory=list)
    """Everything that is not as it must be."""
    findings: list[Finding] = field(default_factory=list)

    def __str__(self) -> str:
        where = f" at {self.boundary}" if self.boundary else ""
        return f"{self.deed.name}{where}, {self.moment}: {self.disaster}"

    @property
    def is_held(self) -> bool:
        """Whether its call is held for the disaster to strike; else the answer to the call is the disaster."""
        return self.boundary is not None and (self.disaster.answer is None or self.moment == Moment.RECEIVED)

    @property
    def survived(self) -> bool:
        return not self.faults and not self.findings

    def blame(self, fault: str) -> None:
        self.faults.append(fault)


def packed(cases: Sequence[Case]) -> Iterator[list[Case]]:
    """Waves of cases that can be told apart: at most one that makes what all instances share."""
    waiting = list(cases)
    while waiting:
        wave: list[Case] = []
        for case in list(waiting):
            alone = case.deed.product != DEFAULT and any(other.deed.product != DEFAULT for other in wave)
            if len(wave) < WIDTH and not alone:
                wave.append(case)
                waiting.remove(case)
        yield wave


def run(stage: Stage, wave: Sequence[Case]) -> None:
    """Bring the cases to their moment, strike, see them through, and compare record and cloud."""
    disaster, moment = wave[0].disaster, wave[0].moment
    _prepare(stage, wave)
    calm = stage.portrait()
    for case in wave:
        if case.boundary is not None:
            case.rule = stage.control("POST", "/failures", _rule(case))["failure"]["id"]
    for case in wave:
        case.op = stage.start(case.deed, case.instance)
    reached = [case for case in wave if not case.is_held]
    reached += _held(stage, [case for case in wave if case.is_held])
    if moment == Moment.RECEIVED:
        _received(stage, reached, disaster)
    struck = time.monotonic()
    if disaster.strike is not None:
        disaster.strike(stage, reached)
    for call in stage.control("GET", "/held")["held"]:
        stage.control("POST", f"/held/{call['id']}/{disaster.verdict}")
    _see_through(stage, wave, struck)
    stage.control("DELETE", "/failures")
    _judge(stage, wave, calm)


def _prepare(stage: Stage, wave: Sequence[Case]) -> None:
    stage.control("DELETE", "/failures")
    brought = stage.brought_to(*(case.deed for case in wave))
    for case, instance in zip(wave, [brought] if isinstance(brought, str) else brought, strict=True):
        case.instance = instance
        case.lost = stage.harm(case.deed, instance)
        case.before = stage.servers(instance)
        stage.nothing_there(case.deed.product)


def _rule(case: Case) -> dict[str, Any]:
    assert case.boundary is not None
    aimed = case.boundary.aimed(case.instance, case.before.values())
    if not case.is_held:
        return {**aimed, **(case.disaster.answer or {}), "when": "after" if case.moment == Moment.AFTER else "before"}
    return {**aimed, "effect": "hold", "when": "before" if case.moment == Moment.BEFORE else "after"}


def _held(stage: Stage, cases: Sequence[Case]) -> list[Case]:
    """Wait until the calls of these cases are held; a case that ends before that was not struck."""
    waiting = {case.rule: case for case in cases}
    over: dict[str, Case] = {}

    def look() -> bool | None:
        for call in stage.control("GET", "/held")["held"]:
            case = waiting.pop(call["rule"], None)
            if case is not None:
                case.held = call["id"]
        for rule, case in list(waiting.items()):
            if stage.operation(case.op)["operationState"] in FINAL | {"FAILED_TEMP"}:
                over[rule] = waiting.pop(rule)
        return None if waiting else True

    until(look, REACHED, "all operations come to their boundary", every=0.05)
    for case in over.values():
        case.blame("never came to its boundary")
    return [case for case in cases if case.held]


def _received(stage: Stage, cases: Sequence[Case], disaster: Disaster) -> None:
    """Let the held calls be answered, and wait until their receipts are stored: their steps no longer run."""
    running = {case.op: _running_step(stage, case) for case in cases}
    for case in cases:
        if disaster.answer is not None:
            assert case.boundary is not None
            whose = "" if case.boundary.is_shared else mentioning(case.instance, case.before.values())
            look = {"service": case.boundary.service, "method": "GET", "path": whose}
            stage.control("POST", "/failures", {**look, **disaster.answer})
        stage.control("POST", f"/held/{case.held}/release")

    def all_stored() -> bool | None:
        stored = [_running_step(stage, case) != running[case.op] for case in cases]
        return True if all(stored) else None

    until(all_stored, REACHED, "the receipts are stored", every=0.02)


def _running_step(stage: Stage, case: Case) -> tuple[int, str, str, int] | None:
    """What the step under way looks like from outside."""
    steps = stage.operation(case.op)["steps"]
    return next((_look(step) for step in steps if step["state"] not in {"DONE", "PENDING"}), None)


def _look(step: dict[str, Any]) -> tuple[int, str, str, int]:
    return step["seq"], step["state"], step["message"], step["attempts"]


def _see_through(stage: Stage, wave: Sequence[Case], struck: float) -> None:
    """Follow all operations to their end, as a person would: retry or roll back where they ask for help."""
    deadlines = {case.op: time.monotonic() + PATIENCE for case in wave}
    going = list(wave)
    while going:
        for case in list(going):
            found = stage.operation(case.op)
            case.end = found["operationState"]
            if case.end == "FAILED_TEMP" and (task := _help(case, found)) is not None:
                case.helped.append(task)
                stage.product.post(f"/vnflcm/v2/vnf_lcm_op_occs/{case.op}/{task}")
                deadlines[case.op] = time.monotonic() + PATIENCE
            elif case.end in FINAL | {"FAILED_TEMP"} or time.monotonic() > deadlines[case.op]:
                case.seconds = time.monotonic() - struck
                _judge_end(case, found)
                going.remove(case)
        time.sleep(0.1)  # the rhythm of a person's looks


def _judge_end(case: Case, found: dict[str, Any]) -> None:
    if case.end not in FINAL:
        doing = [step["message"] for step in found["steps"] if step["state"] not in {"PENDING", "DONE"}]
        told = found.get("error", {}).get("detail") or "; ".join(doing)
        case.blame(f"nothing helps: {told}" if case.end == "FAILED_TEMP" else f"still {case.end}: {told}")
    if case.helped and case.disaster.alone:
        case.blame(f"needed help ({', '.join(case.helped)}): {case.asked}")


def _help(case: Case, found: dict[str, Any]) -> str | None:
    case.asked = case.asked or found["error"]["detail"]
    possible = [action["action"] for action in found["actions"] if action["enabled"]]
    other = "rollback" if case.first_help == "retry" else "retry"
    order = (case.first_help, other) if len(case.helped) < ROUNDS - 2 else (other, case.first_help)
    return next((task for task in order if task in possible), None) if len(case.helped) < ROUNDS else None


def _judge(stage: Stage, wave: Sequence[Case], calm: dict[str, Any]) -> None:
    """Compare with what must be so; then terminate all, after which nothing may be left."""
    by_name = {stage.names[case.instance]: case for case in wave}
    if wave[0].disaster.late:
        _mend(stage, wave)
    _charge(wave, by_name, stage.findings())
    for case in wave:
        _judge_servers(stage, case)
    if stage.portrait() != calm:
        wave[0].blame("the bystander was touched")
    for case in wave:
        if case.end == "FAILED_TEMP":
            stage.product.post(f"/vnflcm/v2/vnf_lcm_op_occs/{case.op}/fail")
            until(
                lambda case=case: not stage.is_busy(case.instance) or None, REACHED, "what was given up is taken over"
            )
    stage.clock.set(0)
    stuck = stage.cleared([case.instance for case in wave])
    for case in wave:
        if case.instance in stuck:
            case.blame("cannot be terminated afterwards")
            stage.write_off(case.instance)
    _charge(wave, by_name, stage.findings())


def _mend(stage: Stage, wave: Sequence[Case]) -> None:
    """No process can take back a request that is under way: what it does after the end is drift, told and repaired."""
    for case in wave:
        if case.end in {"COMPLETED", "ROLLED_BACK"} and stage.has_drifted(case.instance):
            stage.repair(case.instance)
            case.mended = True


def _charge(wave: Sequence[Case], by_name: dict[str, Case], findings: Sequence[Finding]) -> None:
    """Findings are the fault of the case whose instance their name holds, else of the one that makes shared things."""
    sharing = next((case for case in wave if case.deed.product != DEFAULT), wave[0])
    for finding in findings:
        case = next((case for name, case in by_name.items() if name in finding.name), sharing)
        unmended = any(finding.ident in one.lost and one.end != "COMPLETED" for one in wave)
        if finding not in case.findings and not unmended:
            case.findings.append(finding)


def _judge_servers(stage: Stage, case: Case) -> None:
    deed, servers = case.deed, stage.servers(case.instance)
    expected = deed.slots if case.end == "COMPLETED" else frozenset(case.before)
    if case.end not in {"COMPLETED", "ROLLED_BACK"}:
        return
    if servers.keys() != expected:
        case.blame(f"{case.end} with slots {sorted(servers)} instead of {sorted(expected)}")
    # What was on its way out may have been made anew by a rollback; all else stays.
    renewed = deed.renewed if case.end == "COMPLETED" else case.before.keys() - deed.slots
    for slot in (servers.keys() & case.before.keys()) - renewed:
        if servers[slot] != case.before[slot]:
            case.blame(f"the server in slot {slot} is another one")
    if case.end == "COMPLETED":
        wanted = {slot: "SHUTOFF" if slot in deed.stopped else "ACTIVE" for slot in deed.slots}
        if odd := stage.statuses(case.instance, wanted).items() - wanted.items():
            case.blame(f"other states than wanted: {', '.join(map(' '.join, sorted(odd)))}")
