"""Requests to heal, and what must be the same and what new after a heal."""

from collections.abc import Mapping
from typing import Any

from tests.service.lcm.lifecycle import Lifecycle
from tests.service.lcm.vnfc_status import statuses
from tests.support.cloudsim_process import CloudsimProcess
from vnfm.inventory.models import VnfInstance
from vnfm.lcm.models import LcmOpOcc


def heal_request(*names: str, **params: Any) -> dict[str, Any]:
    return {"cause": "test", "additionalParams": {**({"vnfcToHeal": list(names)} if names else {}), **params}}


def gone(life: Lifecycle, cloudsim: CloudsimProcess, instance: VnfInstance, *slots: str) -> dict[str, str]:
    """Delete these servers behind everyone's back; returns slot to server id from before."""
    before = life.servers_of(instance)
    for slot in slots:
        cloudsim.control("POST", f"/servers/{before[slot]}/delete")
    return before


def wiring(instance: VnfInstance, slot: str) -> tuple[Any, ...]:
    """Return what a VNFC keeps whatever its server is."""
    vnfc = instance.vnfcs.prefetch_related("ports").get(slot=slot)
    ports = sorted((p.cp_id, p.port_id, p.mac_address, tuple(p.ip_addresses)) for p in vnfc.ports.all())
    return vnfc.id, vnfc.vdu_id, vnfc.group_index, vnfc.name, ports


def assert_healed(life: Lifecycle, instance: VnfInstance, before: Mapping[str, str], *slots: str) -> None:
    """These slots have another server, each exactly one; all others have the one they had; the record knows it."""
    instance.refresh_from_db()
    after = life.servers_of(instance)
    servers = [s for s in life.cloud.servers.list() if s.metadata.get("vnf_instance") == str(instance.id)]
    assert len(servers) == len(before), "a slot has no server, or two"
    assert {slot for slot in before if after[slot] != before[slot]} == set(slots)
    assert {v.slot: v.server_id for v in instance.vnfcs.all()} == after
    assert all(life.cloud.servers.show(after[slot]).status == "ACTIVE" for slot in slots)
    assert recorded(instance) == statuses(life, instance)
    assert life.cloud.stacks.status(instance.stack_id).status.endswith("_COMPLETE")


def recorded(instance: VnfInstance) -> dict[str, str]:
    """Slot to the status in our record."""
    return {vnfc.slot: vnfc.status for vnfc in instance.vnfcs.all()}


def took(op: LcmOpOcc) -> float:
    """Seconds from the request to COMPLETED."""
    return round((op.state_entered_time - op.start_time).total_seconds(), 2)
