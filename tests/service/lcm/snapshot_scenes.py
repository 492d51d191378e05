"""VNF snapshots in tests: taken, previewed, looked up in the cloud and removed."""

from typing import Any

from tests.service.lcm.lifecycle import Lifecycle
from vnfm.clouds.errors import Rejected
from vnfm.inventory.models import VnfInstance
from vnfm.kit import clock
from vnfm.lcm.domain.requests import parse_request
from vnfm.lcm.domain.states import Operation
from vnfm.lcm.models import PlanPreview, VnfSnapshot
from vnfm.lcm.reconcilers.preview import compute_preview
from vnfm.lcm.reconcilers.snapshot_removal import remove_snapshot
from vnfm.lcm.services.plans import plan_request
from vnfm.lcm.services.snapshots import snapshot_create

SNAPSHOTS = "/vnflcm/v2/vnf_snapshots"
REFUSED = Rejected("sabotage", service="nova", http_status=400)
DISKS = """heat_template_version: 2015-10-15
parameters: {image: {type: string}, flavor: {type: string}}
resources:
  disk: {type: OS::Cinder::Volume, properties: {image: {get_param: image}, size: 3}}
  booted:
    type: OS::Nova::Server
    properties:
      flavor: {get_param: flavor}
      block_device_mapping_v2: [{boot_index: 0, volume_id: {get_resource: disk}}]
      networks: [{network: public}]
  data: {type: OS::Cinder::Volume, properties: {size: 1}}
  plain:
    type: OS::Nova::Server
    properties: {flavor: {get_param: flavor}, image: {get_param: image}, networks: [{network: public}]}
  attachment:
    type: OS::Cinder::VolumeAttachment
    properties: {instance_uuid: {get_resource: plain}, volume_id: {get_resource: data}}
"""
"""A template of a server that boots from a volume, and of one with a volume attached."""


def take(life: Lifecycle, instance: VnfInstance) -> VnfSnapshot:
    snapshot = snapshot_create(actor="test")
    life.done(instance, Operation.CREATE_SNAPSHOT, {"vnfSnapshotInfoId": str(snapshot.id)})
    return VnfSnapshot.objects.get(id=snapshot.id)


def named(snapshot: VnfSnapshot) -> dict[str, Any]:
    return {"vnfSnapshotInfoId": str(snapshot.id)}


def preview(instance: VnfInstance, operation: Operation, request: dict[str, Any]) -> PlanPreview:
    plan = plan_request(request=parse_request(operation, request), vnfd_id=None, instance_id=instance.id, actor="test")
    compute_preview(plan.id)
    plan.refresh_from_db()
    return plan


def images(life: Lifecycle) -> dict[str, str]:
    """Id by name, of those that snapshots have."""
    return {image.name: image.id for image in life.cloud.images.list() if image.name.startswith("vnfm-snapshot-")}


def removed(life: Lifecycle, snapshot: VnfSnapshot) -> None:
    """Drive the removal to its end."""
    while VnfSnapshot.objects.filter(id=snapshot.id).exists():
        VnfSnapshot.objects.filter(id=snapshot.id).update(wake_at=clock.now())
        remove_snapshot(snapshot.id)
