"""Structured logs on stdout: one line an event, with op_id, step, vim_id bound where they are known."""

import os
from typing import Any

import structlog

_SHARED: list[Any] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
]
_RENDERER = (
    structlog.processors.JSONRenderer()
    if os.environ.get("VNFM_LOG_FORMAT") == "json"
    # Not rich's tracebacks: they show local variables, and thereby secrets, and cost a tenth of a second each.
    else structlog.dev.ConsoleRenderer(colors=False, exception_formatter=structlog.dev.plain_traceback)
)

structlog.configure(
    processors=[
        *_SHARED,
        structlog.processors.StackInfoRenderer(),
        structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
    ],
    logger_factory=structlog.stdlib.LoggerFactory(),
    wrapper_class=structlog.stdlib.BoundLogger,
    cache_logger_on_first_use=True,
)

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "structured": {
            "()": structlog.stdlib.ProcessorFormatter,
            "processors": [
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.processors.format_exc_info,
                _RENDERER,
            ]
            if os.environ.get("VNFM_LOG_FORMAT") == "json"
            else [structlog.stdlib.ProcessorFormatter.remove_processors_meta, _RENDERER],
            "foreign_pre_chain": _SHARED,
        }
    },
    "handlers": {"stdout": {"class": "logging.StreamHandler", "stream": "ext://sys.stdout", "formatter": "structured"}},
    "root": {"handlers": ["stdout"], "level": "INFO"},
    "loggers": {
        # Their INFO tells every HTTP request with its headers' outcome; ours tells the operation and step instead.
        "keystoneauth": {"level": "WARNING"},
        "openstack": {"level": "WARNING"},
        "stevedore": {"level": "WARNING"},
        "alembic.runtime.plugins": {"level": "WARNING"},
        "celery.app.trace": {"level": "WARNING"},
        "celery.worker.strategy": {"level": "WARNING"},
        "django.server": {"level": "WARNING"},
    },
}
