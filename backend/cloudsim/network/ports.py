"""Ports: addresses, MACs, bindings."""

from __future__ import annotations

import secrets
from itertools import chain
from typing import TYPE_CHECKING, Any, ClassVar

from cloudsim.core.errors import ApiFault
from cloudsim.network import attributes as at
from cloudsim.network.addresses import Addresses
from cloudsim.network.networks import PHYSNET, SEGMENT
from cloudsim.network.resource import Resource
from cloudsim.network.security import default_group

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from cloudsim.core.cloud import Cloud
    from cloudsim.core.context import RequestContext
    from cloudsim.core.store import Doc

VNIC, HOST, PROFILE = "binding:vnic_type", "binding:host_id", "binding:profile"
VIF_TYPE, VIF_DETAILS = "binding:vif_type", "binding:vif_details"
SERVICE_OWNERS = ("network:router_interface", "network:router_gateway", "network:floatingip")


def _dictionary(value: Any) -> dict[str, Any]:
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise ValueError(f"'{value}' is not a dictionary")
    return value


class Ports(Resource):
    kind = "port"
    plural = path = "ports"
    not_found = ("PortNotFound", "Port {id} could not be found.")
    admin_only = frozenset({HOST, PROFILE, VIF_TYPE, VIF_DETAILS})
    spec: ClassVar[Mapping[str, at.Attr]] = {
        **at.COMMON,
        "network_id": at.Attr(at.REQUIRED, at.uuid, put=False),
        "admin_state_up": at.Attr(True, at.boolean),
        "mac_address": at.Attr(at.UNSET, at.mac),
        "fixed_ips": at.Attr(at.UNSET, at.list_of(at.fixed_ip)),
        "device_id": at.Attr("", at.text),
        "device_owner": at.Attr("", at.text),
        "security_groups": at.Attr(at.UNSET, at.list_of(at.uuid)),
        "allowed_address_pairs": at.Attr(list, at.list_of(at.address_pair)),
        "extra_dhcp_opts": at.Attr(list),
        "port_security_enabled": at.Attr(at.UNSET, at.boolean),
        "dns_name": at.Attr("", at.text),
        VNIC: at.Attr("normal", at.one_of("normal", "direct", "macvtap", "baremetal")),
        HOST: at.Attr("", at.optional(at.text), admin=True),
        PROFILE: at.Attr(dict, _dictionary, admin=True),
    }

    def __init__(self, cloud: Cloud) -> None:
        super().__init__(cloud)
        self.addresses = Addresses(cloud.store)
        index = self.store.index
        index("port", "network", lambda doc: [doc["network_id"]])
        index("port", "device", lambda doc: [doc["device_id"]] if doc["device_id"] else [])
        index("port", "subnet", lambda doc: [item["subnet_id"] for item in doc["fixed_ips"]])
        index("port", "mac", lambda doc: [(doc["network_id"], doc["mac_address"])])
        index("port", "security_group", lambda doc: doc["security_groups"])

    def candidates(self, ctx: RequestContext, query: Mapping[str, list[str]]) -> Iterable[Doc]:
        if "id" in query:
            return [doc for ident in query["id"] if (doc := self.store.get("port", ident))]
        for name, index in (("device_id", "device"), ("network_id", "network")):
            if name in query:
                return chain.from_iterable(self.store.find("port", index, value) for value in query[name])
        return super().candidates(ctx, query)

    def visible(self, ctx: RequestContext, doc: Doc) -> bool:
        if super().visible(ctx, doc):
            return True
        network = self.store.get("network", doc["network_id"])
        return bool(network and network["tenant_id"] == ctx.project_id)

    def matches(self, doc: Doc, name: str, values: list[str]) -> bool:
        if name != "fixed_ips":
            return super().matches(doc, name, values)
        wanted = [value.partition("=")[::2] for value in values]
        return any(item.get(key) == value for item in doc["fixed_ips"] for key, value in wanted)

    def view(self, ctx: RequestContext, doc: Doc) -> Doc:
        """Return the port with the names of its addresses in the network's DNS."""
        assigned = []
        for item in doc["fixed_ips"]:
            host = doc["dns_name"] or "host-" + item["ip_address"].replace(".", "-").replace(":", "-")
            fqdn = f"{host}.openstacklocal."
            assigned.append({"ip_address": item["ip_address"], "hostname": host, "fqdn": fqdn})
        return super().view(ctx, {**doc, "dns_assignment": assigned})

    def make(self, ctx: RequestContext, attrs: Doc) -> Doc:
        network = self._network(ctx, attrs["network_id"])
        wanted = attrs.pop("fixed_ips", None)
        own_network = ctx.is_admin or network["tenant_id"] == ctx.project_id
        if not own_network and any("ip_address" in item for item in wanted or []):
            raise at.forbidden("create_port:fixed_ips")
        attrs.setdefault("port_security_enabled", network["port_security_enabled"])
        security = bool(attrs["port_security_enabled"])
        groups = attrs.pop("security_groups", None)
        if groups is None:
            groups = [default_group(self.cloud, attrs["tenant_id"])["id"]] if security else []
        self._check_groups(groups)
        _check_security(security=security, groups=groups, pairs=attrs["allowed_address_pairs"])
        mac = self._mac(network["id"], attrs.get("mac_address"))
        fixed_ips = self.addresses.assign(network, wanted)
        doc = {
            **attrs,
            "mac_address": mac,
            "fixed_ips": fixed_ips,
            "security_groups": groups,
            "allowed_address_pairs": _with_mac(attrs["allowed_address_pairs"], mac),
            "status": "DOWN",
        }
        bind(doc, network)
        return self.store.put("port", doc["id"], doc)

    def _network(self, ctx: RequestContext, ident: str) -> Doc:
        network = self.store.get("network", ident)
        if network is None or not (ctx.is_admin or network["tenant_id"] == ctx.project_id or network["shared"]):
            raise ApiFault(404, "NetworkNotFound", f"Network {ident} could not be found.")
        return network

    def _check_groups(self, groups: list[str]) -> None:
        for ident in groups:
            if self.store.get("security_group", ident) is None:
                raise ApiFault(404, "SecurityGroupNotFound", f"Security group {ident} does not exist")

    def _mac(self, network_id: str, wanted: str | None) -> str:
        if wanted is None:
            while True:
                mac = "fa:16:3e:" + ":".join(f"{byte:02x}" for byte in secrets.token_bytes(3))
                if not self.store.count("port", "mac", (network_id, mac)):
                    return mac
        if self.store.count("port", "mac", (network_id, wanted)):
            raise ApiFault(
                409,
                "MacAddressInUse",
                f"Unable to complete operation for network {network_id}. The mac address {wanted} is in use.",
            )
        return wanted

    def change(self, ctx: RequestContext, doc: Doc, attrs: Doc) -> Doc:
        network = self.store.get("network", doc["network_id"]) or {}
        self._check_groups(attrs.get("security_groups", []))
        after = {**doc, **attrs}
        _check_security(
            security=after["port_security_enabled"],
            groups=after["security_groups"],
            pairs=after["allowed_address_pairs"],
        )
        if attrs.get("mac_address", doc["mac_address"]) != doc["mac_address"]:
            self._mac(doc["network_id"], attrs["mac_address"])
        if "fixed_ips" in attrs:
            attrs["fixed_ips"] = self._move(network, doc["fixed_ips"], attrs["fixed_ips"])
        if "allowed_address_pairs" in attrs:
            attrs["allowed_address_pairs"] = _with_mac(attrs["allowed_address_pairs"], doc["mac_address"])
        doc.update(attrs)
        bind(doc, network)
        return self.store.put("port", doc["id"], doc)

    def _move(self, network: Doc, held: list[dict[str, str]], wanted: list[dict[str, str]]) -> list[dict[str, str]]:
        """Return the addresses after an update: release removed ones, keep others, assign new ones."""
        keep = [item for item in held if any(want.get("ip_address") == item["ip_address"] for want in wanted)]
        kept = {item["ip_address"] for item in keep}
        new = self.addresses.assign(network, [want for want in wanted if want.get("ip_address") not in kept])
        self.addresses.release([item for item in held if item not in keep])
        return [*keep, *new]

    def remove(self, ctx: RequestContext, doc: Doc) -> None:
        if doc["device_owner"] in SERVICE_OWNERS:
            raise ApiFault(
                409,
                "ServicePortInUse",
                f"Port {doc['id']} cannot be deleted directly via the port API: has device owner"
                f" {doc['device_owner']}.",
            )
        self.discard(doc)

    def discard(self, doc: Doc) -> None:
        """Delete a port of any owner, and disassociate its floating IPs."""
        self.addresses.release(doc["fixed_ips"])
        for floating in [*self.store.find("floatingip", "port", doc["id"])]:
            floating.update(port_id=None, fixed_ip_address=None, router_id=None, status="DOWN")
            self.store.put("floatingip", floating["id"], floating)
        self.store.delete("port", doc["id"])


