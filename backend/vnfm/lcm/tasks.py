"""Doorbells: Celery wakes, PostgreSQL knows."""

from uuid import UUID

from celery import shared_task

from vnfm.kit import clock
from vnfm.lcm.reconcilers import driver, given_up, heat_validation, preview, removal, unneeded
from vnfm.lcm.reconcilers import sweep as sweeper
from vnfm.lcm.services.heat_validation import VALIDATE


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
    given_up.settle_failed(UUID(op_id))


@shared_task(name="lcm.remove_unclaimed")
def remove_unclaimed(unclaimed_id: str) -> None:
    removal.remove_unclaimed(UUID(unclaimed_id))


@shared_task(name="lcm.collect_images")
def collect_images() -> None:
    unneeded.collect_images()


@shared_task(name="lcm.sweep")
def sweep() -> None:
    sweeper.sweep(clock.now())


@shared_task(name="lcm.maintain")
def maintain() -> None:
    sweeper.maintain()
