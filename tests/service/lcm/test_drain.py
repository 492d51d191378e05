"""Routers that are scaled in go without loss: drained first, refused where no other path is left."""

from dataclasses import replace
from itertools import count
from typing import Any

import pytest

from tests.cloudsim_process import CloudsimProcess
from tests.factories.catalog import onboarded
from tests.factories.deployed import make_vnfc
from tests.factories.elements import make_element, make_policy
from tests.factories.inventory import make_instance
from tests.factories.packages import SHIPPED, shipped_zip, vsr_next
from tests.routersim_process import RoutersimProcess
from tests.service.lcm.element_lifecycle import NETWORK, configuration, kinds
from tests.service.lcm.full_lifecycle import small
from tests.service.lcm.lifecycle import CrashError, Lifecycle, expire_lease
from vnfm.catalog.selectors import vnfd_of
from vnfm.clouds.errors import Rejected
from vnfm.configuration.models import ConfigurationVersion
from vnfm.configuration.reconcilers import push
from vnfm.elements.models import BgpPeer, NetworkElement
from vnfm.inventory.models import VnfInstance
from vnfm.kit import clock
from vnfm.kit.problem import ProblemError
from vnfm.lcm.domain.plan import Stage
from vnfm.lcm.domain.requests import ChangeVnfpkgRequest, ScaleRequest
from vnfm.lcm.domain.states import Operation
from vnfm.lcm.domain.steps import Blocked, Done, Outcome, Receipt, Waiting
from vnfm.lcm.models import LcmOpOcc
from vnfm.lcm.sagas.drain_steps import with_drain
from vnfm.lcm.sagas.planning import Planned, Planning, unchanged_plan
from vnfm.lcm.sagas.router_stages import with_stage_steps
from vnfm.lcm.sagas.stack_update import stack_update_steps
from vnfm.lcm.steps import registry
from vnfm.lcm.steps.base import Context
from vnfm.lcm.steps.drain import DrainRouters, VerifyNeighbours
from vnfm.lcm.wire.op_occ import op_occ
from vnfm.vims.models import Vim

pytestmark = pytest.mark.django_db(transaction=True)
at_routers = pytest.mark.usefixtures("polled", "devices", "routers", "provider")

REFLECTOR = SHIPPED.parents[1] / "vsr-rr" / "13.0.R6"
SCALE_IN = {"type": "SCALE_IN", "aspectId": "redundancy", "numberOfSteps": 1}
RESTORE = "restore_configuration@1"
DRAIN, UNDRAIN, VERIFY = "drain_routers@1", "undrain_routers@1", "verify_neighbours@1"
BGP = ["configure", "router Base", "bgp", 'group "clients"', "neighbor 10.9.9.9", "peer-as 65009"]


class Pair:
    """Two route reflectors, each a simulated router with a BGP configuration, at hosts `host` and `host` + 1."""

    def __init__(self, life: Lifecycle, policies: dict[str, str], host: int) -> None:
        self.life, self.host = life, host
        addresses = {"management_cidr": f"{NETWORK}.0/24", "management_gateway": f"{NETWORK}.1"}
        addresses |= {"management_ip_1": f"{NETWORK}.{host}", "management_ip_2": f"{NETWORK}.{host + 1}"}
        self.instance: VnfInstance = life.instantiated(**small(vnfd_of(life.package)), **addresses, **policies)
        for number in (1, 2):
            push.load(self.element(number), "\n".join("    " * depth + word for depth, word in enumerate(BGP)))

    def element(self, number: int) -> NetworkElement:
        return NetworkElement.objects.get(vnf_instance=self.instance, vnfc__slot=str(number))

    def scale_in(self, **params: Any) -> LcmOpOcc:
        return self.life.start(self.instance, Operation.SCALE, {**SCALE_IN, **params})


@pytest.fixture
def life(vim: Vim, cloudsim: CloudsimProcess) -> Lifecycle:
    cloudsim.control("POST", "/reset")
    return Lifecycle(vim, onboarded(shipped_zip(REFLECTOR)))


def texts_of(element: NetworkElement) -> list[str]:
    return [version.clear_text for version in ConfigurationVersion.objects.filter(element=element).order_by("number")]


