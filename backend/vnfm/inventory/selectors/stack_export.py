"""The files that OpenStack's own tools need to manage an instance's stack."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from vnfm.inventory.models import StackSnapshot, VnfInstance

HIDDEN = "******"
"""Stands for a secret, as in Heat's answers."""


@dataclass(frozen=True, slots=True)
class ExportedResource:
    """A resource in the cloud that belongs to the instance."""

    type: str
    id: str
    name: str
    role: str
    """The VDU and slot, connection point or virtual link that it is of."""


@dataclass(frozen=True, slots=True)
class StackExport:
    stack_id: str
    stack_name: str
    template: str
    environment: Mapping[str, Any]
    """`resource_registry` and `parameters`, as `openstack stack create -e` takes them; secrets masked."""
    files: Mapping[str, str]
    resources: tuple[ExportedResource, ...]


def stack_export(*, instance: VnfInstance, hidden: Collection[str]) -> StackExport:
    """Export the stack of an instance that has one; `hidden` names the parameters that are stored sealed."""
    snapshot = snapshot_of(instance_id=instance.id)
    masked = dict.fromkeys(sorted(hidden), HIDDEN)
    return StackExport(
        stack_id=instance.stack_id,
        stack_name=instance.stack_name,
        template=snapshot.template if snapshot else "",
        environment=environment_of(snapshot, masked) if snapshot else {},
        files=snapshot.files if snapshot else {},
        resources=tuple(_resources(instance)),
    )


def snapshot_of(*, instance_id: UUID) -> StackSnapshot | None:
    """The last input of Heat; None when it was never given a stack."""
    return StackSnapshot.objects.filter(instance_id=instance_id).first()


def environment_of(snapshot: StackSnapshot, masked: Mapping[str, str] | None = None) -> dict[str, Any]:
    """The environment with the parameters in it."""
    return {**snapshot.environment, "parameters": {**snapshot.parameters, **(masked or {})}}


def _resources(instance: VnfInstance) -> list[ExportedResource]:
    vnfcs = list(instance.vnfcs.order_by("vdu_id", "slot").prefetch_related("ports"))
    found = [ExportedResource("OS::Nova::Server", v.server_id, v.server_name, f"{v.vdu_id}/{v.slot}") for v in vnfcs]
    found += [
        ExportedResource("OS::Neutron::Port", port.port_id, "", f"{v.vdu_id}/{v.slot} {port.cp_id}".rstrip())
        for v in vnfcs
        for port in v.ports.all()
    ]
    found += [
        ExportedResource("OS::Neutron::Net", link.network_id, link.name, link.vl_id)
        for link in instance.virtual_links.order_by("vl_id")
    ]
    return found
