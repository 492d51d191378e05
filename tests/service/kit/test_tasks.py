"""Messages to workers: each once for a transaction; deliveries that wait hold up nothing else."""

from uuid import uuid4

import pytest
import redis
from celery import Celery
from django.db import transaction

from tests.support.product import running, worker_of
from vnfm.kit.durable.tasks import enqueue_on_commit
from vnfm.kit.durable.worker_request import call_worker
from vnfm.kit.problem import Problem, ProblemError
from vnfm.notifications.services.alarm_routes import TEST_ROUTE
from vnfm.notifications.services.queueing import DELIVER

pytestmark = pytest.mark.django_db(transaction=True)
STORM = 4000
"""Messages; a worker of this test handles some 100 a second."""


def queued(url: str, name: str) -> int:
    return int(redis.Redis.from_url(url).llen(name))  # type: ignore[arg-type]  # no coroutine: a synchronous client


@pytest.fixture
def broker(valkey: str) -> str:
    redis.Redis.from_url(valkey).delete("notifications", "celery")
    return valkey


def test_a_transaction_sends_each_message_once(broker: str) -> None:
    key = uuid4()
    with transaction.atomic():
        for _ in range(100):
            with transaction.atomic():
                enqueue_on_commit(DELIVER, key)
        assert queued(broker, "notifications") == 0
    assert (queued(broker, "notifications"), queued(broker, "celery")) == (1, 0)


def test_a_rolled_back_savepoint_takes_no_message_of_others(broker: str) -> None:
    key = uuid4()
    with transaction.atomic():
        with transaction.atomic():
            enqueue_on_commit(DELIVER, key)
            transaction.set_rollback(True)
        enqueue_on_commit(DELIVER, key)
    assert queued(broker, "notifications") == 1


def test_a_storm_of_deliveries_holds_up_no_other_task(product_env: dict[str, str], broker: str) -> None:
    """The request waits for a worker, as operations do; a queue for all would take it after the
    storm.
    """
    sender = Celery(broker=broker, set_as_current=False)
    sender.conf.task_routes = {DELIVER: {"queue": "notifications"}}
    with sender.connection_or_acquire() as connection:
        for _ in range(STORM):
            sender.send_task(DELIVER, args=[str(uuid4())], connection=connection)
    too_slow = ProblemError(Problem(504, "TOO_SLOW", "Too slow", "Too slow."))
    subject = {"route": str(uuid4())}
    with running(*worker_of(4), env=product_env) as worker:
        worker.expect(" ready")
        with pytest.raises(ProblemError) as ended:
            call_worker(TEST_ROUTE, subject, too_slow=too_slow)
        assert ended.value.problem.code == "ROUTE_DELETED", "the worker has looked for the route"
        assert queued(broker, "notifications") > STORM / 4, "the storm is not over"
