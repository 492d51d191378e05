"""Checks the NICs of a request against Neutron, as Nova does before it answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cloudsim.compute.common import bad, conflict
from cloudsim.network.networks import PHYSNET

if TYPE_CHECKING:
    from cloudsim.core.cloud import Cloud
    from cloudsim.core.context import RequestContext
    from cloudsim.core.store import Doc

SRIOV = frozenset({"direct", "macvtap"})


async def resolve(cloud: Cloud, ctx: RequestContext, requested: Any, groups: list[str]) -> list[Doc]:
    """Return NICs in order: ``port_id`` or ``network_id`` (with ``fixed_ip``), and the physnet of an SR-IOV port.

    If ``networks`` is missing or empty, the only network that the project owns or shares is used.
    Raises ApiFault 400 or 409.
    """
    if requested is None or requested == []:
        requested = await _only_network(cloud, ctx)
    if not isinstance(requested, list) or not all(isinstance(item, dict) for item in requested):
        raise bad(
            f"Invalid input for field/attribute networks. Value: {requested}. {requested!r} is not of type 'array'"
        )
    nics, taken = [], set()
    for item in requested:
        if item.get("port"):
            nic = await _lent(cloud, ctx, str(item["port"]))
            if nic["port_id"] in taken:
                raise bad(f"Duplicate networks ({nic['port_id']}) are not allowed")
            taken.add(nic["port_id"])
        elif item.get("uuid"):
            nic = await _new(cloud, ctx, str(item["uuid"]), item.get("fixed_ip"), groups)
        else:
            raise bad("Bad network format: missing 'uuid'")
        nics.append(nic)
    return nics


async def _only_network(cloud: Cloud, ctx: RequestContext) -> list[Doc]:
    seen = await cloud.dispatcher.call(ctx, "network", "GET", "/networks")
    found = [net for net in (seen.body or {})["networks"] if net["tenant_id"] == ctx.project_id or net["shared"]]
    if len(found) > 1:
        raise conflict("Multiple possible networks found, use a Network ID to be more specific.")
    return [{"uuid": net["id"]} for net in found]


async def _lent(cloud: Cloud, ctx: RequestContext, ident: str) -> Doc:
    """Return the NIC of a port that the caller has created before."""
    reply = await cloud.dispatcher.call(ctx, "network", "GET", f"/ports/{ident}")
    if reply.fault:
        raise bad(f"Port id {ident} could not be found.")
    port = (reply.body or {})["port"]
    if port["device_id"]:
        raise conflict(f"Port {ident} is still in use.")
    if not port["fixed_ips"]:
        raise bad(f"Port {ident} requires a FixedIP in order to be used.")
    network = cloud.store.get("network", port["network_id"]) or {}
    direct = port["binding:vnic_type"] in SRIOV
    return _nic(port_id=ident, network_id=port["network_id"], physnet=network.get(PHYSNET) if direct else None)


async def _new(cloud: Cloud, ctx: RequestContext, ident: str, fixed_ip: str | None, groups: list[str]) -> Doc:
    """Return a NIC whose port Nova creates."""
    reply = await cloud.dispatcher.call(ctx, "network", "GET", f"/networks/{ident}")
    if reply.fault:
        raise bad(f"Network {ident} could not be found.")
    network = (reply.body or {})["network"]
    if not network["subnets"]:
        raise bad(f"Network {ident} requires a subnet in order to boot instances on.")
    if fixed_ip and await _in_use(cloud, ctx, ident, fixed_ip):
        raise bad(f"Fixed IP address {fixed_ip} is already in use on instance.")
    return _nic(network_id=ident, fixed_ip=fixed_ip, security_groups=groups)


async def _in_use(cloud: Cloud, ctx: RequestContext, network_id: str, address: str) -> bool:
    query = {"network_id": network_id, "fixed_ips": f"ip_address={address}"}
    reply = await cloud.dispatcher.call(ctx.elevated(), "network", "GET", "/ports", query=query)
    return bool((reply.body or {}).get("ports"))


def _nic(**given: Any) -> Doc:
    return {"port_id": None, "network_id": None, "fixed_ip": None, "physnet": None, "security_groups": [], **given}
