"""Imports what the processes of the product import, and starts nothing: for a fork server (ADR-0052).

What one of them imports at its first use belongs in here, too: or each keeps a copy of its own, and the imports' own
work touches memory that was shared.
"""

import os
import sys
from importlib import import_module
from types import ModuleType
from typing import cast

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "vnfm.config.settings")
sys.modules.setdefault(
    "rich", cast("ModuleType", None)
)  # its tracebacks, with pygments 4 MiB, which no log of ours has
django.setup()

from django.conf import settings  # noqa: E402 - Django's apps are loaded now

from vnfm.config.celery import app  # noqa: E402 - as above

_COMMANDS = ("beat", "bootstrap", "counters", "elements", "relay", "traps", "watch", "worker")
"""Not `upgrade_schema`: it rarely runs, and Alembic with SQLAlchemy would be 17 MiB in the image of all."""
_CELERY = ("apps.beat", "apps.worker", "concurrency.thread", "events.receiver", "worker.loops")
MODULES = (
    settings.ROOT_URLCONF,
    "psycopg_pool",
    "encodings.latin_1",
    "runpy",
    *(f"celery.{name}" for name in _CELERY),
    *(f"celery.app.{name}" for name in ("amqp", "control", "events", "log", "routes")),
    "billiard.pool",
    *(f"celery.worker.{name}" for name in ("autoscale", "components", "pidbox", "strategy")),
    *(f"celery.worker.consumer.{name}" for name in ("delayed_delivery", "gossip", "heart", "mingle", "tasks")),
    "vnfm.config.broker",
    settings.CELERY_BEAT_SCHEDULER.rpartition(".")[0],
    *(path.rpartition(".")[0] for path in settings.MIDDLEWARE),
    "django.contrib.auth.backends",
    "django.core.asgi",
    "uvicorn.lifespan.on",
    "uvicorn.protocols.websockets.auto",
    "vnfm.config.body_authorization",
    "vnfm.config.body_guard",
    "vnfm.config.connections",
    "vnfm.config.serve",
    "vnfm.config.web_heartbeat",
    "vnfm.clouds.openstack",
    "vnfm.devices.provider",
    *(f"vnfm.config.management.commands.{name}" for name in _COMMANDS),
)

for _module in MODULES:
    import_module(_module)
app.loader.import_default_modules()
app.finalize()
