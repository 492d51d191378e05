"""Updates a stack: puts every resource of the new template in place, and drops those that it does not have.

The order is Heat's: a resource is put after those that it needs; an old one (removed or replaced) is dropped after its
dependents and after the creation of its replacement.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cloudsim.core.clock import parse_stamp, stamp_of
from cloudsim.heat.engine import resource_ops
from cloudsim.heat.engine.dependencies import arrange
from cloudsim.heat.engine.flow import Flow
from cloudsim.heat.engine.stack_ops import note_requires, perform
from cloudsim.heat.engine.state import COMPLETE, FAILED, ROLLBACK, UPDATE, Record
from cloudsim.heat.errors import UpdateReplace

if TYPE_CHECKING:
    from cloudsim.heat.engine.blueprint import Blueprint
    from cloudsim.heat.engine.stack import Stack
    from cloudsim.heat.engine.state import Doc
    from cloudsim.heat.hot.template import Definition


class Step(NamedTuple):
    """A step of an update: `put` creates or updates a resource, `drop` deletes an old one."""

    kind: str
    name: str


async def update(stack: Stack, blueprint: Blueprint) -> None:
    """Move the stack to `blueprint`; after a failure with rollback, move it back to the previous one."""
    stack.before = stack.blueprint
    await _converge(stack, blueprint, UPDATE)
    if stack.doc["status"] == FAILED and not stack.doc["disable_rollback"]:
        await roll_back(stack)


async def roll_back(stack: Stack) -> None:
    """Move the stack back to its state before the last update."""
    await _converge(stack, stack.before, ROLLBACK)


async def _converge(stack: Stack, blueprint: Blueprint, action: str) -> None:
    old = {record.name: set(record.doc["requires"]) for record in stack.records}
    stack.engine.rebase(stack, blueprint)
    stack.doc["updated"] = _update_time(stack)
    await arrange(stack)
    converger = _Converger(stack, rollback=action == ROLLBACK)

    async def everything() -> None:
        await Flow(converger.steps(old), converger.do).run()
        await note_requires(stack)

    await perform(stack, action, everything)


def _update_time(stack: Stack) -> str:
    """Return the current second; with `distinct_update_times`, one after that of the last update."""
    cloud, last = stack.engine.cloud, stack.doc["updated"]
    moment = cloud.clock.time()
    if last and cloud.setting("distinct_update_times"):
        moment = max(moment, parse_stamp(last) + 1)
    return stamp_of(moment)


class _Converger:
    def __init__(self, stack: Stack, *, rollback: bool) -> None:
        self._stack, self._rollback = stack, rollback

    def steps(self, old: dict[str, set[str]]) -> dict[Step, set[Step]]:
        """Return the steps, each with those that it waits for."""
        template, requires = self._stack.template, self._stack.requires
        steps = {Step("put", name): {Step("put", need) for need in requires[name]} for name in template.resources}
        for name in {*old, *(doc["name"] for doc in self._stack.doc["superseded"])}:
            dependents = {Step("drop", other) for other, needs in old.items() if name in needs}
            steps[Step("drop", name)] = dependents | ({Step("put", name)} if name in template.resources else set())
        return steps

    async def do(self, step: Step) -> None:
        if step.kind == "drop":
            await self._drop(step.name)
        else:
            await self._put(self._stack.template.resources[step.name])

    async def _put(self, definition: Definition) -> None:
        stack = self._stack
        record = stack.record(definition.name)
        if record is None or not record.exists:
            await resource_ops.create(stack, definition)
            return
        try:
            await resource_ops.update(stack, record, definition)
        except UpdateReplace:
            await self._replace(record, definition)

    async def _replace(self, record: Record, definition: Definition) -> None:
        stack = self._stack
        handle = stack.handle(record)
        await resource_ops.guarded(record, handle.plugin.before_replace(handle))
        if self._rollback and await self._restore(record, definition):
            return
        stack.doc["superseded"].append(record.doc)
        await resource_ops.create(stack, definition)

    async def _restore(self, record: Record, definition: Definition) -> bool:
        """Restore the replaced resource in a rollback, if it still matches the old template; return whether it did."""
        for doc in self._stack.doc["superseded"]:
            kept = Record(doc)
            if kept.name == definition.name and kept.status == COMPLETE and kept.type == definition.type:
                self._swap(record, doc)
                restored = self._stack.handle(kept)
                await resource_ops.guarded(kept, restored.plugin.after_restore(restored))
                return True
        return False

    def _swap(self, record: Record, kept: Doc) -> None:
        superseded = self._stack.doc["superseded"]
        superseded.remove(kept)
        superseded.append(record.doc)
        self._stack.doc["resources"][record.name] = kept
        self._stack.engine.save(self._stack)

    async def _drop(self, name: str) -> None:
        stack = self._stack
        for doc in [doc for doc in stack.doc["superseded"] if doc["name"] == name]:
            await resource_ops.delete(stack, Record(doc))
            stack.doc["superseded"].remove(doc)
        if name not in stack.template.resources:
            record = stack.record(name)
            if record is not None:
                await resource_ops.delete(stack, record)
                del stack.doc["resources"][name]
        stack.engine.save(stack)


async def preview(stack: Stack, after: Stack) -> dict[str, list[Record]]:
    """Return Heat's `resource_changes`: the possible effects of `update` to `after`'s blueprint.

    `after` has no resources, so its references resolve to names, not ids. As in Heat, a resource that refers to another
    one in a property that cannot change in place therefore shows as replaced, although the update would keep it.
    """
    changes: dict[str, list[Record]] = {key: [] for key in ("unchanged", "updated", "replaced", "added", "deleted")}
    now = stack.engine.cloud.clock.stamp()
    for name, definition in after.template.resources.items():
        fresh = Record.new(name, definition.type, now)
        record = stack.record(name)
        if record is None or not record.exists:
            changes["added"].append(fresh)
            continue
        try:
            changed = await resource_ops.changes(after, record, definition)
        except UpdateReplace:
            changes["replaced"].append(fresh)
            continue
        changes["updated" if changed else "unchanged"].append(record)
    changes["deleted"] = [record for record in stack.records if record.name not in after.template.resources]
    return changes
