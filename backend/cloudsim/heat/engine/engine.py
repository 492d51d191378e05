"""The engine: all stacks of the cloud in memory, written through to the store, and their operations."""

from __future__ import annotations

import asyncio
import logging
from contextvars import copy_context
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cloudsim.heat.engine.blueprint import Blueprint, Blueprints
from cloudsim.heat.engine.client import Client, alive
from cloudsim.heat.engine.events import Events
from cloudsim.heat.engine.handle import Handle
from cloudsim.heat.engine.lookup import Lookup
from cloudsim.heat.engine.stack import Stack
from cloudsim.heat.engine.state import COMPLETE, FAILED, IN_PROGRESS, Record
from cloudsim.heat.errors import EntityNotFound, StackResourceLimitExceeded

if TYPE_CHECKING:
    from collections.abc import Coroutine, Iterator
    from typing import Any

    from cloudsim.core.cloud import Cloud
    from cloudsim.core.context import RequestContext
    from cloudsim.heat.engine.plugin import Plugin, Types
    from cloudsim.heat.engine.state import Doc

log = logging.getLogger("cloudsim.heat")

KIND = "heat_stack"
MANUALLY_RESET = "Stack status manually reset"
MAX_RESOURCES = 1000
"""The most resources of a stack with its nested stacks, as Heat's `max_resources_per_stack`."""


@dataclass(frozen=True)
class Operation:
    """An operation on a root stack; it stops while `alive` is not set, since its engine has died."""

    task: asyncio.Task[None]
    alive: asyncio.Event


