"""The record of an instance before and during an operation, and the changes between."""

from collections.abc import Mapping, Sequence
from typing import Any

from vnfm.catalog import selectors as catalog
from vnfm.catalog.domain.package_record import PackageRecord
from vnfm.catalog.domain.vnfd import Vnfd
from vnfm.inventory.domain.instance_record import InstanceRecord
from vnfm.inventory.domain.resources import LinkInfo, VnfcInfo
from vnfm.inventory.selectors import links_of, vnfcs_of
from vnfm.lcm.domain.chains import link_at
from vnfm.lcm.domain.resource_changes import (
    ExternalSnapshot,
    LinkSnapshot,
    ResourceSnapshot,
    VnfcSnapshot,
    resource_changes,
)
from vnfm.lcm.domain.states import OperationState
from vnfm.lcm.models import LcmOpOcc


def resource_snapshot(instance: InstanceRecord) -> ResourceSnapshot:
    """The instance as it is on record now."""
    vnfd = catalog.vnfd_of(instance.package)
    internal = {link.id for link in vnfd.virtual_links if link.internal}
    rows, recorded = links_of(instance_id=instance.id), vnfcs_of(instance_id=instance.id)
    networks = {link.vl_id: link.network_id for link in rows}
    vnfcs = {
        str(row.id): VnfcSnapshot(
            row.vdu_id,
            row.slot,
            row.name,
            row.server_id,
            row.expected_flavor_id,
            sorted(port.port_id for port in row.ports),
            sorted(
                port.port_id
                for port in row.ports
                if link_at(vnfd, port.cp_id, port.network_id, networks) not in internal
            ),
        )
        for row in recorded
    }
    links = {str(link.id): LinkSnapshot(link.vl_id, link.network_id) for link in rows if link.vl_id in internal}
    return ResourceSnapshot(str(vnfd.vnfd_id), vnfcs, links, _externals(recorded, vnfd, rows))


def _externals(recorded: Sequence[VnfcInfo], vnfd: Vnfd, rows: Sequence[LinkInfo]) -> dict[str, ExternalSnapshot]:
    networks = {link.vl_id: link.network_id for link in rows}
    ports: dict[str, list[dict[str, Any]]] = {}
    for port in sorted((port for vnfc in recorded for port in vnfc.ports), key=lambda each: each.port_id):
        row = {
            "id": port.port_id,
            "cp_id": port.cp_id,
            "mac_address": port.mac_address,
            "ip_addresses": list(port.ip_addresses),
        }
        ports.setdefault(link_at(vnfd, port.cp_id, port.network_id, networks), []).append(row)
    external = {link.id for link in vnfd.virtual_links if not link.internal}
    return {
        row.vl_id: ExternalSnapshot(
            row.external_id or str(row.id), row.external_id, row.network_id, ports.get(row.vl_id, [])
        )
        for row in rows
        if row.vl_id in external
    }


def package_attributes(package: PackageRecord) -> dict[str, str]:
    """Return the attributes of its package that a VnfInstance has (SOL003)."""
    return {
        "vnfdId": str(package.vnfd_id),
        "vnfProvider": package.provider,
        "vnfProductName": package.product_name,
        "vnfSoftwareVersion": package.software_version,
        "vnfdVersion": package.vnfd_version,
    }


def resource_changes_of(op: LcmOpOcc, state: str) -> dict[str, Any] | None:
    """Return the changes of `op`, about to be in `state`, so far; None when it has changed nothing yet."""
    if op.record_before is None or op.instance is None:
        return None
    touched: Mapping[str, Sequence[str]] = (op.plan or {}).get("touched", {})
    rebuilt = [(vdu_id, slot) for vdu_id, slots in touched.items() for slot in slots]
    undone = state == OperationState.ROLLED_BACK
    before, after = ResourceSnapshot.from_json(op.record_before), resource_snapshot(op.instance)
    changes: dict[str, Any] = resource_changes(before, after, () if undone else rebuilt)
    if before.vnfd_id != after.vnfd_id:
        changes["package"] = package_attributes(op.instance.package)
    return changes
