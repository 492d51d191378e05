"""Reads of single VNF instances."""

import re
from uuid import UUID

from django.db.models import QuerySet

from vnfm.inventory.models import VnfInstance
from vnfm.kit.problem import not_found


def instance_get(*, instance_id: UUID) -> VnfInstance:
    """Raises 404 when there is none."""
    return _instance(VnfInstance.objects.all(), instance_id)


def instance_whole(*, instance_id: UUID) -> VnfInstance:
    """Return it with its VNFCs, ports and links, in a fixed number of queries; raises 404 when there is none."""
    return _instance(VnfInstance.objects.prefetch_related("vnfcs__ports", "virtual_links"), instance_id)


def _instance(among: QuerySet[VnfInstance], instance_id: UUID) -> VnfInstance:
    instance = among.select_related("package", "vim").filter(id=instance_id).first()
    if instance is None:
        raise not_found("VNF instance", instance_id)
    return instance


def stack_name(instance: VnfInstance, generation: int) -> str:
    """Deterministic, so that a crashed attempt is found again: one name per instance and generation."""
    slug = re.sub(r"[^A-Za-z0-9-]+", "-", instance.name)[:60].strip("-") or "vnf"
    return f"vnf-{slug}-{str(instance.id)[:8]}-g{generation}"
