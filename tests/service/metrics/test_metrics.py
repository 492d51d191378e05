"""/metrics and /metrics/elements as Prometheus reads them: what they hold, what they cost, and who may."""

import time
from collections.abc import Iterator
from datetime import timedelta
from ipaddress import ip_network
from typing import Any

import pytest
from django.db import DatabaseError, connection
from prometheus_client.parser import text_string_to_metric_families

from tests.factories.elements import make_element
from tests.factories.vims import make_vim
from vnfm.kit import clock
from vnfm.kit.durable import outbox
from vnfm.kit.ids import new_id
from vnfm.metrics import recorder, store
from vnfm.metrics.catalogue import CLOUD_REQUESTS, HTTP_SECONDS, SSE_STREAMS
from vnfm.metrics.models import MetricGauge, MetricTotal

pytestmark = pytest.mark.django_db

Samples = dict[tuple[str, tuple[tuple[str, str], ...]], float]


@pytest.fixture(autouse=True)
def _nothing_counted() -> Iterator[None]:
    recorder.take()
    store._flusher.clear()
    yield
    store._flusher.clear()


def _scrape(client: Any, path: str = "/metrics", **headers: str) -> Samples:
    answer = client.get(path, headers={"Accept": "text/plain;version=0.0.4", **headers})
    assert answer.status_code == 200, answer.content
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(answer.content.decode())
        for sample in family.samples
    }


