from datetime import UTC, datetime, timedelta

from vnfm.vims.domain.pace import MAX_PAUSE, after_answer, lateness, pause_until

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


def test_an_answer_in_time_leaves_nothing() -> None:
    assert after_answer({}, "full", 9.9, timed_out=False, now=NOON) == {}


def test_each_request_is_late_by_itself_and_since_its_first_time() -> None:
    late = after_answer({}, "full", 24.2, timed_out=False, now=NOON)
    late = after_answer(late, "stacks", 30.0, timed_out=True, now=NOON + timedelta(minutes=1))
    late = after_answer(late, "full", 31.0, timed_out=False, now=NOON + timedelta(minutes=2))
    assert lateness(late) == (
        "It answers late since 2026-01-01 12:00:00 UTC: the list of all servers and ports took 31 s. Large lists wait."
    )
    late = after_answer(late, "full", 1.0, timed_out=False, now=NOON)
    assert "12:01:00 UTC: the list of stacks got no answer in 30 s." in lateness(late)
    assert after_answer(late, "stacks", 1.0, timed_out=False, now=NOON) == {}


def test_the_pause_doubles_up_to_five_minutes() -> None:
    late: dict[str, object] = {}
    pauses = []
    for _ in range(8):
        late = after_answer(late, "full", 30.0, timed_out=True, now=NOON)
        until = pause_until(late, NOON)
        assert until is not None
        pauses.append((until - NOON).total_seconds())
    assert pauses == [15, 30, 60, 120, 240, 300, 300, MAX_PAUSE.total_seconds()]
    answered = after_answer(late, "full", 20.0, timed_out=False, now=NOON)
    assert pause_until(answered, NOON) is None, "late answers are answers"
