"""Celery is a doorbell: messages carry an id; losing one costs a sweep, a duplicate is harmless (ADR-0001)."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "vnfm.config.settings")

app = Celery("vnfm")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(
    [
        *("vnfm.vims", "vnfm.catalog", "vnfm.inventory", "vnfm.lcm", "vnfm.configuration", "vnfm.faults"),
        *("vnfm.automation", "vnfm.notifications"),
    ]
)
