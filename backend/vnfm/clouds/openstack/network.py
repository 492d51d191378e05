"""Neutron v2.0: networks, ports and their quotas."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from http import HTTPStatus
from ipaddress import ip_network
from typing import Any
from uuid import uuid4

from openstack.network.v2._proxy import Proxy

from vnfm.clouds.openstack import rest
from vnfm.clouds.openstack.errors import translate_errors
from vnfm.clouds.types import Network, Port, Quota, Subnet

_NETWORK = ("id", "name", "status", "router:external", "shared", "tenant_id")
_SUBNET = (
    "id",
    "network_id",
    "name",
    "cidr",
    "gateway_ip",
    "ip_version",
    "enable_dhcp",
    "allocation_pools",
    "tenant_id",
)
_PORT = ("id", "name", "network_id", "device_id", "device_owner", "mac_address", "fixed_ips", "status", "tenant_id")
_BINDING = ("binding:vnic_type", "binding:vif_type")

_COUNTED = ("network", "subnet", "port", "security_group")

_NOT_ACTIVE = ("DOWN", "BUILD", "ERROR", "N/A")
"""All that Neutron's port status can be other than ACTIVE (neutron/common/constants.py of Liberty)."""

_FEW_SERVERS = 40
"""The list of more ids would outgrow a URL, and one bulk list is cheaper anyway."""


class NeutronNetworks:
    def __init__(self, neutron: Proxy, project_id: str) -> None:
        self._neutron = neutron
        self._project_id = project_id

    @translate_errors("neutron")
    def list(self) -> Sequence[Network]:
        subnets: dict[str, list[Subnet]] = defaultdict(list)
        for data in self._rows("subnets", _SUBNET):
            subnets[data["network_id"]].append(_subnet(data))
        return [
            _network(data, tuple(subnets[data["id"]]))
            for data in self._rows("networks", _NETWORK)
            if data.get("shared") or data.get("router:external") or self._ours(data)
        ]

    @translate_errors("neutron")
    def create(self, name: str, cidr: str, *, dhcp: bool) -> Network:
        wanted = {"name": name, "cidr": cidr, "ip_version": ip_network(cidr).version, "enable_dhcp": dhcp}
        made = self._post("network", {"name": name})
        try:
            subnet = self._post("subnet", {**wanted, "network_id": made["id"]})
        except Exception:
            # A network without a subnet gives its ports no addresses; what is left of it is in the cloud's list.
            with suppress(Exception):  # the first error is the one to tell
                self._neutron.delete(f"/networks/{made['id']}", raise_exc=False)
            raise
        return _network(made, (_subnet(subnet),))

    def _post(self, kind: str, attributes: Mapping[str, Any]) -> Mapping[str, Any]:
        answer = self._neutron.post(f"/{kind}s", json={kind: attributes}, raise_exc=True)
        created: Mapping[str, Any] = answer.json()[kind]
        return created

    @translate_errors("neutron")
    def ports(self, server_ids: Sequence[str] | None = None) -> Sequence[Port]:
        wanted = None if server_ids is None else frozenset(server_ids)
        if wanted is not None and not wanted:
            return []
        by_server = [("device_id", one) for one in sorted(wanted)] if wanted and len(wanted) <= _FEW_SERVERS else []
        rows = self._rows("ports", (*_PORT, *_BINDING), [("tenant_id", self._project_id), *by_server])
        ports = [_port(data) for data in rows if self._ours(data)]
        return ports if wanted is None else [port for port in ports if port.server_id in wanted]

    @translate_errors("neutron")
    def extensions(self) -> Sequence[str]:
        return sorted(row["alias"] for row in rest.pages(self._neutron, "/extensions", "extensions"))

    @translate_errors("neutron")
    def may_share(self) -> bool | None:
        """Neutron checks its policy before it looks for the availability zone (neutron/pecan_wsgi/hooks, and
        neutron/db/availability_zone): asked for a shared network in a zone that cannot exist, it answers 404 to a user
        with the right, and 403 to any other. Liberty has no zones of networks.
        """
        if "network_availability_zone" not in self.extensions():
            return None
        zone = str(uuid4())
        wanted = {"name": zone, "shared": True, "admin_state_up": False, "availability_zone_hints": [zone]}
        answer = self._neutron.post("/networks", json={"network": wanted}, raise_exc=False)
        if answer.status_code == HTTPStatus.CREATED:  # a plugin that takes any zone
            self._neutron.delete(f"/networks/{answer.json()['network']['id']}", raise_exc=False)
            return True
        if answer.status_code == HTTPStatus.FORBIDDEN:
            return False
        return True if answer.status_code == HTTPStatus.NOT_FOUND and zone in answer.text else None

    @translate_errors("neutron")
    def port_ids(self) -> frozenset[str]:
        return self._ids("ports")

    @translate_errors("neutron")
    def network_ids(self) -> frozenset[str]:
        return self._ids("networks")

    def _ids(self, key: str) -> frozenset[str]:
        rows = self._rows(key, ("id", "tenant_id"), [("tenant_id", self._project_id)])
        return frozenset(data["id"] for data in rows if self._ours(data))

    @translate_errors("neutron")
    def ports_not_active(self) -> Sequence[Port]:
        asked = [("tenant_id", self._project_id), *(("status", status) for status in _NOT_ACTIVE)]
        rows = self._rows("ports", (*_PORT, *_BINDING), asked)
        return [_port(data) for data in rows if self._ours(data) and data.get("status") != "ACTIVE"]

    @translate_errors("neutron")
    def quotas(self) -> Sequence[Quota]:
        """Liberty tells the limits only, so what is used is counted."""
        limits = rest.get(self._neutron, f"/quotas/{self._project_id}")["quota"]
        return [Quota(f"{kind}s", limits.get(kind), self._count(f"{kind}s")) for kind in _COUNTED]

    def _count(self, plural: str) -> int:
        path = plural.replace("_", "-")
        mine = [("tenant_id", self._project_id)]
        return sum(self._ours(data) for data in self._rows(plural, ("id", "tenant_id"), mine, path))

    def _rows(
        self, key: str, fields: Sequence[str], params: Sequence[tuple[str, str]] = (), path: str = ""
    ) -> Iterator[Mapping[str, Any]]:
        asked = [*params, *(("fields", field) for field in fields)]
        return rest.pages(self._neutron, f"/{path or key}", key, asked)

    def _ours(self, data: Mapping[str, Any]) -> bool:
        """Checked here too: Liberty's Neutron ignores filters that it does not know, and shows an admin everything."""
        return bool(data.get("tenant_id") == self._project_id)


