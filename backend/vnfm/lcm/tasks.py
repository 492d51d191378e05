"""Celery tasks: each message has an id only, the state is in PostgreSQL (ADR-0001)."""

from uuid import UUID

from celery import shared_task

from vnfm.kit import clock
from vnfm.lcm.reconcilers import driver, heat_validation, image_gc, preview, removal, snapshot_removal
from vnfm.lcm.reconcilers import settle_failed as failed_operations
from vnfm.lcm.reconcilers import sweep as sweeper
from vnfm.lcm.services.heat_validation import VALIDATE
from vnfm.lcm.services.snapshots import REMOVE_SNAPSHOT


@shared_task(name="lcm.drive")
def drive(op_id: str) -> None:
    driver.drive(UUID(op_id))


@shared_task(name="lcm.preview")
def compute_preview(preview_id: str) -> None:
    preview.compute_preview(UUID(preview_id))


@shared_task(name=VALIDATE)
def validate_package(request_id: str) -> None:
    heat_validation.validate_package(UUID(request_id))


@shared_task(name="lcm.settle_failed")
def settle_failed(op_id: str) -> None:
    failed_operations.settle_failed(UUID(op_id))


@shared_task(name="lcm.remove_unclaimed")
def remove_unclaimed(unclaimed_id: str) -> None:
    removal.remove_unclaimed(UUID(unclaimed_id))


@shared_task(name=REMOVE_SNAPSHOT)
def remove_snapshot(snapshot_id: str) -> None:
    snapshot_removal.remove_snapshot(UUID(snapshot_id))


@shared_task(name="lcm.collect_images")
def collect_images() -> None:
    image_gc.collect_images()


@shared_task(name="lcm.sweep")
def sweep() -> None:
    sweeper.sweep(clock.now())


@shared_task(name="lcm.maintain")
def maintain() -> None:
    sweeper.maintain()
