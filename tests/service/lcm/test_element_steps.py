"""COMPLETED means that it serves: the last steps at the element, where the VMs of a simulated cloud are the cards of
simulated routers."""

from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.db.models import F

from tests.factories.catalog import onboarded
from tests.factories.deployed import make_vnfc
from tests.factories.elements import make_element, make_policy
from tests.factories.inventory import make_instance
from tests.factories.packages import SHIPPED, VMG, shipped_zip
from tests.service.lcm.element_lifecycle import (
    NETWORK,
    SCALE_OUT,
    cards,
    configuration,
    in_service,
    in_xml,
    kinds,
    managed,
    name_at,
)
from tests.service.lcm.full_lifecycle import small
from tests.service.lcm.lifecycle import CrashError, Lifecycle, crash
from tests.service.watching import poll
from tests.support.cloudsim_process import CloudsimProcess
from tests.support.routersim_process import RoutersimProcess
from tests.support.waiting import until
from vnfm.catalog.selectors import vnfd_of
from vnfm.devices import registry
from vnfm.devices.errors import Refused
from vnfm.devices.ports import Cli, Snmp
from vnfm.devices.provider import Devices
from vnfm.devices.types import SnmpTarget, SshTarget
from vnfm.elements.models import Equipment, MediationPolicy, NetworkElement
from vnfm.faults.models import Alarm
from vnfm.faults.reconcilers.evaluation import evaluate_all, evaluate_stale_elements
from vnfm.inventory.models import VnfInstance
from vnfm.kit import clock
from vnfm.kit.problem import ProblemError
from vnfm.lcm.domain.requests import parse_request
from vnfm.lcm.domain.states import Operation
from vnfm.lcm.domain.steps import Blocked, Done, Waiting
from vnfm.lcm.models import LcmOpOcc
from vnfm.lcm.reconcilers.preview import compute_preview
from vnfm.lcm.router_steps.configuration import LoadConfiguration
from vnfm.lcm.router_steps.registration import RegisterElement
from vnfm.lcm.router_steps.snmp_access import SetUpSnmp
from vnfm.lcm.sagas.planning import unchanged_plan
from vnfm.lcm.sagas.step_kinds import STEP_KINDS
from vnfm.lcm.services.plans import plan_request
from vnfm.lcm.services.snapshots import snapshot_create
from vnfm.lcm.steps.base import Context
from vnfm.vims.models import Vim

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("devices")]

SERVED = ["register_element@1", "set_up_snmp@1", "load_configuration@1", "verify_service@1"]
FORCEFUL = {"terminationType": "FORCEFUL"}


@pytest.mark.usefixtures("polled")
def test_a_router_serves_when_its_operations_are_over(
    lifecycle: Lifecycle, routers: RoutersimProcess, cloudsim: CloudsimProcess, policies: dict[str, str]
) -> None:
    instance = lifecycle.create("pe")
    op = lifecycle.done(instance, Operation.INSTANTIATE, lifecycle.instantiate_request(**managed(policies, 10)))
    assert kinds(op)[-4:] == SERVED
    element = NetworkElement.objects.get(vnf_instance=instance)
    assert (element.name, element.kind, element.driver) == ("pe", "VIRTUAL", "nokia-sros")
    assert (element.management_address, element.reachable) == (f"{NETWORK}.10", "True")
    assert cards(instance) == in_service(lifecycle, instance)
    said = configuration(routers, 10)
    assert 'name "pe"' in said.replace("\\", "")
    assert "data 1 of pe-" in said
    access = op.steps.get(kind="set_up_snmp@1")
    assert "trap-target" in access.receipt["output"]
    assert "public" not in access.receipt["output"], "the community is a secret"
    assert "ping not set up: Address to be reached" in op.steps.get(kind=SERVED[-1]).message
    output = op.steps.get(kind="load_configuration@1").receipt["output"]
    assert "+" in output
    assert "data 1 of pe-" in output

    op = lifecycle.done(instance, Operation.SCALE, SCALE_OUT)
    assert kinds(op)[-2:] == SERVED[2:]
    assert cards(instance) == in_service(lifecycle, instance), "the new card is in service"
    assert "2/1/1" in op.steps.get(kind="load_configuration@1").receipt["output"]
    assert 'name "pe"' not in op.steps.get(kind="load_configuration@1").receipt["output"]

    cloudsim.control("POST", f"/servers/{lifecycle.servers_of(instance)['2']}/stop")
    until(lambda: cards(instance)["2"][0] == "PROVISIONED", "the slot without its VM")
    op = lifecycle.done(instance, Operation.HEAL, {})
    assert kinds(op)[-1] == "verify_service@1"
    assert cards(instance) == in_service(lifecycle, instance), "the healed card is in service"

    instance.refresh_from_db()
    adopted = Context(access.op, instance, {"existing": [], "stays": True}, STEP_KINDS)
    assert isinstance(SetUpSnmp().undo(adopted, access.receipt), Done)
    assert "log-id 97" not in configuration(routers, 10), "a rollback that leaves the VMs takes the access back"

    op = lifecycle.done(instance, Operation.TERMINATE, FORCEFUL)
    assert (kinds(op)[0], kinds(op)[-1]) == ("release_element@1", "remove_element@1")
    assert not NetworkElement.objects.exists()


