"""OpenTelemetry traces: off, and then next to nothing, unless an OTEL_* variable names where to send them.

An operation is a trace of its own, whose id is the operation's: every worker that continues it, after any crash, adds
to the same trace, and nothing needs to be stored. The request that began it is linked to it.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from typing import Any, Literal
from uuid import UUID

import structlog

SetAttributes = Callable[..., None]
"""Sets attributes of the span by keywords, underscores for dots."""
Kind = Literal["INTERNAL", "SERVER", "CLIENT"]
ENDPOINTS = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")

_tracer: Any = None
_provider: Any = None
_trace_id: ContextVar[int | None] = ContextVar("trace_id", default=None)

log = structlog.get_logger(__name__)


def _ignore(**_: object) -> None:
    return None


_NOTHING: AbstractContextManager[SetAttributes] = nullcontext(_ignore)


def enabled() -> bool:
    return _tracer is not None


def span(
    name: str, *, kind: Kind = "INTERNAL", parent: str = "", **attributes: object
) -> AbstractContextManager[SetAttributes]:
    """A span for the length of the block; an exception marks it as failed. `parent`: a traceparent (W3C)."""
    return _NOTHING if _tracer is None else _span(name, kind, parent, attributes)


def operation_span(name: str, op_id: UUID, **attributes: object) -> AbstractContextManager[SetAttributes]:
    """A span in the trace of an operation, linked to the present one."""
    return _NOTHING if _tracer is None else _operation_span(name, op_id, attributes)


@contextmanager
def _span(name: str, kind: Kind, parent: str, attributes: dict[str, object]) -> Iterator[SetAttributes]:
    from opentelemetry import trace  # noqa: PLC0415 - only where traces are sent
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator  # noqa: PLC0415 - as above

    context = TraceContextTextMapPropagator().extract({"traceparent": parent}) if parent else None
    with _tracer.start_as_current_span(name, context, trace.SpanKind[kind]) as current:
        set_attributes = _setter(current)
        set_attributes(**attributes)
        yield set_attributes


@contextmanager
def _operation_span(name: str, op_id: UUID, attributes: dict[str, object]) -> Iterator[SetAttributes]:
    from opentelemetry import context, trace  # noqa: PLC0415 - only where traces are sent

    present = trace.get_current_span().get_span_context()
    links = [trace.Link(present)] if present.is_valid and present.trace_id != op_id.int else []
    token = _trace_id.set(op_id.int)
    try:
        root = _tracer.start_span(name, context.Context(), links=links)
    finally:
        _trace_id.reset(token)
    with trace.use_span(root, end_on_exit=True):
        set_attributes = _setter(root)
        set_attributes(vnfm_op_id=str(op_id), **attributes)
        yield set_attributes


def _setter(current: Any) -> SetAttributes:
    def set_attributes(**attributes: object) -> None:
        for key, value in attributes.items():
            if value not in (None, ""):
                current.set_attribute(key.replace("_", ".", 1), value if isinstance(value, int) else str(value))

    return set_attributes


def trace_ids(logger: object, method: str, event: dict[str, Any]) -> dict[str, Any]:
    """A structlog processor: the ids of the present trace and span."""
    if _tracer is not None:
        from opentelemetry import trace  # noqa: PLC0415 - only where traces are sent

        present = trace.get_current_span().get_span_context()
        if present.is_valid:
            event["trace_id"], event["span_id"] = f"{present.trace_id:032x}", f"{present.span_id:016x}"
    return event


def start(process: str) -> None:
    """Send traces where the OTEL_* variables say; does nothing without them. `process` names it in the traces."""
    global _tracer, _provider  # noqa: PLW0603 - one for the process
    off = os.environ.get("OTEL_SDK_DISABLED", "").lower() == "true" or os.environ.get("OTEL_TRACES_EXPORTER") == "none"
    if off or _tracer is not None or not any(os.environ.get(name) for name in ENDPOINTS):
        return
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter  # noqa: PLC0415 - an extra
        from opentelemetry.sdk.resources import Resource  # noqa: PLC0415 - an extra
        from opentelemetry.sdk.trace import TracerProvider  # noqa: PLC0415 - an extra
        from opentelemetry.sdk.trace.export import BatchSpanProcessor  # noqa: PLC0415 - an extra
        from opentelemetry.sdk.trace.id_generator import RandomIdGenerator  # noqa: PLC0415 - an extra
    except ImportError as error:
        log.warning(
            "tracing.not_installed",
            error=str(error),
            next_step="pip install -r backend/requirements/tracing.lock in the product's environment, or unset OTEL_*.",
        )
        return

    class _OperationIds(RandomIdGenerator):
        def generate_trace_id(self) -> int:
            return _trace_id.get() or int(super().generate_trace_id())

    defaults = {"service.name": os.environ.get("OTEL_SERVICE_NAME", "vnfm"), "vnfm.process": process}
    _provider = TracerProvider(resource=Resource.create(defaults), id_generator=_OperationIds())
    _provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    _tracer = _provider.get_tracer("vnfm")
    log.info("tracing.started", process=process)


def stop() -> None:
    """Send what waits, and send nothing more."""
    global _tracer, _provider  # noqa: PLW0603 - as above
    if _provider is not None:
        _provider.shutdown()
    _tracer = _provider = None
