"""Names that follow from a VNF instance."""

import re

from vnfm.inventory.domain.instance_record import InstanceRecord


def stack_name(instance: InstanceRecord, generation: int) -> str:
    """Deterministic, so that a crashed attempt is found again: one name per instance and generation."""
    slug = re.sub(r"[^A-Za-z0-9-]+", "-", instance.name)[:60].strip("-") or "vnf"
    return f"vnf-{slug}-{str(instance.id)[:8]}-g{generation}"
