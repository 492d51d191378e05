"""From rows to the wire, one function a resource."""

from collections.abc import Mapping
from typing import Any

from django.urls import reverse

from vnfm.catalog import selectors as catalog
from vnfm.inventory.models import Vnfc, VnfcPort, VnfInstance
from vnfm.lcm.domain.states import Action, instance_actions
from vnfm.lcm.models import LcmOpOcc, PlanPreview, Step
from vnfm.lcm.services import error_handling

VIM_KEY = "vim1"
"""Our key in vimConnectionInfo: an instance lives in one VIM."""


def vnf_instance(instance: VnfInstance, live: LcmOpOcc | None) -> dict[str, Any]:
    """SOL003 5.5.2.2; `live` is its running operation."""
    package = instance.package
    view: dict[str, Any] = {
        "id": instance.id,
        "vnfInstanceName": instance.name,
        "vnfInstanceDescription": instance.description,
        "vnfdId": package.vnfd_id,
        "vnfProvider": package.provider,
        "vnfProductName": package.product_name,
        "vnfSoftwareVersion": package.software_version,
        "vnfdVersion": package.vnfd_version,
        "vimConnectionInfo": _vim_connection_info(instance),
        "instantiationState": instance.instantiation_state,
        "metadata": instance.metadata,
        "_links": _instance_links(instance, live),
    }
    if instance.instantiation_state == VnfInstance.InstantiationState.INSTANTIATED:
        view["instantiatedVnfInfo"] = _instantiated(instance)
    return view


def _vim_connection_info(instance: VnfInstance) -> dict[str, Any]:
    if instance.vim is None:
        return {}
    vim = instance.vim
    return {
        VIM_KEY: {
            "vimId": str(vim.id),
            "vimType": vim.vim_type,
            "interfaceInfo": {"endpoint": vim.auth_url},
            "accessInfo": {"username": vim.username, "project": vim.project_name, "region": vim.region},
        }
    }


def _instance_links(instance: VnfInstance, live: LcmOpOcc | None) -> dict[str, Any]:
    path = reverse("vnf_instance", args=[instance.id])
    running = str(live.state) if live else None
    actions = instance_actions(instance.instantiation_state, running)
    links = {"self": {"href": path}}
    links |= {_camel(a.action): {"href": f"{path}/{a.action}"} for a in actions if a.enabled and a.action != "delete"}
    return links


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.title() for word in rest)


def _handle(resource_id: str, resource_type: str) -> dict[str, str]:
    return {"vimConnectionId": VIM_KEY, "resourceId": resource_id, "vimLevelResourceType": resource_type}


def _instantiated(instance: VnfInstance) -> dict[str, Any]:
    vnfd = catalog.vnfd_of(instance.package)
    flavour = vnfd.flavour(instance.flavour_id)
    aspects = flavour.aspects if flavour else ()
    vnfcs = list(instance.vnfcs.all())
    external = {
        cp.id
        for vdu in vnfd.vdus
        for cp in vdu.connection_points
        if not next(vl.internal for vl in vnfd.virtual_links if vl.id == cp.virtual_link)
    }
    return {
        "flavourId": instance.flavour_id,
        "vnfState": "STARTED" if any(v.desired == Vnfc.Desired.STARTED for v in vnfcs) else "STOPPED",
        "scaleStatus": [{"aspectId": a.id, "scaleLevel": instance.scale_levels.get(a.id, 0)} for a in aspects],
        "maxScaleLevels": [{"aspectId": a.id, "scaleLevel": a.max_scale_level} for a in aspects],
        "extCpInfo": [_ext_cp(port) for v in vnfcs for port in v.ports.all() if port.cp_id in external],
        "vnfcResourceInfo": [
            {
                "id": v.id,
                "vduId": v.vdu_id,
                "computeResource": _handle(v.server_id, "OS::Nova::Server"),
                "metadata": {"slot": v.slot, "name": v.name},
            }
            for v in vnfcs
        ],
        "vnfVirtualLinkResourceInfo": [
            {
                "id": str(link.id),
                "vnfVirtualLinkDescId": link.vl_id,
                "networkResource": _handle(link.network_id, "OS::Neutron::Net"),
            }
            for link in instance.virtual_links.all()
        ],
    }


def _ext_cp(port: VnfcPort) -> dict[str, Any]:
    addresses = [{"type": "IPV6" if ":" in ip else "IPV4", "addresses": [ip]} for ip in port.ip_addresses]
    layer = {"macAddress": port.mac_address, "ipAddresses": addresses}
    return {
        "id": port.port_id,
        "cpdId": port.cp_id,
        "cpProtocolInfo": [{"layerProtocol": "IP_OVER_ETHERNET", "ipOverEthernet": layer}],
        "associatedVnfcCpId": port.port_id,
    }


def op_occ(op: LcmOpOcc) -> dict[str, Any]:
    """SOL003 5.5.2.13."""
    path = reverse("vnf_lcm_op_occ", args=[op.id])
    actions = error_handling(op)
    view: dict[str, Any] = {
        "id": op.id,
        "operationState": op.state,
        "stateEnteredTime": op.state_entered_time,
        "startTime": op.start_time,
        "vnfInstanceId": op.instance_uuid,
        "operation": op.operation,
        "isAutomaticInvocation": op.automatic,
        "operationParams": op.params,
        "isCancelPending": False,
        "_links": {
            "self": {"href": path},
            "vnfInstance": {"href": reverse("vnf_instance", args=[op.instance_uuid])},
            **{a.action: {"href": f"{path}/{a.action}"} for a in actions if a.enabled},
        },
    }
    if op.problem:
        view["error"] = op.problem
    return view


def operation_detail(op: LcmOpOcc) -> dict[str, Any]:
    actions = error_handling(op)
    return {
        **op_occ(op),
        "vnfInstanceName": op.instance.name if op.instance else "",
        "startedBy": op.started_by,
        "steps": [step(row) for row in op.steps.all()],
        "actions": [action(a) for a in actions],
        "transitions": [
            {"from": t.source, "to": t.target, "reason": t.reason, "at": t.at} for t in op.transitions.order_by("id")
        ],
        "version": op.version,
    }


def step(row: Step) -> dict[str, Any]:
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
    }


def action(lit: Action) -> Mapping[str, Any]:
    return {"action": lit.action, "enabled": lit.enabled, "disabledReason": lit.disabled_reason}


def plan(preview: PlanPreview) -> dict[str, Any]:
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
