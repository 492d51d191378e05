"""Structured logs on stdout: one line an event, with op_id, step, vim_id bound where they are known."""

import logging.config
import os
import time
from typing import Any

import structlog

from vnfm.kit.tracing import trace_ids

SUSPICIOUS = (
    "DisallowedHost",
    "RequestDataTooBig",
    "SuspiciousFileOperation",
    "SuspiciousMultipartForm",
    "SuspiciousOperation",
    "TooManyFieldsSent",
    "TooManyFilesSent",
)
"""Django's exceptions for requests that it answers with 400; each has a logger of its name."""


class OnceASecond(logging.Filter):
    """Passes one line a second of accepts that fail for want of files, without traceback: asyncio logs thousands."""

    _next = 0.0

    def filter(self, record: logging.LogRecord) -> bool:
        if not str(record.msg).startswith("socket.accept() out of system resource"):
            return True
        now = time.monotonic()
        if now < self._next:
            return False
        self._next = now + 1.0
        record.msg, record.exc_info = "No file is free for another connection: too many are open.", None
        return True


class OneLine(logging.Filter):
    """Makes a request that Django refuses before any view, such as one with a foreign Host, a warning without its
    traceback: it is not our error, and anybody can send any number of them.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        record.levelno, record.levelname, record.exc_info = logging.WARNING, "WARNING", None
        return True


_SHARED: list[Any] = [
    structlog.contextvars.merge_contextvars,
    trace_ids,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
]
_RENDERER = (
    structlog.processors.JSONRenderer()
    if os.environ.get("VNFM_LOG_FORMAT") == "json"
    # Not rich's tracebacks: they show local variables, hence secrets, and cost a tenth of a second each.
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
    "filters": {"once_a_second": {"()": OnceASecond}, "one_line": {"()": OneLine}},
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
        "asyncio": {"filters": ["once_a_second"]},
        **{f"django.security.{name}": {"filters": ["one_line"]} for name in SUSPICIOUS},
    },
}

logging.config.dictConfig(LOGGING)  # here, once: Django would at each of its set-ups, and touch all loggers
