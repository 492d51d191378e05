"""The config drive of a server, as Nova of Liberty writes it for its guest.

nova/virt/netutils.py, nova/api/metadata/base.py.
"""

from __future__ import annotations

import base64
import ipaddress
import json
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cloudsim.core.store import Doc, Store

VERSIONS = ("latest", "2015-10-15")
"""The versions of the metadata format, up to the one of Liberty's release."""


def drive_files(store: Store, server: Doc) -> dict[str, bytes]:
    """Return the contents of the drive by path."""
    files: dict[str, bytes] = {}
    names = []
    for place, one in enumerate(server.get("personality") or []):
        files[f"openstack/content/{place:04d}"] = base64.b64decode(one.get("contents", ""))
        names.append({"content_path": f"/content/{place:04d}", "path": one.get("path")})
    meta = json.dumps(_meta_data(store, server, names)).encode()
    network = json.dumps(network_data(store, server)).encode()
    for version in VERSIONS:
        files[f"openstack/{version}/meta_data.json"] = meta
        files[f"openstack/{version}/network_data.json"] = network
        if server["user_data"]:
            files[f"openstack/{version}/user_data"] = base64.b64decode(server["user_data"])
    return files


def host_name(name: str) -> str:
    """Return the host name for a server's name (nova/utils.py, sanitize_hostname)."""
    return re.sub(r"[^a-z0-9.-]", "", name.lower().replace(" ", "-").replace("_", "-")).strip(".-") or "server"


def _meta_data(store: Store, server: Doc, files: list[Doc]) -> Doc:
    key = store.get("keypair", f"{server['user_id']}:{server['key_name']}") if server["key_name"] else None
    found: Doc = {
        "uuid": server["id"],
        "name": server["name"],
        "hostname": host_name(server["name"]),
        "launch_index": server["launch_index"],
        "availability_zone": server["zone"] or "nova",
        "project_id": server["tenant_id"],
        "meta": server["metadata"],
        "random_seed": base64.b64encode(server["id"].encode()).decode(),
    }
    if key:
        found["public_keys"] = {key["name"]: key["public_key"]}
    if files:
        found["files"] = files
    return found


def network_data(store: Store, server: Doc) -> Doc:
    """Return links, networks and services, as nova/virt/netutils.py does.

    Addresses are static also on subnets with DHCP, so that cloud-init needs no lease and uses the port's address.
    """
    links: list[Doc] = []
    networks: list[Doc] = []
    services: list[Doc] = []
    for ident in server["ports"]:
        port = store.get("port", ident)
        if port is None:
            continue
        link = f"tap{ident[:11]}"
        mtu = (store.get("network", port["network_id"]) or {}).get("mtu")
        links.append(
            {"id": link, "vif_id": ident, "type": "ovs", "mtu": mtu, "ethernet_mac_address": port["mac_address"]}
        )
        for fixed in port["fixed_ips"]:
            subnet = store.get("subnet", fixed["subnet_id"])
            if subnet:
                networks.append(_network(len(networks), link, port, fixed, subnet))
                services += [{"type": "dns", "address": one} for one in subnet["dns_nameservers"]]
    return {"links": links, "networks": networks, "services": services}


def _network(place: int, link: str, port: Doc, fixed: Doc, subnet: Doc) -> Doc:
    cidr = ipaddress.ip_network(subnet["cidr"])
    any_address = ipaddress.ip_network("0.0.0.0/0" if cidr.version == 4 else "::/0")  # noqa: PLR2004 - IPv4
    routes: list[dict[str, Any]] = []
    if subnet["gateway_ip"]:
        routes.append(_route(any_address, subnet["gateway_ip"]))
    routes += [_route(ipaddress.ip_network(one["destination"]), one["nexthop"]) for one in subnet["host_routes"]]
    return {
        "id": f"network{place}",
        "type": f"ipv{cidr.version}",
        "link": link,
        "network_id": port["network_id"],
        "ip_address": fixed["ip_address"],
        "netmask": str(cidr.netmask),
        "routes": routes,
    }


def _route(target: ipaddress.IPv4Network | ipaddress.IPv6Network, gateway: str) -> dict[str, str]:
    return {"network": str(target.network_address), "netmask": str(target.netmask), "gateway": gateway}
