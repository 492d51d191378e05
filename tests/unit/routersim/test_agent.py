"""The agent: GET, GETNEXT, GETBULK and SET over tables that are views of the model."""

import pytest

from routersim.faults import inject
from routersim.snmp import ber
from routersim.snmp.agent import Error
from tests.unit.routersim.elements import Lab

IF_ADMIN = (1, 3, 6, 1, 2, 1, 2, 2, 1, 7)
SYS_NAME = (1, 3, 6, 1, 2, 1, 1, 5, 0)
PORT_1_1_1 = 35684352


def ask(
    lab: Lab, pdu: int, *oids: ber.Oid, first: int = 0, second: int = 0, community: str = "public"
) -> list[ber.Binding]:
    bindings = [ber.encode_binding(ber.oid_octets(oid), ber.NOTHING[ber.Tag.NULL]) for oid in oids]
    octets = ber.encode_message(community.encode(), pdu, 1, first, second, bindings=bindings)
    answer = lab.router.engine.received(octets, ("127.0.0.1", 9), lab.clock.time())
    assert answer is not None
    return ber.decode_message(answer).bindings


def put(lab: Lab, oid: ber.Oid, value: int, tag: ber.Tag = ber.Tag.INTEGER, community: str = "private") -> int:
    """SET one number; returns error-status."""
    binding = ber.encode_binding(ber.oid_octets(oid), ber.encode_value(tag, value))
    octets = ber.encode_message(community.encode(), ber.Pdu.SET, 1, 0, 0, bindings=[binding])
    answer = lab.router.engine.received(octets, ("127.0.0.1", 9), lab.clock.time())
    assert answer is not None
    return ber.decode_message(answer).first


def walk(lab: Lab) -> list[ber.Binding]:
    """All cells, by GETNEXT."""
    oid: ber.Oid = (1, 0)
    found = []
    while (binding := ask(lab, ber.Pdu.GET_NEXT, oid)[0]).tag != ber.Tag.END_OF_MIB_VIEW:
        oid = binding.oid
        found.append(binding)
    return found


@pytest.mark.parametrize("kind", ["7750-SR-12", "NE9000"])
def test_each_port_has_a_mac_of_its_own(kind: str) -> None:
    lab = Lab(kind, cards=2, ports=3)
    macs = [row.value for row in walk(lab) if row.oid[:10] == (1, 3, 6, 1, 2, 1, 2, 2, 1, 6)]
    assert len(macs) == 6
    assert len(set(macs)) == 6


@pytest.mark.parametrize("kind", ["7750-SR-12", "NE9000"])
def test_a_walk_is_in_order_and_every_cell_can_be_got(kind: str) -> None:
    lab = Lab(kind, cards=1, ports=2, peers=[{"address": "127.0.9.1"}])
    cells = walk(lab)
    oids = [cell.oid for cell in cells]
    assert oids == sorted(set(oids))
    assert len(oids) > 200
    for cell in cells:
        (got,) = ask(lab, ber.Pdu.GET, cell.oid)
        assert (got.tag, got.value) == (cell.tag, cell.value)


def test_getbulk_equals_repeated_getnext() -> None:
    lab = Lab(cards=2, ports=5)
    cells = walk(lab)
    bulk = ask(lab, ber.Pdu.GET_BULK, (1, 0), second=50)
    assert [cell.oid for cell in bulk] == [cell.oid for cell in cells[:50]]
    columns = ask(lab, ber.Pdu.GET_BULK, SYS_NAME[:-1], IF_ADMIN, (*IF_ADMIN[:-1], 8), first=1, second=3)
    assert columns[0].oid == SYS_NAME
    assert [cell.oid[9] for cell in columns[1:]] == [7, 8, 7, 8, 7, 8]


def test_getbulk_ends_with_the_tables_and_fits_a_datagram() -> None:
    lab = Lab(cards=2, ports=20)
    end = ask(lab, ber.Pdu.GET_BULK, (2, 0), second=10)
    assert [cell.tag for cell in end] == [ber.Tag.END_OF_MIB_VIEW]
    binding = ber.encode_binding(ber.oid_octets((1, 0)), ber.NOTHING[ber.Tag.NULL])
    octets = ber.encode_message(b"public", ber.Pdu.GET_BULK, 1, 0, 5000, bindings=[binding])
    answer = lab.router.engine.received(octets, ("127.0.0.1", 9), lab.clock.time())
    assert answer is not None
    assert ber.MAX_OCTETS - 320 < len(answer) <= ber.MAX_OCTETS


