"""Notifications of many subscribers: deliveries a second of one worker, and the pace of the queue that operations use.

Processor seconds of the worker stand beside the clock: neighbours on the machine do not change them.
"""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from statistics import median
from time import perf_counter
from uuid import uuid4

import pytest
from django.db import transaction

from tests.factories.alarms import make_alarm
from tests.support.installation import until
from tests.support.product import Process, running, worker_of
from vnfm.faults.services.lifecycle import alarms_publish
from vnfm.kit import clock
from vnfm.kit.durable import outbox, tasks, worker_request
from vnfm.kit.problem import ProblemError
from vnfm.notifications.models import Delivery, Subscription
from vnfm.notifications.services.alarm_routes import ROUTES, TEST_ROUTE
from vnfm.notifications.services.queueing import NOTIFICATION_QUEUER

DELIVERIES = 4000
BUDGET = 20
"""Deliveries a processor second of the worker, at least."""
_ENDPOINT = """
import http.server
class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def do_POST(self):
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.send_response(204)
        self.end_headers()
    do_GET = do_POST
    def log_message(self, *_): pass
class Server(http.server.ThreadingHTTPServer):
    request_queue_size = 100
server = Server(("127.0.0.1", 0), Handler)
print(server.server_address[1], flush=True)
server.serve_forever()
"""

pytestmark = [pytest.mark.bench, pytest.mark.django_db(transaction=True), pytest.mark.timeout(900)]


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """A subscriber that takes everything, in a process of its own."""
    with subprocess.Popen([sys.executable, "-c", _ENDPOINT], stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        yield f"http://127.0.0.1:{server.stdout.readline().strip()}"
        server.kill()


@pytest.fixture
def worker(product_env: dict[str, str], valkey: str) -> Iterator[Process]:
    env = product_env | {"VNFM_SUBSCRIBERS_ALLOWED": "127.0.0.1/32", "VNFM_SUBSCRIBERS_HTTP": "1"}
    with running(*worker_of(8), env=env) as process:
        process.expect("ready")
        yield process


def subscribe(url: str, number: int) -> None:
    now = clock.now()
    Subscription.objects.bulk_create(
        Subscription(interface="vnffm", callback_uri=f"{url}/{n}", filter_digest="", created_by="bench", settled_at=now)
        for n in range(number)
    )


def processor_seconds(pid: int) -> float:
    with open(f"/proc/{pid}/stat") as stat:  # noqa: PTH123 - no file of ours
        fields = stat.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def round_trip() -> float:
    """Seconds of a task in the queue of operations, from its request to its outcome."""
    begin = perf_counter()
    with suppress(ProblemError):  # there is no such route, as the worker says
        too_slow = ROUTES.problem("TOO_SLOW", "No answer.")
        worker_request.call_worker(TEST_ROUTE, {"route": str(uuid4())}, too_slow=too_slow)
    return perf_counter() - begin


@pytest.mark.parametrize("subscribers", [100, 1000])
def test_deliveries_a_second(
    subscribers: int, url: str, worker: Process, record_property: Callable[[str, object], None]
) -> None:
    subscribe(url, subscribers)
    alone = [round_trip() for _ in range(10)]
    events = DELIVERIES // subscribers
    with transaction.atomic():
        alarms_publish([(make_alarm(), "raised") for _ in range(events)], now=clock.now())
    busy, own, start = processor_seconds(worker.popen.pid), os.times(), perf_counter()
    while outbox.deliver_pending([NOTIFICATION_QUEUER]):
        pass
    queued, now = perf_counter() - start, os.times()
    beside: list[float] = []

    def over() -> bool | None:
        beside.append(round_trip())
        for each in Subscription.objects.filter(deliveries__state=Delivery.State.WAITING).distinct():
            tasks.enqueue_now("notifications.deliver", each.id)  # as the sweep of beat would
        return not Delivery.objects.filter(state=Delivery.State.WAITING).exists() or None

    until(over, 600, "all are delivered", every=2.0)
    seconds = perf_counter() - start
    spent = processor_seconds(worker.popen.pid) - busy
    figures = {
        "queueing_cpu_ms_each": ((now.user + now.system) - (own.user + own.system)) * 1000 / DELIVERIES,
        "queueing_seconds": queued,
        "deliveries_a_second": DELIVERIES / seconds,
        "deliveries_a_cpu_second": DELIVERIES / spent,
        "round_trip_alone_p50_ms": median(alone) * 1000,
        "round_trip_beside_worst_ms": max(beside) * 1000,
    }
    words = ", ".join(f"{name} {value:.2f}" for name, value in figures.items())
    print(f"\n{subscribers} subscribers, load {os.getloadavg()[0]:.0f}: {words}")
    for name, value in figures.items():
        record_property(name, round(value, 2))
    assert Delivery.objects.filter(state=Delivery.State.DELIVERED).count() == DELIVERIES
    assert figures["deliveries_a_cpu_second"] >= BUDGET
