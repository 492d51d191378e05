"""Quota that an instance needs, for each instantiation level of the VNFD."""

from collections.abc import Iterator
from dataclasses import dataclass

from vnfm.catalog.domain.conditional_vdus import with_values
from vnfm.catalog.domain.settings import effective_settings
from vnfm.catalog.domain.vnfd import Flavour, InstantiationLevel, Vnfd


@dataclass(frozen=True, slots=True)
class QuotaNeed:
    """Need of an instance whose flavors match its VNFCs' needs exactly, with the defaults of all settings."""

    flavour_id: str
    level_id: str
    instances: int
    vcpus: int
    memory_mib: int
    disk_gib: int
    ports: int
    networks: int
    """Networks that the stack creates when none is chosen."""
    sriov_ports: int


def quota_needs(vnfd: Vnfd) -> Iterator[QuotaNeed]:
    """One for each instantiation level of each flavour."""
    for flavour in vnfd.flavours:
        for level in flavour.levels:
            yield _need(vnfd, flavour, level)


def _need(vnfd: Vnfd, flavour: Flavour, level: InstantiationLevel) -> QuotaNeed:
    settings = effective_settings(vnfd, {})
    there = [vdu for vdu in with_values(vnfd, settings, flavour).vdus if not vdu.absent]
    rows = [(vdu, flavour.needs_of(vdu), vdu.minimum + flavour.steps(vdu.id, level.scale_levels)) for vdu in there]
    links = [link for link in vnfd.virtual_links if link.is_used(settings)]
    made = [link for link in links if link.registry_type or not (link.network_parameter or link.fixed_network)]
    return QuotaNeed(
        flavour.id,
        level.id,
        instances=sum(count for _, _, count in rows),
        vcpus=sum(count * needs.vcpus for _, needs, count in rows),
        memory_mib=sum(count * needs.memory_mib for _, needs, count in rows),
        disk_gib=sum(count * needs.disk_gib for _, needs, count in rows),
        ports=sum(count * vnfd.least_ports_of(vdu, settings) for vdu, _, count in rows),
        networks=len(made),
        sriov_ports=sum(count * needs.sriov_ports for _, needs, count in rows),
    )
