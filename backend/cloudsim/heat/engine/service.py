"""The engine's operations for the API, with Heat's own checks and errors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cloudsim.heat.engine import stack_ops, update
from cloudsim.heat.engine.blueprint import Blueprint
from cloudsim.heat.engine.engine import MAX_RESOURCES
from cloudsim.heat.engine.names import check_stack_name
from cloudsim.heat.engine.policy import enforce
from cloudsim.heat.engine.stack import Stack
from cloudsim.heat.engine.state import COMPLETE, DELETE, IN_PROGRESS, ROLLBACK, SUSPEND, UPDATE, new_stack
from cloudsim.heat.engine.validation import validate
from cloudsim.heat.errors import (
    ActionInProgress,
    EntityNotFound,
    NotSupported,
    RequestLimitExceeded,
    StackExists,
    StackResourceLimitExceeded,
)

if TYPE_CHECKING:
    from cloudsim.core.context import RequestContext
    from cloudsim.heat.engine.engine import Engine
    from cloudsim.heat.engine.state import Doc, Record

"""The most stacks of a project; Liberty's default is 100, which operators of VNF clouds raise."""


@dataclass(frozen=True)
class Wanted:
    """A request to create or update; `None` keeps the value (update) or means the default (create)."""

    blueprint: Blueprint
    timeout: int | None = None
    disable_rollback: bool | None = None
    tags: list[str] | None = None


def find(engine: Engine, ctx: RequestContext, name: str, ident: str, *, deleted: bool = False) -> Stack:
    """Return the stack of that name and id in the caller's project. Raises EntityNotFound."""
    stack = engine.stacks.get(ident)
    hidden = stack is not None and stack.doc["deleted"] is not None and not deleted
    if stack is None or hidden or stack.name != name or not _may_see(ctx, stack):
        raise EntityNotFound("Stack", name)
    return stack


def look_up(engine: Engine, ctx: RequestContext, name_or_id: str) -> Stack:
    """Return the stack by name, else by id, which may be a deleted one. Raises EntityNotFound."""
    stack = engine.by_name(ctx.project_id, name_or_id) or engine.stacks.get(name_or_id)
    if stack is None or not _may_see(ctx, stack):
        raise EntityNotFound("Stack", name_or_id)
    return stack


def _may_see(ctx: RequestContext, stack: Stack) -> bool:
    return ctx.is_admin or stack.project_id == ctx.project_id


async def create(engine: Engine, ctx: RequestContext, name: str, wanted: Wanted) -> Stack:
    """Validate, store and start a stack; return while its resources are being created."""
    probe = _probe(engine, ctx, name, wanted)
    _check_limits(engine, ctx, name, wanted.blueprint)
    await validate(probe)
    enforce(probe)
    if engine.by_name(ctx.project_id, name):
        raise StackExists(name)
    stack = engine.add(probe.doc, wanted.blueprint)
    engine.run(stack, stack_ops.create(stack))
    return stack


async def preview(engine: Engine, ctx: RequestContext, name: str, wanted: Wanted) -> Stack:
    """Return the stack as `create` would begin it, without storing it."""
    if engine.by_name(ctx.project_id, name):
        raise StackExists(name)
    probe = _probe(engine, ctx, name, wanted)
    await validate(probe)
    enforce(probe)
    return probe


async def check_template(engine: Engine, ctx: RequestContext, blueprint: Blueprint) -> Stack:
    """Validate a template (`POST /validate`), with or without values of its parameters."""
    probe = _probe(engine, ctx, "validate", Wanted(blueprint))
    probe.strict = False
    await validate(probe)
    return probe


def _probe(engine: Engine, ctx: RequestContext, name: str, wanted: Wanted) -> Stack:
    check_stack_name(name)
    owner = {"user_id": ctx.user_id, "user_name": user_name(engine, ctx), "roles": sorted(ctx.roles)}
    doc = new_stack(name=name, project_id=ctx.project_id, owner=owner, now=engine.cloud.clock.stamp())
    doc.update(timeout=wanted.timeout, tags=wanted.tags or [])
    doc["disable_rollback"] = True if wanted.disable_rollback is None else wanted.disable_rollback
    return Stack(engine, doc, wanted.blueprint)


