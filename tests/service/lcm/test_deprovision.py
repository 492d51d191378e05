"""Before a VNFC is scaled in, its card leaves the element's configuration: nothing there misses it afterwards."""

from typing import Any

import pytest

from tests.factories.catalog import onboarded
from tests.factories.packages import SHIPPED, shipped_zip
from tests.service.lcm.element_lifecycle import (
    SCALE_IN,
    SCALE_OUT,
    cards,
    configuration,
    in_service,
    in_xml,
    kinds,
    managed,
)
from tests.service.lcm.full_lifecycle import small
from tests.service.lcm.lifecycle import CrashError, Lifecycle, expire_lease
from tests.support.cloudsim_process import CloudsimProcess
from tests.support.routersim_process import RoutersimProcess
from tests.support.waiting import until
from vnfm.catalog.selectors import vnfd_of
from vnfm.clouds.errors import Rejected
from vnfm.configuration.reconcilers import push
from vnfm.elements.models import Equipment, MediationPolicy, NetworkElement
from vnfm.faults.models import Alarm
from vnfm.faults.reconcilers.evaluation import evaluate_all
from vnfm.inventory.models import VnfInstance
from vnfm.kit import clock
from vnfm.lcm.domain.states import Operation
from vnfm.lcm.services.operations import op_handle_error
from vnfm.vims.models import Vim

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("polled", "devices")]

STEP = "deprovision_cards@1"


def two_cards(life: Lifecycle, policies: dict[str, str], host: int) -> VnfInstance:
    instance = life.create("pe")
    life.done(instance, Operation.INSTANTIATE, life.instantiate_request(**managed(policies, host)))
    life.done(instance, Operation.SCALE, SCALE_OUT)
    return instance


def alarms(instance: VnfInstance) -> list[Alarm]:
    evaluate_all(now=clock.now())
    return list(Alarm.objects.filter(managed_object_name=instance.name, fault_type="CardDown", cleared_at=None))


def test_no_drift_after_a_scale_in(lifecycle: Lifecycle, routers: RoutersimProcess, policies: dict[str, str]) -> None:
    instance = two_cards(lifecycle, policies, 110)
    assert "card 2" in configuration(routers, 110)
    op = lifecycle.done(instance, Operation.SCALE, SCALE_IN)
    assert (kinds(op)[0], kinds(op)[-1]) == (STEP, "verify_service@1")
    assert "-    card 2" in op.steps.get(kind=STEP).receipt["output"]
    said = configuration(routers, 110)
    assert ("card 1" in said, "card 2" in said, "2/1/1" in said) == (True, False, False)
    assert cards(instance) == in_service(lifecycle, instance)
    assert not Equipment.objects.filter(element__vnf_instance=instance, slot__startswith="2").exists()
    assert alarms(instance) == []
    assert NetworkElement.objects.get(vnf_instance=instance).slots_leaving == []
    lifecycle.done(instance, Operation.SCALE, SCALE_OUT)
    assert "card 2" in configuration(routers, 110)
    assert cards(instance) == in_service(lifecycle, instance), "the slot is used again"


def test_a_rollback_configures_it_again(
    lifecycle: Lifecycle, routers: RoutersimProcess, policies: dict[str, str], break_cloud: Any
) -> None:
    instance = two_cards(lifecycle, policies, 120)
    break_cloud("stacks.update", Rejected("sabotage", service="heat", http_status=400), after=False)
    op = lifecycle.run(lifecycle.start(instance, Operation.SCALE, SCALE_IN).id)
    assert op.state == "FAILED_TEMP"
    assert "card 2" not in configuration(routers, 120)
    until(lambda: "2" not in cards(instance), "the card is not listed any more")
    op = lifecycle.handle(op, "rollback")
    assert op.state == "ROLLED_BACK", lifecycle.story(op)
    assert "data 1 of pe-" in configuration(routers, 120).partition("port 2/1/1")[2]
    assert NetworkElement.objects.get(vnf_instance=instance).slots_leaving == []
    until(lambda: cards(instance) == in_service(lifecycle, instance), "the card in service again")


@pytest.mark.usefixtures("routers")
def test_marked_failed_it_excuses_no_card_any_more(
    lifecycle: Lifecycle, policies: dict[str, str], break_cloud: Any
) -> None:
    instance = two_cards(lifecycle, policies, 180)
    break_cloud("stacks.update", Rejected("sabotage", service="heat", http_status=400), after=False)
    op = lifecycle.run(lifecycle.start(instance, Operation.SCALE, SCALE_IN).id)
    assert op.state == "FAILED_TEMP"
    assert NetworkElement.objects.get(vnf_instance=instance).slots_leaving == ["2"]
    op_handle_error(op_id=op.id, task="fail", actor="test")
    assert NetworkElement.objects.get(vnf_instance=instance).slots_leaving == []


def test_a_card_that_is_used_stays_and_so_does_its_vm(
    lifecycle: Lifecycle, routers: RoutersimProcess, policies: dict[str, str]
) -> None:
    instance = two_cards(lifecycle, policies, 130)
    used = ["configure", "service", "vprn 7", 'interface "x"', "sap 2/1/1", 'description "y"']
    element = NetworkElement.objects.get(vnf_instance=instance)
    lines = "\n".join("    " * depth + word for depth, word in enumerate(used))
    push.load(element, lines)
    op = lifecycle.start(instance, Operation.SCALE, SCALE_IN)
    until(lambda: "uses a port of it" in lifecycle.look(op.id).steps.get(kind=STEP).message, "what it says")
    op.steps.filter(kind=STEP).update(started_at="2000-01-01T00:00:00Z")
    op = lifecycle.run(op.id)
    assert (op.state, op.problem["code"]) == ("FAILED_TEMP", "CARDS_NOT_DEPROVISIONED")
    assert "uses a port of it" in op.problem["causes"][0]["message"]
    assert set(lifecycle.servers_of(instance)) == {"A", "B", "1", "2"}, "its VM was not touched"
    op = lifecycle.handle(op, "rollback")
    assert op.state == "ROLLED_BACK", lifecycle.story(op)
    assert cards(instance) == in_service(lifecycle, instance)


