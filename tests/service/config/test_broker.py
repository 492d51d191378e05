"""The broker dies while the worker holds messages, or becomes a replica: the worker connects again and works on."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis
from celery import Celery

from launcher.ports import free_port
from launcher.valkey import EmbeddedValkey
from tests.support.installation import until
from tests.support.product import running, worker_of

pytestmark = [pytest.mark.django_db(transaction=True)]

WORKER = worker_of(1)
LATER = 3600.0
"""Seconds: a message for later stays with the worker, and kombu's own transport would not have acknowledged it."""
SECONDS = 30.0


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[EmbeddedValkey]:
    with EmbeddedValkey(tmp_path / "valkey") as server:
        yield server


def _received(broker: EmbeddedValkey) -> None:
    """Wait until the worker has taken all messages."""
    queue = redis.Redis.from_url(broker.url)
    until(lambda: queue.llen("celery") == 0 or None, SECONDS, "the worker takes the message")


def test_a_worker_with_messages_survives_its_broker(product_env: dict[str, str], broker: EmbeddedValkey) -> None:
    env = product_env | {"REDIS_URL": broker.url}
    with running(*WORKER, env=env) as worker:
        worker.expect(" ready")
        Celery(broker=broker.url, set_as_current=False).send_task("lcm.sweep", countdown=LATER)
        _received(broker)
        os.kill(broker.pid, signal.SIGKILL)
        worker.expect("Connection to broker lost")
        broker.stop()
        broker.start()
        worker.expect("Connected to")
        Celery(broker=broker.url, set_as_current=False).send_task("lcm.sweep")
        _received(broker)
        assert worker.popen.poll() is None


def test_a_worker_survives_that_its_broker_is_a_replica_for_a_while(
    product_env: dict[str, str], broker: EmbeddedValkey
) -> None:
    """As Sentinel leaves the master of before, while a load balancer still leads to it."""
    env, own = product_env | {"REDIS_URL": broker.url}, redis.Redis.from_url(broker.url)
    with running(*WORKER, env=env) as worker:
        worker.expect(" ready")
        own.replicaof("127.0.0.1", free_port())
        own.client_kill_filter(_type="normal")
        worker.expect("ReadOnlyError")
        own.replicaof("NO", "ONE")
        worker.expect("Connected to")
        Celery(broker=broker.url, set_as_current=False).send_task("lcm.sweep")
        _received(broker)
        assert worker.popen.poll() is None
