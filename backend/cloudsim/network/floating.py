"""Floating IPs."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, ClassVar

from cloudsim.core.errors import ApiFault
from cloudsim.network import attributes as at
from cloudsim.network.resource import Resource

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cloudsim.core.cloud import Cloud
    from cloudsim.core.context import RequestContext
    from cloudsim.core.store import Doc
    from cloudsim.network.ports import Ports


class FloatingIps(Resource):
    kind = "floatingip"
    plural = path = "floatingips"
    not_found = ("FloatingIPNotFound", "Floating IP {id} could not be found")
    spec: ClassVar[Mapping[str, at.Attr]] = {
        "tenant_id": at.COMMON["tenant_id"],
        "project_id": at.COMMON["project_id"],
        "floating_network_id": at.Attr(at.REQUIRED, at.uuid, put=False),
        "floating_ip_address": at.Attr(at.UNSET, at.ip, put=False, admin=True),
        "subnet_id": at.Attr(at.UNSET, at.optional(at.uuid), put=False),
        "port_id": at.Attr(at.UNSET, at.optional(at.uuid)),
        "fixed_ip_address": at.Attr(at.UNSET, at.optional(at.ip)),
    }

    def __init__(self, cloud: Cloud, ports: Ports) -> None:
        super().__init__(cloud)
        self._ports = ports
        self.store.index("floatingip", "port", lambda doc: [doc["port_id"]] if doc["port_id"] else [])

    def make(self, ctx: RequestContext, attrs: Doc) -> Doc:
        network = self.store.get("network", attrs["floating_network_id"])
        if network is None or not network["router:external"]:
            message = f"Bad floatingip request: Network {attrs['floating_network_id']} is not a valid external network."
            raise ApiFault(400, "BadRequest", message)
        target = self._target(ctx, network, attrs.get("port_id"), attrs.get("fixed_ip_address"))
        port = self._outer_port(ctx, network, attrs)
        doc = {
            "id": attrs["id"],
            "tenant_id": attrs["tenant_id"],
            "floating_network_id": network["id"],
            "floating_ip_address": port["fixed_ips"][0]["ip_address"],
            **target,
        }
        return self.store.put("floatingip", doc["id"], doc)

    def _outer_port(self, ctx: RequestContext, network: Doc, attrs: Doc) -> Doc:
        """Create the port with the address on the external network."""
        given: Doc = {
            "network_id": network["id"],
            "device_id": attrs["id"],
            "device_owner": "network:floatingip",
            "port_security_enabled": False,
        }
        if attrs.get("floating_ip_address"):
            given["fixed_ips"] = [{"ip_address": attrs["floating_ip_address"]}]
        elif attrs.get("subnet_id"):
            given["fixed_ips"] = [{"subnet_id": attrs["subnet_id"]}]
        port = at.read(self._ports.spec, given, kind="port", creating=True, is_admin=True)
        return self._ports.make(ctx.elevated(), {"id": str(uuid.uuid4()), "tenant_id": "", **port})

    def _target(self, ctx: RequestContext, network: Doc, port_id: str | None, address: str | None) -> Doc:
        """Return the fields of the floating IP's target. Raises ApiFault if no router connects it."""
        if port_id is None:
            return {"port_id": None, "fixed_ip_address": None, "router_id": None, "status": "DOWN"}
        port = self._ports.get(ctx, port_id)
        for item in port["fixed_ips"]:
            if address in {None, item["ip_address"]}:
                router = self._router(network, item["subnet_id"])
                if router is None:
                    raise ApiFault(
                        404,
                        "ExternalGatewayForFloatingIPNotFound",
                        f"External network {network['id']} is not reachable from subnet {item['subnet_id']}. Therefore,"
                        f" cannot associate Port {port_id} with a Floating IP.",
                    )
                return {
                    "port_id": port_id,
                    "fixed_ip_address": item["ip_address"],
                    "router_id": router,
                    "status": "ACTIVE",
                }
        message = f"Bad floatingip request: Port {port_id} does not have fixed ip {address}."
        raise ApiFault(400, "BadRequest", message)

    def _router(self, network: Doc, subnet_id: str) -> str | None:
        for port in self.store.find("port", "subnet", subnet_id):
            if port["device_owner"] == "network:router_interface":
                router = self.store.get("router", port["device_id"])
                gateway = router["external_gateway_info"] if router else None
                if router and gateway and gateway["network_id"] == network["id"]:
                    return str(router["id"])
        return None

    def change(self, ctx: RequestContext, doc: Doc, attrs: Doc) -> Doc:
        network = self.store.get("network", doc["floating_network_id"]) or {}
        doc.update(self._target(ctx, network, attrs.get("port_id"), attrs.get("fixed_ip_address")))
        return self.store.put("floatingip", doc["id"], doc)

    def remove(self, ctx: RequestContext, doc: Doc) -> None:
        self.store.delete("floatingip", doc["id"])
        for port in [*self.store.find("port", "device", doc["id"])]:
            self._ports.discard(port)
