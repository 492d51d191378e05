"""ChangeVnfFlavour: VMs are resized and keep their ids; the four laws hold, and a rollback gives the old sizes back."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.service.lcm.cloud_snapshot import assert_recorded, cloud_snapshot, ids, of
from tests.service.lcm.flavour_change import LARGE, SPECS, TO_LARGE
from tests.service.lcm.lifecycle import FORCEFUL, CrashError, Lifecycle, assert_clean, crash, expire_lease
from vnfm.clouds.errors import Rejected, Transient
from vnfm.clouds.types import Flavor
from vnfm.inventory.models import StackSnapshot
from vnfm.kit.problem import ProblemError
from vnfm.lcm.domain.requests import parse_request
from vnfm.lcm.domain.states import Operation
from vnfm.lcm.models import LcmOpOcc
from vnfm.lcm.reconcilers.preview import compute_preview
from vnfm.lcm.reconcilers.settle_failed import settle_failed
from vnfm.lcm.services.plans import plan_request

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def life(lifecycle: Lifecycle, cloudsim: Any) -> Lifecycle:
    """A cloud that has a flavor for large data path VMs, too."""
    cloudsim.control("PUT", "/settings", {"flavor_create_role": "member"})
    large = Flavor("", LARGE, 8, 16384, 20, SPECS)
    lifecycle.prepared("a large flavor", lambda: lifecycle.cloud.flavors.create(large))
    return lifecycle


def refused(life: Lifecycle, instance: Any, request: dict[str, Any]) -> dict[str, str]:
    with pytest.raises(ProblemError) as caught:
        life.start(instance, Operation.CHANGE_FLAVOUR, request)
    return {error.field: error.message for error in caught.value.problem.errors}


def test_the_vms_of_the_vdu_are_resized_and_all_keep_their_ids_and_ports(life: Lifecycle) -> None:
    instance = life.instantiated()
    before = cloud_snapshot(life, instance)
    life.done(instance, Operation.CHANGE_FLAVOUR, TO_LARGE)
    after = cloud_snapshot(life, instance)
    assert ids(after) == ids(before)
    assert of(after, "ports", "A", "B", "1") == of(before, "ports", "A", "B", "1")
    assert of(before, "flavor", "A", "B", "1") == ["vnf.control", "vnf.control", "vnf.dpdk"]
    assert of(after, "flavor", "A", "B", "1") == ["vnf.control", "vnf.control", LARGE]
    assert (instance.flavour_id, instance.instantiation_level_id) == ("large-data-path", "default")
    assert_recorded(life, instance)
    life.done(instance, Operation.SCALE, {"type": "SCALE_OUT", "aspectId": "data-path", "numberOfSteps": 1})
    assert of(cloud_snapshot(life, instance), "flavor", "1", "2") == [LARGE, LARGE]
    life.done(instance, Operation.CHANGE_FLAVOUR, {"newFlavourId": "default", "instantiationLevelId": "small"})
    back = cloud_snapshot(life, instance)
    assert ids(back) == ids(before)
    assert of(back, "flavor", "1") == ["vnf.dpdk"]
    life.done(instance, Operation.TERMINATE, FORCEFUL)
    assert_clean(life, instance)


def test_the_plan_has_resizes_and_their_effect(life: Lifecycle) -> None:
    instance = life.instantiated()
    preview = plan_request(
        request=parse_request(Operation.CHANGE_FLAVOUR, TO_LARGE), vnfd_id=None, instance_id=instance.id, actor="test"
    )
    compute_preview(preview.id)
    preview.refresh_from_db()
    assert preview.state == "READY", preview.problem
    result = preview.result
    rows = {r["name"]: (r["action"], r["detail"]) for r in result["resources"] if r["type"] == "vnfc"}
    assert rows["Slot 1 (Data path VM)"] == ("update", f"resized from vnf.dpdk to {LARGE}")
    assert rows["Slot A (Control VM)"][0] == "keep"
    assert {f["vduId"]: (f["flavorName"], f["source"]) for f in result["flavors"]} == {
        "control": ("vnf.control", "kept"),
        "data-path": (LARGE, "matched"),
    }
    assert {q["resource"]: q["needed"] for q in result["quota"]} == {
        "instances": 0,
        "cores": 4,
        "ram_mib": 8192,
        "ports": 0,
        "networks": 0,
    }
    assert any("room for both" in warning for warning in result["warnings"])
    assert cloud_snapshot(life, instance)["1"].flavor == "vnf.dpdk"


def test_levels_come_with_the_flavour(life: Lifecycle) -> None:
    instance = life.instantiated()
    before = cloud_snapshot(life, instance)
    request = {**TO_LARGE, "targetScaleLevelInfo": [{"aspectId": "data-path", "scaleLevel": 1}]}
    life.done(instance, Operation.CHANGE_FLAVOUR, request)
    after = cloud_snapshot(life, instance)
    assert set(after) == {"A", "B", "1", "2"}
    assert ids(before).items() <= ids(after).items()
    assert of(after, "flavor", "1", "2") == [LARGE, LARGE]
    life.done(instance, Operation.CHANGE_FLAVOUR, TO_LARGE)
    assert set(cloud_snapshot(life, instance)) == {"A", "B", "1"}, "the default level of the flavour (SOL003 5.5.2.7)"
    assert_recorded(life, instance)


def test_a_flavor_may_be_named_and_settings_go_on(life: Lifecycle) -> None:
    instance = life.instantiated(fabric_mtu=1500)
    request = {"newFlavourId": "default", "additionalParams": {"data_path_flavor": LARGE}}
    life.done(instance, Operation.CHANGE_FLAVOUR, request)
    assert cloud_snapshot(life, instance)["1"].flavor == LARGE
    assert instance.settings == {"fabric_mtu": 1500, "data_path_flavor": LARGE}
    life.done(instance, Operation.CHANGE_FLAVOUR, TO_LARGE)
    assert instance.settings == {"fabric_mtu": 1500}, "what was chosen for other needs is no choice for these"
    assert cloud_snapshot(life, instance)["1"].flavor == LARGE


@pytest.mark.matrix(1)
@pytest.mark.parametrize("after", [False, True], ids=["before the effect", "after the effect"])
def test_a_crash_resizes_once(life: Lifecycle, break_cloud: Callable[..., Any], after: bool) -> None:
    instance = life.instantiated()
    before = cloud_snapshot(life, instance)
    op = life.start(instance, Operation.CHANGE_FLAVOUR, TO_LARGE)
    break_cloud("stacks.update", CrashError(), after=after)
    crash(life, op.id)
    op = life.run(op.id)
    assert op.state == "COMPLETED", life.story(op)
    assert ids(cloud_snapshot(life, instance)) == ids(before)
    assert cloud_snapshot(life, instance)["1"].flavor == LARGE
    assert_recorded(life, instance)


@pytest.mark.matrix(1)
@pytest.mark.parametrize(
    ("call", "error", "after"),
    [
        ("stacks.update", Rejected("sabotage", service="heat", http_status=400), False),
        ("stacks.update", Rejected("sabotage", service="heat", http_status=500), True),
        ("servers.show", Rejected("sabotage", service="nova", http_status=400), False),
    ],
    ids=["refused by Heat", "taken, and the answer lost", "later"],
)
def test_a_failure_rolls_back_to_the_old_size(
    life: Lifecycle, break_cloud: Callable[..., Any], call: str, error: Exception, after: bool
) -> None:
    instance = life.instantiated()
    before, held = cloud_snapshot(life, instance), StackSnapshot.objects.get(instance=instance).parameters
    op = life.start(instance, Operation.CHANGE_FLAVOUR, TO_LARGE)
    break_cloud(call, error, after=after)
    op = life.run(op.id)
    assert op.state == "FAILED_TEMP", life.story(op)
    op = life.handle(op, "rollback")
    assert op.state == "ROLLED_BACK", life.story(op)
    assert cloud_snapshot(life, instance) == before
    assert StackSnapshot.objects.get(instance=instance).parameters == held
    assert_recorded(life, instance)
    assert instance.flavour_id == "default"
    life.done(instance, Operation.SCALE, {"type": "SCALE_OUT", "aspectId": "data-path", "numberOfSteps": 1})
    assert of(cloud_snapshot(life, instance), "flavor", "1", "2") == ["vnf.dpdk", "vnf.dpdk"]


def test_a_crash_while_undoing_ends_at_the_old_size(life: Lifecycle, break_cloud: Callable[..., Any]) -> None:
    instance = life.instantiated()
    before = cloud_snapshot(life, instance)
    op = life.start(instance, Operation.CHANGE_FLAVOUR, TO_LARGE)
    break_cloud("servers.show", Rejected("sabotage", service="nova", http_status=400), after=False)
    op = life.run(op.id)
    assert op.state == "FAILED_TEMP", life.story(op)
    break_cloud("stacks.update", CrashError(), after=True)
    with pytest.raises(CrashError):
        life.handle(op, "rollback")
    expire_lease(op.id)
    op = life.run(op.id)
    assert op.state == "ROLLED_BACK", life.story(op)
    assert cloud_snapshot(life, instance) == before
    assert_recorded(life, instance)


def test_a_failure_can_be_retried(life: Lifecycle, break_cloud: Callable[..., Any]) -> None:
    instance = life.instantiated()
    op = life.start(instance, Operation.CHANGE_FLAVOUR, TO_LARGE)
    break_cloud("stacks.update", Rejected("sabotage", service="heat", http_status=400), after=False)
    op = life.run(op.id)
    assert op.state == "FAILED_TEMP"
    op = life.handle(op, "retry")
    assert op.state == "COMPLETED", life.story(op)
    assert cloud_snapshot(life, instance)["1"].flavor == LARGE
    assert_recorded(life, instance)


@pytest.mark.matrix(1)
@pytest.mark.parametrize(
    ("call", "flavour", "flavor"),
    [("stacks.update", "default", "vnf.dpdk"), ("servers.show", "large-data-path", LARGE)],
    ids=["Heat never had the plan", "Heat has the plan"],
)
def test_marked_failed_the_desired_state_is_heats_last_input(
    life: Lifecycle, break_cloud: Callable[..., Any], call: str, flavour: str, flavor: str
) -> None:
    instance = life.instantiated()
    op = life.start(instance, Operation.CHANGE_FLAVOUR, TO_LARGE)
    break_cloud(call, Rejected("sabotage", service="heat", http_status=400), after=False)
    op = life.handle(life.run(op.id), "fail")
    assert op.state == "FAILED"
    settle_failed(op.id)
    assert_recorded(life, instance)
    assert instance.flavour_id == flavour
    assert cloud_snapshot(life, instance)["1"].flavor == flavor
    life.done(instance, Operation.SCALE, {"type": "SCALE_OUT", "aspectId": "data-path", "numberOfSteps": 1})
    assert of(cloud_snapshot(life, instance), "flavor", "1", "2") == [flavor, flavor]


def test_a_created_flavor_has_its_name_at_once(lifecycle: Lifecycle, cloudsim: Any) -> None:
    """Nova of Liberty reports its id alone, and the next probe is a minute away."""
    cloudsim.control("PUT", "/settings", {"flavor_create_role": "member"})
    instance = lifecycle.instantiated()
    lifecycle.done(instance, Operation.CHANGE_FLAVOUR, {**TO_LARGE, "additionalParams": {"createFlavors": True}})
    (created,) = [flavor.name for flavor in lifecycle.cloud.flavors.list() if flavor.name.startswith("vnfm-")]
    assert instance.vnfcs.get(slot="1").flavor == created


def test_a_flavor_that_the_cloud_lacks_is_created_when_agreed_and_goes_with_a_rollback(
    lifecycle: Lifecycle, cloudsim: Any, break_cloud: Callable[..., Any]
) -> None:
    cloudsim.control("PUT", "/settings", {"flavor_create_role": "member"})
    instance = lifecycle.instantiated()
    op = lifecycle.run(lifecycle.start(instance, Operation.CHANGE_FLAVOUR, TO_LARGE).id)
    assert op.state == "ROLLED_BACK"
    assert "8 vCPUs, 16384 MiB memory" in op.problem["detail"]
    request = {**TO_LARGE, "additionalParams": {"createFlavors": True}}
    op = lifecycle.start(instance, Operation.CHANGE_FLAVOUR, request)
    break_cloud("servers.show", Rejected("sabotage", service="nova", http_status=400), after=False)
    op = lifecycle.run(op.id)
    assert op.state == "FAILED_TEMP"
    (made,) = [f for f in lifecycle.cloud.flavors.list() if f.name.startswith("vnfm-")]
    assert (made.vcpus, made.memory_mib, made.disk_gib, made.extra_specs) == (8, 16384, 20, SPECS), "no smaller disk"
    assert cloud_snapshot(lifecycle, instance)["1"].flavor == made.name
    assert lifecycle.handle(op, "rollback").state == "ROLLED_BACK"
    assert [f.name for f in lifecycle.cloud.flavors.list() if f.name.startswith("vnfm-")] == []
    assert cloud_snapshot(lifecycle, instance)["1"].flavor == "vnf.dpdk"


def test_a_disk_that_grows_has_no_way_back_and_none_shrinks(life: Lifecycle, break_cloud: Callable[..., Any]) -> None:
    life.cloud.flavors.create(Flavor("", "roomy", 8, 16384, 40, SPECS))
    life.cloud.flavors.create(Flavor("", "tight", 8, 16384, 10, SPECS))
    instance = life.instantiated()
    named = {**TO_LARGE, "additionalParams": {"data_path_flavor": "tight"}}
    op = life.run(life.start(instance, Operation.CHANGE_FLAVOUR, named).id)
    assert op.state == "ROLLED_BACK"
    assert "tight has 10 GiB disk; Nova makes no disk smaller than 20" in str(op.problem)
    named["additionalParams"]["data_path_flavor"] = "roomy"
    op = life.start(instance, Operation.CHANGE_FLAVOUR, named)
    break_cloud("servers.show", Rejected("sabotage", service="nova", http_status=400), after=False)
    op = life.run(op.id)
    with pytest.raises(ProblemError, match=r"larger disk than"):
        life.handle(op, "rollback")
    assert life.handle(op, "retry").state == "COMPLETED"
    assert cloud_snapshot(life, instance)["1"].flavor == "roomy"


def test_invalid_changes_are_refused_at_their_field(life: Lifecycle) -> None:
    instance = life.instantiated()
    assert "no flavour 'huge', only default" in refused(life, instance, {"newFlavourId": "huge"})["/newFlavourId"]
    params = {"image": "tiny", "fabric_network": "public", "fabric_mtu": 7, "license_file": "cf3:/x", "colour": "red"}
    request = {**TO_LARGE, "instantiationLevelId": "small", "additionalParams": params}
    found = refused(life, instance, request)
    assert set(found) == {f"/additionalParams/{name}" for name in params}
    assert "use change_vnfpkg" in found["/additionalParams/image"]
    assert "internal" in found["/additionalParams/fabric_network"]
    assert "Heat would replace them" in found["/additionalParams/license_file"]
    assert "/instantiationLevelId" in refused(life, instance, {**TO_LARGE, "instantiationLevelId": "x"})
    instance.vnfcs.filter(slot="1").update(status="SHUTOFF")
    assert "must be ACTIVE to be resized" in refused(life, instance, TO_LARGE)["/newFlavourId"]
    assert not LcmOpOcc.objects.filter(operation=Operation.CHANGE_FLAVOUR).exists()


def test_a_cloud_that_is_away_is_waited_for(life: Lifecycle, break_cloud: Callable[..., Any]) -> None:
    instance = life.instantiated()
    op = life.start(instance, Operation.CHANGE_FLAVOUR, TO_LARGE)
    break_cloud("stacks.update", Transient("away", service="heat", http_status=503), after=False)
    op = life.run(op.id)
    assert op.state == "COMPLETED", life.story(op)
