"""Cases in batches: several operations, each at a step boundary of its own, meet one fault together."""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from tests.chaos.boundaries import Boundary, path_of_instance
from tests.chaos.faults import Fault, Moment
from tests.chaos.harness import FINAL, PATIENCE, SETTLE, Harness
from tests.chaos.operations import DEFAULT, Operation
from tests.chaos.reconcile import Finding
from tests.support.installation import until

WIDTH = 12
"""Cases of one batch. A held call keeps one of the worker's threads; some must be left for the rest."""
BOUNDARY_SECONDS = 60.0
"""Seconds within which an operation comes to its boundary."""
ROUNDS = 4
"""Most recovery tasks per operation."""


@dataclass(slots=True)
class Case:
    """One operation with its boundary and fault, and the result."""

    operation: Operation
    boundary: Boundary | None
    moment: Moment
    fault: Fault
    first_task: str = "retry"
    """The first task in FAILED_TEMP: retry or rollback."""
    instance: str = ""
    op: str = ""
    held: str = ""
    rule: str = ""
    lost: set[str] = field(default_factory=set)
    """Servers and ports that were deleted outside the product, for the operation to replace."""
    before: dict[str, str] = field(default_factory=dict)
    """Slot to server id before the operation."""
    end: str = ""
    recovery_tasks: list[str] = field(default_factory=list)
    first_error: str = ""
    """The operation's first error."""
    repaired: bool = False
    """It says whether a late effect was shown as drift and repaired."""
    seconds: float = 0.0
    """The time from the fault to the end."""
    errors: list[str] = field(default_factory=list)
    """All failed checks."""
    findings: list[Finding] = field(default_factory=list)

    def __str__(self) -> str:
        where = f" at {self.boundary}" if self.boundary else ""
        return f"{self.operation.name}{where}, {self.moment}: {self.fault}"

    @property
    def blocks_call(self) -> bool:
        """Whether its call is held until the fault is injected; else the answer to the call is the fault."""
        return self.boundary is not None and (self.fault.answer is None or self.moment == Moment.RECEIVED)

    @property
    def survived(self) -> bool:
        return not self.errors and not self.findings

    def add_error(self, error: str) -> None:
        self.errors.append(error)


def batched(cases: Sequence[Case]) -> Iterator[list[Case]]:
    """Batches of cases whose findings can be assigned: at most one case that creates shared images and flavors."""
    waiting = list(cases)
    while waiting:
        batch: list[Case] = []
        for case in list(waiting):
            alone = case.operation.product != DEFAULT and any(other.operation.product != DEFAULT for other in batch)
            if len(batch) < WIDTH and not alone:
                batch.append(case)
                waiting.remove(case)
        yield batch


def run(harness: Harness, batch: Sequence[Case]) -> None:
    """Bring the cases to their moment, inject the fault, drive them to the end, and compare record and cloud."""
    fault, moment = batch[0].fault, batch[0].moment
    _prepare(harness, batch)
    bystander_before = harness.fingerprint()
    for case in batch:
        if case.boundary is not None:
            case.rule = harness.control("POST", "/failures", _rule(case))["failure"]["id"]
    for case in batch:
        case.op = harness.start(case.operation, case.instance)
    reached = [case for case in batch if not case.blocks_call]
    reached += _await_boundary(harness, [case for case in batch if case.blocks_call])
    if moment == Moment.RECEIVED:
        _wait_for_receipts(harness, reached, fault)
    injected_at = time.monotonic()
    if fault.inject is not None:
        fault.inject(harness, reached)
    for call in harness.control("GET", "/held")["held"]:
        harness.control("POST", f"/held/{call['id']}/{fault.held_action}")
    _drive_to_end(harness, batch, injected_at)
    harness.control("DELETE", "/failures")
    _check(harness, batch, bystander_before)


def run_to_the_end(harness: Harness, batch: Sequence[Case]) -> None:
    """`run`, of which a failure is an error of these cases and not the end of the matrix."""
    try:
        run(harness, batch)
    except AssertionError as error:
        for case in batch:
            case.add_error(f"the batch stopped: {error}")
        harness.clock.set(0)
        harness.control("DELETE", "/failures")
        for call in harness.control("GET", "/held")["held"]:
            harness.control("POST", f"/held/{call['id']}/release")
        harness.write_off(*harness.instances - {harness.bystander})