def test_missing_objects_and_instances_differ() -> None:
    lab = Lab()
    nothing, no_row = ask(lab, ber.Pdu.GET, (1, 3, 6, 1, 4, 1, 99999, 1), (*IF_ADMIN, 1))
    assert nothing.tag == ber.Tag.NO_SUCH_OBJECT
    assert no_row.tag == ber.Tag.NO_SUCH_INSTANCE


def test_a_wrong_community_gets_no_answer() -> None:
    lab = Lab()
    for pdu, community in ((ber.Pdu.GET, "wrong"), (ber.Pdu.SET, "public")):
        octets = ber.encode_message(community.encode(), pdu, 1, 0, 0, bindings=[])
        assert lab.router.engine.received(octets, ("127.0.0.1", 9), 0.0) is None


def test_shutting_a_port_by_set_takes_its_link_down() -> None:
    lab = Lab()
    assert put(lab, (*IF_ADMIN, PORT_1_1_1), 2) == Error.NONE
    admin, oper = ask(lab, ber.Pdu.GET, (*IF_ADMIN, PORT_1_1_1), (*IF_ADMIN[:-1], 8, PORT_1_1_1))
    assert (admin.value, oper.value) == (2, 2)


@pytest.mark.parametrize(
    ("oid", "value", "tag", "status"),
    [
        ((*IF_ADMIN, PORT_1_1_1), 3, ber.Tag.INTEGER, Error.WRONG_VALUE),
        ((*IF_ADMIN, PORT_1_1_1), 2, ber.Tag.GAUGE32, Error.WRONG_TYPE),
        ((*IF_ADMIN[:-1], 8, PORT_1_1_1), 2, ber.Tag.INTEGER, Error.NOT_WRITABLE),
        ((*IF_ADMIN, 5), 2, ber.Tag.INTEGER, Error.NO_CREATION),
        ((1, 3, 6, 1, 4, 1, 99999, 1), 2, ber.Tag.INTEGER, Error.NO_ACCESS),
    ],
)
def test_an_invalid_set_is_refused(oid: ber.Oid, value: int, tag: ber.Tag, status: Error) -> None:
    assert put(Lab(), oid, value, tag) == status


def column(lab: Lab, oid: str, system: int = 0) -> list[object]:
    """The values of a column of one of the lab's elements."""
    prefix = tuple(map(int, oid.split(".")))
    lab.router = lab.routers[system]
    found = ask(lab, ber.Pdu.GET_BULK, prefix, second=50)
    return [cell.value for cell in found if cell.oid[: len(prefix)] == prefix]


def test_the_log_grows_with_every_notification() -> None:
    lab = Lab(cards=1, ports=1)
    logged = "1.3.6.1.2.1.92.1.3.1.1.9"
    assert column(lab, logged) == []
    for count in (1, 2):
        inject(lab.router, "trap", {"oid": "1.3.6.1.4.1.99999.0.1"})
        assert len(column(lab, logged)) == count


def test_an_unconfigured_board_disappears_from_all_virtual_systems() -> None:
    lab = Lab("NE9000", cards=1, ports=1, virtualSystems=[{"name": "VS1", "address": "127.0.1.2"}])
    names = "1.3.6.1.2.1.31.1.1.1.1"
    assert column(lab, names, system=1) == [b"100GE1/0/0"]
    inject(lab.routers[0], "card-unconfigure", {"slot": "1"})
    assert column(lab, names, system=1) == []


def test_counters_grow_only_while_the_port_is_up() -> None:
    lab = Lab()
    counter = (1, 3, 6, 1, 2, 1, 31, 1, 1, 1, 6, PORT_1_1_1)

    def octets() -> int:
        value = ask(lab, ber.Pdu.GET, counter)[0].value
        assert isinstance(value, int)
        return value

    lab.clock.advance(10)
    ten = octets()
    port = lab.element.port("1/1/1")
    assert port is not None
    assert ten == 10 * port.rate_in
    port.cable = False
    lab.router.changed()
    lab.clock.advance(10)
    assert octets() == ten
