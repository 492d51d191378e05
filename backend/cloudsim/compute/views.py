"""The JSON of a server in the API."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from cloudsim.compute.common import bookmark, links
from cloudsim.compute.flavors import reference
from cloudsim.compute.hosts import instance_name
from cloudsim.compute.microversion import version_of
from cloudsim.compute.states import status_of
from cloudsim.compute.volumes import attached

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cloudsim.core.context import RequestContext
    from cloudsim.core.service import Request
    from cloudsim.core.store import Doc, Store


def brief(doc: Doc, request: Request) -> Doc:
    return {"id": doc["id"], "name": doc["name"], "links": links(request, f"servers/{doc['id']}")}


def status(doc: Doc) -> str:
    return status_of(doc["vm_state"], doc["task_state"])


def ports_of(store: Store, doc: Doc) -> Iterator[Doc]:
    """Yield the server's ports in the order of its NICs."""
    ports = {port["id"]: port for port in store.find("port", "device", doc["id"])}
    for ident in doc["ports"]:
        if ident in ports:
            yield ports[ident]


def addresses(store: Store, doc: Doc) -> dict[str, list[Doc]]:
    """Return the addresses by network name: fixed ones, then the floating ones that lead to them."""
    found: dict[str, list[Doc]] = {}
    for port in ports_of(store, doc):
        network = store.get("network", port["network_id"])
        label = found.setdefault(network["name"] if network else "", [])
        for item in port["fixed_ips"]:
            label.append(_address(item["ip_address"], port, "fixed"))
        for floating in store.find("floatingip", "port", port["id"]):
            label.append(_address(floating["floating_ip_address"], port, "floating"))
    return found


def _address(text: str, port: Doc, kind: str) -> Doc:
    return {
        "version": 6 if ":" in text else 4,
        "addr": text,
        "OS-EXT-IPS:type": kind,
        "OS-EXT-IPS-MAC:mac_addr": port["mac_address"],
    }


def detail(store: Store, doc: Doc, ctx: RequestContext, request: Request) -> Doc:
    """Return a server's details for the caller's rights and microversion."""
    state = status(doc)
    image = doc["image_id"]
    view: Doc = {
        **brief(doc, request),
        "status": state,
        "tenant_id": doc["tenant_id"],
        "user_id": doc["user_id"],
        "metadata": doc["metadata"],
        "hostId": _host_id(doc),
        "image": {"id": image, "links": bookmark(request, f"images/{image}")} if image else "",
        "flavor": reference(doc["flavor"], request),
        "created": doc["created"],
        "updated": doc["updated"],
        "addresses": addresses(store, doc),
        "accessIPv4": doc["access_ipv4"],
        "accessIPv6": doc["access_ipv6"],
        "OS-DCF:diskConfig": "MANUAL",
        "OS-EXT-AZ:availability_zone": "nova" if doc["host"] else doc["zone"] or "",
        "OS-EXT-STS:vm_state": doc["vm_state"],
        "OS-EXT-STS:task_state": doc["task_state"],
        "OS-EXT-STS:power_state": doc["power_state"],
        "OS-SRV-USG:launched_at": doc["launched"],
        "OS-SRV-USG:terminated_at": doc["terminated"],
        "os-extended-volumes:volumes_attached": [{"id": one["volume_id"]} for one in attached(doc)],
        "config_drive": doc["config_drive"],
        "key_name": doc["key_name"],
    }
    if doc["vm_state"] != "deleted":
        view["security_groups"] = [{"name": name} for name in doc["security_groups"]]
    if state in {"ACTIVE", "BUILD"}:
        view["progress"] = 100 if state == "ACTIVE" and not doc["task_state"] else 0
    if doc["fault"] and state in {"ERROR", "DELETED"}:
        view["fault"] = _fault(doc["fault"], ctx)
    view.update(_for_version(doc, ctx, version_of(request)))
    return view


def _for_version(doc: Doc, ctx: RequestContext, version: tuple[int, int]) -> Doc:
    more: Doc = {}
    if ctx.is_admin:
        more["OS-EXT-SRV-ATTR:host"] = doc["host"]
        more["OS-EXT-SRV-ATTR:hypervisor_hostname"] = doc["host"]
        more["OS-EXT-SRV-ATTR:instance_name"] = instance_name(doc)
        if version >= (2, 3):
            more["OS-EXT-SRV-ATTR:hostname"] = doc["name"].lower().replace("_", "-")
            more["OS-EXT-SRV-ATTR:reservation_id"] = doc["reservation_id"]
            more["OS-EXT-SRV-ATTR:launch_index"] = doc["launch_index"]
            more["OS-EXT-SRV-ATTR:kernel_id"] = ""
            more["OS-EXT-SRV-ATTR:ramdisk_id"] = ""
            more["OS-EXT-SRV-ATTR:root_device_name"] = "/dev/vda"
            more["OS-EXT-SRV-ATTR:user_data"] = doc["user_data"]
    if version >= (2, 3):
        more["os-extended-volumes:volumes_attached"] = [
            {"id": one["volume_id"], "delete_on_termination": one["delete"]} for one in attached(doc)
        ]
    if version >= (2, 9):
        more["locked"] = doc["locked"]
    return more


def _fault(fault: Doc, ctx: RequestContext) -> Doc:
    """Return the fault; only administrators get the details of a 500."""
    view: dict[str, Any] = {name: fault[name] for name in ("code", "created", "message")}
    if ctx.is_admin or fault["code"] != 500:  # noqa: PLR2004 - an internal error
        view["details"] = fault["details"]
    return view


def _host_id(doc: Doc) -> str:
    return hashlib.sha224(f"{doc['tenant_id']}{doc['host']}".encode()).hexdigest() if doc["host"] else ""
