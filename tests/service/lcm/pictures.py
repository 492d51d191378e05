"""What the cloud holds of an instance, as a value: taken before and after, it says what an operation changed."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from tests.service.lcm.driving import Lifecycle
from vnfm.inventory.domain.drift import drift
from vnfm.inventory.models import StackSnapshot, VnfInstance
from vnfm.lcm.selectors.instance_status import instance_status


@dataclass(frozen=True)
class Seen:
    """One server as Nova and Neutron show it."""

    server: str
    status: str
    flavor: str
    """Name of the flavor."""
    image: str
    """Name of the image."""
    ports: Mapping[str, str]
    """Name of each port to the name of its network."""


Picture = dict[str, Seen]
"""Slot to its server."""


def picture(life: Lifecycle, instance: VnfInstance) -> Picture:
    cloud = life.cloud
    flavors = {flavor.id: flavor.name for flavor in cloud.flavors.list()}
    images = {image.id: image.name for image in cloud.images.list()}
    networks = {network.id: network.name for network in cloud.networks.list()}
    servers = [s for s in cloud.servers.list() if s.metadata.get("vnf_instance") == str(instance.id)]
    ports = cloud.networks.ports([server.id for server in servers])
    return {
        s.metadata["slot"]: Seen(
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


def ids(seen: Picture) -> dict[str, str]:
    return {slot: one.server for slot, one in seen.items()}


def of(seen: Picture, what: str, *slots: str) -> list[str]:
    """One attribute of the servers in these slots."""
    return [getattr(seen[slot], what) for slot in slots]


def assert_recorded(life: Lifecycle, instance: VnfInstance) -> None:
    """The record says of servers, slots and ports what the cloud shows, and no drift is seen between the two."""
    instance.refresh_from_db()
    seen = picture(life, instance)
    assert {v.slot: v.server_id for v in instance.vnfcs.all()} == ids(seen)
    networks = {network.id: network.name for network in life.cloud.networks.list()}
    for vnfc in instance.vnfcs.prefetch_related("ports"):
        recorded = sorted(networks[port.network_id] for port in vnfc.ports.all())
        assert recorded == sorted(seen[vnfc.slot].ports.values()), vnfc.slot
    used = {network for one in seen.values() for network in one.ports.values()}
    assert {networks[link.network_id] for link in instance.virtual_links.all()} == used
    assert drift(instance_status(instance_id=instance.id).view) == []


@dataclass(frozen=True)
class Held:
    """All that a rollback must give back: what is in the cloud, what Heat was given, and the record."""

    picture: Picture
    snapshot: Mapping[str, Any]
    links: Mapping[str, tuple[str, bool]]
    """Virtual link to the name of its network, and whether the stack made it."""
    package: UUID
    flavour: str
    level: str
    settings: Mapping[str, Any]
    rosters: Mapping[str, Any]


def held(life: Lifecycle, instance: VnfInstance) -> Held:
    instance.refresh_from_db()
    fields = ("template", "environment", "parameters", "files")
    return Held(
        picture(life, instance),
        StackSnapshot.objects.filter(instance=instance).values(*fields).get(),
        {link.vl_id: (link.name, link.created_by_stack) for link in instance.virtual_links.all()},
        instance.package_id,
        instance.flavour_id,
        instance.instantiation_level_id,
        instance.settings,
        instance.member_slots,
    )