def user_name(engine: Engine, ctx: RequestContext) -> str:
    """Return the caller's name, as `stack_owner` shows it."""
    user = engine.cloud.store.get("user", ctx.user_id)
    return str(user["name"]) if user else ctx.user_id


def _check_limits(engine: Engine, ctx: RequestContext, name: str, blueprint: Blueprint) -> None:
    if engine.by_name(ctx.project_id, name):
        raise StackExists(name)
    limit = engine.cloud.setting("max_stacks_per_tenant")
    held = sum(
        1
        for stack in engine.stacks.values()
        if stack.project_id == ctx.project_id and not stack.doc["owner_id"] and not stack.doc["deleted"]
    )
    if held >= limit:
        raise RequestLimitExceeded(
            f"You have reached the maximum stacks per tenant, {limit}. Please delete some stacks."
        )
    if len(blueprint.template.resources) > MAX_RESOURCES:
        raise StackResourceLimitExceeded


async def change(engine: Engine, stack: Stack, wanted: Wanted, *, patch: bool) -> None:
    """Start an update. Raises Heat's errors for a refused one."""
    _check_updatable(stack, patch=patch)
    after = await _after(engine, stack, wanted)
    await _take_over(engine, stack)
    for key in ("timeout", "disable_rollback", "tags"):
        if not patch or getattr(wanted, key) is not None:
            stack.doc[key] = after.doc[key]
    engine.run(stack, update.update(stack, wanted.blueprint))


async def preview_change(engine: Engine, stack: Stack, wanted: Wanted, *, patch: bool) -> dict[str, list[Record]]:
    """Return the effect of `change` on each resource."""
    _check_updatable(stack, patch=patch)
    return await update.preview(stack, await _after(engine, stack, wanted))


async def _after(engine: Engine, stack: Stack, wanted: Wanted) -> Stack:
    doc: Doc = {**stack.doc, "resources": {}, "timeout": wanted.timeout, "tags": wanted.tags or []}
    doc["disable_rollback"] = True if wanted.disable_rollback is None else wanted.disable_rollback
    after = Stack(engine, doc, wanted.blueprint)
    await validate(after)
    enforce(after)
    return after


def _check_updatable(stack: Stack, *, patch: bool) -> None:
    if stack.doc["action"] == SUSPEND:
        raise NotSupported("Updating a stack when it is suspended")
    if stack.doc["action"] == DELETE:
        raise NotSupported("Updating a stack when it is deleting")
    if patch and stack.doc["status"] not in (COMPLETE, IN_PROGRESS):
        raise NotSupported("PATCH update to non-COMPLETE stack")


async def _take_over(engine: Engine, stack: Stack) -> None:
    """Refuse a stack with a running operation; end an operation whose engine has died, as convergence does."""
    if engine.is_busy(stack):
        raise ActionInProgress(stack.name, stack.doc["action"])
    await engine.interrupt(stack)


async def delete(engine: Engine, stack: Stack) -> None:
    """Start a deletion, after stopping the running operation."""
    if stack.doc["action"] == DELETE and engine.is_busy(stack):
        return
    await engine.interrupt(stack)
    engine.run(stack, stack_ops.delete(stack))


async def act(engine: Engine, stack: Stack, action: str) -> None:
    """Start an action: suspend, resume, check or cancel_update."""
    if action == "cancel_update":
        await _cancel_update(engine, stack)
        return
    await _take_over(engine, stack)
    work = {"suspend": stack_ops.suspend, "resume": stack_ops.resume, "check": stack_ops.check}[action]
    engine.run(stack, work(stack))


async def _cancel_update(engine: Engine, stack: Stack) -> None:
    state = (stack.doc["action"], stack.doc["status"])
    if state not in ((UPDATE, IN_PROGRESS), (ROLLBACK, IN_PROGRESS)):
        raise NotSupported(f"Cancelling update when stack is {state}")
    if state[0] == UPDATE:
        await engine.interrupt(stack)
        engine.run(stack, update.roll_back(stack))