@at_routers
def test_a_router_is_drained_before_it_goes(life: Lifecycle, policies: dict[str, str]) -> None:
    pair = Pair(life, policies, 190)
    op = pair.scale_in()
    op = life.run(op.id)
    assert op.state == "COMPLETED", life.story(op)
    assert kinds(op)[0] == DRAIN
    assert "fell from" in op.steps.get(kind=DRAIN).message
    assert set(life.servers_of(pair.instance)) == {"1"}
    assert "med-out" not in configuration_of(pair, 1), "its sibling is not touched"
    drain, *others = op_occ(op)["lcmCoordinations"]
    assert [each["coordinationActionName"] for each in others] == ["verify-neighbours"] * kinds(op).count(VERIFY)
    assert (drain["coordinationActionName"], drain["endpointType"]) == ("drain", "MGMT")
    assert drain["coordinationResult"] == "CONTINUE"
    assert drain["startTime"] < drain["endTime"]


def configuration_of(pair: Pair, number: int) -> str:
    return texts_of(pair.element(number))[-1]


@at_routers
def test_a_rollback_takes_the_drain_back(
    life: Lifecycle, routers: RoutersimProcess, policies: dict[str, str], break_cloud: Any
) -> None:
    pair = Pair(life, policies, 194)
    before = configuration(routers, 195)
    break_cloud("stacks.update", Rejected("sabotage", service="heat", http_status=400), after=False)
    op = life.run(pair.scale_in().id)
    assert op.state == "FAILED_TEMP"
    assert "med-out 4294967295" in configuration(routers, 195)
    op = life.handle(op, "rollback")
    assert op.state == "ROLLED_BACK", life.story(op)
    assert "med-out" not in configuration(routers, 195)
    assert "peer-as 65009" in configuration(routers, 195)
    assert configuration(routers, 195).count("\n") == before.count("\n")