def _network(data: Mapping[str, Any], subnets: tuple[Subnet, ...]) -> Network:
    return Network(
        id=data["id"],
        name=data["name"],
        status=data["status"],
        external=bool(data.get("router:external")),
        shared=bool(data.get("shared")),
        subnets=subnets,
    )


def _subnet(data: Mapping[str, Any]) -> Subnet:
    return Subnet(
        id=data["id"],
        network_id=data["network_id"],
        name=data["name"],
        cidr=data["cidr"],
        gateway_ip=data.get("gateway_ip") or "",
        ip_version=data["ip_version"],
        dhcp=bool(data.get("enable_dhcp")),
        allocation_pools=tuple((pool["start"], pool["end"]) for pool in data.get("allocation_pools") or ()),
    )


def _port(data: Mapping[str, Any]) -> Port:
    of_server = (data.get("device_owner") or "").startswith("compute:")
    return Port(
        id=data["id"],
        name=data.get("name") or "",
        network_id=data["network_id"],
        server_id=data["device_id"] if of_server else "",
        mac_address=data.get("mac_address") or "",
        ip_addresses=tuple(ip["ip_address"] for ip in data.get("fixed_ips") or ()),
        vnic_type=data.get("binding:vnic_type") or "",
        status=data.get("status") or "",
        vif_type=data.get("binding:vif_type") or "",
    )
