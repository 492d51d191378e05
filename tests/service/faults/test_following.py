"""Alarms of elements follow by themselves, in one process of many, and go on when the database was away."""

import threading
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from django.db import connection

from tests.service.watching import until
from vnfm.elements.models import Equipment, NetworkElement
from vnfm.faults.models import Alarm
from vnfm.faults.reconcilers.following import follow_elements

pytestmark = pytest.mark.django_db(transaction=True)
NOW = datetime(2016, 2, 9, 14, 5, tzinfo=UTC)


@pytest.fixture
def card() -> Equipment:
    element = NetworkElement.objects.create(
        name="sr-12", kind="PHYSICAL", management_address="10.0.0.1", reachable="True", resync_state="DONE"
    )
    return Equipment.objects.create(
        element=element,
        fdn="card-1",
        parent_fdn="",
        equipment_class="CARD",
        admin_state="UP",
        oper_state="IN_SERVICE",
        since=NOW,
    )


@pytest.fixture
def followers(card: Equipment) -> Iterator[None]:
    stop = threading.Event()
    threads = [threading.Thread(target=follow_elements, args=(stop, threading.Event()), daemon=True) for _ in range(2)]
    for thread in threads:
        thread.start()
    yield
    stop.set()
    for thread in threads:
        thread.join(15)
        assert not thread.is_alive()


def set_state(card: Equipment, state: str, version: int) -> None:
    """As the poller does it: with a new version of the element."""
    Equipment.objects.filter(id=card.id).update(oper_state=state)
    NetworkElement.objects.filter(id=card.element_id).update(version=version)


def count() -> int:
    return Alarm.objects.filter(fault_type="CardDown", cleared_at=None).count()


@pytest.mark.usefixtures("followers")
def test_a_card_that_fails_and_comes_back(card: Equipment) -> None:
    set_state(card, "FAILED", 2)
    until(lambda: count() == 1, "the alarm")
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
    set_state(card, "IN_SERVICE", 3)
    until(lambda: count() == 0, "the alarm to clear", seconds=40)
