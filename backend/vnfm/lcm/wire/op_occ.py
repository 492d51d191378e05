"""VnfLcmOpOcc (SOL003 5.5.2.13) from its row, in either edition."""

from django.db.models import QuerySet

from vnfm.kit.query import json_text
from vnfm.kit.selection import EVERYTHING, Selection
from vnfm.lcm.domain.states import Action, Operation, OperationState
from vnfm.lcm.models import LcmOpOcc
from vnfm.lcm.selectors.operations import RecoveryLimits, op_actions, recovery_limits
from vnfm.lcm.wire.editions import V2, Edition, Json
from vnfm.lcm.wire.resource_changes import resource_changes

OPERATION_DEFAULT = (
    "operationParams",
    "error",
    "resourceChanges",
    "changedInfo",
    "changedExtConnectivity",
    "lcmCoordinations",
    "modificationsTriggeredByVnfPkgChange",
    "warnings",
)
"""What a list of op occs leaves out unless asked (SOL003 5.4.12.3.2)."""


_COLUMNS = (
    "state",
    "version",
    "state_entered_time",
    "start_time",
    "instance_uuid",
    "operation",
    "automatic",
    "cancel_mode",
)


def op_occs(chosen: Selection) -> QuerySet[LcmOpOcc]:
    """Op occs with just what their view shows."""
    columns = list(_COLUMNS)
    if chosen.wants("operationParams") or chosen.wants("changedInfo"):
        columns.append("params")
    if chosen.wants("error"):
        columns.append("problem")
    if chosen.wants("warnings"):
        columns.append("plan")
    if chosen.wants("resourceChanges"):
        columns.append("changed")
    return LcmOpOcc.objects.only(*columns).annotate(
        grant_id=json_text("grant", "id"), grant_href=json_text("grant", "href")
    )


def op_occ_page(rows: list[LcmOpOcc], edition: Edition, chosen: Selection) -> list[Json]:
    """The op occs of a list, in a fixed number of queries."""
    known = recovery_limits(rows)
    return [op_occ_body(row, op_actions(row, known.get(row.id, RecoveryLimits())), edition, chosen) for row in rows]


def op_occ(op: LcmOpOcc, edition: Edition = V2) -> Json:
    """SOL003 5.5.2.13."""
    return op_occ_body(op, op_actions(op), edition, EVERYTHING)


def op_occ_body(op: LcmOpOcc, actions: list[Action], edition: Edition, chosen: Selection) -> Json:
    path = f"{edition.operations}/{op.id}"
    view: Json = {
        "id": str(op.id),
        "operationState": op.state,
        "stateEnteredTime": op.state_entered_time,
        "startTime": op.start_time,
        "vnfInstanceId": str(op.instance_uuid),
        "operation": op.operation,
        "isAutomaticInvocation": op.automatic,
        "isCancelPending": bool(op.cancel_mode),
        "_links": {
            "self": {"href": path},
            "vnfInstance": {"href": f"{edition.instances}/{op.instance_uuid}"},
            **{a.action: {"href": f"{path}/{a.action}"} for a in actions if a.enabled},
        },
    }
    if op.cancel_mode:
        view["cancelMode"] = op.cancel_mode
    if grant_id := _of_grant(op, "id"):
        view["grantId"] = grant_id
    if href := _of_grant(op, "href"):
        view["_links"]["grant"] = {"href": href}
    if chosen.wants("operationParams"):
        view["operationParams"] = _params(op, edition)
    if chosen.wants("error") and op.problem:
        view["error"] = op.problem
    if chosen.wants("changedInfo") and op.operation == Operation.MODIFY_INFO and op.state == OperationState.COMPLETED:
        view["changedInfo"] = _params(op, edition)
    if chosen.wants("resourceChanges") and op.changed:
        view["resourceChanges"] = edition.without_missing(resource_changes(op))
    if chosen.wants("warnings") and op.plan and op.plan["warnings"]:
        view["warnings"] = op.plan["warnings"]
    return edition.without_missing(view)


def _of_grant(op: LcmOpOcc, name: str) -> str:
    """Lists fetch no more of the grant than what is asked for here; only an NFVO's has an address."""
    fetched = getattr(op, f"grant_{name}", None)
    return str(fetched if fetched is not None else (op.grant or {}).get(name, ""))


def _params(op: LcmOpOcc, edition: Edition) -> Json:
    """The request, as the edition would have sent it."""
    params = edition.without_missing(dict(op.params))
    if "vimConnectionInfo" in params:
        params["vimConnectionInfo"] = edition.keyed(params["vimConnectionInfo"], key="id")
    if "extVirtualLinks" in params:
        params["extVirtualLinks"] = [
            link | {"extCps": [_ext_cp(cp, edition) for cp in link["extCps"]]} for link in params["extVirtualLinks"]
        ]
    return params


def _ext_cp(cp: Json, edition: Edition) -> Json:
    return cp | {"cpConfig": edition.keyed(cp["cpConfig"])} if "cpConfig" in cp else cp