@at_routers
def test_a_worker_that_dies_while_it_drains_goes_on(
    life: Lifecycle, policies: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once when the lines are sent and that is not stored, once later: what was there before is known in the end."""
    pair = Pair(life, policies, 198)
    op, deaths = pair.scale_in(), count()

    class DyingDrain(DrainRouters):
        def observe(self, ctx: Context, receipt: Receipt) -> Outcome:
            outcome = super().observe(ctx, receipt)
            if next(deaths) in (1, 3):
                raise CrashError
            return outcome

    monkeypatch.setitem(registry.STEP_KINDS_BY_NAME, DRAIN, DyingDrain)
    for _ in range(2):
        with pytest.raises(CrashError):
            life.run(op.id)
        expire_lease(op.id)
    op = life.run(op.id)
    assert op.state == "COMPLETED", life.story(op)
    (entry,) = op.steps.get(kind=DRAIN).receipt["routers"].values()
    assert [change[1:] for change in entry["changes"]] == [
        ["med-out 4294967295", "no med-out"],
        ["local-preference 0", "no local-preference"],
    ]


@at_routers
def test_a_router_that_works_is_drained_before_it_is_healed_and_takes_traffic_again(
    life: Lifecycle, routers: RoutersimProcess, policies: dict[str, str]
) -> None:
    pair = Pair(life, policies, 202)
    row = pair.element(2).vnfc
    assert row is not None
    op = life.run(life.start(pair.instance, Operation.HEAL, {"vnfcInstanceId": [str(row.id)]}).id)
    assert op.state == "COMPLETED", life.story(op)
    found = kinds(op)
    assert found[0] == DRAIN
    assert found.index("verify_service@1") < found.index(UNDRAIN)
    assert "fell from" in op.steps.get(kind=DRAIN).message
    assert "med-out" not in configuration(routers, 203)
    assert "peer-as 65009" in configuration(routers, 203)


@at_routers
def test_a_router_that_was_drained_and_stopped_takes_traffic_when_it_is_started(
    life: Lifecycle, routers: RoutersimProcess, policies: dict[str, str]
) -> None:
    pair = Pair(life, policies, 206)
    row = pair.element(2).vnfc
    assert row is not None
    named = {"vnfcInstanceId": [str(row.id)]}
    op = life.run(life.start(pair.instance, Operation.OPERATE, {"changeStateTo": "STOPPED", **named}).id)
    assert op.state == "COMPLETED", life.story(op)
    assert kinds(op)[0] == DRAIN
    op = life.run(life.start(pair.instance, Operation.OPERATE, {"changeStateTo": "STARTED", **named}).id)
    assert op.state == "COMPLETED", life.story(op)
    assert kinds(op)[-1] == UNDRAIN
    assert "med-out" not in configuration(routers, 207)
    assert "peer-as 65009" in configuration(routers, 207)


@at_routers
def test_a_router_with_a_fresh_disk_gets_the_configuration_of_before_the_operation(
    life: Lifecycle, routers: RoutersimProcess, policies: dict[str, str]
) -> None:
    """The operator's lines, too, and not those of the drain."""
    pair = Pair(life, policies, 214)
    element = pair.element(2)
    before = texts_of(element)[-1]
    row = element.vnfc
    assert row is not None
    body = {"vnfcInstanceId": [str(row.id)], "additionalParams": {"method": "rebuild"}}
    op = life.run(life.start(pair.instance, Operation.HEAL, body).id)
    assert op.state == "COMPLETED", life.story(op)
    found = kinds(op)
    assert found.index("forget_host_keys@1") < found.index(RESTORE) < found.index("verify_service@1")
    assert f"{element.name}: version" in op.steps.get(kind=RESTORE).message
    assert texts_of(element)[-1] == before
    assert "peer-as 65009" in configuration(routers, 215)


@at_routers
def test_a_rollback_of_an_upgrade_configures_the_routers_that_were_rebuilt(
    life: Lifecycle, routers: RoutersimProcess, policies: dict[str, str], break_cloud: Any
) -> None:
    pair = Pair(life, policies, 218)
    before = [texts_of(pair.element(number))[-1] for number in (1, 2)]
    newer = onboarded(vsr_next(folder=REFLECTOR))
    break_cloud("stacks.update", Rejected("sabotage", service="heat", http_status=400), after=False, nth=2)
    op = life.run(life.start(pair.instance, Operation.CHANGE_VNFPKG, {"vnfdId": str(newer.vnfd_id)}).id)
    assert op.state == "FAILED_TEMP", life.story(op)
    op = life.handle(op, "rollback")
    assert op.state == "ROLLED_BACK", life.story(op)
    kept = op.steps.filter(kind="keep_configuration@1").order_by("seq").values_list("message", flat=True)
    assert f"{pair.element(2).name}: version" in kept[0]
    assert [texts_of(pair.element(number))[-1] for number in (1, 2)] == before
    for host in (218, 219):
        assert "peer-as 65009" in configuration(routers, host)
        assert "med-out" not in configuration(routers, host)


@at_routers
def test_a_stop_of_all_routers_says_what_it_costs(life: Lifecycle, policies: dict[str, str]) -> None:
    pair = Pair(life, policies, 210)
    op = life.run(life.start(pair.instance, Operation.OPERATE, {"changeStateTo": "STOPPED"}).id)
    assert op.state == "COMPLETED", life.story(op)
    assert DRAIN not in kinds(op)
    assert any("no router of this VNF stays" in warning for warning in op.plan["warnings"])


def session_of(element: NetworkElement, address: str, remote_as: int, state: str = "ESTABLISHED") -> BgpPeer:
    fields = {"admin_state": "UP", "state": state, "since": clock.now(), "vrf": ""}
    return BgpPeer.objects.create(element=element, peer_address=address, remote_as=remote_as, **fields)


@pytest.fixture
def pair_of_records() -> tuple[VnfInstance, list[NetworkElement]]:
    """Two managed route reflectors, as they are recorded."""
    instance = make_instance(package=onboarded(shipped_zip(SHIPPED.parents[1] / "vsr-rr" / "13.0.R6")))
    ssh, elements = make_policy(protocol="SSH"), []
    for slot in "12":
        row = make_vnfc(instance, f"rr-{slot}", vdu="router", slot=slot)
        fields = {"driver": "nokia-sros", "reachable": "True", "ssh_policy": ssh, "state": "MANAGED"}
        elements.append(make_element(name=f"rr-{slot}", kind="VIRTUAL", vnf_instance=instance, vnfc=row, **fields))
    return instance, elements


def planned(instance: VnfInstance, elements: list[NetworkElement], *, drain: bool = True) -> tuple[Planned, Any]:
    """What is planned around a scale-in of slot 2."""
    plan = replace(unchanged_plan(instance), removed={"router": ("2",)})
    request = ScaleRequest(aspect_id="redundancy", out=False, drain=drain)
    return with_drain(Planning(request, instance), Planned(plan, []), elements)


def test_without_another_path_it_is_refused_and_an_override_says_the_cost(
    pair_of_records: tuple[VnfInstance, list[NetworkElement]],
) -> None:
    instance, elements = pair_of_records
    session_of(elements[1], "10.9.9.9", 65009)
    session_of(elements[0], "10.9.8.9", 65009, "ACTIVE")
    with pytest.raises(ProblemError) as refused:
        planned(instance, elements)
    problem = refused.value.problem
    assert (problem.status, problem.code) == (409, "NO_OTHER_PATH")
    assert "AS 65009 reach this VNF by rr-2 alone" in problem.detail
    assert problem.errors[0].field == "/additionalParams/drain"
    result, after = planned(instance, elements, drain=False)
    assert ([*result.steps], after) == ([], [])
    assert "rr-2 is not drained: the request says so" in result.plan.warnings[0]


def test_with_another_path_it_is_drained_and_the_sessions_of_the_others_are_verified(
    pair_of_records: tuple[VnfInstance, list[NetworkElement]],
) -> None:
    """The neighbour has an address for each router."""
    instance, elements = pair_of_records
    session_of(elements[1], "10.9.9.9", 65009)
    peer = session_of(elements[0], "10.9.8.9", 65009)
    result, (verify,) = planned(instance, elements)
    assert [step.kind for step in result.steps] == [DRAIN]
    assert result.steps[0].params == {"slots": {"router": ["2"]}}
    op = LcmOpOcc(instance=instance, state="PROCESSING", plan=result.plan.as_json())
    context = Context(op, instance, verify.params, registry.STEP_KINDS)
    assert isinstance(VerifyNeighbours().observe(context, {}), Done)
    BgpPeer.objects.filter(id=peer.id).update(state="IDLE")
    assert VerifyNeighbours().observe(context, {}) == Waiting("rr-1 has no session with 10.9.8.9")
    context.elapsed = 121
    lost = VerifyNeighbours().observe(context, {})
    assert isinstance(lost, Blocked)
    assert lost.problem.code == "SESSIONS_LOST"


def test_routers_are_rebuilt_one_after_the_other_each_drained_configured_and_verified(
    pair_of_records: tuple[VnfInstance, list[NetworkElement]],
) -> None:
    instance, elements = pair_of_records
    session_of(elements[0], "10.9.8.9", 65009)
    session_of(elements[1], "10.9.9.9", 65009)
    stages = tuple(Stage(f"Upgrade {slot}", rebuilt={"router": [slot]}) for slot in "21")
    plan = replace(unchanged_plan(instance), stages=stages)
    planning = Planning(ChangeVnfpkgRequest(vnfd_id=instance.package.vnfd_id), instance)
    result = with_stage_steps(planning, Planned(plan, stack_update_steps(plan, "")), elements)
    update = ["update_stack@1", "record_vnfcs@1"]
    stage = ["keep_configuration@1", DRAIN, *update, "forget_host_keys@1", RESTORE, UNDRAIN, VERIFY]
    assert [step.kind for step in result.steps] == ["keep_record@1", *stage, *stage]
    drained = [step.params["slots"] for step in result.steps if step.kind == DRAIN]
    assert drained == [{"router": ["2"]}, {"router": ["1"]}]
    verified = [step.params for step in result.steps if step.kind == VERIFY]
    assert [len(params["peers"]) for params in verified] == [2, 2]
    assert [params["returned"] for params in verified] == [[str(elements[1].id)], [str(elements[0].id)]]


def test_a_rebuild_of_the_only_path_is_refused_and_without_drain_it_is_configured_nevertheless(
    pair_of_records: tuple[VnfInstance, list[NetworkElement]],
) -> None:
    instance, elements = pair_of_records
    session_of(elements[1], "10.9.9.9", 65009)
    plan = replace(unchanged_plan(instance), stages=(Stage("Upgrade 2", rebuilt={"router": ["2"]}),))
    planned = Planned(plan, stack_update_steps(plan, ""))
    request = ChangeVnfpkgRequest(vnfd_id=instance.package.vnfd_id)
    with pytest.raises(ProblemError, match="by rr-2 alone"):
        with_stage_steps(Planning(request, instance), planned, elements)
    result = with_stage_steps(Planning(replace(request, drain=False), instance), planned, elements)
    assert DRAIN not in [step.kind for step in result.steps]
    assert RESTORE in [step.kind for step in result.steps]
    assert "the request says so" in result.plan.warnings[0]


def test_a_router_that_cannot_be_drained_is_named_in_the_plan(
    pair_of_records: tuple[VnfInstance, list[NetworkElement]],
) -> None:
    instance, elements = pair_of_records
    elements[1].ssh_policy = None
    result, after = planned(instance, elements)
    assert ([*result.steps], after) == ([], [])
    assert "rr-2 is not drained: it has no SSH policy. What crosses it is lost" in result.plan.warnings[0]
