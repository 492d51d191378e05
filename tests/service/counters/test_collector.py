"""Counters of simulated elements: collected over SNMP, stored in the telemetry schema, read as rates with gaps."""

import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from psycopg_pool import ConnectionPool
from rest_framework.test import APIClient

from tests.factories.elements import make_element, make_policy
from tests.service.counters.managed_routers import managed
from tests.support.routersim_process import RoutersimProcess
from tests.support.waiting import until
from vnfm.counters.domain.counters import SYSTEM
from vnfm.counters.reconcilers.collector import Collector
from vnfm.devices.provider import Devices
from vnfm.elements.models import NetworkElement
from vnfm.history import counters
from vnfm.history.days import KEEP_DAYS
from vnfm.history.partitions import maintain
from vnfm.kit import clock

pytestmark = pytest.mark.django_db(transaction=True)
QUARTER = timedelta(minutes=15)


@pytest.fixture
def collecting(telemetry: ConnectionPool) -> Iterator[None]:
    stop = threading.Event()
    thread = threading.Thread(target=Collector(devices=Devices(), interval=1.0).run, args=(stop,))
    thread.start()
    yield
    stop.set()
    thread.join(30)
    assert not thread.is_alive()


def test_traffic_has_its_rate(routersim: RoutersimProcess, collecting: None, viewer_api: APIClient) -> None:
    element = managed(routersim)
    routersim.fault(element.name, "traffic", port="1/1/1", rateIn=500_000, rateOut=8000)
    routersim.fault(element.name, "load", cpu=37, memory=25)
    where = f"/api/v1/elements/{element.id}/counters"

    def last(name: str, counter: str) -> float | None:
        points = viewer_api.get(f"{where}?object={name}&step=5").json()["points"]
        values = [point["values"][counter] for point in points if point["values"][counter] is not None]
        return values[-1] if values else None

    until(lambda: (rate := last("1/1/1", "octetsIn")) and rate == pytest.approx(500_000, rel=0.2), "the rate")
    until(lambda: last(SYSTEM, "cpu") == pytest.approx(37), "the load")
    assert last(SYSTEM, "memory") == pytest.approx(25, abs=1)
    listed = viewer_api.get(f"/api/v1/elements/{element.id}/counted_objects").json()["objects"]
    assert {"1/1/1", "1/1/2", SYSTEM} <= set(listed)


class OnceMore(threading.Event):
    """Set as soon as it is waited for."""

    def wait(self, timeout: float | None = None) -> bool:
        self.set()
        return True


def test_an_unexpected_error_does_not_end_the_collecting(telemetry: ConnectionPool) -> None:
    make_element(reachable="True", snmp_policy=make_policy(settings=["no settings"]))
    stop = OnceMore()
    Collector(devices=Devices(), interval=1.0).run(stop)
    assert stop.is_set()


def sample(element: NetworkElement, at: datetime, seconds: float, octets: float | None) -> counters.ElementSample:
    return element.id, "1/1/1", at, seconds, {"octets_in": octets}


def test_a_gap_has_no_values(telemetry: ConnectionPool, viewer_api: APIClient) -> None:
    element = make_element()
    now = clock.now().replace(microsecond=0)
    began = now - timedelta(minutes=5)
    rows = [sample(element, began + timedelta(minutes=n), 60, 600.0 * (n + 1)) for n in (0, 1, 4)]
    assert counters.write(rows)
    query = {"object": "1/1/1", "names": "octetsIn", "step": 60, "from": began.isoformat(), "to": now.isoformat()}
    shown = viewer_api.get(f"/api/v1/elements/{element.id}/counters", query).json()
    assert [point["values"]["octetsIn"] for point in shown["points"]] == [10, 20, None, None, 50]
    assert [point["seconds"] for point in shown["points"]] == [60, 60, 0, 0, 60]
    assert shown["units"] == {"octetsIn": "octet/s"}


def test_a_duplicate_row_does_not_lose_the_others(telemetry: ConnectionPool) -> None:
    now = clock.now()
    first, other = make_element(), make_element()
    assert counters.write([sample(first, now, 60, 1.0), sample(first, now, 60, 2.0), sample(other, now, 60, 3.0)])


def test_roll_ups_outlive_their_samples(telemetry: ConnectionPool, viewer_api: APIClient) -> None:
    element = make_element()
    now = clock.now()
    until_ = datetime.fromtimestamp(now.timestamp() // 900 * 900, UTC)
    began = until_ - 4 * QUARTER
    rows = [sample(element, began + timedelta(minutes=n), 60, 60.0 if n < 45 else None) for n in range(60) if n != 20]
    counters.write(rows)
    assert counters.roll_up(now + timedelta(minutes=10)) >= 4
    assert counters.roll_up(now + timedelta(minutes=10)) >= 1, "the last again, which changes nothing"
    with telemetry.connection() as connection:
        connection.execute("TRUNCATE telemetry.counter_sample")
    query = {"object": "1/1/1", "names": "octetsIn", "step": 900, "from": began.isoformat(), "to": until_.isoformat()}
    points = viewer_api.get(f"/api/v1/elements/{element.id}/counters", query).json()["points"]
    assert [(point["seconds"], point["values"]["octetsIn"]) for point in points] == [
        (900, 1),
        (840, 1),
        (900, 1),
        (900, None),
    ]


def test_partitions_are_created_ahead_and_dropped(telemetry: ConnectionPool) -> None:
    now = clock.now()
    later = now + timedelta(days=KEEP_DAYS + 2)
    element = make_element()
    assert counters.write([sample(element, now, 60, 1.0)])
    assert not counters.write([sample(element, now + timedelta(days=30), 60, 1.0)]), "no day, and no quarantine"
    try:
        maintain(later)
        assert counters.write([sample(element, later, 60, 1.0)])
        assert not counters.write([sample(element, now, 60, 1.0)]), "its day is over"
    finally:
        maintain(now)


@pytest.mark.parametrize("query", ["names=nothing", "step=1&from=2016-01-01T00:00:00Z", "from=2036-01-01T00:00:00Z"])
def test_invalid_queries(viewer_api: APIClient, query: str) -> None:
    element = make_element()
    answer = viewer_api.get(f"/api/v1/elements/{element.id}/counters?{query}")
    assert answer.status_code in (400, 422)
    assert answer.json()["detail"]
