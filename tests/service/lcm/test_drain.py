"""Routers that are scaled in go without loss: drained first, refused where no other path is left."""

from itertools import count
from typing import Any

import pytest

from tests.factories.catalog import onboarded
from tests.factories.packages import shipped_zip, vsr_next
from tests.service.lcm.drain_pair import DRAIN, REFLECTOR, RESTORE, UNDRAIN, VERIFY
from tests.service.lcm.element_lifecycle import NETWORK, configuration, kinds
from tests.service.lcm.full_lifecycle import TINY, small
from tests.service.lcm.lifecycle import CrashError, Lifecycle, expire_lease
from tests.support.cloudsim_process import CloudsimProcess
from tests.support.routersim_process import RoutersimProcess
from tests.support.waiting import until
from vnfm.catalog.selectors import vnfd_of
from vnfm.clouds.errors import Rejected
from vnfm.clouds.types import Flavor
from vnfm.configuration.models import ConfigurationVersion
from vnfm.configuration.reconcilers import push
from vnfm.elements.models import NetworkElement
from vnfm.inventory.models import VnfInstance
from vnfm.lcm.domain.requests import parse_request
from vnfm.lcm.domain.states import Operation
from vnfm.lcm.domain.steps import Outcome, Receipt
from vnfm.lcm.models import LcmOpOcc
from vnfm.lcm.reconcilers.preview import compute_preview
from vnfm.lcm.router_steps.drain import DrainRouters
from vnfm.lcm.sagas import step_kinds
from vnfm.lcm.services.plans import plan_request
from vnfm.lcm.steps.base import Context
from vnfm.lcm.wire.op_occ import op_occ
from vnfm.vims.models import Vim

pytestmark = pytest.mark.django_db(transaction=True)
at_routers = pytest.mark.usefixtures("polled", "devices", "routers", "provider")

SCALE_IN = {"type": "SCALE_IN", "aspectId": "redundancy", "numberOfSteps": 1}
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

    def peers(self, number: int) -> list[str]:
        return [*self.element(number).bgp_peers.values_list("peer_address", flat=True)]

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

    monkeypatch.setitem(step_kinds.STEP_KINDS_BY_NAME, DRAIN, DyingDrain)
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
    assert all(pair.element(number).ssh_host_key for number in (1, 2)), "those that were pinned since stay"
    for host in (218, 219):
        assert "peer-as 65009" in configuration(routers, host)
        assert "med-out" not in configuration(routers, host)


@at_routers
@pytest.mark.parametrize(
    ("params", "why"), [({}, "no managed router of this VNF stays"), ({"drain": False}, "the request says so")]
)
def test_a_stop_of_all_routers_says_what_it_costs(
    life: Lifecycle, policies: dict[str, str], params: dict[str, bool], why: str
) -> None:
    pair = Pair(life, policies, 210)
    request = {"changeStateTo": "STOPPED", "additionalParams": params}
    op = life.run(life.start(pair.instance, Operation.OPERATE, request).id)
    assert op.state == "COMPLETED", life.story(op)
    assert DRAIN not in kinds(op)
    assert any(why in warning for warning in op.plan["warnings"])


LARGER: dict[str, Any] = {"newFlavourId": "largest", "additionalParams": {"router_flavor": "rr.large"}}


@pytest.fixture
def roomy(life: Lifecycle, cloudsim: CloudsimProcess) -> Lifecycle:
    """A cloud with a larger flavor of the same disk, so that a resize can be taken back."""
    cloudsim.control("PUT", "/settings", {"flavor_create_role": "member"})
    tiny = next(one for one in life.cloud.flavors.list() if one.name == TINY)
    large = Flavor("", "rr.large", 2, 2048, tiny.disk_gib)
    life.prepared("a larger flavor", lambda: life.cloud.flavors.create(large))
    return life


def flavors(pair: Pair) -> dict[str, str]:
    return dict(pair.instance.vnfcs.values_list("slot", "flavor_id"))


