"""Networks of VNF instances."""

from dataclasses import dataclass
from uuid import UUID

from django.db.models import F, QuerySet

from vnfm.inventory.models import VnfVirtualLink
from vnfm.vims.domain.vim_record import VimRecord


@dataclass(frozen=True, slots=True)
class VnfNetwork:
    """A network that the stack of a VNF instance made."""

    network_id: str
    """Neutron's id."""
    vnf_instance_id: UUID
    vnf_instance_name: str


def vnf_network_list(*, vim: VimRecord) -> QuerySet[VnfVirtualLink]:
    """Rows with the attributes of `VnfNetwork`; external networks, to which instances are attached, are left out."""
    links = VnfVirtualLink.objects.annotate(vnf_instance_id=F("instance_id"), vnf_instance_name=F("instance__name"))
    return links.filter(instance__vim=vim.id, created_by_stack=True).exclude(network_id="")
