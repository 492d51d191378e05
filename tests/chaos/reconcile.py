"""Compares the product's record, by its public API, with the cloud, resource by resource."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from openstack.connection import Connection

Get = Callable[[str], Any]
"""GET of a path of the public API: the decoded answer."""

RESOURCES = "resources of its stack"

OURS = "vnfm-"
"""Start of the names of images and flavors that the product creates for all instances of a cloud."""
FOREIGN_NETWORK = "elsewhere"
"""A network of another user in the same project."""
SEEDED = ("private", "router1")
"""A simulated cloud has these from its start."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One resource on which record and cloud differ."""

    kind: str
    """orphan: neither a record nor the stack of one claims it; duplicate: a second one where one belongs; unrecorded:
    the stack of a record has it, the record does not; lost: on record and not in the cloud; unlike: they differ."""
    resource: str
    ident: str
    name: str

    def __str__(self) -> str:
        return f"{self.kind} {self.resource} {self.name} ({self.ident})"


def compare(
    get: Get, cloud: Connection, instances: Iterable[str], idle: Mapping[str, dict[str, Any]] | None = None
) -> list[Finding]:
    """Every difference between the record of these instances and a project with no more than FOREIGN_NETWORK, SEEDED.

    `idle` has the records of further instances, as `record_with_resources` read them before: the cloud must still have
    exactly those.
    """
    return list(_Comparison(get, cloud, instances, idle or {}).differences())


def record_with_resources(get: Get, cloud: Connection, instance: str) -> dict[str, Any]:
    """An instance's record, and below RESOURCES the ids of all that its stack has, nested stacks included."""
    record: dict[str, Any] = get(f"/api/v1/vnf_instances/{instance}")
    return record | {RESOURCES: _resources(cloud, record["stack"])}


def _resources(cloud: Connection, stack: Mapping[str, str] | None) -> list[str]:
    if not stack:
        return []
    answer = cloud.orchestration.get(f"/stacks/{stack['name']}/{stack['id']}/resources?nested_depth=5")
    return [row["physical_resource_id"] for row in answer.json()["resources"]] if answer.ok else []


def fingerprint(get: Get, cloud: Connection, instance: str) -> dict[str, Any]:
    """Return what must not change of an instance without any operation: every id, and every time of a change."""
    record = get(f"/api/v1/vnf_instances/{instance}")
    stack = cloud.orchestration.get_stack(record["stack"]["id"])
    servers = [cloud.compute.get_server(vnfc["serverId"]) for vnfc in record["vnfcs"]]
    return {
        "stack": (stack.id, stack.status, stack.updated_at),
        "servers": {server.metadata["slot"]: (server.id, server.status, server.updated_at) for server in servers},
        "ports": {p["id"]: p["ipAddresses"] for vnfc in record["vnfcs"] for p in vnfc["ports"]},
        "networks": sorted(network["id"] for network in record["networks"]),
    }


def servers_of_all(cloud: Connection) -> dict[str, dict[str, str]]:
    """Instance → slot → server id, by the servers' metadata."""
    found: dict[str, dict[str, str]] = defaultdict(dict)
    for server in cloud.compute.servers():
        if "vnf_instance" in server.metadata:
            found[server.metadata["vnf_instance"]][server.metadata["slot"]] = server.id
    return found


def servers_by_slot(cloud: Connection, instance: str) -> dict[str, str]:
    """Slot → server id of one instance, by the servers' metadata."""
    return {s.metadata["slot"]: s.id for s in cloud.compute.servers() if s.metadata.get("vnf_instance") == instance}


