"""Traces arrive at a collector by OTLP: requests, operations and the cloud's request ids; off, nothing is imported."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import structlog
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from tests.support.cloudsim_process import CloudsimProcess
from tests.support.http_standin import HttpStandIn, QuietHandler
from vnfm.clouds.errors import CloudError
from vnfm.clouds.openstack import OpenStackProvider
from vnfm.config.logs import _SHARED
from vnfm.kit import tracing
from vnfm.kit.ids import new_id
from vnfm.vims.domain.clouds_yaml import connection_named

BACKEND = Path(__file__).parents[3] / "backend"


class _Collector(HttpStandIn):
    """Takes OTLP over HTTP."""

    def __init__(self) -> None:
        self.spans: list[Any] = []
        collector = self

        class Handler(QuietHandler):
            def do_POST(self) -> None:  # noqa: N802 - http.server calls it so
                body = self.rfile.read(int(self.headers["Content-Length"]))
                if self.headers.get("Content-Encoding") == "gzip":
                    import gzip

                    body = gzip.decompress(body)
                request = ExportTraceServiceRequest.FromString(body)
                for resource in request.resource_spans:
                    for scope in resource.scope_spans:
                        collector.spans += scope.spans
                self.send_response(200)
                self.send_header("Content-Length", "0")
                self.end_headers()

        super().__init__(Handler)

    def named(self, name: str) -> Any:
        """The span of that name; sends first what waits."""
        tracing.stop()
        return next(span for span in self.spans if span.name == name)


def _attributes(span: Any) -> dict[str, Any]:
    return {each.key: each.value.int_value or each.value.string_value for each in span.attributes}


@pytest.fixture
def collector(monkeypatch: pytest.MonkeyPatch) -> Iterator[_Collector]:
    with _Collector() as server:
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", server.base)
        tracing.start("test")
        try:
            yield server
        finally:
            tracing.stop()


@pytest.mark.django_db
def test_a_request_continues_the_callers_trace(collector: _Collector, viewer_api: Any) -> None:
    trace_id = f"{new_id().int:032x}"
    viewer_api.get(
        "/api/v1/vims", headers={"traceparent": f"00-{trace_id}-00f067aa0ba902b7-01", "X-Request-ID": "mine"}
    )
    span = collector.named("HTTP GET")
    assert span.trace_id.hex() == trace_id
    found = _attributes(span)
    assert (found["http.route"], found["http.response.status_code"]) == ("api/v1/vims", 200)
    assert found["vnfm.request_id"] == "mine"


def test_an_operation_is_one_trace_linked_to_its_request_down_to_the_clouds_id(
    collector: _Collector, cloudsim: CloudsimProcess
) -> None:
    op_id = new_id()
    with tracing.span("HTTP POST", kind="SERVER"), tracing.operation_span("accepted", op_id):
        pass
    with tracing.operation_span("create_stack", op_id, vnfm_step=1):
        cloud = OpenStackProvider().connect(connection_named(cloudsim.clouds_yaml.read_text(), "cloudsim"))
        with pytest.raises(CloudError):
            cloud.servers.show(str(new_id()))
    tracing.stop()
    request, accepted, step = (collector.named(name) for name in ("HTTP POST", "accepted", "create_stack"))
    assert {accepted.trace_id.hex(), step.trace_id.hex()} == {op_id.hex}
    assert [link.trace_id for link in accepted.links] == [request.trace_id]
    called = next(span for span in collector.spans if span.name == "nova GET")
    assert (called.trace_id, called.parent_span_id) == (step.trace_id, step.span_id)
    assert _attributes(called)["openstack.request_id"].startswith("req-")
    assert _attributes(called)["http.response.status_code"] == 404


def test_log_lines_name_the_trace(collector: _Collector) -> None:
    op_id = new_id()
    with tracing.operation_span("step", op_id):
        event: dict[str, Any] = {"event": "x"}
        for process in _SHARED[:2]:
            event = process(structlog.get_logger(), "info", event)
    assert event["trace_id"] == op_id.hex
    assert len(event["span_id"]) == 16


def test_off_it_imports_nothing_and_costs_next_to_nothing() -> None:
    program = (
        "import sys, time\n"
        "from vnfm.kit import tracing\n"
        "tracing.start('test')\n"
        "began = time.process_time()\n"
        "for _ in range(100_000):\n"
        "    with tracing.span('x', a=1): pass\n"
        "print((time.process_time() - began) * 10, any(name.startswith('opentelemetry') for name in sys.modules))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=BACKEND, capture_output=True, text=True, check=True, env={"PATH": ""}
    )
    microseconds, imported = done.stdout.split()
    assert imported == "False"
    assert float(microseconds) < 5.0
