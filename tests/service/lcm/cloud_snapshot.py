"""Snapshots of an instance's cloud resources: the difference of two is what an operation changed."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from tests.service.lcm.lifecycle import Lifecycle
from vnfm.inventory.domain.drift import drift
from vnfm.inventory.models import StackSnapshot, VnfInstance
from vnfm.lcm.selectors.instance_status import instance_status


@dataclass(frozen=True)
class ServerSnapshot:
    """One server as Nova and Neutron report it."""

    server: str
    status: str
    flavor: str
    """Name of the flavor."""
    image: str
    """Name of the image."""
    ports: Mapping[str, str]
    """Port name → network name."""


CloudSnapshot = dict[str, ServerSnapshot]
"""Slot → server."""


def cloud_snapshot(life: Lifecycle, instance: VnfInstance) -> CloudSnapshot:
    cloud = life.cloud
    flavors = {flavor.id: flavor.name for flavor in cloud.flavors.list()}
    images = {image.id: image.name for image in cloud.images.list()}
    networks = {network.id: network.name for network in cloud.networks.list()}
    servers = [s for s in cloud.servers.list() if s.metadata.get("vnf_instance") == str(instance.id)]
    ports = cloud.networks.ports([server.id for server in servers])
    return {
        s.metadata["slot"]: ServerSnapshot(
            s.id,
            s.status,
            flavors.get(s.flavor, s.flavor),
            images.get(s.image, s.image),
            {
                port.name.removeprefix(instance.name): networks[port.network_id]
                for port in ports
                if port.server_id == s.id
            },
        )
        for s in servers
    }


def ids(seen: CloudSnapshot) -> dict[str, str]:
    return {slot: one.server for slot, one in seen.items()}


def of(seen: CloudSnapshot, what: str, *slots: str) -> list[str]:
    """One attribute of the servers in these slots."""
    return [getattr(seen[slot], what) for slot in slots]


def assert_recorded(life: Lifecycle, instance: VnfInstance) -> None:
    """The recorded servers, slots and ports are those of the cloud, and there is no drift."""
    instance.refresh_from_db()
    seen = cloud_snapshot(life, instance)
    assert {v.slot: v.server_id for v in instance.vnfcs.all()} == ids(seen)
    networks = {network.id: network.name for network in life.cloud.networks.list()}
    for vnfc in instance.vnfcs.prefetch_related("ports"):
        recorded = sorted(networks[port.network_id] for port in vnfc.ports.all())
        assert recorded == sorted(seen[vnfc.slot].ports.values()), vnfc.slot
    used = {network for one in seen.values() for network in one.ports.values()}
    assert {networks[link.network_id] for link in instance.virtual_links.all()} == used
    assert drift(instance_status(instance_id=instance.id).view) == []


@dataclass(frozen=True)
class RollbackState:
    """All that a rollback must restore: the cloud's resources, Heat's input, and the record."""

    cloud_snapshot: CloudSnapshot
    snapshot: Mapping[str, Any]
    links: Mapping[str, tuple[str, bool]]
    """Virtual link id → network name, and whether the stack created it."""
    package: UUID
    flavour: str
    level: str
    settings: Mapping[str, Any]
    rosters: Mapping[str, Any]


def rollback_state(life: Lifecycle, instance: VnfInstance) -> RollbackState:
    instance.refresh_from_db()
    fields = ("template", "environment", "parameters", "files")
    return RollbackState(
        cloud_snapshot(life, instance),
        StackSnapshot.objects.filter(instance=instance).values(*fields).get(),
        {link.vl_id: (link.name, link.created_by_stack) for link in instance.virtual_links.all()},
        instance.package_id,
        instance.flavour_id,
        instance.instantiation_level_id,
        instance.settings,
        instance.member_slots,
    )