class Engine:
    """The engine of a cloud, with its resource types."""

    def __init__(self, cloud: Cloud, types: Types) -> None:
        self.cloud, self.types = cloud, types
        self.stacks: dict[str, Stack] = {}
        self.blueprints = Blueprints(cloud.store)
        self.events = Events(cloud)
        self._running: dict[str, Operation] = {}
        cloud.store.index(KIND, "children", lambda doc: [doc["owner_id"]] if doc["owner_id"] else [])
        cloud.store.index(KIND, "name", lambda doc: [] if doc["deleted"] else [(doc["project_id"], doc["name"])])
        cloud.store.index(KIND, "blueprint", lambda doc: [doc["blueprint"]])

    def load(self) -> None:
        """Load the stored stacks; operations that a restart interrupted have failed, as in Heat."""
        for doc in self.cloud.store.list(KIND):
            self.stacks[doc["id"]] = Stack(self, doc, self.blueprints.get(doc["blueprint"]))
        for stack in self.stacks.values():
            if stack.doc["status"] == IN_PROGRESS:
                self._fail_interrupted(stack)

    def _fail_interrupted(self, stack: Stack) -> None:
        reason = f"Engine went down during stack {stack.doc['action']}"
        for record in stack.records:
            if record.status == IN_PROGRESS:
                record.doc.update(status=FAILED, reason=reason)
        self.set_state(stack, stack.doc["action"], FAILED, reason)

    def add(self, doc: Doc, blueprint: Blueprint) -> Stack:
        """Store a new stack and return it."""
        doc["blueprint"] = self.blueprints.save(blueprint)
        stack = Stack(self, doc, blueprint)
        self.stacks[stack.id] = stack
        self.save(stack)
        return stack

    def rebase(self, stack: Stack, blueprint: Blueprint) -> None:
        """Give a stack another blueprint; the old one is removed if no stack uses it."""
        old = stack.doc["blueprint"]
        stack.doc["blueprint"] = self.blueprints.save(blueprint)
        stack.use(blueprint)
        self.save(stack)
        self._release(old)

    def mark_deleted(self, stack: Stack) -> None:
        """Mark a root stack as deleted, so that it is still visible by its id; remove a nested one."""
        stack.doc.update(deleted=self.cloud.clock.stamp(), resources={}, superseded=[])
        if stack.doc["owner_id"]:
            self.events.forget(stack.id)
            self.cloud.store.delete(KIND, stack.id)
            del self.stacks[stack.id]
            self._release(stack.doc["blueprint"])
        else:
            self.save(stack)

    def _release(self, blueprint: str) -> None:
        if not self.cloud.store.count(KIND, "blueprint", blueprint):
            self.blueprints.forget(blueprint)

    def save(self, stack: Stack) -> None:
        self.cloud.store.put(KIND, stack.id, stack.doc)

    def children(self, stack: Stack) -> Iterator[Stack]:
        """Yield the stacks that are nested directly below."""
        for doc in self.cloud.store.find(KIND, "children", stack.id):
            yield self.stacks[doc["id"]]

    def by_name(self, project_id: str, name: str) -> Stack | None:
        """Return the stack of that name that is not deleted, which may be nested, or None."""
        for doc in self.cloud.store.find(KIND, "name", (project_id, name)):
            return self.stacks[doc["id"]]
        return None

    def context_of(self, doc: Doc) -> RequestContext:
        """Return the context in which Heat works on a stack: its owner's, by a trust."""
        owner = doc["owner"]
        return self.cloud.dispatcher.trusted_context(doc["project_id"], owner["user_id"], frozenset(owner["roles"]))

    def lookup(self, client: Client) -> Lookup:
        return Lookup(client)

    def plugin_for(self, stack: Stack, type_name: str, resource_name: str) -> Plugin:
        """Return a type's implementation for a stack. Raises EntityNotFound or StackValidationFailed."""
        return self.types.find(stack.blueprint, type_name, resource_name)

    def handle(self, stack: Stack, record: Record) -> Handle:
        """Return a record with its plugin; a type that no longer exists gets a plugin that does nothing."""
        try:
            plugin = self.plugin_for(stack, record.type, record.name)
        except EntityNotFound:
            plugin = self.types.unknown
        return Handle(stack, record, plugin)

    def count_resources(self, stack: Stack, more: int) -> None:
        """Raise StackResourceLimitExceeded if the tree of `stack` would exceed the limit."""
        root = stack.doc["root_id"]
        total = sum(len(one.doc["resources"]) for one in self.stacks.values() if one.doc["root_id"] == root)
        if total + more > MAX_RESOURCES:
            raise StackResourceLimitExceeded

    def set_state(self, stack: Stack, action: str, status: str, reason: str) -> None:
        """Change a stack's state in its document, add an event and wake waiting tasks; nothing else changes it."""
        stack.doc.update(action=action, status=status, reason=reason)
        self.save(stack)
        self.events.of_stack(stack)
        ends = {IN_PROGRESS: "start", COMPLETE: "end", FAILED: "error"}
        payload = {
            "tenant_id": stack.project_id,
            "stack_identity": stack.arn,
            "stack_name": stack.name,
            "state": f"{action}_{status}",
            "state_reason": reason,
        }
        self.cloud.notifier.notify("heat", f"orchestration.stack.{action.lower()}.{ends[status]}", payload)

    def set_resource_state(
        self, stack: Stack, record: Record, action: str, status: str, reason: str = "state changed"
    ) -> None:
        """Change a resource's state; nothing else changes it."""
        record.doc.update(action=action, status=status, reason=reason, updated=self.cloud.clock.stamp())
        self.save(stack)
        self.events.of_resource(stack, record)

    def run(self, stack: Stack, work: Coroutine[Any, Any, None]) -> None:
        """Run an operation on a root stack in the background, one at a time per stack."""
        going = asyncio.Event()
        going.set()
        context = copy_context()
        context.run(alive.set, going)
        task = asyncio.get_running_loop().create_task(self._guarded(stack, work), context=context)
        self._running[stack.id] = Operation(task, going)

    async def _guarded(self, stack: Stack, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except Exception:
            log.exception("operation on stack %s broke", stack.name)
            self.set_state(stack, stack.doc["action"], FAILED, "Unexpected error")
        finally:
            operation = self._running.get(stack.id)
            if operation is not None and operation.task is asyncio.current_task():
                del self._running[stack.id]
            self.cloud.store.flush()

    def is_busy(self, stack: Stack) -> bool:
        """Return whether a living engine works on the stack."""
        operation = self._running.get(stack.id)
        return operation is not None and operation.alive.is_set()

    @property
    def works(self) -> bool:
        """Return whether an operation runs on any stack."""
        return any(operation.alive.is_set() for operation in self._running.values())

    def die(self) -> int:
        """Stop all operations, as `kill -9` of an engine with convergence does, and return their number.

        Their states stay IN_PROGRESS, and another engine serves new requests.
        """
        for operation in self._running.values():
            operation.alive.clear()
        return len(self._running)

    def resume(self) -> None:
        """Continue the stopped operations, as after an engine that only hung."""
        for operation in self._running.values():
            operation.alive.set()

    async def reset_status(self, stack: Stack) -> None:
        """Set all IN_PROGRESS states in and below a stack to FAILED, as `heat-manage reset_stack_status`."""
        tree = [one for one in self.stacks.values() if one.doc["root_id"] == stack.doc["root_id"]]
        stuck = [one for one in tree if one.doc["status"] == IN_PROGRESS]
        records = [(one, record) for one in stuck for record in one.records if record.status == IN_PROGRESS]
        await self.interrupt(stack)
        for one, record in records:
            self.set_resource_state(one, record, record.action, FAILED, MANUALLY_RESET)
        for one in stuck:
            self.set_state(one, one.doc["action"], FAILED, MANUALLY_RESET)

    async def interrupt(self, stack: Stack) -> None:
        """Stop the operation on a root stack, and wait until it has stopped."""
        root = stack.doc["root_id"]
        await _cancel([each for ident, each in self._running.items() if self.stacks[ident].doc["root_id"] == root])

    async def stop(self) -> None:
        """Stop all operations, and leave the states of a killed engine."""
        running = [stack for stack in self.stacks.values() if stack.doc["status"] == IN_PROGRESS]
        await _cancel([*self._running.values()])
        for stack in running:
            if stack.id in self.stacks and stack.doc["status"] != COMPLETE:
                self._fail_interrupted(stack)


async def _cancel(operations: list[Operation]) -> None:
    for operation in operations:
        operation.task.cancel()
        operation.alive.set()  # requests that store new ids end before their operation
    if operations:
        await asyncio.wait([operation.task for operation in operations])
