"""`lcmCoordinations` and `rejectedLcmCoordinations` of an op occ (SOL003 5.5.2.13): what the element manager, ours or a
foreign one, did before the operation went on.
"""

from collections.abc import Iterator, Mapping
from datetime import datetime
from types import MappingProxyType
from typing import Any

from django.db.models import Prefetch
from rest_framework import serializers

from vnfm.lcm.domain.states import StepState
from vnfm.lcm.models import LcmOpOcc, Step
from vnfm.lcm.router_steps import coordinate
from vnfm.lcm.router_steps.coordinate import Coordinate

ACTIONS: Mapping[str, str] = MappingProxyType(
    {"drain_routers": "drain", "undrain_routers": "undrain", "verify_neighbours": "verify-neighbours"}
)
"""Step kind without its version → coordinationActionName."""
_RESULTS: Mapping[str, str] = MappingProxyType({StepState.DONE: "CONTINUE", StepState.FAILED: "ABORT"})
_FETCHED = "coordination_rows"


class LcmCoordination(serializers.Serializer[Any]):
    """One coordination action; without `coordinationResult` it goes on."""

    id = serializers.CharField()
    coordinationActionName = serializers.CharField()
    coordinationResult = serializers.ChoiceField(choices=["CONTINUE", "ABORT", "CANCELLED"], required=False)
    startTime = serializers.DateTimeField()
    endTime = serializers.DateTimeField(required=False)
    delay = serializers.DateTimeField(required=False)
    endpointType = serializers.ChoiceField(choices=["MGMT", "VNF"])


class RejectedLcmCoordination(serializers.Serializer[Any]):
    """A coordination that a foreign element manager did not begin, as it had no time (503 with Retry-After)."""

    coordinationActionName = serializers.CharField()
    rejectionTime = serializers.DateTimeField()
    delay = serializers.DateTimeField()
    endpointType = serializers.ChoiceField(choices=["MGMT", "VNF"])


def coordination_steps() -> "Prefetch[str, Any, str]":
    """Prefetch the steps of listed op occs that are coordinations, in one query."""
    return Prefetch("steps", queryset=_rows(Step.objects.all()), to_attr=_FETCHED)


def coordinations_of(op: LcmOpOcc) -> list[dict[str, Any]]:
    """Return the coordinations that have begun, in order."""
    return [
        shape
        for row in _fetched(op)
        if row.started_at is not None
        for shape in (_foreign(row) if row.kind == Coordinate.kind else (_shape(row),))
    ]


def rejected_of(op: LcmOpOcc) -> list[dict[str, Any]]:
    """Return the coordinations that the foreign element manager put off, in order."""
    return [
        {
            "coordinationActionName": row.params["action"],
            "rejectionTime": datetime.fromisoformat(at),
            "delay": datetime.fromisoformat(until),
            "endpointType": "MGMT",
        }
        for row in _fetched(op)
        if row.kind == Coordinate.kind
        for at, until in (row.receipt or {}).get(coordinate.REJECTIONS, ())
    ]


def warnings_of(op: LcmOpOcc) -> list[str]:
    """Return the warnings of a foreign element manager: 5.5.2.13 has them among those of the op occ."""
    return [
        f"The element manager, {row.params['action']}: {one[coordinate.WARNINGS]}"
        for row in _fetched(op)
        if row.kind == Coordinate.kind
        for one in _attempts(row)
        if coordinate.WARNINGS in one
    ]


def _fetched(op: LcmOpOcc) -> list[Step]:
    fetched = getattr(op, _FETCHED, None)
    return list(_rows(op.steps.all()) if fetched is None else fetched)


def _rows(steps: Any) -> Any:
    kinds = [f"{kind}@{version}" for kind in ACTIONS for version in range(1, 10)]
    return steps.filter(kind__in=[*kinds, Coordinate.kind]).order_by("seq")


def _foreign(row: Step) -> Iterator[dict[str, Any]]:
    """Yield the coordinations of earlier attempts, and the last one, as the EM confirmed them."""
    for one in _attempts(row):
        if coordinate.ID not in one:
            continue
        shape = {
            "id": one[coordinate.ID],
            "coordinationActionName": row.params["action"],
            "startTime": datetime.fromisoformat(one[coordinate.SINCE]),
            "endpointType": "MGMT",
        }
        if row.state == StepState.UNDONE and coordinate.ENDED not in one:
            shape |= {"coordinationResult": "CANCELLED", "endTime": row.finished_at or row.started_at}
        if coordinate.RESULT in one:
            shape["coordinationResult"] = one[coordinate.RESULT]
        for name, key in (("endTime", coordinate.ENDED), ("delay", coordinate.UNTIL)):
            if key in one:
                shape[name] = datetime.fromisoformat(one[key])
        yield shape


def _attempts(row: Step) -> Iterator[Mapping[str, Any]]:
    """The receipts of earlier attempts, and of the last one."""
    receipt = row.receipt or {}
    yield from (*receipt.get(coordinate.EARLIER, ()), receipt)


def _shape(row: Step) -> dict[str, Any]:
    result = _RESULTS.get(row.state, "CANCELLED" if row.state in (StepState.UNDOING, StepState.UNDONE) else "")
    shape = {
        "id": f"{row.op_id}-{row.seq}",
        "coordinationActionName": ACTIONS[row.kind.partition("@")[0]],
        "startTime": row.started_at,
        "endpointType": "MGMT",
    }
    if result:
        shape |= {"coordinationResult": result, "endTime": row.finished_at or row.started_at}
    return shape