def _key(name: str, **labels: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    return name, tuple(sorted(labels.items()))


def _flush(process: str = "worker") -> None:
    """It acts as another process with its own flusher."""
    store._Flusher().flush(process)


def test_counts_of_several_processes_and_of_those_that_ended_add_up(viewer_api: Any) -> None:
    for _ in range(2):
        CLOUD_REQUESTS.add("lab", "nova", "ok")
        HTTP_SECONDS.observe(0.2, "GET", "healthz")
        HTTP_SECONDS.observe(99.0, "GET", "healthz")
        _flush()
    found = _scrape(viewer_api)
    assert found[_key("vnfm_cloud_requests_total", vim="lab", service="nova", result="ok")] == 2
    labels = {"method": "GET", "route": "healthz"}
    assert found[_key("vnfm_http_request_duration_seconds_bucket", le="0.25", **labels)] == 2
    assert found[_key("vnfm_http_request_duration_seconds_bucket", le="+Inf", **labels)] == 4
    assert found[_key("vnfm_http_request_duration_seconds_sum", **labels)] == pytest.approx(198.4)
    assert found[_key("vnfm_process_resident_memory_bytes", process="worker")] > 1_000_000


def test_a_gauge_ends_with_its_process(viewer_api: Any) -> None:
    old = clock.now() - store.FRESH - timedelta(seconds=1)
    for source, at in (("a:1", clock.now()), ("b:2", clock.now()), ("c:3", old)):
        MetricGauge.objects.create(name=SSE_STREAMS.name, labels=[], source=source, value=3, at=at)
    assert _scrape(viewer_api)[_key("vnfm_sse_streams")] == 6


def test_counts_wait_for_a_database_that_is_away(viewer_api: Any) -> None:
    CLOUD_REQUESTS.add("lab", "nova", "Transient")
    key = (CLOUD_REQUESTS.name, ("lab", "nova", "Transient"))

    def away(*_: object) -> None:
        raise DatabaseError("away")

    with connection.execute_wrapper(away):
        _flush()
    assert not MetricTotal.objects.filter(name=CLOUD_REQUESTS.name).exists()
    assert recorder.take()[key].value == 1


def test_the_state_comes_from_the_database(viewer_api: Any, transactional_db: None) -> None:
    from django.db import transaction

    make_vim(name="lab")
    with transaction.atomic():
        outbox.publish("vim.changed", new_id(), 1)
    found = _scrape(viewer_api)
    assert found[_key("vnfm_queue_length", queue="outbox")] == 1
    assert found[_key("vnfm_queue_oldest_seconds", queue="outbox")] >= 0
    assert _key("vnfm_vim_poll_age_seconds", vim="lab") in found
    assert found[_key("vnfm_alarms", severity="CRITICAL")] == 0
    assert found[_key("vnfm_disk_size_bytes", disk="artifacts")] > 0


def test_requests_are_counted_by_route_and_never_by_path(viewer_api: Any, api: Any) -> None:
    for number in range(3):
        api.get(f"/api/v1/vims/{new_id()}")
        api.get(f"/nowhere/{number}")
    _flush("web")
    found = _scrape(viewer_api)
    route = "api/v1/vims/<uuid:vim_id>"
    assert found[_key("vnfm_http_requests_total", method="GET", route=route, status="404")] == 3
    assert not [key for key in found if "nowhere" in str(key)]


def test_openmetrics_is_served_to_those_that_ask_for_it(viewer_api: Any) -> None:
    answer = viewer_api.get(
        "/metrics", headers={"Accept": "application/openmetrics-text;version=1.0.0,text/plain;q=0.5"}
    )
    assert answer.headers["Content-Type"].startswith("application/openmetrics-text")
    assert answer.content.endswith(b"# EOF\n")


@pytest.mark.parametrize("path", ["/metrics", "/metrics/elements"])
def test_without_a_token_only_allowed_networks_may_read(path: str, anonymous_api: Any, settings: Any) -> None:
    def status(client: str, **headers: str) -> int:
        return anonymous_api.get(path, REMOTE_ADDR=client, headers=headers).status_code

    assert status("127.0.0.1") == 401
    settings.METRICS_ALLOWED = [ip_network("10.1.0.0/16")]
    assert status("10.1.2.3") == 200
    assert status("10.2.2.3") == 401
    settings.TRUSTED_PROXY = []
    assert status("10.1.2.3", **{"X-Forwarded-For": "192.0.2.1"}) == 401, "who is behind that proxy?"


def test_an_empty_installation_costs_less_than_50_ms_of_processor(viewer_api: Any) -> None:
    _scrape(viewer_api)
    costs = []
    for _ in range(5):
        began = time.process_time()
        viewer_api.get("/metrics")
        costs.append(time.process_time() - began)
    assert min(costs) < 0.05, f"{[round(cost * 1000, 1) for cost in costs]} ms"


def test_elements_have_the_names_of_if_mib(viewer_api: Any, telemetry: Any) -> None:
    from vnfm.counters.domain.counters import SYSTEM
    from vnfm.elements.models import Interface, Site
    from vnfm.history import counters

    site = Site.objects.create(name="Bonn")
    pe = make_element(name="pe-1", site=site, reachable="True", observed_at=clock.now(), driver="sros")
    other = make_element(name="pe-2", reachable="True", observed_at=clock.now())
    now = clock.now()
    for element in (pe, other):
        for index, alias in enumerate(("to pe-2", "")):
            states = {"admin": "UP", "oper": "UP", "since": now, "speed": 10**10}
            Interface.objects.create(element=element, if_index=index, name=f"1/1/{index}", alias=alias, **states)
    at = now - timedelta(seconds=60)
    counters.write([(pe.id, "1/1/0", at, 60.0, {"octets_in": 6000.0}), (pe.id, SYSTEM, at, 60.0, {"cpu": 1500.0})])
    assert not [key for key in _scrape(viewer_api, "/metrics/elements") if key[0].startswith("vnfm_interface_")]
    found = _scrape(viewer_api, "/metrics/elements?interfaces=named&site=Bonn")
    labels = {"element": "pe-1", "site": "Bonn", "ifName": "1/1/0", "ifAlias": "to pe-2"}
    assert found[_key("vnfm_interface_in_bits_per_second", **labels)] == 800
    assert found[_key("vnfm_interface_up", ifIndex="0", **labels)] == 1
    assert found[_key("vnfm_element_cpu_ratio", element="pe-1")] == pytest.approx(0.25)
    assert len([key for key in found if key[0] == "vnfm_interface_up"]) == 1
    assert not [key for key in found if ("element", "pe-2") in key[1]]


def test_interfaces_beyond_the_limit_are_left_out_and_counted(viewer_api: Any, telemetry: Any, settings: Any) -> None:
    from vnfm.elements.models import Interface

    element = make_element(name="pe-1")
    Interface.objects.bulk_create(
        Interface(element=element, if_index=n, name=f"1/1/{n}", admin="UP", oper="UP", since=clock.now())
        for n in range(5)
    )
    settings.METRICS_MAX_SERIES = 20
    found = _scrape(viewer_api, "/metrics/elements?interfaces=all")
    assert len([key for key in found if key[0] == "vnfm_interface_up"]) == 2
    assert found[_key("vnfm_interfaces_omitted")] == 3


def test_an_unknown_choice_of_interfaces_is_refused(viewer_api: Any) -> None:
    assert viewer_api.get("/metrics/elements?interfaces=some").status_code == 400
