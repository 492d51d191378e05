"""When a notification without a receiver is given up."""

from datetime import UTC, datetime, timedelta

import pytest

from vnfm.notifications.domain.retry import GIVE_UP_AFTER, expired_before

NOW = datetime(2026, 11, 25, 12, 0, tzinfo=UTC)
HOUR = timedelta(hours=1)


@pytest.mark.parametrize(
    ("age", "released", "given_up"),
    [
        (GIVE_UP_AFTER + HOUR, None, True),
        (GIVE_UP_AFTER - HOUR, None, False),
        (timedelta(days=30), HOUR, False),
        (timedelta(days=30), GIVE_UP_AFTER + HOUR, True),
        (GIVE_UP_AFTER - HOUR, GIVE_UP_AFTER + HOUR, False),
    ],
)
def test_the_time_counts_from_the_release_of_a_restored_backup(
    age: timedelta, released: timedelta | None, given_up: bool
) -> None:
    limit = expired_before(NOW, NOW - released if released is not None else None)
    assert (NOW - age < limit) is given_up
