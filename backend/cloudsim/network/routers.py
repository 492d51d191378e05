"""Routers, their interfaces and gateways."""

from __future__ import annotations

import ipaddress
import uuid
from typing import TYPE_CHECKING, Any, ClassVar

from cloudsim.core.errors import ApiFault, Reply
from cloudsim.core.service import Request, Route
from cloudsim.network import attributes as at
from cloudsim.network.resource import Resource

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cloudsim.core.cloud import Cloud
    from cloudsim.core.context import RequestContext
    from cloudsim.core.store import Doc
    from cloudsim.network.ports import Ports

INTERFACE, GATEWAY = "network:router_interface", "network:router_gateway"


def _gateway_info(value: Any) -> dict[str, Any] | None:
    if not value:
        return None
    if not isinstance(value, dict) or "network_id" not in value:
        raise ValueError(f"'{value}' is not a valid external gateway")
    return {"network_id": at.uuid(value["network_id"]), "enable_snat": at.boolean(value.get("enable_snat", True))}


class Routers(Resource):
    kind = "router"
    plural = path = "routers"
    not_found = ("RouterNotFound", "Router {id} could not be found")
    spec: ClassVar[Mapping[str, at.Attr]] = {
        **at.COMMON,
        "admin_state_up": at.Attr(True, at.boolean),
        "external_gateway_info": at.Attr(None, _gateway_info),
        "routes": at.Attr(list, post=False),
        "distributed": at.Attr(False, at.boolean, admin=True),
        "ha": at.Attr(False, at.boolean, admin=True),
    }

    def __init__(self, cloud: Cloud, ports: Ports) -> None:
        super().__init__(cloud)
        self._ports = ports

    def routes(self) -> list[Route]:
        return [
            *super().routes(),
            Route("PUT", "/v2.0/routers/{id}/add_router_interface", self.add_interface),
            Route("PUT", "/v2.0/routers/{id}/remove_router_interface", self.remove_interface),
        ]

    def make(self, ctx: RequestContext, attrs: Doc) -> Doc:
        info = attrs.pop("external_gateway_info")
        doc = {**attrs, "status": "ACTIVE", "external_gateway_info": None}
        if info:
            doc["external_gateway_info"] = self._plug_gateway(ctx, doc, info)
        return self.store.put("router", doc["id"], doc)

    def change(self, ctx: RequestContext, doc: Doc, attrs: Doc) -> Doc:
        if "external_gateway_info" in attrs:
            info = attrs.pop("external_gateway_info")
            held = doc["external_gateway_info"]
            if info is None or held is None or held["network_id"] != info["network_id"]:
                self._unplug_gateway(doc)
                doc["external_gateway_info"] = self._plug_gateway(ctx, doc, info) if info else None
            else:
                held["enable_snat"] = info["enable_snat"]
        doc.update(attrs)
        return self.store.put("router", doc["id"], doc)

    def remove(self, ctx: RequestContext, doc: Doc) -> None:
        if any(port["device_owner"] == INTERFACE for port in self.store.find("port", "device", doc["id"])):
            raise ApiFault(409, "RouterInUse", f"Router {doc['id']} still has ports")
        self._unplug_gateway(doc)
        self.store.delete("router", doc["id"])

    def _plug_gateway(self, ctx: RequestContext, router: Doc, info: Doc) -> Doc:
        network = self.store.get("network", info["network_id"])
        if network is None:
            raise ApiFault(404, "NetworkNotFound", f"Network {info['network_id']} could not be found.")
        if not network["router:external"]:
            message = f"Bad router request: Network {network['id']} is not an external network."
            raise ApiFault(400, "BadRequest", message)
        port = self._service_port(ctx, network["id"], owner="", device=router["id"], kind=GATEWAY, fixed_ips=None)
        return {**info, "external_fixed_ips": port["fixed_ips"]}

    def _unplug_gateway(self, router: Doc) -> None:
        for port in [*self.store.find("port", "device", router["id"])]:
            if port["device_owner"] == GATEWAY:
                self._ports.discard(port)

    def _service_port(
        self, ctx: RequestContext, network_id: str, *, owner: str, device: str, kind: str, fixed_ips: list[Doc] | None
    ) -> Doc:
        given: Doc = {
            "network_id": network_id,
            "device_id": device,
            "device_owner": kind,
            "port_security_enabled": False,
            "binding:host_id": "network-1",
        }
        if fixed_ips is not None:
            given["fixed_ips"] = fixed_ips
        attrs = at.read(self._ports.spec, given, kind="port", creating=True, is_admin=True)
        port = self._ports.make(ctx.elevated(), {"id": str(uuid.uuid4()), "tenant_id": owner, **attrs})
        port["status"] = "ACTIVE"
        return self.store.put("port", port["id"], port)

    async def add_interface(self, ctx: RequestContext, request: Request) -> Reply:
        router = self.get(ctx, request.params["id"])
        given = request.object
        if ("subnet_id" in given) == ("port_id" in given):
            reason = "Cannot specify both subnet-id and port-id" if given else "Either subnet_id or port_id must be"
            suffix = "" if given else " specified"
            raise ApiFault(400, "BadRequest", f"Bad router request: {reason}{suffix}.")
        port = self._adopt_port(ctx, router, given["port_id"]) if "port_id" in given else None
        port = port or self._plug_subnet(ctx, router, given["subnet_id"])
        return Reply(200, self._interface(router, port))

    def _adopt_port(self, ctx: RequestContext, router: Doc, ident: str) -> Doc:
        port = self._ports.get(ctx, ident)
        if port["device_id"]:
            message = (
                f"Unable to complete operation on port {ident} for network {port['network_id']}. Port already has an"
                f" attached device {port['device_id']}."
            )
            raise ApiFault(409, "PortInUse", message)
        for item in port["fixed_ips"]:
            self._refuse_overlap(router, self.store.get("subnet", item["subnet_id"]) or {})
        port.update(device_id=router["id"], device_owner=INTERFACE, status="ACTIVE")
        return self.store.put("port", port["id"], port)

    def _plug_subnet(self, ctx: RequestContext, router: Doc, ident: str) -> Doc:
        subnet = self.store.get("subnet", ident)
        if subnet is None:
            raise ApiFault(404, "SubnetNotFound", f"Subnet {ident} could not be found.")
        if not subnet["gateway_ip"]:
            raise ApiFault(400, "BadRequest", "Bad router request: Subnet for router interface must have a gateway IP.")
        self._refuse_overlap(router, subnet)
        fixed = [{"subnet_id": ident, "ip_address": subnet["gateway_ip"]}]
        return self._service_port(
            ctx,
            subnet["network_id"],
            owner=router["tenant_id"],
            device=router["id"],
            kind=INTERFACE,
            fixed_ips=fixed,
        )

    def _refuse_overlap(self, router: Doc, subnet: Doc) -> None:
        cidr = ipaddress.ip_network(subnet["cidr"])
        for port in self.store.find("port", "device", router["id"]):
            for item in port["fixed_ips"]:
                held = self.store.get("subnet", item["subnet_id"]) or {}
                other = ipaddress.ip_network(held["cidr"])
                if other.version == cidr.version and other.overlaps(cidr):
                    message = (
                        f"Bad router request: Cidr {cidr} of subnet {subnet['id']} overlaps with cidr {other} of subnet"
                        f" {held['id']}."
                    )
                    raise ApiFault(400, "BadRequest", message)

    async def remove_interface(self, ctx: RequestContext, request: Request) -> Reply:
        router = self.get(ctx, request.params["id"])
        given = request.object
        for port in self.store.find("port", "device", router["id"]):
            subnets = {item["subnet_id"] for item in port["fixed_ips"]}
            named = port["id"] == given.get("port_id") or given.get("subnet_id") in subnets
            if port["device_owner"] == INTERFACE and named:
                answer = self._interface(router, port)
                self._ports.discard(port)
                return Reply(200, answer)
        if "subnet_id" in given:
            message = f"Router {router['id']} has no interface on subnet {given['subnet_id']}"
            raise ApiFault(404, "RouterInterfaceNotFoundForSubnet", message)
        message = f"Router {router['id']} does not have an interface with id {given.get('port_id')}"
        raise ApiFault(404, "RouterInterfaceNotFound", message)

    @staticmethod
    def _interface(router: Doc, port: Doc) -> Doc:
        subnets = [item["subnet_id"] for item in port["fixed_ips"]]
        return {
            "id": router["id"],
            "tenant_id": router["tenant_id"],
            "port_id": port["id"],
            "subnet_id": subnets[0] if subnets else None,
            "subnet_ids": subnets,
        }
