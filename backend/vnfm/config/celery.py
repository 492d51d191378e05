"""Celery is a doorbell: messages carry an id; losing one costs a sweep, a duplicate is harmless (ADR-0001)."""

import os

from celery import Celery
from celery.signals import beat_init

from vnfm.config.worker_heartbeat import WorkerHeartbeat

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "vnfm.config.settings")
os.environ.setdefault("CELERY_SKIP_CHECKS", "1")  # for the command lines of Celery, as manage.py does

app = Celery("vnfm")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(
    [
        "vnfm.vims",
        "vnfm.catalog",
        "vnfm.inventory",
        "vnfm.lcm",
        "vnfm.configuration",
        "vnfm.faults",
        "vnfm.automation",
        "vnfm.notifications",
        "vnfm.sol003_pm",
    ]
)
app.steps["worker"].add(WorkerHeartbeat)


@beat_init.connect
def _beat_is_up(**_: object) -> None:
    from vnfm.kit.durable import heartbeat  # noqa: PLC0415 - only now are Django's apps loaded

    heartbeat.register("beat")
