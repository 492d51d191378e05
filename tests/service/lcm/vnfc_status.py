"""The states of the VNFCs of an instance, in Nova and on record."""

from typing import Any

from tests.service.lcm.lifecycle import Lifecycle
from vnfm.inventory.models import VnfInstance
from vnfm.lcm.models import LcmOpOcc

STOP: dict[str, Any] = {"changeStateTo": "STOPPED"}


def statuses(life: Lifecycle, instance: VnfInstance) -> dict[str, str]:
    """Slot to Nova's status."""
    servers = life.servers_of(instance)
    return {slot: life.cloud.servers.show(server_id).status for slot, server_id in sorted(servers.items())}


def desired(instance: VnfInstance) -> dict[str, str]:
    return {vnfc.slot: vnfc.desired for vnfc in instance.vnfcs.all()}


def vnfc_id(instance: VnfInstance, slot: str) -> str:
    return str(instance.vnfcs.get(slot=slot).id)


def problem(op: LcmOpOcc) -> dict[str, Any]:
    assert op.problem is not None
    return dict(op.problem)
