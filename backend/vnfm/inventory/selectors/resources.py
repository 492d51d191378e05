"""The VNFCs and links of an instance as values; a prefetch of the instance's rows is not used."""

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import fields
from uuid import UUID

from vnfm.inventory.domain.instance_record import InstanceRecord
from vnfm.inventory.domain.observation import MISSING
from vnfm.inventory.domain.resources import LinkInfo, RecordedPort, VnfcInfo
from vnfm.inventory.models import Vnfc, VnfcPort, VnfVirtualLink

_OF_VNFC = [each.name for each in fields(VnfcInfo) if each.name != "ports"]


def vnfcs_of(*, instance_id: UUID) -> list[VnfcInfo]:
    """In the order of their VDUs and slots, with their ports."""
    rows = Vnfc.objects.filter(instance_id=instance_id).order_by("vdu_id", "slot").prefetch_related("ports")
    return [
        VnfcInfo(**{name: getattr(row, name) for name in _OF_VNFC}, ports=tuple(map(_port, row.ports.all())))
        for row in rows
    ]


def _port(row: VnfcPort) -> RecordedPort:
    values = {each.name: getattr(row, each.name) for each in fields(RecordedPort)}
    return RecordedPort(**values | {"ip_addresses": tuple(row.ip_addresses)})


def vnfc_names(*, server_ids: Iterable[str]) -> list[str]:
    """Names of the VNFCs, of any instance, that have these servers."""
    return list(Vnfc.objects.filter(server_id__in=server_ids).values_list("name", flat=True))


def port_addresses(*, vnfc_ids: Collection[UUID]) -> set[str]:
    """IP addresses of all ports of these VNFCs."""
    ports = VnfcPort.objects.filter(vnfc__in=vnfc_ids).values_list("ip_addresses", flat=True)
    return {address for addresses in ports for address in addresses}


def links_of(*, instance_id: UUID) -> list[LinkInfo]:
    """In the order of the VNFD's ids of the links."""
    rows = VnfVirtualLink.objects.filter(instance_id=instance_id).order_by("vl_id", "id")
    return [LinkInfo(**{each.name: getattr(row, each.name) for each in fields(LinkInfo)}) for row in rows]


def ports_of_others(*, instance: InstanceRecord, network_ids: Collection[str]) -> Counter[tuple[str, str]]:
    """Count ports of other instances of the same VIM on these networks, by (name of the instance, network)."""
    same_vim = VnfcPort.objects.filter(vnfc__instance__vim=instance.vim_id, network_id__in=network_ids)
    others = same_vim.exclude(vnfc__instance_id=instance.id).exclude(status=MISSING)
    return Counter(others.values_list("vnfc__instance__name", "network_id"))
