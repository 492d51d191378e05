"""LBaaS v1: pools, members, health monitors and virtual addresses (vips).

Sources: neutron_lbaas 7.0.0 (extensions/loadbalancer.py, db/loadbalancer/loadbalancer_db.py). Its v1 and v2 exclude
each other, and Liberty's Heat has types for v1 only. An agent sets each resource ACTIVE after the cloud's action time.
As in the original, the violation of a database constraint is an internal error.
"""

from __future__ import annotations

import re
import uuid
from typing import TYPE_CHECKING, Any, ClassVar

from cloudsim.core.errors import ApiFault, Reply
from cloudsim.core.service import Request, Route
from cloudsim.network import attributes as at
from cloudsim.network.ports import LOAD_BALANCER
from cloudsim.network.resource import Resource

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cloudsim.core.cloud import Cloud
    from cloudsim.core.context import RequestContext
    from cloudsim.core.store import Doc
    from cloudsim.network.ports import Ports

DEPLOYED = "network.lbaas_deployed"
PROTOCOL = at.one_of("TCP", "HTTP", "HTTPS")
_NAMED = {**at.COMMON, "description": at.Attr("", at.text)}
_OWNED = {name: at.COMMON[name] for name in ("tenant_id", "project_id")}
_UP = at.Attr(True, at.boolean)
_CODES = re.compile(r"(\d{3}(\s*,\s*\d{3})*)|(\d{3}-\d{3})")


def _codes(value: Any) -> str:
    if not _CODES.fullmatch(str(value)):
        raise ValueError(f"'{value}' is not a valid input")
    return str(value)


def _persistence(value: Any) -> dict[str, Any]:
    if not value:
        return {}
    if not isinstance(value, dict) or value.get("type") not in ("APP_COOKIE", "HTTP_COOKIE", "SOURCE_IP"):
        raise ValueError(f"'{value}' is not a valid session persistence")
    return value


def _internal() -> ApiFault:
    message = "Request Failed: internal server error while processing your request."
    return ApiFault(500, "HTTPInternalServerError", message)


class _Balanced(Resource):
    """A resource under /lb; one with a status becomes ACTIVE when the agent has deployed it."""

    def pending(self, doc: Doc, status: str) -> Doc:
        """Store the document with a status that the agent will change."""
        doc.update(status=status, status_description=None)
        seconds = float(self.cloud.setting("action_seconds"))
        self.cloud.timers.after(seconds, DEPLOYED, kind=self.kind, ident=doc["id"])
        return self.store.put(self.kind, doc["id"], doc)

    def change(self, ctx: RequestContext, doc: Doc, attrs: Doc) -> Doc:
        return self.pending({**doc, **attrs}, "PENDING_UPDATE")

    def remove(self, ctx: RequestContext, doc: Doc) -> None:
        self.store.delete(self.kind, doc["id"])


class Monitors(_Balanced):
    kind, plural, path = "health_monitor", "health_monitors", "lb/health_monitors"
    not_found = ("HealthMonitorNotFound", "Health_monitor {id} could not be found")
    spec: ClassVar[Mapping[str, at.Attr]] = {
        **_OWNED,
        "type": at.Attr(at.REQUIRED, at.one_of("PING", "TCP", "HTTP", "HTTPS"), put=False),
        "delay": at.Attr(at.REQUIRED, at.between(0)),
        "timeout": at.Attr(at.REQUIRED, at.between(0)),
        "max_retries": at.Attr(at.REQUIRED, at.between(1, 10)),
        "http_method": at.Attr("GET", at.text),
        "url_path": at.Attr("/", at.text),
        "expected_codes": at.Attr("200", _codes),
        "admin_state_up": _UP,
    }

    def make(self, ctx: RequestContext, attrs: Doc) -> Doc:
        return self.change(ctx, {"pools": []}, attrs)

    def change(self, ctx: RequestContext, doc: Doc, attrs: Doc) -> Doc:
        doc = {**doc, **attrs}
        if doc["delay"] < doc["timeout"]:
            raise ApiFault(400, "DelayOrTimeoutInvalid", "Delay must be greater than or equal to timeout")
        return self.store.put(self.kind, doc["id"], doc)

    def remove(self, ctx: RequestContext, doc: Doc) -> None:
        if doc["pools"]:
            message = f"Health monitor {doc['id']} still has associations with pools"
            raise ApiFault(409, "HealthMonitorInUse", message)
        super().remove(ctx, doc)

    def view(self, ctx: RequestContext, doc: Doc) -> Doc:
        """Return the monitor, with HTTP fields only for HTTP types; associations with pools are ACTIVE at once."""
        hidden = () if doc["type"] in ("HTTP", "HTTPS") else ("url_path", "http_method", "expected_codes")
        pools = [{"pool_id": pool, "status": "ACTIVE", "status_description": None} for pool in doc["pools"]]
        return {**{name: value for name, value in doc.items() if name not in hidden}, "pools": pools}

    def bind(self, doc: Doc, pool: str, *, bound: bool) -> None:
        """Associate the monitor with a pool, or end the association."""
        kept = [one for one in doc["pools"] if one != pool]
        self.store.put(self.kind, doc["id"], {**doc, "pools": [*kept, pool] if bound else kept})