def _prepare(harness: Harness, batch: Sequence[Case]) -> None:
    harness.control("DELETE", "/failures")
    instances = harness.prepared([case.operation for case in batch])
    servers = harness.all_servers()
    for case, instance in zip(batch, instances, strict=True):
        case.instance = instance
        case.lost = harness.damage(case.operation, servers.get(instance, {}))
        case.before = {slot: server for slot, server in servers.get(instance, {}).items() if server not in case.lost}
        harness.remove_artefacts(case.operation.product)


def _rule(case: Case) -> dict[str, Any]:
    assert case.boundary is not None
    failure_rule = case.boundary.failure_rule(case.instance, case.before.values())
    if not case.blocks_call:
        return {
            **failure_rule,
            **(case.fault.answer or {}),
            "when": "after" if case.moment == Moment.AFTER else "before",
        }
    return {**failure_rule, "effect": "hold", "when": "before" if case.moment == Moment.BEFORE else "after"}


def _await_boundary(harness: Harness, cases: Sequence[Case]) -> list[Case]:
    """Wait until the calls of these cases are held; a case that ends before that met no fault."""
    waiting = {case.rule: case for case in cases}
    over: dict[str, Case] = {}
    if not waiting:
        return []

    def look() -> bool | None:
        for call in harness.control("GET", "/held")["held"]:
            case = waiting.pop(call["rule"], None)
            if case is not None:
                case.held = call["id"]
        states = harness.database.states(case.op for case in waiting.values())
        for rule, case in list(waiting.items()):
            if states[case.op] in FINAL | {"FAILED_TEMP"}:
                over[rule] = waiting.pop(rule)
        return None if waiting else True

    until(look, BOUNDARY_SECONDS, "all operations come to their boundary")
    for case in over.values():
        case.add_error("never came to its boundary")
    return [case for case in cases if case.held]


def _wait_for_receipts(harness: Harness, cases: Sequence[Case], fault: Fault) -> None:
    """Let the held calls be answered, and wait until their receipts are stored: their steps no longer run."""
    ops = [case.op for case in cases]
    running = harness.database.running_steps(ops)
    for case in cases:
        if fault.answer is not None:
            assert case.boundary is not None
            whose = "" if case.boundary.is_shared else path_of_instance(case.instance, case.before.values())
            look = {"service": case.boundary.service, "method": "GET", "path": whose}
            harness.control("POST", "/failures", {**look, **fault.answer})
        harness.control("POST", f"/held/{case.held}/release")

    def all_stored() -> bool | None:
        now = harness.database.running_steps(ops)
        return True if all(now[op] != running[op] for op in ops) else None

    until(all_stored, BOUNDARY_SECONDS, "the receipts are stored", every=0.02)


def _drive_to_end(harness: Harness, batch: Sequence[Case], injected_at: float) -> None:
    """Follow all operations to their end, and retry or roll back those in FAILED_TEMP."""
    deadlines = {case.op: time.monotonic() + PATIENCE for case in batch}
    going = list(batch)
    while going:
        states = harness.database.states(case.op for case in going)
        for case in list(going):
            case.end = states[case.op]
            over = case.end in FINAL | {"FAILED_TEMP"}
            if not over and time.monotonic() < deadlines[case.op]:
                continue
            found = harness.op_occ(case.op)
            if case.end == "FAILED_TEMP" and (task := _help(case, found)) is not None:
                case.recovery_tasks.append(task)
                harness.product.post(f"/vnflcm/v2/vnf_lcm_op_occs/{case.op}/{task}")
                deadlines[case.op] = time.monotonic() + PATIENCE
            else:
                case.seconds = time.monotonic() - injected_at
                _check_end(case, found)
                going.remove(case)
        time.sleep(0.1)


def _check_end(case: Case, found: dict[str, Any]) -> None:
    if case.end not in FINAL:
        doing = [step["message"] for step in found["steps"] if step["state"] not in {"PENDING", "DONE"}]
        detail = found.get("error", {}).get("detail") or "; ".join(doing)
        case.add_error(f"nothing helps: {detail}" if case.end == "FAILED_TEMP" else f"still {case.end}: {detail}")
    if case.recovery_tasks and case.fault.unattended:
        case.add_error(f"needed help ({', '.join(case.recovery_tasks)}): {case.first_error}")