@pytest.mark.usefixtures("polled", "routers")
def test_a_revert_forgets_host_keys_and_verifies_service(lifecycle: Lifecycle, policies: dict[str, str]) -> None:
    """It is judged by its plan: what a guest wrote to its disk is simulated nowhere, so that its router would come up
    as new.
    """
    instance = lifecycle.create("pe")
    lifecycle.done(instance, Operation.INSTANTIATE, lifecycle.instantiate_request(**managed(policies, 10)))
    named = {"vnfSnapshotInfoId": str(snapshot_create(actor="test").id)}
    lifecycle.done(instance, Operation.CREATE_SNAPSHOT, named)
    plan = previewed(instance, Operation.REVERT_TO_SNAPSHOT, named)
    names = [step["name"] for step in plan["steps"]]
    assert names == ["rebuild_from_snapshot@1", "forget_host_keys@1", "verify_service@1"]
    assert any("pe comes back with the configuration on its disk" in each for each in plan["warnings"])


def previewed(instance: VnfInstance, operation: Operation, request: dict[str, Any]) -> dict[str, Any]:
    plan = plan_request(instance_id=instance.id, request=parse_request(operation, request), vnfd_id=None, actor="test")
    compute_preview(plan.id)
    plan.refresh_from_db()
    assert plan.result is not None
    return plan.result


def test_without_a_policy_nothing_is_managed_and_the_plan_says_so(lifecycle: Lifecycle) -> None:
    instance = lifecycle.instantiated()
    op = instance.operations.get()
    assert kinds(op)[-1] == "record_vnfcs@1"
    assert op.plan is not None
    assert (
        "The element is not managed: no mediation policy was chosen, and no management profile fits."
        in op.plan["warnings"]
    )
    assert not NetworkElement.objects.exists()


def test_a_policy_that_is_none_is_refused_at_its_field(lifecycle: Lifecycle, policies: dict[str, str]) -> None:
    for name in ("no-such", "sim-ssh"):
        chosen = {"snmpPolicy": name}
        with pytest.raises(ProblemError) as caught:
            lifecycle.start(lifecycle.create(), Operation.INSTANTIATE, lifecycle.instantiate_request(**chosen))
        assert caught.value.problem.status == 422
        assert caught.value.problem.errors[0].field == "/additionalParams/snmpPolicy"


@pytest.mark.usefixtures("polled", "routers")
def test_missing_service_is_reported_card_by_card_and_rolled_back(
    lifecycle: Lifecycle, routers: RoutersimProcess, policies: dict[str, str]
) -> None:
    """An element that was there before, as by discovery, is what it was again."""
    found = make_element(name="discovered", kind="VIRTUAL", management_address=f"{NETWORK}.20")
    instance = lifecycle.create("pe")
    request = lifecycle.instantiate_request(**managed(policies, 20))
    op = lifecycle.start(instance, Operation.INSTANTIATE, request)
    until(lambda: lifecycle.look(op.id).steps.filter(kind=SERVED[0], state="DONE").exists(), "its adoption")
    routers.fault(name_at(routers, 20), "card-fail", slot="1", reason="a broken fabric")
    verify = op.steps.filter(kind=SERVED[-1])
    until(lambda: lifecycle.look(op.id) and "slot 1: FAILED" in verify.get().message, "what it waits for")
    verify.update(started_at=F("started_at") - timedelta(minutes=16))
    op = lifecycle.run(op.id)
    assert op.state == "FAILED_TEMP"
    assert op.problem["code"] == "NOT_SERVING"
    assert "pe slot 1: FAILED" in op.problem["detail"] or "discovered slot 1: FAILED" in op.problem["detail"]
    op = lifecycle.handle(op, "rollback")
    assert op.state == "ROLLED_BACK", lifecycle.story(op)
    found.refresh_from_db()
    assert (found.name, found.vnf_instance, found.snmp_policy, found.ssh_policy) == ("discovered", None, None, None)
    assert lifecycle.servers_of(instance) == {}


