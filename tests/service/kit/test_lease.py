"""Leases on a real PostgreSQL, with holders in threads of their own, as in a worker."""

import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import timedelta

import pytest
from django.db import connection, connections, transaction
from django.db.models.functions import Now

from vnfm.kit.durable import lease
from vnfm.kit.durable.lease import ActiveLease, hold
from vnfm.kit.models import Lease

pytestmark = pytest.mark.django_db(transaction=True)
SHORT = timedelta(milliseconds=300)
AN_HOUR = timedelta(hours=1)


def expire(key: str) -> None:
    Lease.objects.filter(key=key).update(expires_at=Now() - AN_HOUR)


@contextmanager
def lease_of_dead_worker(key: str):
    """Taken and never given back: what a killed process leaves behind."""
    with hold(key, AN_HOUR) as held:
        assert held is not None
        lease._renewer.remove(held)
        yield held


def test_only_one_worker_holds_the_lease() -> None:
    with hold("op:1") as first, hold("op:1") as second, hold("op:2") as other:
        assert first is not None
        assert second is None
        assert other is not None


def test_the_next_holder_has_a_higher_fence() -> None:
    fences = []
    for _ in range(3):
        with hold("op:1") as held:
            assert held is not None
            fences.append(held.fence)
    assert fences == sorted(set(fences))


def test_of_many_threads_at_once_exactly_one_gets_it() -> None:
    start, done = threading.Barrier(8), threading.Barrier(8)

    def contend(_: int) -> bool:
        try:
            start.wait(30)
            with hold("op:1") as held:
                done.wait(30)
                return held is not None
        finally:
            connections.close_all()

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(contend, range(8))) == 1


def test_a_dead_workers_lease_changes_hands_and_it_notices() -> None:
    with lease_of_dead_worker("op:1") as dead:
        with hold("op:1") as early:
            assert early is None
        expire("op:1")
        with hold("op:1") as heir:
            assert heir is not None
            assert heir.fence > dead.fence
            assert heir.is_current()
            assert not dead.is_current()
    assert Lease.objects.get(key="op:1").owner == "", "the dead one's late release must not matter"


def test_deaths_in_a_row_are_counted_until_a_holder_gives_it_back() -> None:
    for deaths in range(lease.MOST_DEATHS + 1):
        with lease_of_dead_worker("op:1") as held:
            assert (held.deaths, held.is_deadly) == (deaths, deaths == lease.MOST_DEATHS)
            expire("op:1")
            with hold("op:1") as next_one:
                assert next_one is not None
                assert next_one.deaths == deaths + 1
                Lease.objects.filter(key="op:1").update(owner="it died, too", deaths=deaths)
            expire("op:1")
    Lease.objects.filter(key="op:1").update(owner="")
    with hold("op:1") as held:
        assert held is not None
        assert held.deaths == 0


def test_a_late_release_leaves_the_next_holders_lease() -> None:
    with lease_of_dead_worker("op:1") as dead:
        expire("op:1")
        with hold("op:1") as heir:
            lease._release(dead)
            assert heir is not None
            assert heir.is_current()


def test_a_living_holder_renews_past_its_time() -> None:
    renewals = wait_for_renewals("op:1", 2)
    with hold("op:1", SHORT) as held:
        assert held is not None
        taken = Lease.objects.get(key="op:1").expires_at
        with hold("op:2", SHORT):  # another one coming and going does not disturb the schedule
            assert renewals.wait(30)
        assert Lease.objects.get(key="op:1").expires_at > taken + SHORT / 3
        assert held.is_current()


def wait_for_renewals(key: str, count: int) -> threading.Event:
    """Set when `key` has been renewed that often."""
    seen = threading.Event()

    def watch() -> None:
        try:
            times: set[object] = set()
            while len(times) <= count:
                times.update(Lease.objects.filter(key=key).values_list("expires_at", flat=True))
            seen.set()
        finally:
            connections.close_all()

    threading.Thread(target=watch, daemon=True).start()
    return seen


def test_a_renewal_under_way_does_not_bring_a_released_lease_back() -> None:
    with hold("op:1") as held:
        assert held is not None
    lease._renew([held])
    with hold("op:1") as again:
        assert again is not None


def test_a_lost_database_does_not_end_renewing() -> None:
    with hold("op:1") as held:
        assert held is not None
        expired = Lease.objects.get(key="op:1").expires_at
        connection.execute_wrappers.append(lambda *_: (_ for _ in ()).throw(lease.DatabaseError("gone")))
        try:
            lease._renew([held])
        finally:
            connection.execute_wrappers.pop()
        assert Lease.objects.get(key="op:1").expires_at == expired
        lease._renew([held])
        assert Lease.objects.get(key="op:1").expires_at > expired


def test_a_check_in_a_transaction_keeps_the_lease_until_its_end() -> None:
    answers: list[ActiveLease | None] = []

    def take_over() -> None:
        try:
            with hold("op:1") as heir:
                answers.append(heir)
        finally:
            connections.close_all()

    with lease_of_dead_worker("op:1") as held:
        thread = threading.Thread(target=take_over)
        with transaction.atomic():
            assert held.is_current()
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_backend_pid()")
                row = cursor.fetchone()
            thread.start()
            wait_until_blocked_by(row[0])
            assert answers == []
            Lease.objects.filter(key="op:1").update(expires_at=Now() - AN_HOUR)
        thread.join(30)
    assert [answer is not None for answer in answers] == [True]


def wait_until_blocked_by(pid: int) -> None:
    from vnfm.kit.durable.database import direct_connection

    with direct_connection() as observer:
        query = "SELECT count(*) FROM pg_stat_activity WHERE %s = ANY(pg_blocking_pids(pid))"
        while observer.execute(query, [pid]).fetchone() == (0,):
            pass


def test_a_holder_that_has_locked_its_lease_holds_up_no_other_renewal() -> None:
    locked, other = wait_for_renewals("op:1", 1), wait_for_renewals("op:2", 3)
    with hold("op:1", SHORT) as held, hold("op:2", SHORT):
        assert held is not None
        with transaction.atomic():
            assert held.is_current()
            assert other.wait(10)
            assert not locked.is_set()
        assert locked.wait(10), "its own is made up for as soon as it is free"
        assert held.is_current()


def test_it_refuses_to_begin_inside_a_transaction() -> None:
    with transaction.atomic(), pytest.raises(RuntimeError, match="durable"), hold("op:1"):
        pass


def test_pruning_removes_keys_that_expired_long_ago() -> None:
    with hold("op:1"), hold("op:2"):
        Lease.objects.filter(key="op:2").update(expires_at=Now() - AN_HOUR)
        assert lease.prune(timedelta(minutes=1)) == 1
        assert set(Lease.objects.values_list("key", flat=True)) == {"op:1"}


def test_the_server_ends_a_transaction_that_a_stopped_process_left_open() -> None:
    """Its locks would keep the lease, and the rows of its operation, from the worker that takes over."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT setting::int FROM pg_settings WHERE name = 'idle_in_transaction_session_timeout'")
        (milliseconds,) = cursor.fetchone()
    assert timedelta(milliseconds=milliseconds) == 4 * lease.TTL
