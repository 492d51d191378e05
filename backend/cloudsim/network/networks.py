"""Networks and their segments."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, ClassVar

from cloudsim.core.errors import ApiFault
from cloudsim.network import attributes as at
from cloudsim.network.allocation import Allocator, Exhausted
from cloudsim.network.resource import Resource

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from cloudsim.core.cloud import Cloud
    from cloudsim.core.context import RequestContext
    from cloudsim.core.store import Doc

PHYSNETS = ("physnet0", "physnet1", "physnet2")
VLANS = (2, 4094)
AUTO_PORT_OWNERS = frozenset({"network:dhcp", "network:router_centralized_snat"})

TYPE, PHYSNET, SEGMENT = "provider:network_type", "provider:physical_network", "provider:segmentation_id"


class Networks(Resource):
    kind = "network"
    plural = path = "networks"
    not_found = ("NetworkNotFound", "Network {id} could not be found.")
    admin_only = frozenset({TYPE, PHYSNET, SEGMENT})
    spec: ClassVar[Mapping[str, at.Attr]] = {
        **at.COMMON,
        "admin_state_up": at.Attr(True, at.boolean),
        "shared": at.Attr(False, at.boolean, admin=True),
        "router:external": at.Attr(False, at.boolean, admin=True),
        "port_security_enabled": at.Attr(True, at.boolean),
        "mtu": at.Attr(1500, at.integer),
        "is_default": at.Attr(at.UNSET, at.boolean, admin=True),
        TYPE: at.Attr(at.UNSET, at.one_of("vlan", "flat", "vxlan", "local"), put=False, admin=True),
        PHYSNET: at.Attr(at.UNSET, at.text, put=False, admin=True),
        SEGMENT: at.Attr(at.UNSET, at.integer, put=False, admin=True),
    }

    def __init__(self, cloud: Cloud) -> None:
        super().__init__(cloud)
        self.store.index("network", "shared", lambda doc: [doc["shared"] or doc["router:external"]])
        self._vlans = {physnet: Allocator([VLANS], self._used_vlans(physnet)) for physnet in PHYSNETS}
        self._vnis = Allocator([(1, 10000)], self._used_vlans(None))

    def _used_vlans(self, physnet: str | None) -> list[int]:
        return [doc[SEGMENT] for doc in self.store.list("network") if doc[PHYSNET] == physnet and doc[SEGMENT]]

    def candidates(self, ctx: RequestContext, query: Mapping[str, list[str]]) -> Iterable[Doc]:
        if ctx.is_admin:
            return super().candidates(ctx, query)
        own = self.store.find("network", "project", ctx.project_id)
        others = (doc for doc in self.store.find("network", "shared", True) if doc["tenant_id"] != ctx.project_id)
        return chain(own, others)

    def visible(self, ctx: RequestContext, doc: Doc) -> bool:
        return super().visible(ctx, doc) or doc["shared"] or doc["router:external"]

    def make(self, ctx: RequestContext, attrs: Doc) -> Doc:
        self._segment(attrs)
        attrs.pop("is_default", None)
        return self.store.put("network", attrs["id"], {**attrs, "status": "ACTIVE", "subnets": []})

    def _segment(self, attrs: Doc) -> None:
        """Set the network's segment: tenants get a VLAN, from physnet0 while it has free ones."""
        kind = attrs.setdefault(TYPE, "vlan")
        attrs.setdefault(PHYSNET, None)
        attrs.setdefault(SEGMENT, None)
        if kind == "vlan":
            self._take_vlan(attrs)
        elif kind == "vxlan":
            if attrs[SEGMENT] is None:
                attrs[SEGMENT] = self._vnis.take()
            elif not self._vnis.take_exactly(attrs[SEGMENT]):
                message = f"Unable to create the network. The tunnel ID {attrs[SEGMENT]} is in use."
                raise ApiFault(409, "TunnelIdInUse", message)
        elif kind == "flat":
            self._take_flat(attrs)

    def _take_vlan(self, attrs: Doc) -> None:
        physnet, vlan = attrs[PHYSNET], attrs[SEGMENT]
        if physnet is not None and physnet not in self._vlans:
            raise at.invalid_operation(f"physical_network '{physnet}' unknown for VLAN provider network")
        if vlan is None:
            for name in [physnet] if physnet else PHYSNETS:
                try:
                    attrs[SEGMENT] = self._vlans[name].take()
                except Exhausted:
                    continue
                attrs[PHYSNET] = name
                return
            message = "Unable to create the network. No tenant network is available for allocation."
            raise ApiFault(503, "NoNetworkAvailable", message)
        if physnet is None:
            raise at.invalid_operation("segmentation_id requires physical_network for VLAN provider network")
        if not 1 <= vlan <= VLANS[1]:
            raise at.invalid_operation("segmentation_id out of range (1 through 4094)")
        if not self._vlans[physnet].take_exactly(vlan):
            message = f"Unable to create the network. The VLAN {vlan} on physical network {physnet} is in use."
            raise ApiFault(409, "VlanIdInUse", message)

    def _take_flat(self, attrs: Doc) -> None:
        physnet = attrs[PHYSNET]
        if not physnet:
            raise at.invalid_operation("physical_network required for flat provider network")
        for doc in self.store.list("network"):
            if doc[TYPE] == "flat" and doc[PHYSNET] == physnet:
                message = f"Unable to create the flat network. Physical network {physnet} is in use."
                raise ApiFault(409, "FlatNetworkInUse", message)

    def change(self, ctx: RequestContext, doc: Doc, attrs: Doc) -> Doc:
        doc.update(attrs)
        return self.store.put("network", doc["id"], doc)

    def remove(self, ctx: RequestContext, doc: Doc) -> None:
        ports = [*self.store.find("port", "network", doc["id"])]
        if any(port["device_owner"] not in AUTO_PORT_OWNERS for port in ports):
            raise ApiFault(
                409,
                "NetworkInUse",
                f"Unable to complete operation on network {doc['id']}. There are one or more ports still in use on the"
                " network.",
            )
        for port in ports:
            self.store.delete("port", port["id"])
        for ident in doc["subnets"]:
            self.store.delete("subnet", ident)
        self._release(doc)
        self.store.delete("network", doc["id"])

    def _release(self, doc: Doc) -> None:
        if doc[SEGMENT] is None:
            return
        pool = self._vnis if doc[TYPE] == "vxlan" else self._vlans.get(doc[PHYSNET])
        if pool:
            pool.release(doc[SEGMENT])
