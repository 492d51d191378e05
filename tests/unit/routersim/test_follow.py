"""Cards that are VMs."""

from typing import Any

import pytest

from routersim.cloud_follower import apply_servers, management_address, server_slots, servers_by_instance
from routersim.model.parts import Oper, card_state
from tests.unit.routersim.elements import Lab


def vm(slot: str, card: str, ident: str = "", status: str = "ACTIVE", **more: Any) -> dict[str, Any]:
    metadata = {"vnf_instance": "i1", "slot": slot, "timos": f"TIMOS: slot={slot} chassis=VSR card={card}"}
    return {"id": ident or f"vm-{slot}", "status": status, "metadata": metadata, **more}


def states(lab: Lab) -> dict[str, str]:
    return {card.slot: card_state(card, lab.clock.time()).name for card in lab.element.chassis.cards}


def see(lab: Lab, *vms: dict[str, Any]) -> bool:
    changed = apply_servers(lab.router, servers_by_instance(vms).get("i1", {}))
    if changed:
        lab.router.changed()
    return changed


@pytest.fixture
def lab() -> Lab:
    made = Lab("VSR", vnfInstance="i1")
    assert not made.element.answers(made.clock.time())
    return made


def test_cards_follow_their_vms(lab: Lab) -> None:
    assert see(lab, vm("A", "cpm-v"), vm("B", "cpm-v"), vm("1", "iom-v"))
    assert states(lab) == {"A": "IN_SERVICE", "B": "IN_SERVICE", "1": "IN_SERVICE"}
    assert lab.element.chassis.active_control == "A"
    assert lab.element.answers(lab.clock.time())
    assert not see(lab, vm("A", "cpm-v"), vm("B", "cpm-v"), vm("1", "iom-v"))


@pytest.mark.parametrize("remaining", [[vm("1", "iom-v", status="SHUTOFF")], []], ids=["stopped", "deleted"])
def test_a_deleted_vm_is_an_empty_slot(lab: Lab, remaining: list[dict[str, Any]]) -> None:
    see(lab, vm("A", "cpm-v"), vm("1", "iom-v"))
    see(lab, vm("A", "cpm-v"), *remaining)
    assert states(lab)["1"] == Oper.PROVISIONED.name


def test_the_standby_vm_takes_over(lab: Lab) -> None:
    see(lab, vm("A", "cpm-v"), vm("B", "cpm-v"), vm("1", "iom-v"))
    see(lab, vm("A", "cpm-v", status="SHUTOFF"), vm("B", "cpm-v"), vm("1", "iom-v"))
    assert lab.element.chassis.active_control == "B"
    see(lab, vm("1", "iom-v"))
    assert not lab.element.answers(lab.clock.time())


def test_another_control_vm_invalidates_a_bound_license() -> None:
    lab = Lab("VSR", vnfInstance="i1", licenseBound=True)
    see(lab, vm("A", "cpm-v"), vm("B", "cpm-v"))
    see(lab, vm("A", "cpm-v"), vm("B", "cpm-v", ident="another"))
    assert [condition.name for condition in lab.router.conditions()] == ["license-invalid"]
    see(lab, vm("A", "cpm-v"), vm("B", "cpm-v"))
    assert lab.router.conditions() == []


def test_an_integrated_vsr_is_two_cards_in_one_vm() -> None:
    server = {"metadata": {"slot": "A", "timos": "TIMOS: slot=A chassis=VSR-I card=cpm-v"}}
    assert server_slots(server) == {"A": "cpm-v", "1": "iom-v"}
    assert server_slots({"metadata": {"slot": "ece"}}) == {}


def test_the_management_address_is_a_loopback_one_or_none() -> None:
    addresses = {"mgmt": [{"addr": "10.0.0.1", "version": 4}, {"addr": "127.50.0.10", "version": 4}]}
    assert management_address({"A": ("cpm-v", vm("A", "cpm-v", addresses=addresses))}) == "127.50.0.10"
    assert management_address({"A": ("cpm-v", vm("A", "cpm-v"))}) == ""