class _Comparison:
    def __init__(
        self, get: Get, cloud: Connection, instances: Iterable[str], idle: Mapping[str, dict[str, Any]]
    ) -> None:
        read = {instance: get(f"/api/v1/vnf_instances/{instance}") for instance in instances}
        self._records = records = [*(read | idle).values()]
        vnfcs = [(record["id"], vnfc) for record in records for vnfc in record["vnfcs"]]
        networks = [network for record in records for network in record["networks"] if not network["external"]]
        self._cloud = cloud
        self._stacks = {stack["id"]: stack["name"] for record in records if (stack := record["stack"])}
        self._recorded = {
            "stack": self._stacks,
            "server": {vnfc["serverId"]: vnfc["name"] for _, vnfc in vnfcs},
            "port": {port["id"]: port["cpId"] for _, vnfc in vnfcs for port in vnfc["ports"]},
            "network": {network["id"]: network["name"] for network in networks},
        }
        self._places = {vnfc["serverId"]: (instance, vnfc["slot"]) for instance, vnfc in vnfcs}

    def differences(self) -> Iterator[Finding]:
        network, compute = self._cloud.network, self._cloud.compute
        foreign = {one.id for one in network.networks() if one.is_shared or one.name in (FOREIGN_NETWORK, *SEEDED)}
        servers = list(compute.servers())
        yield from self._against("stack", self._cloud.orchestration.stacks())
        yield from self._doubled(servers, self._against("server", servers))
        yield from self._against(
            "port", (p for p in network.ports() if not (p.device_owner or "").startswith("network:"))
        )
        yield from self._against("network", (one for one in network.networks() if one.id not in foreign))
        yield from self._unowned("subnet", (one for one in network.subnets() if one.network_id not in foreign))
        yield from self._unowned("security group", (g for g in network.security_groups() if g.name != "default"))
        yield from self._unowned("server group", compute.server_groups())
        yield from self._unowned("router", (one for one in network.routers() if one.name not in SEEDED))
        yield from self._unowned("floating ip", network.ips())
        yield from _shared(self._cloud)

    def _against(self, resource: str, found: Iterable[Any]) -> Iterator[Finding]:
        """Resources that are recorded one by one."""
        existing = {one.id: one.name for one in found}
        recorded = self._recorded[resource]
        for ident in sorted(existing.keys() - recorded.keys()):
            yield Finding("unrecorded" if ident in self._owned else "orphan", resource, ident, existing[ident])
        for ident in sorted(recorded.keys() - existing.keys()):
            yield Finding("lost", resource, ident, recorded[ident])

    def _unowned(self, resource: str, found: Iterable[Any]) -> Iterator[Finding]:
        """Resources that only Heat knows: they must belong to a recorded stack."""
        for one in found:
            if one.id not in self._owned:
                yield Finding("orphan", resource, one.id, one.name or "")

    def _doubled(self, servers: Sequence[Any], findings: Iterable[Finding]) -> Iterator[Finding]:
        """One server belongs in a slot, and the record has it in the slot of its own metadata."""
        places = {one.id: (one.metadata.get("vnf_instance"), one.metadata.get("slot")) for one in servers}
        crowded = {place for place, count in Counter(places.values()).items() if count > 1}
        for finding in findings:
            twin = finding.kind != "lost" and places[finding.ident] in crowded
            yield replace(finding, kind="duplicate") if twin else finding
        for ident, place in places.items():
            if self._places.get(ident, place) != place:
                yield Finding("unlike", "server", ident, f"{place}, on record {self._places[ident]}")

    @cached_property
    def _owned(self) -> set[str]:
        """All resources of the recorded stacks, nested stacks included."""
        return {
            ident
            for record in self._records
            for ident in record.get(RESOURCES) or _resources(self._cloud, record["stack"])
        }


def _shared(cloud: Connection) -> Iterator[Finding]:
    """Images and flavors are shared by all instances of a cloud: one of each name, ready to use."""
    images = [image for image in cloud.image.images() if image.name.startswith(OURS)]
    flavors = [flavor for flavor in cloud.compute.flavors() if flavor.name.startswith(OURS)]
    for resource, found in (("image", images), ("flavor", flavors)):
        counted = Counter(one.name for one in found)
        yield from (Finding("duplicate", resource, one.id, one.name) for one in found if counted[one.name] > 1)
    yield from (Finding("orphan", "image", i.id, f"{i.name}, {i.status}") for i in images if i.status != "active")
