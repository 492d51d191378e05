"""From outbox events to history, which may lag behind, and can be filled again from what the outbox still holds."""

from collections.abc import Callable
from datetime import datetime
from typing import Any
from uuid import UUID

from vnfm.history.writers import record
from vnfm.kit.durable.outbox import Event, Subscriber

Row = dict[str, Any]


def _common(event: Event) -> Row:
    return {"event_id": event.id, "occurred_at": datetime.fromisoformat(event.payload["at"])}


def _op_transition(event: Event) -> Row:
    return {
        "op_occ_id": event.aggregate_id,
        "vnf_instance_id": UUID(event.payload["instanceId"]),
        "operation": event.payload["operation"],
        "previous": event.payload["previous"] or "",
        "state": event.payload["state"],
    }


def _alarm_event(event: Event) -> Row:
    return {
        "alarm_id": event.aggregate_id,
        "managed_object_type": event.payload["managedObjectType"],
        "managed_object_id": UUID(event.payload["managedObjectId"]),
        "faulty_resource": event.payload["faultyResource"],
        "fault_type": event.payload["faultType"],
        "severity": event.payload["severity"],
        "event": event.payload["event"],
    }


def _alarm_archive(event: Event) -> Row:
    return {
        "alarm_id": event.aggregate_id,
        "managed_object_type": event.payload["managedObjectType"],
        "managed_object_id": UUID(event.payload["managedObjectId"]),
        "fault_type": event.payload["faultType"],
        "severity": event.payload["severity"],
        "raised_at": datetime.fromisoformat(event.payload["raisedAt"]),
        "record": event.payload["record"],
    }


def _vim_probe(event: Event) -> Row:
    return {
        "vim_id": event.aggregate_id,
        "reachable": event.payload["reachable"],
        "reason": event.payload["reason"],
    }


_PROJECTIONS: dict[str, tuple[str, Callable[[Event], Row]]] = {
    "op_occ.changed": ("op_transition_history", _op_transition),
    "alarm.changed": ("alarm_event", _alarm_event),
    "alarm.archived": ("alarm_archive", _alarm_archive),
    "vim.changed": ("vim_probe", _vim_probe),
}


def project(event: Event) -> None:
    """Append the event's row. An event without payload is nothing for history: a step's progress, a new description."""
    if not event.payload:
        return
    table, row = _PROJECTIONS[event.topic]
    record(table, _common(event) | row(event))


TELEMETRY_PROJECTOR = Subscriber("telemetry", frozenset(_PROJECTIONS), project)
