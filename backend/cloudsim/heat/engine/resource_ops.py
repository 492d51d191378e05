"""The operations on one resource: each sets its state, calls the plugin, and formats the failure."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from cloudsim.heat.engine.state import (
    CHECK,
    COMPLETE,
    CREATE,
    DELETE,
    FAILED,
    IN_PROGRESS,
    RESUME,
    SUSPEND,
    UPDATE,
    Record,
)
from cloudsim.heat.engine.validation import validate_values
from cloudsim.heat.errors import ResourceFailure, ResourceInError, StackValidationFailed, UpdateReplace

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from cloudsim.heat.engine.stack import Stack
    from cloudsim.heat.engine.state import Doc
    from cloudsim.heat.hot.template import Definition

log = logging.getLogger("cloudsim.heat")

RETRIES = 1
"""Retries of a creation that ended in ERROR; Heat makes five with growing pauses, one keeps failures fast."""
RETRY_PAUSE = 1.0


async def act(stack: Stack, record: Record, action: str, work: Awaitable[None], done: str = "state changed") -> None:
    """Run `work` as `action` of the resource. Raises ResourceFailure, UpdateReplace or CancelledError."""
    engine = stack.engine
    engine.set_resource_state(stack, record, action, IN_PROGRESS)
    try:
        await work
    except asyncio.CancelledError:
        engine.set_resource_state(stack, record, action, FAILED, f"{action} aborted")
        raise
    except UpdateReplace:
        raise
    except Exception as cause:
        if not isinstance(cause, (ResourceFailure, ResourceInError)):
            log.debug("%s of %s failed", action, record.name, exc_info=True)
        failure = ResourceFailure.of(cause, record.name)
        engine.set_resource_state(stack, record, action, FAILED, str(failure))
        raise failure from cause
    engine.set_resource_state(stack, record, action, COMPLETE, done)


async def guarded(record: Record, work: Awaitable[None]) -> None:
    """Await plugin work outside of an action. Raises ResourceFailure."""
    try:
        await work
    except Exception as cause:
        raise ResourceFailure.of(cause, record.name) from cause


async def create(stack: Stack, definition: Definition) -> None:
    """Create the resource; its record replaces the one of that name."""
    record = Record.new(definition.name, definition.type, stack.engine.cloud.clock.stamp())
    record.doc["requires"] = sorted(stack.requires[definition.name])
    stack.doc["resources"][definition.name] = record.doc
    handle = stack.handle(record)

    async def build() -> None:
        await _freeze(stack, record, definition)
        await validate_values(stack, record.name, handle.plugin.schema, handle.props)
        await handle.plugin.create(handle)

    for attempt in range(RETRIES + 1):
        try:
            await act(stack, record, CREATE, build())
        except ResourceFailure as failure:
            if not isinstance(failure.__cause__, ResourceInError) or attempt == RETRIES:
                raise
            await _clear_failed(stack, record)
        else:
            return


async def _clear_failed(stack: Stack, record: Record) -> None:
    handle = stack.handle(record)
    await act(stack, record, DELETE, handle.plugin.delete(handle))
    record.doc.update(physical=None, data={})
    await asyncio.sleep(RETRY_PAUSE)


async def _freeze(stack: Stack, record: Record, definition: Definition) -> None:
    try:
        frozen = await stack.freeze(definition)
    except (KeyError, ValueError, TypeError) as problem:
        raise StackValidationFailed(str(problem), path=["resources", definition.name]) from problem
    _adopt_frozen(record, frozen)


def _adopt_frozen(record: Record, frozen: Doc) -> None:
    if record.frozen is None or record.frozen["metadata"] != frozen["metadata"]:
        record.doc["metadata"] = frozen["metadata"]
    record.doc["frozen"] = frozen


async def changes(stack: Stack, record: Record, definition: Definition) -> tuple[Doc, Doc] | None:
    """Return the new frozen definition and the changed property values; None if nothing changed.

    Raises UpdateReplace if the resource must be replaced.
    """
    plugin = stack.engine.plugin_for(stack, definition.type, definition.name)
    handle = stack.handle(record)
    nested_alive = plugin.nested and record.physical is not None and record.physical in stack.engine.stacks
    if record.unborn or (record.status == FAILED and not nested_alive) or record.frozen is None:
        raise UpdateReplace
    if record.type != definition.type and not (plugin.nested and handle.plugin.nested):
        raise UpdateReplace
    frozen = await stack.freeze(definition)
    old, new = handle.values(record.frozen["properties"]), handle.values(frozen["properties"])
    changed = {name: value for name, value in new.items() if value != old.get(name)}
    if plugin.replaced_by(new):
        raise UpdateReplace
    if plugin.nested:
        return frozen, changed
    if frozen == record.frozen:
        return None
    if any(not plugin.schema[name].update for name in changed):
        raise UpdateReplace
    return frozen, changed


async def update(stack: Stack, record: Record, definition: Definition) -> None:
    """Change the resource in place if needed. Raises UpdateReplace.

    After a failure its stored properties are the old ones: Heat stores new properties only once they took effect.
    """
    changed = await changes(stack, record, definition)
    record.doc["requires"] = sorted(stack.requires[definition.name])
    if changed is None:
        return
    frozen, values = changed
    before = record.frozen
    record.doc["type"] = definition.type
    _adopt_frozen(record, frozen)
    handle = stack.handle(record)

    async def build() -> None:
        await validate_values(stack, record.name, handle.plugin.schema, handle.props)
        await handle.plugin.update(handle, values)

    try:
        await act(stack, record, UPDATE, build())
    except (UpdateReplace, ResourceFailure):
        record.doc["frozen"] = before
        raise


async def delete(stack: Stack, record: Record) -> None:
    """Remove the resource from the cloud, unless its deletion policy retains it."""
    if not record.exists:
        return
    handle = stack.handle(record)
    retained = (record.frozen or {}).get("deletion_policy") == "Retain"

    async def nothing() -> None:
        return

    await act(stack, record, DELETE, nothing() if retained else handle.plugin.delete(handle))
    record.doc["physical"] = None


async def check(stack: Stack, record: Record) -> None:
    """Compare the resource with the cloud; a type without a check only reports that."""
    handle = stack.handle(record)
    if not handle.plugin.checks:
        if not record.unborn:
            reason = f"CHECK not supported for {record.type}"
            stack.engine.set_resource_state(stack, record, CHECK, COMPLETE, reason)
        return
    if record.unborn:
        reason = f"Can not check {record.name}, resource not created yet."
        stack.engine.set_resource_state(stack, record, CHECK, FAILED, reason)
        raise ResourceFailure(
            f"Resource {record.name} not created yet.", error="Exception", path=["resources", record.name]
        )
    await act(stack, record, CHECK, handle.plugin.check(handle))


async def suspend(stack: Stack, record: Record) -> None:
    await act(stack, record, SUSPEND, _when_idle(stack, record, SUSPEND))


async def resume(stack: Stack, record: Record) -> None:
    await act(stack, record, RESUME, _when_idle(stack, record, RESUME))


async def _when_idle(stack: Stack, record: Record, action: str) -> None:
    handle = stack.handle(record)
    await (handle.plugin.suspend(handle) if action == SUSPEND else handle.plugin.resume(handle))
