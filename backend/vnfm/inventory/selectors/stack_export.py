"""The files that OpenStack's own tools need to manage an instance's stack."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from vnfm.clouds.types import StackInput
from vnfm.inventory.domain.instance_record import InstanceRecord
from vnfm.inventory.models import StackSnapshot
from vnfm.inventory.selectors.resources import links_of, vnfcs_of

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


def stack_export(*, instance: InstanceRecord, hidden: Collection[str]) -> StackExport:
    """Export the stack of an instance that has one; `hidden` names the parameters that are stored sealed."""
    given = stack_input_of(instance_id=instance.id)
    masked = dict.fromkeys(sorted(hidden), HIDDEN)
    return StackExport(
        stack_id=instance.stack_id,
        stack_name=instance.stack_name,
        template=given.template if given else "",
        environment=environment_of(given, masked) if given else {},
        files=given.files if given else {},
        resources=tuple(_resources(instance)),
    )


def stack_input_of(*, instance_id: UUID) -> StackInput | None:
    """The last input of Heat, without secrets and tags; None when it was never given a stack."""
    row = StackSnapshot.objects.filter(instance_id=instance_id).first()
    return StackInput(row.template, row.environment, row.parameters, row.files) if row else None


def environment_of(stack: StackInput, masked: Mapping[str, str] | None = None) -> dict[str, Any]:
    """The environment with the parameters in it."""
    return {**stack.environment, "parameters": {**stack.parameters, **(masked or {})}}


def _resources(instance: InstanceRecord) -> list[ExportedResource]:
    vnfcs = vnfcs_of(instance_id=instance.id)
    found = [ExportedResource("OS::Nova::Server", v.server_id, v.server_name, f"{v.vdu_id}/{v.slot}") for v in vnfcs]
    found += [
        ExportedResource("OS::Neutron::Port", port.port_id, "", f"{v.vdu_id}/{v.slot} {port.cp_id}".rstrip())
        for v in vnfcs
        for port in v.ports
    ]
    found += [
        ExportedResource("OS::Neutron::Net", link.network_id, link.name, link.vl_id)
        for link in links_of(instance_id=instance.id)
    ]
    return found
