"""Attributes of SOL003's lists that a filter may name, and where they are found (SOL013 5.2, SOL003 5.4.2, 5.4.12)."""

from django.db.models import Case, CharField, Exists, F, Func, JSONField, OuterRef, Q, TextField, Value, When
from django.db.models.functions import Cast, Coalesce, NullIf

from vnfm.inventory.models import Vnfc, VnfcPort, VnfInstance, VnfVirtualLink
from vnfm.kit.etsi.json_filters import Objects, Texts
from vnfm.kit.etsi.query import Attributes, Computed, Entry, Member, Pair, json_text
from vnfm.lcm.api.instance_view import EXTERNAL, INFO, MAX_SCALE, NETWORKS, SCALE, VIM, VNFCS
from vnfm.lcm.domain.grant_request import VIM_KEY
from vnfm.lcm.domain.states import Operation, OperationState
from vnfm.lcm.models import VnfcSnapshot, VnfSnapshot
from vnfm.lcm.selectors.snapshots import ID_PARAM
from vnfm.lcm.wire.editions import Edition
from vnfm.vims.selectors import project_label

_VNFCS = Vnfc.objects.filter(instance=OuterRef("pk"))
_PORTS = VnfcPort.objects.filter(vnfc__instance=OuterRef("pk"))
_LINKS = VnfVirtualLink.objects.filter(instance=OuterRef("pk"))
_EXTERNAL_LINKS = _LINKS.annotate(
    shown_id=Case(When(external_id="", then=Cast("id", CharField())), default="external_id")
)

_STATE = Computed(
    Case(
        When(instantiation_state=VnfInstance.InstantiationState.NOT_INSTANTIATED, then=Value("")),
        When(Exists(_VNFCS.filter(desired=Vnfc.Desired.STARTED)), then=Value(Vnfc.Desired.STARTED.value)),
        default=Value(Vnfc.Desired.STOPPED.value),
    )
)

_MAX_LEVELS = Func(
    F("package__vnfd"),
    F("flavour_id"),
    template="(SELECT jsonb_object_agg(a.value->>'id', a.value->'maxScaleLevel')"
    " FROM jsonb_array_elements(%(expressions)s)",
    arg_joiner="->'flavours') AS f, jsonb_array_elements(f.value->'aspects') AS a WHERE f.value->>'id' = ",
    output_field=JSONField(),
)
"""Aspect → highest level, by the descriptor of the instance's flavour."""

_INSTANCE: Attributes = {
    "id": "id",
    "vnfInstanceName": "name",
    "vnfInstanceDescription": "description",
    "vnfdId": "package__vnfd_id",
    "vnfProvider": "package__provider",
    "vnfProductName": "package__product_name",
    "vnfSoftwareVersion": "package__software_version",
    "vnfdVersion": "package__vnfd_version",
    "instantiationState": "instantiation_state",
    "metadata/": Entry("metadata"),
    "metadata/@key": Pair("metadata", "key"),
    "extensions/": Entry(""),
    "vnfConfigurableProperties/": Entry(""),
    f"{INFO}/flavourId": "flavour_id",
    f"{INFO}/vnfState": _STATE,
    f"{SCALE}/aspectId": Pair("scale_levels", "key"),
    f"{SCALE}/scaleLevel": Pair("scale_levels", "value"),
    f"{MAX_SCALE}/aspectId": Pair(_MAX_LEVELS, "key"),
    f"{MAX_SCALE}/scaleLevel": Pair(_MAX_LEVELS, "value"),
    f"{VNFCS}/id": Member(_VNFCS, "id"),
    f"{VNFCS}/vduId": Member(_VNFCS, "vdu_id"),
    f"{VNFCS}/metadata/slot": Member(_VNFCS, "slot"),
    f"{VNFCS}/metadata/name": Member(_VNFCS, "name"),
    f"{VNFCS}/computeResource/resourceId": Member(_VNFCS, "server_id"),
    f"{VNFCS}/vnfcCpInfo/id": Member(_PORTS, "port_id"),
    f"{VNFCS}/vnfcCpInfo/cpdId": Member(_PORTS, "cp_id"),
    f"{VNFCS}/vnfcCpInfo/cpProtocolInfo/ipOverEthernet/macAddress": Member(_PORTS, "mac_address"),
    f"{INFO}/extCpInfo/id": Member(_PORTS, "port_id"),
    f"{INFO}/extCpInfo/cpdId": Member(_PORTS, "cp_id"),
    f"{INFO}/extCpInfo/cpProtocolInfo/ipOverEthernet/macAddress": Member(_PORTS, "mac_address"),
    f"{INFO}/extCpInfo/cpProtocolInfo/ipOverEthernet/ipAddresses/addresses": Member(_PORTS, Texts("ip_addresses", ())),
    f"{EXTERNAL}/id": Member(_EXTERNAL_LINKS, "shown_id"),
    f"{EXTERNAL}/resourceHandle/resourceId": Member(_LINKS, "network_id"),
}
"""An attribute that an instance does not have is equal to nothing, and different from everything."""

_NETWORK: Attributes = {
    "id": Member(_LINKS, "id"),
    "vnfVirtualLinkDescId": Member(_LINKS, "vl_id"),
    "networkResource/resourceId": Member(_LINKS, "network_id"),
}

_VIM_NAMED = Computed(
    Case(
        When(vim__isnull=True, then=Value("")),
        default=Coalesce(NullIf("vim_connection_id", Value("")), Value(VIM_KEY)),
    )
)