@pytest.mark.usefixtures("provider")
def test_an_address_that_answers_already_is_refused_in_the_plan(lifecycle: Lifecycle, policies: dict[str, str]) -> None:
    now = clock.now()
    make_element(name="live", kind="VIRTUAL", management_address=f"{NETWORK}.60", reachable="True", observed_at=now)
    request = lifecycle.instantiate_request(**managed(policies, 60))
    op = lifecycle.run(lifecycle.start(lifecycle.create("pe"), Operation.INSTANTIATE, request).id)
    assert (op.state, op.problem["code"]) == ("ROLLED_BACK", "ELEMENT_TAKEN")
    assert "live, which answers there now" in op.problem["errors"][0]["message"]
    assert op.problem["errors"][0]["field"].startswith("/additionalParams/management_ip")
    assert NetworkElement.objects.get().vnf_instance is None


@pytest.mark.usefixtures("provider")
def test_commands_for_an_element_by_netconf_are_refused_before_there_is_a_vm(
    lifecycle: Lifecycle, policies: dict[str, str]
) -> None:
    chosen = {"snmpPolicy": policies["snmpPolicy"], "netconfPolicy": "sim-netconf"}
    request = lifecycle.instantiate_request(**managed(chosen, 80))
    op = lifecycle.run(lifecycle.start(lifecycle.create("pe"), Operation.INSTANTIATE, request).id)
    assert (op.state, op.problem["code"]) == ("ROLLED_BACK", "UNFIT_LANGUAGE")
    (error,) = op.problem["errors"]
    assert error["field"] == "/additionalParams/netconfPolicy"
    assert "in commands, and the element is configured by NETCONF" in error["message"]
    assert "Choose a NETCONF policy for XML, or an SSH policy" in error["message"]
    assert not NetworkElement.objects.exists()


@pytest.mark.usefixtures("provider")
def test_xml_for_an_element_at_its_command_line_is_refused_before_there_is_a_vm(
    vim: Vim, cloudsim: CloudsimProcess, policies: dict[str, str]
) -> None:
    cloudsim.control("POST", "/reset")
    life = Lifecycle(vim, onboarded(in_xml()))
    request = life.instantiate_request(**managed(policies, 82))
    op = life.run(life.start(life.create("pe"), Operation.INSTANTIATE, request).id)
    assert (op.state, op.problem["code"]) == ("ROLLED_BACK", "UNFIT_LANGUAGE")
    (error,) = op.problem["errors"]
    assert error["field"] == "/additionalParams/sshPolicy"
    assert "in XML, and the element is configured at its command line" in error["message"]


class Locked(Devices):
    """Every element turns everybody away."""

    tries = 0

    def cli(self, target: SshTarget) -> AbstractAsyncContextManager[Cli]:
        self.tries += 1
        raise Refused("The password is wrong.", address=target.address)


@pytest.fixture
def loading(lifecycle: Lifecycle, policies: dict[str, str]) -> Context:
    """In front of the step that loads: its instance has one element, which is managed."""
    instance = lifecycle.create("pe")
    ssh = MediationPolicy.objects.get(name=policies["sshPolicy"])
    make_element(kind="VIRTUAL", driver="nokia-sros", vnf_instance=instance, ssh_policy=ssh)
    plan = replace(unchanged_plan(instance), settings={"management_ip_active": f"{NETWORK}.70"})
    return Context(
        LcmOpOcc(instance=instance, state="PROCESSING", plan=plan.as_json()), instance, {"existing": []}, STEP_KINDS
    )


