"""VnfLcmOpOcc (SOL003 5.5.2.13) from its row, in either edition."""

from django.db.models import QuerySet
from rest_framework import serializers

from vnfm.kit.etsi.links import link
from vnfm.kit.etsi.query import json_text
from vnfm.kit.etsi.selection import Selection
from vnfm.kit.web.wire import LinkSerializer, ProblemDetails
from vnfm.lcm.domain.states import Action, CancelMode, Operation, OperationState
from vnfm.lcm.models import LcmOpOcc
from vnfm.lcm.selectors.operations import RecoveryLimits, op_actions, recovery_limits
from vnfm.lcm.selectors.snapshots import ID_PARAM
from vnfm.lcm.wire.coordinations import (
    LcmCoordination,
    RejectedLcmCoordination,
    coordination_steps,
    coordinations_of,
    rejected_of,
    warnings_of,
)
from vnfm.lcm.wire.editions import V2, Edition, EditionSerializer, Json
from vnfm.lcm.wire.resource_changes import ChangedExtVirtualLink, ResourceChanges, with_connection_id

OPERATION_DEFAULT = (
    "operationParams",
    "error",
    "resourceChanges",
    "changedInfo",
    "changedExtConnectivity",
    "lcmCoordinations",
    "rejectedLcmCoordinations",
    "modificationsTriggeredByVnfPkgChange",
    "warnings",
)
"""Attributes that a list of op occs leaves out by default (SOL003 5.4.12.3.2)."""