_VIM: Attributes = {
    "vimId": "vim_id",
    "vimType": "vim__vim_type",
    "interfaceInfo/endpoint": "vim__auth_url",
    "accessInfo/username": "vim__username",
    "accessInfo/project": Computed(project_label("vim__")),
    "accessInfo/region": "vim__region",
}

_CHANGED = (
    ("affectedVnfcs/id", "vnfcs", "id"),
    ("affectedVnfcs/vduId", "vnfcs", "vdu_id"),
    ("affectedVnfcs/changeType", "vnfcs", "change"),
    ("affectedVnfcs/computeResource/resourceId", "vnfcs", "server_id"),
    ("affectedVnfcs/metadata/slot", "vnfcs", "slot"),
    ("affectedVnfcs/metadata/name", "vnfcs", "name"),
    ("affectedVirtualLinks/id", "links", "id"),
    ("affectedVirtualLinks/vnfVirtualLinkDescId", "links", "vl_id"),
    ("affectedVirtualLinks/changeType", "links", "change"),
    ("affectedVirtualLinks/networkResource/resourceId", "links", "network_id"),
    ("affectedExtLinkPorts/id", "ports", "id"),
    ("affectedExtLinkPorts/changeType", "ports", "change"),
)
"""Each entry is an attribute of resourceChanges, its array in the column `changed`, and the member of its objects."""


def _modified(name: str) -> Computed:
    """Return the value that `VnfLcmOpOccOut.get_changedInfo` shows."""
    completed = Q(operation=Operation.MODIFY_INFO, state=OperationState.COMPLETED)
    return Computed(Case(When(completed, then=json_text("params", name)), default=Value(""), output_field=TextField()))


_OPERATION: Attributes = {
    "id": "id",
    "operationState": "state",
    "stateEnteredTime": "state_entered_time",
    "startTime": "start_time",
    "vnfInstanceId": "instance_uuid",
    "grantId": Computed(json_text("grant", "id")),
    "operation": "operation",
    "isAutomaticInvocation": Computed(Case(When(automatic=True, then=Value("true")), default=Value("false"))),
    "isCancelPending": Computed(Case(When(~Q(cancel_mode=""), then=Value("true")), default=Value("false"))),
    "cancelMode": "cancel_mode",
    "operationParams/": Entry("params"),
    "error/": Entry("problem"),
    "vnfSnapshotInfoId": Computed(json_text("params", ID_PARAM)),
    **{f"changedInfo/{name}": _modified(name) for name in ("vnfInstanceName", "vnfInstanceDescription", "vnfdId")},
    **{f"resourceChanges/{name}": Objects("changed", (kind,), member) for name, kind, member in _CHANGED},
}


_SNAPSHOT, _VNFC_SNAPSHOTS = "vnfSnapshot", VnfcSnapshot.objects.filter(snapshot=OuterRef("pk"))
_SNAPSHOT_ID = Case(When(state=VnfSnapshot.State.EMPTY, then=Value("")), default=Cast("id", CharField()))

_SNAPSHOT_INFO: Attributes = {
    "id": "id",
    "vnfSnapshotPkgId": "package_info_id",
    f"{_SNAPSHOT}/id": Computed(_SNAPSHOT_ID),
    f"{_SNAPSHOT}/vnfInstanceId": "instance_uuid",
    f"{_SNAPSHOT}/creationStartedAt": "started_at",
    f"{_SNAPSHOT}/creationFinishedAt": "finished_at",
    f"{_SNAPSHOT}/vnfdId": "vnfd_id",
    f"{_SNAPSHOT}/vnfInstance/": Entry("vnf_instance"),
    f"{_SNAPSHOT}/userDefinedData/": Entry("user_defined_data"),
    f"{_SNAPSHOT}/vnfcSnapshots/id": Member(_VNFC_SNAPSHOTS, "vnfc_id"),
    f"{_SNAPSHOT}/vnfcSnapshots/vnfcInstanceId": Member(_VNFC_SNAPSHOTS, "vnfc_id"),
    f"{_SNAPSHOT}/vnfcSnapshots/vnfcResourceInfoId": Member(_VNFC_SNAPSHOTS, "vnfc_id"),
    f"{_SNAPSHOT}/vnfcSnapshots/creationStartedAt": Member(_VNFC_SNAPSHOTS, "started_at"),
    f"{_SNAPSHOT}/vnfcSnapshots/creationFinishedAt": Member(_VNFC_SNAPSHOTS, "finished_at"),
    f"{_SNAPSHOT}/vnfcSnapshots/computeSnapshotResource/resourceId": Member(_VNFC_SNAPSHOTS, "image_id"),
}


def snapshot_attributes() -> Attributes:
    return dict(_SNAPSHOT_INFO)


def instance_attributes(edition: Edition) -> Attributes:
    """A map's entries may be named with their key or, as if it were an array, without."""
    prefixes = [VIM, f"{VIM}/{VIM_KEY}"] if edition.maps else [VIM]
    package = {"vnfPkgId": "package_id"} if edition.package_id else {}
    networks = NETWORKS.rpartition("/")[0] + f"/{edition.networks}"
    return (
        dict(_INSTANCE)
        | package
        | {f"{VIM}/@key" if edition.maps else f"{VIM}/id": _VIM_NAMED}
        | {f"{prefix}/{name}": found for prefix in prefixes for name, found in _VIM.items()}
        | {f"{networks}/{name}": found for name, found in _NETWORK.items()}
    )


def operation_attributes() -> Attributes:
    return dict(_OPERATION)
