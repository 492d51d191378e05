"""What is shown of a reading of which tables are missing: pure."""

from dataclasses import replace

import pytest

from vnfm.devices.types import Table, Unread
from vnfm.elements.domain.drivers import generic, standard
from vnfm.elements.domain.drivers.base import Driver, Reading
from vnfm.elements.domain.parts import PARTS
from vnfm.elements.reconcilers.partial_reading import Interpretation, interpret

ALL = frozenset(PARTS)
REPEATS = Unread("it repeats a row")
PORT: Table = {
    standard.IF_OPER: {(1,): 2},
    standard.IF_ADMIN: {(1,): 1},
    standard.IF_TYPE: {(1,): 6},
    standard.IF_NAME: {(1,): b"1/1/1"},
}


def read(
    table: Table, unread: dict[str, Unread], last: Table | None, driver: Driver = generic.DRIVER
) -> Interpretation:
    return interpret(driver, Reading("192.0.2.1", {}, table), ALL, unread, last)


def without(*columns: str) -> Table:
    return {name: rows for name, rows in PORT.items() if name not in columns}


def test_last_rows_stand_in_for_a_column() -> None:
    found = read(without(standard.IF_NAME), dict.fromkeys([standard.IF_NAME], REPEATS), PORT)
    assert found.snapshot.interfaces is not None
    assert [(row.name, row.oper) for row in found.snapshot.interfaces] == [("1/1/1", "DOWN")]
    assert found.stale == frozenset()
    (line,) = found.unread
    assert (line.table, line.index) == ("ifXTable", "")
    assert line.reason.startswith("ifXTable could not be read: it repeats a row.")


def test_parts_of_a_state_column_are_stale() -> None:
    found = read(without(standard.IF_OPER), {standard.IF_OPER: REPEATS}, PORT)
    assert found.stale == {"EQUIPMENT", "INTERFACES"}
    assert found.snapshot.interfaces is not None
    assert [row.oper for row in found.snapshot.interfaces] == ["DOWN"]


def test_without_last_rows_the_parts_of_a_known_element_are_left_as_they_are() -> None:
    found = read(without(standard.BGP_STATE), {standard.BGP_STATE: REPEATS}, {})
    assert found.snapshot.bgp_peers is None
    assert found.snapshot.interfaces is not None
    assert found.stale == {"BGP"}


def test_a_new_element_has_what_could_be_read() -> None:
    found = read(without(standard.IF_NAME), {standard.IF_NAME: REPEATS}, None)
    assert found.snapshot.interfaces is not None
    assert [row.oper for row in found.snapshot.interfaces] == ["DOWN"]
    assert found.unread[0].reason == "ifXTable could not be read: it repeats a row. It is not shown."


def test_a_table_that_is_too_long_is_cut() -> None:
    found = read(PORT, {standard.IF_OPER: Unread("it has more than 1 rows", cut=True)}, PORT)
    assert found.stale == frozenset()
    assert found.unread[0].reason == "ifTable is shown in part: it has more than 1 rows."


@pytest.mark.parametrize("error", [KeyError("x"), ValueError("x"), TypeError("x"), ZeroDivisionError("x")])
def test_rows_that_cannot_be_interpreted_cost_one_part(error: Exception) -> None:
    def peers(_: Reading) -> tuple[()]:
        raise error

    found = read(PORT, {}, PORT, replace(generic.DRIVER, bgp_peers=peers))
    assert found.snapshot.bgp_peers is None
    assert found.snapshot.interfaces is not None
    assert found.snapshot.equipment is not None
    assert found.stale == {"BGP"}
    assert [(line.table, line.index) for line in found.unread] == [("BGP", "")]
