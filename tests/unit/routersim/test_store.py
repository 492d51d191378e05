"""Storing and restoring elements; specifications."""

from pathlib import Path

import pytest

from routersim.faults import inject
from routersim.model.build import InvalidSpec, build, fleet
from routersim.store import Store
from tests.unit.routersim.elements import PEERS, Lab
from vnfm.elements.domain.drivers import driver_for


def test_elements_survive_storage(tmp_path: Path) -> None:
    lab = Lab("NE9000", cards=2, ports=2, peers=PEERS, virtualSystems=[{"name": "VS1", "address": "127.0.1.2"}])
    inject(lab.router, "card-fail", {"slot": "1", "reason": "burnt"})
    store = Store(tmp_path / "x.sqlite")
    store.save(router.element for router in lab.routers)
    store.close()
    again = Store(tmp_path / "x.sqlite").elements()
    assert again == [router.element for router in lab.routers]
    assert again[0].chassis is again[1].chassis


def test_a_text_is_generated_once(tmp_path: Path) -> None:
    """Host keys of SSH: clients pin them, and a restart must not look like an attack."""
    store = Store(tmp_path / "x.sqlite")
    assert [store.text("key", lambda: "first"), store.text("key", lambda: "second")] == ["first", "first"]
    store.close()
    assert Store(tmp_path / "x.sqlite").text("key", lambda: "third") == "first"


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ({"name": "x", "kind": "toaster", "address": "127.0.0.9"}, "kinds"),
        ({"name": "x", "kind": "VSR", "address": "10.0.0.1"}, "outside of 127.0.0.0/8"),
        ({"name": "x", "kind": "VSR", "address": "nowhere"}, "address"),
        ({"name": "x", "kind": "VSR", "address": "127.0.0.9", "colour": "red"}, "unknown: colour"),
        ({"name": "x", "kind": "VSR", "address": "127.0.0.9", "cards": 99}, "cards is 99"),
        ({"name": "x", "kind": "VSR", "address": "127.0.0.9", "peers": [{}]}, "peers"),
        ({"name": "x", "kind": "VSR", "address": "127.0.0.9", "virtualSystems": [{"name": "a"}]}, "no virtual systems"),
        (
            {
                "name": "x",
                "kind": "NE9000",
                "address": "127.0.0.9",
                "cards": 1,
                "ports": 2,
                "virtualSystems": [
                    {"name": "a", "address": "127.0.0.8", "ports": ["100GE1/0/0"]},
                    {"name": "b", "address": "127.0.0.7", "ports": ["100GE1/0/0"]},
                ],
            },
            "virtual system b: the ports 100GE1/0/0 are not free",
        ),
    ],
)
def test_an_invalid_specification_is_refused(spec: dict[str, object], words: str) -> None:
    with pytest.raises(InvalidSpec, match=words):
        build(spec, snmp_port=0, ssh_port=0, trap_targets=[], now=0.0)


def test_virtual_systems_share_the_ports_of_one_card() -> None:
    """EANTC had it so: five ports of one LPU for each."""
    names = [f"100GE1/0/{number}" for number in range(10)]
    systems = [
        {"name": "VS1", "address": "127.0.1.2", "ports": names[:5]},
        {"name": "VS2", "address": "127.0.1.3", "ports": names[5:]},
    ]
    lab = Lab("NE9000", cards=1, ports=12, virtualSystems=systems)
    (card,) = (card for card in lab.element.chassis.cards if card.role == "line")
    owners = [port.owner for mda in card.mdas for port in mda.ports]
    assert owners == ["VS1"] * 5 + ["VS2"] * 5 + ["", ""]


@pytest.mark.parametrize(
    ("kind", "software"),
    [("VSR", "TiMOS-C-0.0.B2-4601"), ("VSR-I", "TiMOS-B-13.0.R6"), ("VMG", "TiMOS-MG-C-8.0.B2-19")],
)
def test_virtual_routers_have_the_software_that_was_tested(kind: str, software: str) -> None:
    element = Lab(kind, vnfInstance="i1").element
    assert (element.software, element.description.split()[0]) == (software, software)


@pytest.mark.parametrize(
    ("kind", "version", "control"),
    [("NE9000", "8.160", ["21", "22"]), ("NE9000-8", "8.160", ["9", "10"]), ("NE40E", "8.150", ["9", "10"])],
)
def test_chassis_of_the_core_network_that_was_tested(kind: str, version: str, control: list[str]) -> None:
    lab = Lab(kind, cards=3, ports=4)
    cards = lab.element.chassis.cards
    assert [card.slot for card in cards if card.role == "control"] == control
    assert len({card.slot for card in cards}) == len(cards)
    assert f"Version {version} " in lab.element.description
    assert driver_for(lab.element.object_id).name == "huawei-vrp"


def test_an_ne40e_has_no_virtual_systems() -> None:
    with pytest.raises(InvalidSpec, match="NE40E has no virtual systems"):
        Lab("NE40E", virtualSystems=[{"name": "VS1", "address": "127.0.1.2"}])


def test_a_fleet_has_names_and_addresses_in_order() -> None:
    wishes = list(fleet({"count": 3, "kind": "VSR", "network": "127.20.0.0/24", "name": "r"}))
    assert [(spec["name"], spec["address"]) for spec in wishes] == [
        ("r-0001", "127.20.0.1"), ("r-0002", "127.20.0.2"), ("r-0003", "127.20.0.3"),
    ]  # fmt: skip
    with pytest.raises(InvalidSpec, match="no room"):
        list(fleet({"count": 9, "kind": "VSR", "network": "127.20.0.0/30"}))