_OF_CHANGES = ("resourceChanges", "changedExtConnectivity", "modificationsTriggeredByVnfPkgChange")
_OF_COORDINATION = ("lcmCoordinations", "rejectedLcmCoordinations", "warnings")
_COLUMNS = (
    "state",
    "version",
    "state_entered_time",
    "start_time",
    "instance_uuid",
    "vim_connection_id",
    "operation",
    "automatic",
    "cancel_mode",
    "started_by",
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
    if any(map(chosen.wants, _OF_CHANGES)):
        columns.append("changed")
    rows = LcmOpOcc.objects.only(*columns).annotate(
        grant_id=json_text("grant", "id"),
        grant_href=json_text("grant", "href"),
        snapshot_id=json_text("params", ID_PARAM),
    )
    coordinated = any(map(chosen.wants, _OF_COORDINATION))
    return rows.prefetch_related(coordination_steps()) if coordinated else rows


class VnfLcmOpOccOut(EditionSerializer):
    """SOL003 5.5.2.13 VnfLcmOpOcc; lists leave out optional attributes by default."""

    paths = {name: name for name in OPERATION_DEFAULT}  # noqa: RUF012

    id = serializers.UUIDField()
    operationState = serializers.ChoiceField(source="state", choices=[state.value for state in OperationState])
    stateEnteredTime = serializers.DateTimeField(source="state_entered_time")
    startTime = serializers.DateTimeField(source="start_time")
    vnfInstanceId = serializers.UUIDField(source="instance_uuid")
    grantId = serializers.CharField(required=False)
    operation = serializers.CharField()
    isAutomaticInvocation = serializers.BooleanField(source="automatic")
    operationParams = serializers.DictField(required=False)
    isCancelPending = serializers.BooleanField()
    cancelMode = serializers.ChoiceField(choices=sorted(mode.value for mode in CancelMode), required=False)
    error = ProblemDetails(required=False)
    resourceChanges = ResourceChanges(required=False)
    changedInfo = serializers.DictField(required=False)
    changedExtConnectivity = ChangedExtVirtualLink(many=True, required=False)
    lcmCoordinations = LcmCoordination(many=True, required=False)
    rejectedLcmCoordinations = RejectedLcmCoordination(many=True, required=False)
    modificationsTriggeredByVnfPkgChange = serializers.DictField(required=False)
    warnings = serializers.ListField(child=serializers.CharField(), required=False)
    vnfSnapshotInfoId = serializers.CharField(required=False)
    _links = serializers.DictField(child=LinkSerializer())

    def to_representation(self, instance: LcmOpOcc) -> Json:
        shown = super().to_representation(instance)
        changes = {name: shown[name] for name in ("resourceChanges", "changedExtConnectivity") if name in shown}
        return {**shown, **with_connection_id(changes, instance.vim_connection_id)}

    def actions_of(self, op: LcmOpOcc) -> list[Action]:
        """A list has the limits of its rows in the context, read at once."""
        limits = self.context.get("limits")
        return op_actions(op, None if limits is None else limits.get(op.id, RecoveryLimits()))

    def get_grantId(self, op: LcmOpOcc) -> str | None:
        return _of_grant(op, "id") or None

    def get_operationParams(self, op: LcmOpOcc) -> Json:
        return _params(op, self.edition)

    def get_isCancelPending(self, op: LcmOpOcc) -> bool:
        return bool(op.cancel_mode)

    def get_cancelMode(self, op: LcmOpOcc) -> str | None:
        return op.cancel_mode or None

    def get_error(self, op: LcmOpOcc) -> Json | None:
        return op.problem or None

    def get_resourceChanges(self, op: LcmOpOcc) -> LcmOpOcc | None:
        return op if op.changed else None

    def get_changedInfo(self, op: LcmOpOcc) -> Json | None:
        modified = op.operation == Operation.MODIFY_INFO and op.state == OperationState.COMPLETED
        return _params(op, self.edition) if modified else None

    def get_changedExtConnectivity(self, op: LcmOpOcc) -> list[Json] | None:
        return (op.changed or {}).get("externals") or None

    def get_lcmCoordinations(self, op: LcmOpOcc) -> list[Json] | None:
        return coordinations_of(op) or None

    def get_rejectedLcmCoordinations(self, op: LcmOpOcc) -> list[Json] | None:
        return rejected_of(op) or None

    def get_modificationsTriggeredByVnfPkgChange(self, op: LcmOpOcc) -> Json | None:
        return (op.changed or {}).get("package")

    def get_warnings(self, op: LcmOpOcc) -> list[str] | None:
        return [*(op.plan["warnings"] if op.plan else ()), *warnings_of(op)] or None

    def get_vnfSnapshotInfoId(self, op: LcmOpOcc) -> str | None:
        return _snapshot_id(op) or None

    def get__links(self, op: LcmOpOcc) -> Json:
        path = f"{self.edition.operations}/{op.id}"
        links = {"self": link(path), "vnfInstance": link(f"{self.edition.instances}/{op.instance_uuid}")}
        links |= {each.action: link(f"{path}/{each.action}") for each in self.actions_of(op) if each.enabled}
        if (snapshot := _snapshot_id(op)) and "vnfSnapshotInfoId" not in self.edition.missing:
            links["vnfSnapshot"] = link(f"{self.edition.snapshots}/{snapshot}")
        if grant := _of_grant(op, "href"):
            links["grant"] = {"href": grant}
        return links


def op_occ_page(
    rows: list[LcmOpOcc], edition: Edition, chosen: Selection, out: type[VnfLcmOpOccOut] = VnfLcmOpOccOut
) -> list[Json]:
    """The op occs of a list as `out`, in a fixed number of queries."""
    context = {"edition": edition, "chosen": chosen, "limits": recovery_limits(rows)}
    represent = out(context=context).to_representation
    return [represent(row) for row in rows]


def op_occ(op: LcmOpOcc, edition: Edition = V2) -> Json:
    """SOL003 5.5.2.13."""
    return VnfLcmOpOccOut(op, context={"edition": edition}).data


def _of_grant(op: LcmOpOcc, name: str) -> str:
    """Lists fetch only this much of the grant; only an NFVO's has an address."""
    fetched = getattr(op, f"grant_{name}", None)
    return str(fetched if fetched is not None else (op.grant or {}).get(name, ""))


def _snapshot_id(op: LcmOpOcc) -> str:
    """Lists fetch it apart from the other parameters."""
    fetched = getattr(op, "snapshot_id", None)
    return str(fetched if fetched is not None else op.params.get(ID_PARAM, ""))


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