def test_wrong_credentials_are_tried_twice_and_no_more(loading: Context) -> None:
    registry.install(locked := Locked())
    step = LoadConfiguration()
    first = step.observe(loading, step.submit(loading))
    assert isinstance(first, Waiting)
    assert first.receipt is not None
    soon = step.observe(loading, first.receipt)
    assert (isinstance(soon, Waiting), locked.tries) == (True, 1), "a message came too early"
    loading.elapsed = 16.0
    second = step.observe(loading, first.receipt)
    assert isinstance(second, Blocked)
    assert (second.problem.code, locked.tries) == ("CONFIGURATION_NOT_LOADED", 2)
    step.observe(loading, step.retry(loading, first.receipt))
    assert locked.tries == 3, "it was retried"


def test_nothing_is_done_where_nothing_could_be_loaded(loading: Context) -> None:
    step = LoadConfiguration()
    NetworkElement.objects.update(state="SUSPENDED")
    aside = step.observe(loading, step.submit(loading))
    assert isinstance(aside, Blocked)
    assert "it is suspended" in aside.problem.detail
    NetworkElement.objects.all().delete()
    gone = step.observe(loading, step.submit(loading))
    assert isinstance(gone, Blocked)
    assert (gone.problem.code, gone.redo) == ("NO_ELEMENT", ("register_element@1",))


class Crashing(Devices):
    """The process dies right after it has spoken to a command line for the given time."""

    def __init__(self, sessions: int) -> None:
        super().__init__()
        self._left = sessions

    def snmp(self, target: SnmpTarget) -> AbstractAsyncContextManager[Snmp]:
        return super().snmp(target)

    @asynccontextmanager
    async def _cli(self, target: SshTarget) -> Any:
        async with super().cli(target) as cli:
            yield cli
        self._left -= 1
        if not self._left:
            raise CrashError

    def cli(self, target: SshTarget) -> AbstractAsyncContextManager[Cli]:
        return self._cli(target)


@pytest.mark.usefixtures("polled")
def test_a_worker_that_dies_after_loading_loads_nothing_twice(
    lifecycle: Lifecycle, routers: RoutersimProcess, policies: dict[str, str]
) -> None:
    instance = lifecycle.create("pe")
    op = lifecycle.start(instance, Operation.INSTANTIATE, lifecycle.instantiate_request(**managed(policies, 30)))
    registry.install(Crashing(1))
    crash(lifecycle, op.id)
    assert "log-id 97" in configuration(routers, 30), "SNMP had been set up"
    registry.install(Crashing(2))
    crash(lifecycle, op.id)
    assert "data 1 of pe-" in configuration(routers, 30), "it had been loaded"
    registry.install(Devices())
    op = lifecycle.run(op.id)
    assert op.state == "COMPLETED", lifecycle.story(op)
    assert NetworkElement.objects.filter(vnf_instance=instance).count() == 1
    access, loading = op.steps.filter(kind__in=SERVED[1:3]).order_by("seq")
    assert (loading.receipt["output"], loading.message) == ("", "It was there already")
    assert (access.receipt["output"], access.message) == ("", "Set up"), "the first attempt did"
    assert [*access.receipt["absent"].values()] == [["log", "trap group", "community"]]


@pytest.mark.usefixtures("polled", "routers")
def test_integrated_routers_are_an_element_each(
    vim: Vim, provider: Any, cloudsim: CloudsimProcess, policies: dict[str, str]
) -> None:
    cloudsim.control("POST", "/reset")
    life = Lifecycle(vim, onboarded(shipped_zip(SHIPPED.parents[1] / "vsr-rr" / "13.0.R6")))
    addresses = {"management_cidr": f"{NETWORK}.0/24", "management_gateway": f"{NETWORK}.1"}
    addresses |= {"management_ip_1": f"{NETWORK}.50", "management_ip_2": f"{NETWORK}.51"}
    instance = life.instantiated(**small(vnfd_of(life.package)), **addresses, **policies)
    scaling = {"aspectId": "redundancy", "numberOfSteps": 1}

    def listed_elements() -> dict[str, tuple[str, set[str]]]:
        """Element to its address, and the servers that its cards are."""
        found = {}
        for element in NetworkElement.objects.filter(vnf_instance=instance):
            parts = Equipment.objects.filter(element=element, equipment_class__in=("CARD", "CPM"))
            assert {(part.slot, part.oper_state) for part in parts} == {("A", "IN_SERVICE"), ("1", "IN_SERVICE")}
            found[element.name] = (element.management_address, {part.vnfc.server_id for part in parts if part.vnfc})
        return found

    def wanted(*slots: str) -> dict[str, tuple[str, set[str]]]:
        servers, host = life.servers_of(instance), {"1": "50", "2": "51"}
        return {f"{instance.name}-{slot}": (f"{NETWORK}.{host[slot]}", {servers[slot]}) for slot in slots}

    assert listed_elements() == wanted("1", "2")
    life.done(instance, Operation.SCALE, {"type": "SCALE_IN", **scaling})
    assert listed_elements() == wanted("1")
    remaining = NetworkElement.objects.filter(vnf_instance=instance)
    (policy,) = remaining.values_list("ssh_policy", flat=True)
    remaining.update(ssh_policy=None)
    plan = previewed(instance, Operation.SCALE, {"type": "SCALE_OUT", **scaling})
    assert "SNMP access is not set up at the element: no SSH or NETCONF policy was chosen." in plan["warnings"]
    remaining.update(ssh_policy=policy)
    op = life.done(instance, Operation.SCALE, {"type": "SCALE_OUT", **scaling})
    assert kinds(op)[-4:] == SERVED
    assert listed_elements() == wanted("1", "2")


