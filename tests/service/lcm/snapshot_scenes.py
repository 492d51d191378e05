"""VNF snapshots in tests: taken, previewed, looked up in the cloud and removed."""

from typing import Any

from tests.service.lcm.lifecycle import Lifecycle
from vnfm.clouds.errors import Rejected
from vnfm.inventory.models import VnfInstance
from vnfm.kit import clock
from vnfm.lcm.domain.states import Operation
from vnfm.lcm.models import PlanPreview, VnfSnapshot
from vnfm.lcm.reconcilers.preview import compute_preview
from vnfm.lcm.reconcilers.snapshot_removal import remove_snapshot
from vnfm.lcm.services.plans import plan_request
from vnfm.lcm.services.snapshots import snapshot_create

SNAPSHOTS = "/vnflcm/v2/vnf_snapshots"
REFUSED = Rejected("sabotage", service="nova", http_status=400)


def take(life: Lifecycle, instance: VnfInstance) -> VnfSnapshot:
    snapshot = snapshot_create(actor="test")
    life.done(instance, Operation.CREATE_SNAPSHOT, {"vnfSnapshotInfoId": str(snapshot.id)})
    return VnfSnapshot.objects.get(id=snapshot.id)


def named(snapshot: VnfSnapshot) -> dict[str, Any]:
    return {"vnfSnapshotInfoId": str(snapshot.id)}


def preview(instance: VnfInstance, operation: Operation, request: dict[str, Any]) -> PlanPreview:
    plan = plan_request(operation=operation, request=request, vnfd_id=None, instance_id=instance.id, actor="test")
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