def test_a_worker_that_dies_after_it_goes_on(
    lifecycle: Lifecycle, routers: RoutersimProcess, policies: dict[str, str], break_cloud: Any
) -> None:
    """Whatever was noted of it: the second time there is nothing to take away."""
    instance = two_cards(lifecycle, policies, 140)
    op = lifecycle.start(instance, Operation.SCALE, SCALE_IN)
    break_cloud("stacks.update", CrashError(), after=False)
    with pytest.raises(CrashError):
        lifecycle.run(op.id)
    expire_lease(op.id)
    op.steps.filter(kind=STEP).update(state="RUNNING", receipt={"begun": False, "output": ""})
    op = lifecycle.run(op.id)
    assert op.state == "COMPLETED", lifecycle.story(op)
    assert cards(instance) == in_service(lifecycle, instance)


@pytest.mark.usefixtures("routers")
def test_without_a_way_in_the_plan_says_that_it_stays(lifecycle: Lifecycle, policies: dict[str, str]) -> None:
    instance = two_cards(lifecycle, policies, 150)
    NetworkElement.objects.filter(vnf_instance=instance).update(ssh_policy=None)
    op = lifecycle.done(instance, Operation.SCALE, SCALE_IN)
    assert STEP not in kinds(op)
    assert op.plan is not None
    (words,) = (words for words in op.plan["warnings"] if words.startswith("Slot 2 stays configured at pe"))
    assert "neither a NETCONF nor an SSH policy" in words


@pytest.mark.usefixtures("routers")
def test_a_package_in_commands_and_an_element_by_netconf(lifecycle: Lifecycle, policies: dict[str, str]) -> None:
    """Said in the plan: at run time the element could only refuse them."""
    instance = two_cards(lifecycle, policies, 180)
    netconf = MediationPolicy.objects.get(name="sim-netconf")
    NetworkElement.objects.filter(vnf_instance=instance).update(netconf_policy=netconf)
    op = lifecycle.done(instance, Operation.SCALE, SCALE_IN)
    assert STEP not in kinds(op)
    assert op.plan is not None
    (words,) = (words for words in op.plan["warnings"] if words.startswith("Slot 2 stays configured at pe"))
    assert "in commands, and the element is configured by NETCONF" in words
    op = lifecycle.run(lifecycle.start(instance, Operation.SCALE, SCALE_OUT).id)
    assert (op.state, op.problem["code"]) == ("ROLLED_BACK", "UNFIT_LANGUAGE")
    assert "take the one that it has away for commands" in op.problem["detail"]
    assert set(lifecycle.servers_of(instance)) == {"A", "B", "1"}, "no VM was created for a card without configuration"


@pytest.mark.usefixtures("provider")
def test_by_netconf_alone(
    vim: Vim, cloudsim: CloudsimProcess, routers: RoutersimProcess, policies: dict[str, str]
) -> None:
    cloudsim.control("POST", "/reset")
    life = Lifecycle(vim, onboarded(in_xml()))
    instance = two_cards(life, {"snmpPolicy": "sim-snmpv3", "netconfPolicy": "sim-netconf"}, 190)
    assert "card 2" in configuration(routers, 190)
    assert "snmpv3 notify-community" in configuration(routers, 190).replace("\\", ""), "SNMP was set up, too"
    op = life.done(instance, Operation.SCALE, SCALE_IN)
    assert kinds(op)[0] == STEP
    said = configuration(routers, 190)
    assert ("card 1" in said, "card 2" in said, "2/1/1" in said) == (True, False, False)
    assert cards(instance) == in_service(life, instance)


@pytest.mark.matrix(1)
@pytest.mark.usefixtures("routers", "provider")
@pytest.mark.parametrize(("product", "host"), [("vmg-saegw", 160), ("vmg-epdg", 170)])
def test_gateways_lose_the_cards_of_removed_vnfcs(
    vim: Vim, cloudsim: CloudsimProcess, policies: dict[str, str], product: str, host: int
) -> None:
    cloudsim.control("POST", "/reset")
    cloudsim.control("PUT", "/settings", {"flavor_create_role": "member"})
    life = Lifecycle(vim, onboarded(shipped_zip(SHIPPED.parents[1] / product / "8.0")))
    instance = life.instantiated(**small(vnfd_of(life.package)), **managed(policies, host))
    before, levels = set(cards(instance)), instance.scale_levels
    more = [{"aspectId": aspect, "scaleLevel": level + 1} for aspect, level in levels.items()]
    life.done(instance, Operation.SCALE_TO_LEVEL, {"scaleInfo": more})
    assert before < set(cards(instance))
    less = [{"aspectId": aspect, "scaleLevel": level} for aspect, level in levels.items()]
    op = life.done(instance, Operation.SCALE_TO_LEVEL, {"scaleInfo": less})
    assert kinds(op)[0] == STEP
    assert set(cards(instance)) == before
