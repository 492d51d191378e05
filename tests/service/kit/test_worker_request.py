"""Requests wait for a worker: a limited number at a time, and without a pooled connection."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import pytest
from django.db import connection

from tests.support.installation import until
from vnfm.kit.durable.database import direct_connection
from vnfm.kit.durable.worker_request import MOST_WAITING, call_worker
from vnfm.kit.models import WorkerRequest
from vnfm.kit.problem import Problem, ProblemError

pytestmark = pytest.mark.django_db(transaction=True)
TOO_SLOW = ProblemError(Problem(504, "TOO_SLOW", "Too slow", "Too slow."))


def call(seconds: float) -> str:
    """The code of the problem: no worker runs."""
    try:
        call_worker("tests.none", {}, too_slow=TOO_SLOW, seconds=seconds)
    except ProblemError as error:
        assert connection.connection is None, "given back before the wait"
        return error.problem.code
    return ""


def test_more_than_the_most_get_a_time_to_try_again(valkey: str) -> None:
    with ThreadPoolExecutor(MOST_WAITING) as crowd:
        waiting = crowd.map(call, [6.0] * MOST_WAITING)
        until(lambda: WorkerRequest.objects.count() == MOST_WAITING or None, 30, "all places are taken")
        connection.close()
        with pytest.raises(ProblemError) as refused:
            call_worker("tests.none", {}, too_slow=TOO_SLOW)
        assert (refused.value.problem.status, refused.value.problem.code) == (503, "WORKER_BUSY")
        assert refused.value.problem.extra["retryAfter"] > 0
        assert WorkerRequest.objects.count() == MOST_WAITING
        assert list(waiting) == ["NO_WORKER"] * MOST_WAITING
    assert call(0.1) == "NO_WORKER", "the places are free again"


def test_places_are_counted_for_all_processes(valkey: str) -> None:
    with ExitStack() as other_process:
        for number in range(MOST_WAITING):
            taken = other_process.enter_context(direct_connection())
            taken.execute("SELECT pg_advisory_lock(hashtextextended('worker request', %s))", [number])
        with pytest.raises(ProblemError) as refused:
            call_worker("tests.none", {}, too_slow=TOO_SLOW, seconds=0.1)
        assert refused.value.problem.code == "WORKER_BUSY"
    assert call(0.1) == "NO_WORKER", "their connections have ended"
