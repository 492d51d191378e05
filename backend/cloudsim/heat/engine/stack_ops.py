"""The operations on a whole stack, a root or a nested one."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from cloudsim.heat.engine import resource_ops
from cloudsim.heat.engine.dependencies import arrange
from cloudsim.heat.engine.flow import Flow, ManyFailed
from cloudsim.heat.engine.state import (
    CHECK,
    COMPLETE,
    CREATE,
    DELETE,
    FAILED,
    IN_PROGRESS,
    RESUME,
    ROLLBACK,
    SUSPEND,
    UPDATE,
    Record,
)
from cloudsim.heat.errors import ResourceFailure

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from cloudsim.heat.engine.stack import Stack

MAX_TIMEOUT_MINUTES = 60


async def create(stack: Stack) -> None:
    """Create every resource of the template; after a failure with rollback, delete all of them."""
    template = stack.template
    requires = await arrange(stack)
    for name, definition in template.resources.items():
        record = Record.new(name, definition.type, stack.engine.cloud.clock.stamp())
        record.doc["requires"] = sorted(requires[name])
        stack.doc["resources"][name] = record.doc

    async def one(name: str) -> None:
        await resource_ops.create(stack, template.resources[name])

    async def everything() -> None:
        await Flow(requires, one).run()
        await note_requires(stack)

    await perform(stack, CREATE, everything)
    if stack.doc["status"] == FAILED and not stack.doc["disable_rollback"]:
        await delete(stack, ROLLBACK)


async def note_requires(stack: Stack) -> None:
    """Store the dependencies of the resources; now that they have ids, Heat finds more than before."""
    for name, needs in (await arrange(stack)).items():
        stack.doc["resources"][name]["requires"] = sorted(needs)
    stack.engine.save(stack)


async def delete(stack: Stack, action: str = DELETE) -> None:
    """Delete all resources, dependents first, then the stack."""

    async def everything() -> None:
        await _clear_superseded(stack)
        dependents = {record.name: set(stack.required_by(record.name)) for record in stack.records}
        await Flow(dependents, _each(stack, resource_ops.delete)).run()

    started = f"Stack {action} started at {stack.engine.cloud.clock.now().isoformat()}"
    await perform(stack, action, everything, started=started)
    if stack.doc["status"] == COMPLETE:
        stack.engine.mark_deleted(stack)


async def _clear_superseded(stack: Stack) -> None:
    while stack.doc["superseded"]:
        await resource_ops.delete(stack, Record(stack.doc["superseded"][-1]))
        stack.doc["superseded"].pop()


async def check(stack: Stack) -> None:
    """Compare every resource with the cloud, and report all failures."""
    requires = {record.name: set(record.doc["requires"]) for record in stack.records}
    await perform(stack, CHECK, Flow(requires, _each(stack, resource_ops.check), collect=True).run)
    if not _fully_checked(stack):
        reason = stack.doc["reason"] + ". 'CHECK' not fully supported (see resources)"
        stack.engine.set_state(stack, CHECK, stack.doc["status"], reason)


def _fully_checked(stack: Stack) -> bool:
    """Return whether every resource, also of nested stacks, has a check."""
    return all(stack.handle(record).plugin.checks for record in stack.records) and all(
        _fully_checked(child) for child in stack.engine.children(stack)
    )


async def suspend(stack: Stack) -> None:
    """Suspend every resource, dependents first."""
    dependents = {record.name: set(stack.required_by(record.name)) for record in stack.records}
    await perform(stack, SUSPEND, Flow(dependents, _each(stack, resource_ops.suspend)).run)


async def resume(stack: Stack) -> None:
    """Resume every resource, in order of creation."""
    requires = {record.name: set(record.doc["requires"]) for record in stack.records}
    await perform(stack, RESUME, Flow(requires, _each(stack, resource_ops.resume)).run)


def _each(stack: Stack, work: Callable[[Stack, Record], Awaitable[None]]) -> Callable[[str], Awaitable[None]]:
    async def one(name: str) -> None:
        record = stack.record(name)
        assert record is not None
        await work(stack, record)

    return one


async def perform(stack: Stack, action: str, work: Callable[[], Awaitable[None]], started: str | None = None) -> None:
    """Run an action with its time limit, and set the stack's state before and after it."""
    engine = stack.engine
    engine.set_state(stack, action, IN_PROGRESS, started or f"Stack {action} started")
    try:
        async with asyncio.timeout(timeout_seconds(stack)):
            await work()
    except asyncio.CancelledError:
        engine.set_state(stack, action, FAILED, f"{action} aborted")
        raise
    except TimeoutError:
        reason = "Timed out" if action in (UPDATE, ROLLBACK) else f"{action.title()} timed out"
        engine.set_state(stack, action, FAILED, reason)
    except (ResourceFailure, ManyFailed) as failure:
        reason = str(failure) if action == UPDATE else f"Resource {action} failed: {failure}"
        engine.set_state(stack, action, FAILED, reason)
    else:
        engine.set_state(stack, action, COMPLETE, f"Stack {action} completed successfully")


def timeout_seconds(stack: Stack) -> float:
    """Return the stack's own limit, else Heat's default of an hour."""
    return float(stack.doc["timeout"] or MAX_TIMEOUT_MINUTES) * 60
