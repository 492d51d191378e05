"""The present state in a story."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from vnfm.lcm.domain.story import OperationHistory, story

NOW = datetime(2026, 3, 1, 14, 2, tzinfo=UTC)
STARTING = OperationHistory("INSTANTIATE", "pe-1", "STARTING", None, None, None, [], [], None, None, NOW)


@pytest.mark.parametrize(
    ("late", "sentences"),
    [(None, []), (-5.0, []), (9.0, []), (40.0, ["No worker has taken this up for 40 s."])],
)
def test_an_operation_that_no_worker_takes_up_says_so(late: float | None, sentences: list[str]) -> None:
    due_at = None if late is None else NOW - timedelta(seconds=late)
    assert [sentence.text for sentence in story(replace(STARTING, due_at=due_at))] == sentences
