"""Notifications of PostgreSQL: sent at commit, heard again after the connection was lost."""

from queue import Queue
from threading import Event

import pytest
from django.db import connection, transaction

from vnfm.kit.durable.listen import listen, notify, on_notification

pytestmark = pytest.mark.django_db(transaction=True)
CHANNEL = "vnfm_test"
PATIENCE = 30


@pytest.fixture
def payloads() -> Queue[str]:
    return Queue()


def lose_listeners() -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND query = %s",
            [f"LISTEN {CHANNEL}"],
        )


def test_a_batch_arrives_at_commit_and_an_empty_one_when_nothing_came() -> None:
    stop = Event()
    batches = listen(CHANNEL, stop, seconds=0.1)
    assert next(batches) == [], "the connection is ready"
    with transaction.atomic():
        notify(CHANNEL, "a")
        assert next(batches) == [], "nothing is committed"
        notify(CHANNEL, "a")
        notify(CHANNEL, "b")
    found = next(batches)
    while not found:
        found = next(batches)
    assert found == ["a", "b"]
    stop.set()
    assert list(batches) == []


def test_a_lost_connection_is_restored() -> None:
    stop = Event()
    batches = listen(CHANNEL, stop, seconds=0.1)
    next(batches)
    lose_listeners()
    for batch in batches:
        if "c" in batch:
            break
        notify(CHANNEL, "c")  # heard once the new connection listens
    stop.set()


def test_a_handler_is_called_for_the_length_of_the_block(payloads: Queue[str]) -> None:
    ready = Event()
    with on_notification(CHANNEL, payloads.put):
        while not ready.wait(0.05):
            notify(CHANNEL, "d")
            if not payloads.empty():
                ready.set()
        assert payloads.get(timeout=PATIENCE) == "d"
