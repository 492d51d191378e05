"""The first line of a plan: what comes, what goes, what restarts. Pure."""

from collections.abc import Iterator, Sequence

from vnfm.lcm.domain.plan import VNFC, Plan, PlannedQuota, PlannedResource
from vnfm.lcm.domain.states import Operation

GONE = "already gone"
"""A row has it for a server that is to be deleted, and that Nova no longer has."""
MINUS = "\N{MINUS SIGN}"
_MOST_SLOTS = 4
_MIB = 1024


def plan_summary(operation: Operation, plan: Plan) -> str:
    """Return a line such as "+1 VM (slot 2), +4 vCPUs, no interruption"."""
    rows = [row for row in plan.resources if row.type == VNFC]
    parts = [*_changes(operation, rows), *_amounts(plan.quota), _interruption(operation, plan, rows)]
    line = ", ".join(part for part in parts if part)
    return line[:1].upper() + line[1:]


def _changes(operation: Operation, rows: Sequence[PlannedResource]) -> Iterator[str]:
    gone = sum(row.gone for row in rows)
    for action, sign in (("create", "+"), ("delete", MINUS)):
        found = [row for row in rows if row.action == action and not row.gone]
        if found:
            yield f"{sign}{_vms(len(found))}{_slots(found)}"
    if gone:
        yield f"{gone} {GONE}"
    replaced = [row for row in rows if row.action == "replace"]
    if replaced:
        yield f"{_vms(len(replaced))} replaced{_slots(replaced)}"
    updated = [row for row in rows if row.action == "update"]
    if updated and operation != Operation.OPERATE:
        yield f"{_vms(len(updated))} changed{_slots(updated)}"


def _vms(number: int) -> str:
    return f"{number} VM" if number == 1 else f"{number} VMs"


def _slots(rows: Sequence[PlannedResource]) -> str:
    """Their slots; "" where there are many, or one has none."""
    slots = [row.slot for row in rows if row.slot]
    if not slots or len(slots) != len(rows) or len(slots) > _MOST_SLOTS:
        return ""
    return f" ({'slot' if len(slots) == 1 else 'slots'} {', '.join(slots)})"


def _amounts(quota: Sequence[PlannedQuota]) -> Iterator[str]:
    net = {row.resource: row.needed - row.released for row in quota}
    if cores := net.get("cores", 0):
        yield f"{_signed(cores)} {'vCPU' if abs(cores) == 1 else 'vCPUs'}"
    if memory := net.get("ram_mib", 0):
        yield f"{_signed(memory / _MIB)} GiB memory"


def _signed(number: float) -> str:
    return f"{'+' if number > 0 else MINUS}{abs(number):g}"


def _interruption(operation: Operation, plan: Plan, rows: Sequence[PlannedResource]) -> str:
    if operation == Operation.TERMINATE:
        return "the service ends"
    if operation == Operation.OPERATE:
        return _power([row for row in rows if row.action == "update"])
    if operation == Operation.HEAL and all(row.action == "keep" for row in plan.resources):
        return "nothing to heal: all VMs stay as they are"
    if restarted := sum(map(len, plan.touched.values())):
        return f"{_vms(restarted)} restart{'s' if restarted == 1 else ''}"
    return _uninterrupted(operation, rows)


def _power(changed: Sequence[PlannedResource]) -> str:
    if not changed:
        return "nothing to do"
    verb = "start" if any("→ Active" in row.detail for row in changed) else "stop"
    return f"{_vms(len(changed))} {verb}{'s' if len(changed) == 1 else ''}{_slots(changed)}"


def _uninterrupted(operation: Operation, rows: Sequence[PlannedResource]) -> str:
    if operation in _MAY_RESTART and any(row.action in ("update", "replace") for row in rows):
        return ""
    if any(row.action == "delete" for row in rows):
        return "no other VM is interrupted"
    return "" if operation == Operation.INSTANTIATE else "no interruption"


_MAY_RESTART = (Operation.HEAL, Operation.REVERT_TO_SNAPSHOT, Operation.CREATE_SNAPSHOT)
"""Their rows say it one by one: whether a VM restarts depends on its state by then."""