class Pools(_Balanced):
    kind, plural, path = "pool", "pools", "lb/pools"
    not_found = ("PoolNotFound", "Pool {id} could not be found")
    spec: ClassVar[Mapping[str, at.Attr]] = {
        **_NAMED,
        "subnet_id": at.Attr(at.REQUIRED, at.uuid, put=False),
        "protocol": at.Attr(at.REQUIRED, PROTOCOL, put=False),
        "provider": at.Attr("haproxy", at.one_of("haproxy"), put=False),
        "lb_method": at.Attr(at.REQUIRED, at.one_of("ROUND_ROBIN", "LEAST_CONNECTIONS", "SOURCE_IP")),
        "admin_state_up": _UP,
    }

    def __init__(self, cloud: Cloud, monitors: Monitors) -> None:
        super().__init__(cloud)
        self._monitors = monitors
        self.store.index("pool", "subnet", lambda doc: [doc["subnet_id"]])

    def routes(self) -> list[Route]:
        bound = "/v2.0/lb/pools/{id}/health_monitors"
        return [
            *super().routes(),
            Route("POST", bound, self.add_monitor),
            Route("DELETE", bound + "/{monitor}", self.drop_monitor),
        ]

    def make(self, ctx: RequestContext, attrs: Doc) -> Doc:
        return self.pending({**attrs, "vip_id": None, "health_monitors": []}, "PENDING_CREATE")

    def remove(self, ctx: RequestContext, doc: Doc) -> None:
        """Remove the pool with its members and its associations."""
        if doc["vip_id"]:
            raise ApiFault(409, "PoolInUse", f"Pool {doc['id']} is still in use")
        for member in [*self.store.find("member", "pool", doc["id"])]:
            self.store.delete("member", member["id"])
        for ident in doc["health_monitors"]:
            self._monitors.bind(self._monitors.get(ctx.elevated(), ident), doc["id"], bound=False)
        super().remove(ctx, doc)

    def view(self, ctx: RequestContext, doc: Doc) -> Doc:
        return {**doc, "members": [member["id"] for member in self.store.find("member", "pool", doc["id"])]}

    async def add_monitor(self, ctx: RequestContext, request: Request) -> Reply:
        pool = self.get(ctx, request.params["id"])
        monitor = self._monitors.get(ctx, str((request.object.get("health_monitor") or {}).get("id")))
        if monitor["id"] in pool["health_monitors"]:
            message = f"health_monitor {monitor['id']} is already associated with pool {pool['id']}"
            raise ApiFault(409, "PoolMonitorAssociationExists", message)
        self._monitors.bind(monitor, pool["id"], bound=True)
        pool["health_monitors"].append(monitor["id"])
        self.store.put("pool", pool["id"], pool)
        return Reply(201, {"health_monitor": pool["health_monitors"]})

    async def drop_monitor(self, ctx: RequestContext, request: Request) -> Reply:
        pool, ident = self.get(ctx, request.params["id"]), request.params["monitor"]
        if ident not in pool["health_monitors"]:
            message = f"Monitor {ident} is not associated with Pool {pool['id']}"
            raise ApiFault(404, "PoolMonitorAssociationNotFound", message)
        self._monitors.bind(self._monitors.get(ctx, ident), pool["id"], bound=False)
        pool["health_monitors"].remove(ident)
        self.store.put("pool", pool["id"], pool)
        return Reply(204)


class Members(_Balanced):
    kind, plural, path = "member", "members", "lb/members"
    not_found = ("MemberNotFound", "Member {id} could not be found")
    spec: ClassVar[Mapping[str, at.Attr]] = {
        **_OWNED,
        "pool_id": at.Attr(at.REQUIRED, at.uuid),
        "address": at.Attr(at.REQUIRED, at.ip, put=False),
        "protocol_port": at.Attr(at.REQUIRED, at.between(0, 65535), put=False),
        "weight": at.Attr(1, at.between(0, 256)),
        "admin_state_up": _UP,
    }

    def __init__(self, cloud: Cloud, pools: Pools) -> None:
        super().__init__(cloud)
        self._pools = pools
        self.store.index("member", "pool", lambda doc: [doc["pool_id"]])

    def make(self, ctx: RequestContext, attrs: Doc) -> Doc:
        self._check_pool(ctx, attrs)
        return self.pending(attrs, "PENDING_CREATE")

    def change(self, ctx: RequestContext, doc: Doc, attrs: Doc) -> Doc:
        self._check_pool(ctx, {**doc, **attrs})
        return super().change(ctx, doc, attrs)

    def _check_pool(self, ctx: RequestContext, doc: Doc) -> None:
        pool = self._pools.get(ctx, doc["pool_id"])
        place = ("address", "protocol_port")
        for other in self.store.find("member", "pool", pool["id"]):
            if other["id"] != doc["id"] and all(other[name] == doc[name] for name in place):
                raise _internal()


