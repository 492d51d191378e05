"""Security groups and their rules."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any, ClassVar

from cloudsim.core.errors import ApiFault
from cloudsim.network import attributes as at
from cloudsim.network.resource import Resource

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from cloudsim.core.cloud import Cloud
    from cloudsim.core.context import RequestContext
    from cloudsim.core.store import Doc

PROTOCOLS = ("tcp", "udp", "icmp", "icmpv6", "sctp", "vrrp", "ah", "esp", "gre", "igmp", "ospf")
LAST_PORT = 65535


def default_group(cloud: Cloud, project_id: str) -> Doc:
    """Return the project's group ``default``, created at first use: it allows egress, and ingress from itself."""
    for group in cloud.store.find("security_group", "project", project_id):
        if group["name"] == "default":
            return group
    group = _new_group(cloud, str(uuid.uuid4()), project_id, "default", "Default security group")
    for ethertype in ("IPv4", "IPv6"):
        _new_rule(cloud, group, "ingress", ethertype, remote_group_id=group["id"])
    return group


def _new_group(cloud: Cloud, ident: str, project_id: str, name: str, description: str) -> Doc:
    group = {"id": ident, "tenant_id": project_id, "name": name, "description": description}
    cloud.store.put("security_group", ident, group)
    for ethertype in ("IPv4", "IPv6"):
        _new_rule(cloud, group, "egress", ethertype)
    return group


def _new_rule(cloud: Cloud, group: Doc, direction: str, ethertype: str, **more: Any) -> Doc:
    rule = {
        "id": str(uuid.uuid4()),
        "tenant_id": group["tenant_id"],
        "security_group_id": group["id"],
        "direction": direction,
        "ethertype": ethertype,
        "protocol": None,
        "port_range_min": None,
        "port_range_max": None,
        "remote_ip_prefix": None,
        "remote_group_id": None,
        **more,
    }
    return cloud.store.put("security_group_rule", rule["id"], rule)


class SecurityGroups(Resource):
    kind = "security_group"
    plural = "security_groups"
    path = "security-groups"
    not_found = ("SecurityGroupNotFound", "Security group {id} does not exist")
    spec: ClassVar[Mapping[str, at.Attr]] = {**at.COMMON, "description": at.Attr("", at.text)}

    def __init__(self, cloud: Cloud) -> None:
        super().__init__(cloud)
        self.store.index("security_group_rule", "group", lambda doc: [doc["security_group_id"]])

    def candidates(self, ctx: RequestContext, query: Mapping[str, list[str]]) -> Iterable[Doc]:
        default_group(self.cloud, ctx.project_id)
        return super().candidates(ctx, query)

    def view(self, ctx: RequestContext, doc: Doc) -> Doc:
        rules = [*self.store.find("security_group_rule", "group", doc["id"])]
        return {**super().view(ctx, doc), "security_group_rules": rules}

    def make(self, ctx: RequestContext, attrs: Doc) -> Doc:
        if attrs["name"] == "default":
            message = "Default security group already exists."
            raise ApiFault(409, "SecurityGroupDefaultAlreadyExists", message)
        default_group(self.cloud, attrs["tenant_id"])
        return _new_group(self.cloud, attrs["id"], attrs["tenant_id"], attrs["name"], attrs["description"])

    def change(self, ctx: RequestContext, doc: Doc, attrs: Doc) -> Doc:
        if doc["name"] == "default" and "name" in attrs:
            message = "Updating default security group not allowed."
            raise ApiFault(409, "SecurityGroupCannotUpdateDefault", message)
        doc.update(attrs)
        return self.store.put("security_group", doc["id"], doc)

    def remove(self, ctx: RequestContext, doc: Doc) -> None:
        if doc["name"] == "default" and not ctx.is_admin:
            message = "Insufficient rights for removing default security group."
            raise ApiFault(409, "SecurityGroupCannotRemoveDefault", message)
        if self.store.count("port", "security_group", doc["id"]):
            raise ApiFault(409, "SecurityGroupInUse", f"Security Group {doc['id']} in use.")
        for rule in [*self.store.find("security_group_rule", "group", doc["id"])]:
            self.store.delete("security_group_rule", rule["id"])
        self.store.delete("security_group", doc["id"])


def _protocol(value: Any) -> str | None:
    word = None if value is None else str(value).lower()
    if word in {None, "any", "0"}:
        return None
    if word not in PROTOCOLS and not (word or "").isdigit():
        raise ValueError(f"Security group rule protocol {value} not supported")
    return word


def _port(value: Any) -> int | None:
    if value is None:
        return None
    number = at.integer(value)
    if not -1 <= number <= LAST_PORT:
        raise ValueError(f"Invalid value for port {value}")
    return number


class SecurityGroupRules(Resource):
    kind = "security_group_rule"
    plural = "security_group_rules"
    path = "security-group-rules"
    not_found = ("SecurityGroupRuleNotFound", "Security group rule {id} does not exist")
    spec: ClassVar[Mapping[str, at.Attr]] = {
        "tenant_id": at.COMMON["tenant_id"],
        "project_id": at.COMMON["project_id"],
        "security_group_id": at.Attr(at.REQUIRED, at.uuid, put=False),
        "direction": at.Attr(at.REQUIRED, at.one_of("ingress", "egress"), put=False),
        "ethertype": at.Attr("IPv4", at.one_of("IPv4", "IPv6"), put=False),
        "protocol": at.Attr(None, _protocol, put=False),
        "port_range_min": at.Attr(None, _port, put=False),
        "port_range_max": at.Attr(None, _port, put=False),
        "remote_ip_prefix": at.Attr(None, at.optional(at.cidr), put=False),
        "remote_group_id": at.Attr(None, at.optional(at.uuid), put=False),
    }

    def make(self, ctx: RequestContext, attrs: Doc) -> Doc:
        group = self.store.get("security_group", attrs["security_group_id"])
        if group is None or not (ctx.is_admin or group["tenant_id"] == ctx.project_id):
            message = f"Security group {attrs['security_group_id']} does not exist"
            raise ApiFault(404, "SecurityGroupNotFound", message)
        low, high = attrs["port_range_min"], attrs["port_range_max"]
        if low is not None and high is not None and low > high and attrs["protocol"] not in {"icmp", "icmpv6"}:
            message = "For TCP/UDP protocols, port_range_min must be <= port_range_max"
            raise ApiFault(400, "SecurityGroupInvalidPortRange", message)
        facts = {name: value for name, value in attrs.items() if name not in {"id", "tenant_id"}}
        for rule in self.store.find("security_group_rule", "group", group["id"]):
            if all(rule[name] == value for name, value in facts.items()):
                message = f"Security group rule already exists. Rule id is {rule['id']}."
                raise ApiFault(409, "SecurityGroupRuleExists", message)
        return self.store.put("security_group_rule", attrs["id"], attrs)

    def change(self, ctx: RequestContext, doc: Doc, attrs: Doc) -> Doc:
        raise at.bad("Security group rules cannot be updated")

    def remove(self, ctx: RequestContext, doc: Doc) -> None:
        self.store.delete("security_group_rule", doc["id"])
