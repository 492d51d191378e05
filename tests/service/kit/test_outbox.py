from datetime import timedelta
from uuid import uuid4

import pytest
from django.db import transaction

from vnfm.kit import clock
from vnfm.kit.durable import outbox
from vnfm.kit.durable.database import direct_connection
from vnfm.kit.durable.outbox import Event, Subscriber, deliver_pending, publish
from vnfm.kit.models import OutboxEvent

pytestmark = pytest.mark.django_db(transaction=True)


class Recorder:
    """A subscriber that notes what it gets and fails `failures` times."""

    def __init__(self, name: str = "recorder", failures: int = 0) -> None:
        self.events: list[Event] = []
        self.failures = failures
        self.subscriber = Subscriber(name, {"thing.changed"}, self.handle)

    def handle(self, event: Event) -> None:
        if self.failures:
            self.failures -= 1
            raise OSError("cannot reach it")
        self.events.append(event)


def put(topic: str = "thing.changed", **payload: object) -> OutboxEvent:
    with transaction.atomic():
        publish(topic, uuid4(), 7, payload)
    return OutboxEvent.objects.latest("id")


def make_due() -> None:
    OutboxEvent.objects.update(not_before=clock.now() - timedelta(seconds=1))


def test_an_event_reaches_the_subscribers_of_its_topic_once() -> None:
    recorder, row = Recorder(), put(a=1)
    put("other.changed")
    assert deliver_pending([recorder.subscriber]) == 2
    assert deliver_pending([recorder.subscriber]) == 0
    (event,) = recorder.events
    assert (event.id, event.aggregate_id, event.version, event.payload) == (row.id, row.aggregate_id, 7, {"a": 1})
    assert event.created_at == row.created_at


def test_a_rolled_back_event_is_never_delivered() -> None:
    with transaction.atomic():
        publish("thing.changed", uuid4(), 1)
        transaction.set_rollback(True)
    assert not OutboxEvent.objects.exists()


def test_publishing_outside_a_transaction_is_a_bug() -> None:
    with pytest.raises(RuntimeError, match="outside a transaction"):
        publish("thing.changed", uuid4(), 1)


def test_the_relay_is_woken_at_commit_and_not_before() -> None:
    with direct_connection() as listener:
        listener.execute(f"LISTEN {outbox.CHANNEL}")
        with transaction.atomic():
            publish("thing.changed", uuid4(), 1)
            assert list(listener.notifies(timeout=0)) == []
        assert len(list(listener.notifies(timeout=10, stop_after=1))) == 1


def test_a_failure_delays_neither_other_events_nor_other_subscribers() -> None:
    broken, sound = Recorder("broken", failures=1), Recorder("sound")
    first, second = put(), put()
    subscribers = [broken.subscriber, sound.subscriber]
    assert deliver_pending(subscribers) == 1
    assert [event.id for event in sound.events] == [first.id, second.id]
    assert [event.id for event in broken.events] == [second.id]

    row = OutboxEvent.objects.get(id=first.id)
    assert (row.attempts, row.delivered_at) == (1, None)
    assert row.last_error == "broken: OSError: cannot reach it"
    assert row.not_before is not None
    assert deliver_pending(subscribers) == 0, "it waits before it tries again"

    make_due()
    assert deliver_pending(subscribers) == 1
    assert [event.id for event in broken.events] == [second.id, first.id]
    assert [event.id for event in sound.events] == [first.id, second.id], "who had it does not get it again"


def test_waiting_grows_and_is_bounded() -> None:
    broken = Recorder(failures=10)
    row = put()
    waits = []
    for _ in range(9):
        make_due()
        before = clock.now()
        deliver_pending([broken.subscriber])
        row.refresh_from_db()
        assert row.not_before is not None
        waits.append(round((row.not_before - before).total_seconds()))
    assert waits == [1, 2, 4, 8, 16, 32, 60, 60, 60]


def test_only_a_failing_subscribers_writes_are_undone() -> None:
    def write_and_fail(event: Event) -> None:
        OutboxEvent.objects.filter(id=event.id).update(last_error="half done")
        raise ValueError

    def write(event: Event) -> None:
        publish("thing.followed", event.aggregate_id, 1)

    put()
    topics = {"thing.changed"}
    deliver_pending([Subscriber("a", topics, write_and_fail), Subscriber("b", topics, write)])
    assert OutboxEvent.objects.filter(topic="thing.followed").count() == 1
    assert "half done" not in OutboxEvent.objects.get(topic="thing.changed").last_error


def test_two_relays_share_the_work() -> None:
    with direct_connection() as other:
        first, second = put(), put()
        with other.transaction():
            other.execute("SELECT * FROM kit_outboxevent WHERE id = %s FOR UPDATE", [first.id])
            recorder = Recorder()
            assert deliver_pending([recorder.subscriber]) == 1
            assert [event.id for event in recorder.events] == [second.id]


def test_a_batch_is_bounded() -> None:
    for _ in range(3):
        put()
    assert deliver_pending([], batch=2) == 2
    assert deliver_pending([], batch=2) == 1


def test_pruning_keeps_young_and_undelivered_events() -> None:
    old, young, stuck = put(), put(), put()
    now = clock.now()
    OutboxEvent.objects.filter(id=old.id).update(delivered_at=now - timedelta(days=2))
    OutboxEvent.objects.filter(id=young.id).update(delivered_at=now)
    OutboxEvent.objects.filter(id=stuck.id).update(created_at=now - timedelta(days=9))
    assert outbox.prune(timedelta(days=1)) == 1
    assert set(OutboxEvent.objects.values_list("id", flat=True)) == {young.id, stuck.id}
