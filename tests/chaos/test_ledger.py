"""The ledger goes on where it stopped."""

from pathlib import Path

import pytest

from tests.chaos.batches import Case
from tests.chaos.faults import FAULTS, Moment
from tests.chaos.ledger import Ledger, shard_of
from tests.chaos.operations import OPERATIONS


def _batch(number: int, error: str = "") -> list[Case]:
    return [Case(OPERATIONS[number], None, Moment.ACCEPTED, FAULTS[0], errors=[error] if error else [])]


def test_a_run_in_the_ledger_is_skipped(tmp_path: Path) -> None:
    first = Ledger(tmp_path / "runs")
    assert first.missing(_batch(0))
    first.add(_batch(0))
    first.add(_batch(1, "still PROCESSING"))
    with (tmp_path / "runs").open("a") as file:
        file.write('{"case": "cut o')
    second = Ledger(tmp_path / "runs")
    assert second.missing(_batch(0)) == second.missing(_batch(1)) == []
    mixed = [*_batch(1), *_batch(2)]
    assert second.missing(mixed) == mixed[1:]
    assert second.summary(3).splitlines() == ["2 of 3 runs, 1 failed", str(_batch(1)[0])]


def test_without_a_file_nothing_is_stored() -> None:
    ledger = Ledger(None)
    ledger.add(_batch(0))
    assert Ledger(None).missing(_batch(0))


def test_shards_are_counted_from_one() -> None:
    assert (shard_of("1/10"), shard_of("10/10")) == ((0, 10), (9, 10))
    for wrong in ("0/10", "11/10", "1", "x/2"):
        with pytest.raises(ValueError, match=r"must be as|invalid literal"):
            shard_of(wrong)
