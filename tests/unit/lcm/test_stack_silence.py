"""Whether Heat still works on a stack, by what polls of it show."""

from datetime import UTC, datetime, timedelta

from vnfm.lcm.domain.stack_silence import PROGRESS, StackActivity, needs_event, next_activity, silence_words

LIMIT = timedelta(minutes=3)
START = datetime(2026, 11, 28, 13, 14, 25, tzinfo=UTC)


def at(seconds: float) -> datetime:
    return START + timedelta(seconds=seconds)


class Heat:
    """Polls of a stack every 5 s."""

    def __init__(self) -> None:
        self.activity: StackActivity | None = None
        self.event_calls = 0

    def poll(self, seconds: float, mark: str, event: str) -> StackActivity:
        asked = needs_event(self.activity, mark, LIMIT, at(seconds))
        self.event_calls += asked
        self.activity = next_activity(self.activity, mark, event if asked else None, LIMIT, at(seconds))
        self.activity = StackActivity.from_receipt({PROGRESS: self.activity.as_json()})
        assert self.activity is not None
        return self.activity


def test_a_stack_whose_resources_change_is_never_silent() -> None:
    heat = Heat()
    assert not any(heat.poll(5 * n, f"mark {n // 10}", "e").silent for n in range(200))
    assert heat.event_calls == 0


def test_without_change_and_event_it_is_silent_at_the_limit_and_not_before() -> None:
    heat = Heat()
    silent = {n: heat.poll(n, "same", "e1").silent for n in range(0, 400, 5)}
    assert [n for n, is_silent in silent.items() if is_silent] == list(range(180, 400, 5))
    assert heat.activity is not None
    assert silence_words(heat.activity.since, "s-1").startswith("nothing since 13:14:25 UTC; has Heat's engine died?")


def test_an_event_without_a_change_of_a_resource_starts_the_limit_again() -> None:
    heat = Heat()
    for n in range(0, 180, 5):
        heat.poll(n, "same", "e1")
    assert not heat.poll(180, "same", "e2").silent
    assert not heat.poll(355, "same", "e2").silent
    assert heat.poll(360, "same", "e2").silent
    assert heat.poll(360, "same", "e2").since == at(180)


def test_it_is_not_silent_any_more_once_something_changes() -> None:
    heat = Heat()
    assert [heat.poll(n, "same", "e1").silent for n in (0, 100, 200)] == [False, False, True]
    assert not heat.poll(205, "other", "e2").silent
    assert heat.poll(210, "other", "e2").since == at(205)


def test_the_progress_of_a_heal_is_none_of_a_stack() -> None:
    """`heal_in_place@1` keeps its own under "progress", by VNFC; alarms read the receipt of any waiting step."""
    assert StackActivity.from_receipt({"progress": {"a VNFC": {"action": "reboot"}}}) is None
