"""Cards that are VMs."""

from typing import Any

import pytest

from routersim.cli import model
from routersim.cli.config import RejectedLine
from routersim.cloud_follower import apply_servers, management_address, server_slots, servers_by_instance
from routersim.model.parts import Oper, card_state
from tests.unit.routersim.elements import Lab


def vm(slot: str, card: str, ident: str = "", status: str = "ACTIVE", mdas: str = "", **more: Any) -> dict[str, Any]:
    timos = f"TIMOS: slot={slot} chassis=VSR card={card} {mdas}"
    metadata = {"vnf_instance": "i1", "slot": slot, "timos": timos}
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


def test_the_adapters_of_a_card_are_those_of_its_boot_string() -> None:
    lab = Lab("VMG", vnfInstance="i1")
    balancer, gateway = "mda/1=m20-v mda/4=isa-ms-v", "mda/1=isa-mg-v mda/2=isa-ms-v"
    see(lab, vm("1", "iom-v", mdas=balancer), vm("2", "iom-v-mg", mdas=gateway), vm("3", "iom-v-mg"))
    found = lab.element.chassis.cards
    cards = {card.slot: [(mda.slot, mda.type, len(mda.ports)) for mda in card.mdas] for card in found}
    assert cards == {
        "1": [(1, "m20-v", 2), (4, "isa-ms-v", 0)],
        "2": [(1, "isa-mg-v", 0), (2, "isa-ms-v", 0)],
        "3": [(1, "isa-mg-v", 0)],
    }


def test_a_configuration_with_other_adapters_than_the_hardware_is_refused() -> None:
    lab = Lab("VMG", vnfInstance="i1")
    see(lab, vm("1", "iom-v", mdas="mda/1=m20-v mda/2=isa-ms-v"))
    running = model.running(lab.router)
    assert "configure\tcard 1\tmda 2\tmda-type isa-ms-v" in running
    for wrong in ("mda 2\tmda-type isa-mg-v", "mda 3\tmda-type isa-ms-v", "card-type iom-v-mg"):
        with pytest.raises(RejectedLine):
            model.commit(lab.router, [*running, f"configure\tcard 1\t{wrong}"])
