"""BFD sessions: what the drivers read of simulated routers, and of indexes that they do not send."""

import pytest

from routersim.faults import inject
from routersim.mibs import huawei, standard, timetra
from routersim.snmp.mib import Table
from tests.unit.routersim.elements import Lab
from vnfm.elements.domain.drivers import bfd, driver_named
from vnfm.elements.domain.drivers.base import Reading
from vnfm.elements.domain.snapshot import ObservedAdjacency
from vnfm.elements.domain.trap_catalogue import CATALOGUE

FAR = "127.0.9.7"
KINDS = {
    "7750-SR-12": ("nokia-sros", timetra.BFD_SESSIONS, "1/1/1"),
    "NE9000": ("huawei-vrp", huawei.BFD_SESSIONS, "100GE1/0/0"),
}


def read(lab: Lab, *tables: Table) -> Reading:
    lab.router.scope.now = lab.clock.time()
    columns = {
        ".".join(map(str, (*table.oid, column.number))): {
            index: column.read(lab.router.scope, row) for index, row in table.rows(lab.router.scope).items()
        }
        for table in tables
        for column in table.columns
    }
    return Reading("127.0.1.1", {}, columns)


def sessions(lab: Lab, driver: str, table: Table) -> list[ObservedAdjacency]:
    found = driver_named(driver).snapshot(read(lab, table, standard.IF_TABLE, standard.IFX_TABLE), ["NEIGHBOURS"])
    return [one for one in found.adjacencies or () if one.protocol == "BFD"]


@pytest.mark.parametrize("kind", KINDS)
def test_a_session_is_read_with_its_port_and_its_loss_is_notified(kind: str) -> None:
    driver, table, name = KINDS[kind]
    lab = Lab(kind, cards=1, ports=2, links=[{"port": name, "neighbour": "p", "neighbourPort": "x", "bfd": True}])
    port = lab.element.port(name)
    assert port is not None
    assert sessions(lab, driver, table) == [], "until the neighbour is there"
    port.far_address = FAR
    expected = {"protocol": "BFD", "local_port": name, "if_index": port.index, "remote_id": FAR, "remote_address": FAR}
    assert sessions(lab, driver, table) == [ObservedAdjacency(**expected, state="UP")]

    lab.notified()
    for fault, state, link in (("bfd-down", "DOWN", True), ("bfd-up", "UP", True), ("port-down", "DOWN", False)):
        inject(lab.router, fault, {"port": name})
        assert (port.up, sessions(lab, driver, table)[0].state) == (link, state)
        oids = [".".join(map(str, oid)) for oid in lab.notified()]
        assert "NEIGHBOURS" in {part for oid in oids for part in CATALOGUE[oid].parts}, "the trap wakes the poll"


def test_the_newer_table_of_sros_wins_and_addresses_have_either_family() -> None:
    older, newer = (1, 7, 1, 4, 10, 0, 0, 1, 1, 4, 10, 0, 0, 2), (1, 7, 2, 16, *[0] * 15, 1, 2, 16, *[0] * 15, 2)
    table = {
        bfd.SROS_STATE: {older: 3, (1, 8, 1, 4, 10): 3},
        bfd.SROS_EXT_STATE: {(0, 0, *older): 1, (0, 0, *newer): 0},
    }
    found = driver_named("nokia-sros").snapshot(Reading("192.0.2.1", {}, table), ["NEIGHBOURS"]).adjacencies or ()
    assert [(one.remote_address, one.state) for one in found] == [("10.0.0.2", "DOWN"), ("::2", "ADMIN_DOWN")]
