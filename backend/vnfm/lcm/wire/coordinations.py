"""`lcmCoordinations` of an op occ (SOL003 5.5.2.13): what the element manager, which is ours, did before it went on."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from django.db.models import Prefetch
from rest_framework import serializers

from vnfm.lcm.domain.states import StepState
from vnfm.lcm.models import LcmOpOcc, Step

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
    endpointType = serializers.ChoiceField(choices=["MGMT", "VNF"])


def coordination_steps() -> "Prefetch[str, Any, str]":
    """For a list of op occs: their steps that are coordinations, in one query."""
    return Prefetch("steps", queryset=_rows(Step.objects.all()), to_attr=_FETCHED)


def coordinations_of(op: LcmOpOcc) -> list[dict[str, Any]]:
    """Those that have begun, in order."""
    fetched = getattr(op, _FETCHED, None)
    rows = _rows(op.steps.all()) if fetched is None else fetched
    return [_shape(row) for row in rows if row.started_at is not None]


def _rows(steps: Any) -> Any:
    kinds = [f"{kind}@{version}" for kind in ACTIONS for version in range(1, 10)]
    return steps.filter(kind__in=kinds).order_by("seq")


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
