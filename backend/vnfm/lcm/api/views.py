"""What /api/v1 shows of operations, their steps and plans."""

from collections.abc import Mapping
from typing import Any

from vnfm.kit.selection import EVERYTHING
from vnfm.lcm.domain.states import Action, OperationState
from vnfm.lcm.domain.steps import OUTPUT
from vnfm.lcm.models import LcmOpOcc, PlanPreview, Step
from vnfm.lcm.selectors.operations import op_actions
from vnfm.lcm.wire.editions import V2, Json
from vnfm.lcm.wire.op_occ import op_occ_body


def operation_detail(op: LcmOpOcc) -> Json:
    actions = op_actions(op)
    return {
        **op_occ_body(op, actions, V2, EVERYTHING),
        "vnfInstanceName": op.instance.name if op.instance else "",
        "startedBy": op.started_by,
        "waitingSince": op.waiting_since,
        "deadline": op.deadline,
        "grant": op.grant,
        "grantAsked": _grant_asked(op),
        "steps": [step(row) for row in op.steps.all()],
        "actions": [action(a) for a in actions],
        "transitions": [
            {"from": t.source, "to": t.target, "reason": t.reason, "at": t.at} for t in op.transitions.order_by("id")
        ],
        "version": op.version,
    }


def _grant_asked(op: LcmOpOcc) -> Json | None:
    if op.state != OperationState.STARTING or op.grant_asked is None or op.grant_asked["decision"]:
        return None
    return {"at": op.grant_asked["askedAt"], "grantId": op.grant_asked["id"], "failure": op.grant_asked["away"]}


def step(row: Step) -> Json:
    return {
        "seq": row.seq,
        "name": row.kind,
        "title": row.title,
        "state": row.state,
        "message": row.message,
        "attempts": row.attempts,
        "startedAt": row.started_at,
        "finishedAt": row.finished_at,
        "problem": row.problem,
        "oneWay": row.one_way,
        "output": (row.receipt or {}).get(OUTPUT, ""),
        "calls": [
            {
                "at": call["at"],
                "service": call["service"],
                "method": call["method"],
                "path": call["path"],
                "status": call["status"],
                "requestId": call["request_id"],
            }
            for call in row.calls
        ],
    }


def action(lit: Action) -> Mapping[str, Any]:
    return {"action": lit.action, "enabled": lit.enabled, "disabledReason": lit.disabled_reason}


def plan(preview: PlanPreview) -> Json:
    return {
        "id": preview.id,
        "state": preview.state,
        "operation": preview.operation,
        "vnfdId": preview.vnfd_id,
        "vnfInstanceId": preview.instance_id,
        "request": preview.request,
        "result": preview.result,
        "problem": preview.problem,
        "createdAt": preview.created_at,
    }