def _help(case: Case, found: dict[str, Any]) -> str | None:
    case.first_error = case.first_error or found["error"]["detail"]
    possible = [action["action"] for action in found["actions"] if action["enabled"]]
    other = "rollback" if case.first_task == "retry" else "retry"
    order = (case.first_task, other) if len(case.recovery_tasks) < ROUNDS - 2 else (other, case.first_task)
    return next((task for task in order if task in possible), None) if len(case.recovery_tasks) < ROUNDS else None


def _check(harness: Harness, batch: Sequence[Case], bystander_before: dict[str, Any]) -> None:
    """Compare record and cloud; then pool what is whole and terminate the rest, of which nothing may be left."""
    by_name = {harness.names[case.instance]: case for case in batch}
    if batch[0].fault.may_act_late:
        _repair_drift(harness, batch)
    _assign_findings(batch, by_name, harness.findings())
    servers = harness.all_servers()
    for case in batch:
        _check_servers(harness, case, servers.get(case.instance, {}))
    if harness.fingerprint() != bystander_before:
        batch[0].add_error("the bystander was touched")
    for case in batch:
        if case.end == "FAILED_TEMP":
            harness.product.post(f"/vnflcm/v2/vnf_lcm_op_occs/{case.op}/fail")
            until(
                lambda case=case: not harness.is_busy(case.instance) or None,
                BOUNDARY_SECONDS,
                "what was given up is taken over",
            )
    harness.clock.set(0)
    _leave(harness, batch, by_name)


def _leave(harness: Harness, batch: Sequence[Case], by_name: dict[str, Case]) -> None:
    leaving = [
        case for case in batch if not (case.survived and harness.give_back(case.operation, case.instance, case.end))
    ]
    stuck = harness.terminated([case.instance for case in leaving])
    for case in leaving:
        if case.instance in stuck:
            case.add_error("cannot be terminated afterwards")
            harness.write_off(case.instance)
    if leaving:
        _assign_findings(batch, by_name, harness.findings())


def _repair_drift(harness: Harness, batch: Sequence[Case]) -> None:
    """A request under way cannot be recalled: its effect after the end is drift, which is shown and repaired."""
    harness.control("POST", "/settle", {"seconds": SETTLE})
    since = datetime.now(UTC)
    for case in batch:
        if case.end in {"COMPLETED", "ROLLED_BACK"} and harness.has_drifted(case.instance, since):
            harness.repair(case.instance)
            case.repaired = True


def _assign_findings(batch: Sequence[Case], by_name: dict[str, Case], findings: Sequence[Finding]) -> None:
    """A finding belongs to the case whose instance name it contains, else to the one that creates shared artefacts."""
    sharing = next((case for case in batch if case.operation.product != DEFAULT), batch[0])
    for finding in findings:
        case = next((case for name, case in by_name.items() if name in finding.name), sharing)
        unrepaired = any(finding.ident in one.lost and one.end != "COMPLETED" for one in batch)
        if finding not in case.findings and not unrepaired:
            case.findings.append(finding)


def _check_servers(harness: Harness, case: Case, servers: Mapping[str, str]) -> None:
    operation = case.operation
    expected = operation.slots if case.end == "COMPLETED" else frozenset(case.before)
    if case.end not in {"COMPLETED", "ROLLED_BACK"}:
        return
    if servers.keys() != expected:
        case.add_error(f"{case.end} with slots {sorted(servers)} instead of {sorted(expected)}")
    # A rollback may have created removed servers again; all others stay.
    replaced = operation.replaced if case.end == "COMPLETED" else case.before.keys() - operation.slots
    for slot in (servers.keys() & case.before.keys()) - replaced:
        if servers[slot] != case.before[slot]:
            case.add_error(f"the server in slot {slot} is another one")
    if case.end == "COMPLETED":
        wanted = {slot: "SHUTOFF" if slot in operation.stopped else "ACTIVE" for slot in operation.slots}
        if odd := harness.statuses(case.instance, wanted).items() - wanted.items():
            case.add_error(f"other states than wanted: {', '.join(map(' '.join, sorted(odd)))}")