def bind(doc: Doc, network: Doc) -> None:
    """Bind the port as the mechanism drivers do: Open vSwitch, or an SR-IOV virtual function on a VLAN."""
    if not doc[HOST]:
        doc.update({HOST: "", VIF_TYPE: "unbound", VIF_DETAILS: {}})
        doc["status"] = "DOWN"
    elif doc[VNIC] == "normal":
        doc.update({VIF_TYPE: "ovs", VIF_DETAILS: {"port_filter": True, "ovs_hybrid_plug": True}})
    elif network.get(PHYSNET) is None:
        doc.update({VIF_TYPE: "binding_failed", VIF_DETAILS: {}})
    else:
        doc.update({VIF_TYPE: "hw_veb", VIF_DETAILS: {"port_filter": False, "vlan": str(network[SEGMENT] or 0)}})


def set_device_status(cloud: Cloud, device_id: str, status: str) -> None:
    """Set the status of a device's ports, as the L2 agent does when interfaces appear (ACTIVE) or disappear (DOWN)."""
    for port in [*cloud.store.find("port", "device", device_id)]:
        wanted = status if port[HOST] and port[VIF_TYPE] != "binding_failed" and port["admin_state_up"] else "DOWN"
        if port["status"] != wanted:
            port["status"] = wanted
            cloud.store.put("port", port["id"], port)


def _with_mac(pairs: list[dict[str, str]], mac: str) -> list[dict[str, str]]:
    return [{"mac_address": mac, **pair} for pair in pairs]


def _check_security(*, security: bool, groups: list[str], pairs: list[dict[str, str]]) -> None:
    if not security and groups:
        raise ApiFault(
            409,
            "PortSecurityAndIPRequiredForSecurityGroups",
            "Port security must be enabled and port must have an IP address in order to use security groups.",
        )
    if not security and pairs:
        raise ApiFault(
            409,
            "AddressPairAndPortSecurityRequired",
            "Port Security must be enabled in order to have allowed address pairs on a port.",
        )
