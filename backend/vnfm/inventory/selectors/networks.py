"""Networks of VNF instances."""

from django.db.models import QuerySet

from vnfm.inventory.models import VnfVirtualLink
from vnfm.vims.models import Vim


def vnf_network_list(*, vim: Vim) -> QuerySet[VnfVirtualLink]:
    """Those that stacks of instances made there: external networks, to which instances are attached, are none."""
    links = VnfVirtualLink.objects.select_related("instance")
    return links.filter(instance__vim=vim, created_by_stack=True).exclude(network_id="")