class Vips(_Balanced):
    kind, plural, path = "vip", "vips", "lb/vips"
    not_found = ("VipNotFound", "Vip {id} could not be found")
    spec: ClassVar[Mapping[str, at.Attr]] = {
        **_NAMED,
        "subnet_id": at.Attr(at.REQUIRED, at.uuid, put=False),
        "address": at.Attr(None, at.optional(at.ip), put=False),
        "protocol_port": at.Attr(at.REQUIRED, at.between(0, 65535), put=False),
        "protocol": at.Attr(at.REQUIRED, PROTOCOL, put=False),
        "pool_id": at.Attr(at.REQUIRED, at.uuid),
        "session_persistence": at.Attr(dict, _persistence),
        "connection_limit": at.Attr(-1, at.integer),
        "admin_state_up": _UP,
    }

    def __init__(self, cloud: Cloud, pools: Pools, ports: Ports) -> None:
        super().__init__(cloud)
        self._pools, self._ports = pools, ports

    def make(self, ctx: RequestContext, attrs: Doc) -> Doc:
        pool = self._fitting_pool(ctx, attrs)
        port = self._port(ctx, attrs)
        doc = {**attrs, "address": port["fixed_ips"][0]["ip_address"], "port_id": port["id"]}
        self.store.put("pool", pool["id"], {**pool, "vip_id": doc["id"]})
        return self.pending(doc, "PENDING_CREATE")

    def _fitting_pool(self, ctx: RequestContext, vip: Doc) -> Doc:
        """Return the vip's pool, which must have the same protocol and no other vip. Raises ApiFault."""
        persistence = vip["session_persistence"]
        if persistence and (persistence["type"] == "APP_COOKIE") != bool(persistence.get("cookie_name")):
            raise _internal()
        pool = self._pools.get(ctx, vip["pool_id"])
        if pool["protocol"] != vip["protocol"]:
            message = f"Protocol {vip['protocol']} does not match pool protocol {pool['protocol']}"
            raise ApiFault(400, "ProtocolMismatch", message)
        if pool["vip_id"] not in (None, vip["id"]):
            raise _internal()
        return pool

    def _port(self, ctx: RequestContext, vip: Doc) -> Doc:
        """Create the port with the address, which stays DOWN, since no host plugs it."""
        subnet = self.store.get("subnet", vip["subnet_id"])
        if subnet is None:
            raise ApiFault(404, "SubnetNotFound", f"Subnet {vip['subnet_id']} could not be found.")
        if vip["address"] is not None and vip["address"] == subnet["gateway_ip"]:
            message = f"Unable to complete operation for network {subnet['network_id']}. The IP address"
            raise ApiFault(409, "IpAddressInUse", f"{message} {vip['address']} is in use.")
        fixed = {"subnet_id": subnet["id"], **({"ip_address": vip["address"]} if vip["address"] else {})}
        given = {
            "name": f"vip-{vip['id']}",
            "network_id": subnet["network_id"],
            "device_owner": LOAD_BALANCER,
            "admin_state_up": False,
            "fixed_ips": [fixed],
        }
        port = at.read(self._ports.spec, given, kind="port", creating=True, is_admin=True)
        return self._ports.make(ctx, {"id": str(uuid.uuid4()), "tenant_id": vip["tenant_id"], **port})

    def change(self, ctx: RequestContext, doc: Doc, attrs: Doc) -> Doc:
        """Change the vip; as in the original, an update without session persistence removes it."""
        after = {**doc, "session_persistence": {}, **attrs}
        pool = self._fitting_pool(ctx, after)
        if pool["id"] != doc["pool_id"]:
            self._release(ctx, doc)
            self.store.put("pool", pool["id"], {**pool, "vip_id": doc["id"]})
        return self.pending(after, "PENDING_UPDATE")

    def _release(self, ctx: RequestContext, doc: Doc) -> None:
        pool = self._pools.get(ctx.elevated(), doc["pool_id"])
        self.store.put("pool", pool["id"], {**pool, "vip_id": None})

    def remove(self, ctx: RequestContext, doc: Doc) -> None:
        self._release(ctx, doc)
        super().remove(ctx, doc)
        self._ports.discard(self._ports.get(ctx.elevated(), doc["port_id"]))

    def view(self, ctx: RequestContext, doc: Doc) -> Doc:
        return {**doc, "session_persistence": doc["session_persistence"] or None}


def resources(cloud: Cloud, ports: Ports) -> tuple[Resource, ...]:
    """Return the four collections, and register the timers of their agent."""

    async def deployed(kind: str, ident: str) -> None:
        doc = cloud.store.get(kind, ident)
        if doc is not None:
            cloud.store.put(kind, ident, {**doc, "status": "ACTIVE"})

    cloud.timers.register(DEPLOYED, deployed)
    monitors = Monitors(cloud)
    pools = Pools(cloud, monitors)
    return monitors, pools, Members(cloud, pools), Vips(cloud, pools, ports)
