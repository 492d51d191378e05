"""The record of an instance before and during an operation, and the changes between."""

from collections.abc import Mapping, Sequence
from typing import Any

from vnfm.catalog import selectors as catalog
from vnfm.inventory.models import VnfInstance
from vnfm.lcm.domain.chains import link_at
from vnfm.lcm.domain.resource_changes import LinkSnapshot, ResourceSnapshot, VnfcSnapshot, resource_changes
from vnfm.lcm.domain.states import OperationState
from vnfm.lcm.models import LcmOpOcc


def resource_snapshot(instance: VnfInstance) -> ResourceSnapshot:
    """The instance as it is on record now."""
    vnfd = catalog.vnfd_of(instance.package)
    internal = {link.id for link in vnfd.virtual_links if link.internal}
    rows = list(instance.virtual_links.all())
    networks = {link.vl_id: link.network_id for link in rows}
    vnfcs = {
        str(row.id): VnfcSnapshot(
            row.vdu_id,
            row.slot,
            row.name,
            row.server_id,
            row.expected_flavor_id,
            sorted(port.port_id for port in row.ports.all()),
            sorted(
                port.port_id
                for port in row.ports.all()
                if link_at(vnfd, port.cp_id, port.network_id, networks) not in internal
            ),
        )
        for row in instance.vnfcs.prefetch_related("ports")
    }
    links = {str(link.id): LinkSnapshot(link.vl_id, link.network_id) for link in rows if link.vl_id in internal}
    return ResourceSnapshot(str(vnfd.vnfd_id), vnfcs, links)


def resource_changes_of(op: LcmOpOcc, state: str) -> dict[str, Any] | None:
    """What `op`, about to be in `state`, has changed so far; None when it has changed nothing yet."""
    if op.record_before is None or op.instance is None:
        return None
    touched: Mapping[str, Sequence[str]] = (op.plan or {}).get("touched", {})
    rebuilt = [(vdu_id, slot) for vdu_id, slots in touched.items() for slot in slots]
    undone = state == OperationState.ROLLED_BACK
    return resource_changes(
        ResourceSnapshot.from_json(op.record_before), resource_snapshot(op.instance), () if undone else rebuilt
    )