def test_adopting_new_resources_leaves_the_others(policies: dict[str, str]) -> None:
    """One router has an address of its own choice, the other a policy."""
    instance = make_instance(package=onboarded(shipped_zip(SHIPPED.parents[1] / "vsr-rr" / "13.0.R6")))
    rows = [make_vnfc(instance, f"rr-{slot}", vdu="router", slot=slot) for slot in "123"]
    point = vnfd_of(instance.package).element.address_point
    for number, row in enumerate(rows):
        port = {"port_id": f"p{number}", "cp_id": point, "network_id": "n", "status": "ACTIVE"}
        row.ports.create(**port, ip_addresses=[f"{NETWORK}.8{number}"], status_since=clock.now())
    moved = make_element(kind="VIRTUAL", vnf_instance=instance, vnfc=rows[0], ssh_host_key="ssh-ed25519 pinned")
    own = make_policy()
    fields = {"management_address": f"{NETWORK}.81", "snmp_policy": own}
    chosen = make_element(kind="VIRTUAL", vnf_instance=instance, vnfc=rows[1], **fields)
    params = {"policies": policies, "existing": [str(moved.id), str(chosen.id)]}
    op = LcmOpOcc(instance=instance, state="PROCESSING", plan=unchanged_plan(instance).as_json())
    RegisterElement().submit(Context(op, instance, params, STEP_KINDS))
    for element in (moved, chosen):
        assert NetworkElement.objects.get(id=element.id).version == element.version
    new = NetworkElement.objects.exclude(id__in=params["existing"]).get()
    assert (new.vnfc, new.management_address, new.snmp_policy.name) == (rows[2], f"{NETWORK}.82", "sim-snmp")


@pytest.mark.usefixtures("polled", "routers")
def test_the_alarm_of_a_card_lies_under_that_of_its_vm(
    vim: Vim, provider: Any, cloudsim: CloudsimProcess, policies: dict[str, str]
) -> None:
    """EANTC stopped LB and MG VMs of a mobile gateway."""
    cloudsim.control("POST", "/reset")
    cloudsim.control("PUT", "/settings", {"flavor_create_role": "member"})
    life = Lifecycle(vim, onboarded(shipped_zip(VMG)))
    instance = life.instantiated(**small(vnfd_of(life.package)), **managed(policies, host=40))
    assert cards(instance) == in_service(life, instance)
    server = life.servers_of(instance)["3"]
    cloudsim.control("POST", f"/servers/{server}/stop")

    def alarm_of(fault: str) -> Alarm | None:
        poll(vim, life.cloud)
        evaluate_all(now=clock.now())
        evaluate_stale_elements(now=clock.now())
        of_a_vnfc = Alarm.objects.filter(fault_type=fault, cleared_at=None).exclude(vnfc_ids=[])  # no MDA's
        return of_a_vnfc.first()

    vm = until(lambda: alarm_of("VmDown"), "the alarm of the VM")
    card = until(lambda: alarm_of("CardDown"), "the alarm of its card")
    assert (card.managed_object_name, card.root_cause_id) == (instance.name, vm.id)
    life.done(instance, Operation.TERMINATE, FORCEFUL)
    assert alarm_of("CardDown") is None, "no card of a terminated VNF is missing"