@at_routers
def test_a_change_of_flavour_resizes_one_drained_router_after_the_other(
    roomy: Lifecycle, routers: RoutersimProcess, policies: dict[str, str]
) -> None:
    pair = Pair(roomy, policies, 222)
    until(lambda: pair.peers(1) == pair.peers(2) != [], "both are polled with their session")
    before = flavors(pair)
    preview = plan_request(
        request=parse_request(Operation.CHANGE_FLAVOUR, LARGER),
        vnfd_id=None,
        instance_id=pair.instance.id,
        actor="test",
    )
    compute_preview(preview.id)
    preview.refresh_from_db()
    assert preview.state == "READY", preview.problem
    assert [step["title"] for step in preview.result["steps"]].count("Drain the routers that go") == 2
    op = roomy.run(roomy.start(pair.instance, Operation.CHANGE_FLAVOUR, LARGER).id)
    assert op.state == "COMPLETED", roomy.story(op)
    stage = [DRAIN, "update_stack@1", "record_vnfcs@1", UNDRAIN]
    found = [kind for kind in kinds(op) if kind in stage]
    assert found == stage * 2
    drained = [step.params["slots"] for step in op.steps.filter(kind=DRAIN).order_by("seq")]
    assert drained == [{"router": ["2"]}, {"router": ["1"]}], "in the order of the package"
    assert RESTORE not in kinds(op), "their disks are as they were"
    after = flavors(pair)
    assert len({*after.values()}) == 1
    assert after["1"] != before["1"]
    for host in (222, 223):
        assert "peer-as 65009" in configuration(routers, host)
        assert "med-out" not in configuration(routers, host)


@at_routers
def test_a_rollback_of_a_resize_takes_the_drains_back(
    roomy: Lifecycle, routers: RoutersimProcess, policies: dict[str, str], break_cloud: Any
) -> None:
    pair = Pair(roomy, policies, 226)
    until(lambda: pair.peers(1) == pair.peers(2) != [], "both are polled with their session")
    before = flavors(pair)
    break_cloud("stacks.update", Rejected("sabotage", service="heat", http_status=400), after=False, nth=2)
    op = roomy.run(roomy.start(pair.instance, Operation.CHANGE_FLAVOUR, LARGER).id)
    assert op.state == "FAILED_TEMP", roomy.story(op)
    assert len({*flavors(pair).values()}) == 2, "one is resized"
    op = roomy.handle(op, "rollback")
    assert op.state == "ROLLED_BACK", roomy.story(op)
    assert flavors(pair) == before
    for host in (226, 227):
        assert "med-out" not in configuration(routers, host)


@at_routers
def test_a_router_that_a_change_of_flavour_removes_is_drained_too(roomy: Lifecycle, policies: dict[str, str]) -> None:
    """The one that stays is resized alone: then no path is left, as when it is stopped."""
    pair = Pair(roomy, policies, 230)
    request = {**LARGER, "instantiationLevelId": "single"}
    op = roomy.run(roomy.start(pair.instance, Operation.CHANGE_FLAVOUR, request).id)
    assert op.state == "COMPLETED", roomy.story(op)
    (drain,) = op.steps.filter(kind=DRAIN)
    assert drain.params["slots"] == {"router": ["2"]}
    assert set(roomy.servers_of(pair.instance)) == {"1"}
    assert any("no managed router of this VNF stays" in warning for warning in op.plan["warnings"])


@at_routers
def test_a_change_of_flavour_may_leave_the_drain_out(roomy: Lifecycle, policies: dict[str, str]) -> None:
    pair = Pair(roomy, policies, 234)
    params = {**LARGER["additionalParams"], "drain": False}
    op = roomy.run(roomy.start(pair.instance, Operation.CHANGE_FLAVOUR, {**LARGER, "additionalParams": params}).id)
    assert op.state == "COMPLETED", roomy.story(op)
    assert DRAIN not in kinds(op)
    assert any("the request says so" in warning for warning in op.plan["warnings"])
