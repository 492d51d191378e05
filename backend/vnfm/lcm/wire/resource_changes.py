"""`resourceChanges` of an operation (SOL003 5.5.2.13)."""

from typing import Any

from vnfm.lcm.domain.grant_request import VIM_KEY
from vnfm.lcm.domain.states import Operation
from vnfm.lcm.models import LcmOpOcc
from vnfm.lcm.wire.editions import Json


def resource_changes(op: LcmOpOcc) -> Json:
    """The changes that the operation had made when it last stood still; "{}" where it had made none."""
    changed = op.changed or {}
    upgrade = op.operation == Operation.CHANGE_VNFPKG
    lists = {
        "affectedVnfcs": [_vnfc(row, upgrade=upgrade) for row in changed.get("vnfcs", ())],
        "affectedVirtualLinks": [_link(row, upgrade=upgrade) for row in changed.get("links", ())],
        "affectedExtLinkPorts": [_port(row) for row in changed.get("ports", ())],
    }
    return {name: rows for name, rows in lists.items() if rows}


def _of(row: dict[str, Any], *, upgrade: bool) -> Json:
    """Of two VNFDs it must be said to which one the VDU or virtual link belongs."""
    body = {"id": row["id"], "changeType": row["change"]}
    return body | ({"vnfdId": row["vnfd_id"]} if upgrade else {})


def _vnfc(row: dict[str, Any], *, upgrade: bool) -> Json:
    return _of(row, upgrade=upgrade) | {
        "vduId": row["vdu_id"],
        "computeResource": handle(row["server_id"], "OS::Nova::Server"),
        "affectedVnfcCpIds": row["external"],
        "metadata": {"slot": row["slot"], "name": row["name"]},
    }


def _link(row: dict[str, Any], *, upgrade: bool) -> Json:
    network = handle(row["network_id"], "OS::Neutron::Net")
    return _of(row, upgrade=upgrade) | {"vnfVirtualLinkDescId": row["vl_id"], "networkResource": network}


def _port(row: dict[str, Any]) -> Json:
    port = handle(row["id"], "OS::Neutron::Port")
    return {"id": row["id"], "changeType": row["change"], "extCpInstanceId": row["id"], "resourceHandle": port}


def handle(resource_id: str, resource_type: str) -> dict[str, str]:
    """SOL003 4.4.1.7 ResourceHandle: something in the cloud of the instance."""
    return {"vimConnectionId": VIM_KEY, "resourceId": resource_id, "vimLevelResourceType": resource_type}
