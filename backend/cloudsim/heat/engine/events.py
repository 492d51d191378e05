"""The events of stacks and their resources, as `event list` shows them."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cloudsim.core.cloud import Cloud
    from cloudsim.heat.engine.stack import Stack
    from cloudsim.heat.engine.state import Doc, Record

KIND = "heat_event"
MAX_PER_STACK = 1000
"""The most events of a stack, as Heat's `max_events_per_stack`; the oldest are removed."""
_PURGE = 200


class Events:
    """The events by stack, oldest first."""

    def __init__(self, cloud: Cloud) -> None:
        self._store, self._clock = cloud.store, cloud.clock
        self._store.index(KIND, "stack", lambda doc: [doc["stack_id"]])

    def of_stack(self, stack: Stack) -> None:
        """Add an event for a state change of a stack."""
        self._add(stack, {"name": stack.name, "physical": stack.id, "type": "OS::Heat::Stack"}, stack.doc)

    def of_resource(self, stack: Stack, record: Record) -> None:
        """Add an event for a state change of a resource, with its current properties."""
        properties = (record.frozen or {}).get("properties") or {}
        self._add(stack, record.doc, record.doc, properties)

    def signal(self, stack: Stack, record: Record, reason: str) -> None:
        """Add an event for a signal."""
        state = {"action": "SIGNAL", "status": "COMPLETE", "reason": reason}
        self._add(stack, record.doc, state)

    def _add(self, stack: Stack, subject: Doc, state: Doc, properties: Doc | None = None) -> None:
        ident = str(uuid.uuid4())
        event = {
            "id": ident, "stack_id": stack.id, "time": self._clock.stamp(), "name": subject["name"],
            "physical": subject["physical"], "type": subject["type"], "action": state["action"],
            "status": state["status"], "reason": state["reason"], "properties": properties or {},
        }  # fmt: skip
        self._store.put(KIND, ident, event)
        if self._store.count(KIND, "stack", stack.id) > MAX_PER_STACK:
            for old in [*self.of(stack.id)][:_PURGE]:
                self._store.delete(KIND, old["id"])

    def of(self, stack_id: str) -> Iterator[Doc]:
        """Return the events of a stack, oldest first."""
        return self._store.find(KIND, "stack", stack_id)

    def forget(self, stack_id: str) -> None:
        """Remove a stack's events."""
        for event in [*self.of(stack_id)]:
            self._store.delete(KIND, event["id"])
