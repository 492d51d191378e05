"""A reading of which tables are missing is shown in part: pure."""

from dataclasses import replace

import pytest

from tests.support.walks import WALKS, reading_of, rows_of
from vnfm.devices.types import Table, Unread
from vnfm.elements.domain.drivers import DRIVERS, generic, standard
from vnfm.elements.domain.drivers.base import Driver, Reading
from vnfm.elements.domain.parts import PARTS
from vnfm.elements.domain.snapshot import Snapshot
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


@pytest.mark.parametrize("column", [standard.IF_NAME, standard.IF_ALIAS, standard.IP_INDEX])
def test_a_column_that_decides_no_state_is_unknown_where_there_are_no_last_rows(column: str) -> None:
    """There are none right after an upgrade from a release that kept none."""
    table = {**PORT, standard.IF_DESCR: {(1,): b"port 1"}, standard.IF_OPER: {(1,): 1}}
    found = read(
        {name: rows for name, rows in table.items() if name != column},
        {column: REPEATS, standard.BGP_LAST_ERROR: REPEATS},
        {},
    )
    assert found.snapshot.interfaces is not None
    assert [(row.oper, row.alias, row.addresses) for row in found.snapshot.interfaces] == [("UP", "", ())]
    assert found.snapshot.bgp_peers == ()
    assert found.stale == ({"EQUIPMENT", "NEIGHBOURS"} & parts_that_require(column))
    assert [line.reason.rpartition(". ")[2] for line in found.unread] == ["It is not shown."] * 2


def parts_that_require(column: str) -> set[str]:
    return {part for part, source in generic.DRIVER.sources.items() if column in (*source.states, *source.required)}


def essence(snapshot: Snapshot) -> dict[str, set[tuple[object, ...]]]:
    """Return which rows there are, what identifies them, and their states, by part."""
    return {
        "EQUIPMENT": {
            (row.fdn, row.parent_fdn, row.equipment_class, row.slot, row.admin_state, row.oper_state, row.if_index)
            for row in snapshot.equipment or ()
        },
        "INTERFACES": {(row.if_index, row.admin, row.oper, row.port_if_index) for row in snapshot.interfaces or ()},
        "BGP": {(row.vrf, row.peer_address, row.admin_state, row.state) for row in snapshot.bgp_peers or ()},
        "FACTS": {(row.name, row.subject, row.value) for row in snapshot.facts or ()},
        "NEIGHBOURS": {
            (row.protocol, row.local_port, row.remote_id, row.remote_port, row.if_index, row.state)
            for row in snapshot.adjacencies or ()
        },
    }


@pytest.mark.parametrize("walk", sorted(each.stem for each in WALKS.glob("*.yaml") if "\nrows:" in each.read_text()))
def test_without_a_column_that_is_not_required_the_same_rows_have_the_same_states(walk: str) -> None:
    driver, reading = reading_of(rows_of(walk))
    whole = essence(driver.snapshot(reading, PARTS))
    for column in driver.columns(PARTS):
        table = {name: rows for name, rows in reading.table.items() if name != column}
        found = essence(driver.snapshot(Reading(reading.address, reading.scalars, table), PARTS))
        for part, source in driver.sources.items():
            if column in source.columns and column not in (*source.states, *source.required):
                assert found[part] == whole[part], (part, column)


@pytest.mark.parametrize("driver", DRIVERS, ids=lambda driver: driver.name)
def test_what_is_required_is_read(driver: Driver) -> None:
    for source in driver.sources.values():
        assert {*source.states, *source.required} <= {*source.columns}


def test_a_new_element_has_what_could_be_read() -> None:
    found = read(without(standard.IF_NAME), {standard.IF_NAME: REPEATS}, None)
    assert found.snapshot.interfaces is not None
    assert [row.oper for row in found.snapshot.interfaces] == ["DOWN"]
    assert found.unread[0].reason == "ifXTable could not be read: it repeats a row. It is not shown."


def test_a_table_that_is_too_long_is_cut() -> None:
    found = read(PORT, {standard.IF_OPER: Unread("it has more than 1 rows", cut=True)}, PORT)
    assert found.stale == frozenset()
    assert found.unread[0].reason == "ifTable is shown in part: it has more than 1 rows."


@pytest.mark.parametrize(
    ("unread", "failed"),
    [
        (REPEATS, True),
        (Unread("it has more than 1 rows", cut=True), False),
        (Unread("it was not read within 60 s", late=True), False),
        (Unread("the tables have more than 32 MiB", large=True), False),
    ],
)
def test_only_what_may_pass_is_tried_again_soon(unread: Unread, *, failed: bool) -> None:
    assert read(PORT, {standard.IF_ALIAS: unread}, PORT).failed is failed
    assert read(PORT, {standard.IF_ALIAS: unread, standard.BGP_STATE: REPEATS}, PORT).failed


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
