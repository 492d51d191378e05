"""Imports what the processes of the product import, and starts nothing: for a fork server (ADR-0052).

What one of them imports at its first use belongs in here, too, or each keeps a copy of its own.
"""

import os
from importlib import import_module

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "vnfm.config.settings")
django.setup()

from django.conf import settings  # noqa: E402 - Django's apps are loaded now

from vnfm.config.celery import app  # noqa: E402 - as above

MODULES = (
    settings.ROOT_URLCONF,
    "celery.bin.celery",
    "celery.apps.worker",
    "celery.apps.beat",
    "celery.concurrency.thread",
    "vnfm.config.broker",
    settings.CELERY_BEAT_SCHEDULER.rpartition(".")[0],
    "vnfm.config.serve",
    "vnfm.config.connections",
    "vnfm.config.tls",
    "uvicorn.lifespan.on",
    "vnfm.clouds.openstack",
    "vnfm.devices.provider",
    *(
        f"vnfm.config.management.commands.{name}"
        for name in ("bootstrap", "counters", "elements", "relay", "traps", "upgrade_schema", "watch")
    ),
)

for _module in MODULES:
    import_module(_module)
app.loader.import_default_modules()
app.finalize()
