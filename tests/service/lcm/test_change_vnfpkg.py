"""ChangeCurrentVnfPackage: VMs take another image one by one, standby first, and keep their ids; the four laws hold,
and a rollback from any stage gives the old package back."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.factories.catalog import onboarded
from tests.factories.packages import NEXT, NEXT_VNFD, edited, vsr_next, zipped
from tests.service.lcm.cloud_snapshot import CloudSnapshot, assert_recorded, cloud_snapshot, ids, of, rollback_state
from tests.service.lcm.lifecycle import (
    FORCEFUL,
    CallFailure,
    CrashError,
    Lifecycle,
    Saboteur,
    assert_clean,
    crash,
    expire_lease,
)
from vnfm.catalog.models import VnfPackage
from vnfm.clouds import registry
from vnfm.clouds.errors import Rejected
from vnfm.clouds.ports import CloudProvider
from vnfm.inventory.models import VnfInstance
from vnfm.kit.problem import ProblemError
from vnfm.lcm.domain.requests import parse_request
from vnfm.lcm.domain.states import Operation
from vnfm.lcm.models import LcmOpOcc
from vnfm.lcm.reconcilers.preview import compute_preview
from vnfm.lcm.reconcilers.settle_failed import settle_failed
from vnfm.lcm.services.plans import plan_request

pytestmark = pytest.mark.django_db(transaction=True)

REFUSED = Rejected("sabotage", service="heat", http_status=400)
LOST = Rejected("sabotage", service="heat", http_status=500)
NO_SERVER = Rejected("sabotage", service="nova", http_status=400)
SLOTS = ("B", "1", "A")
"""In the order of the upgrade."""
STAGES = len(SLOTS)


@pytest.fixture
def package(lifecycle: Lifecycle) -> VnfPackage:
    return onboarded(vsr_next())


@pytest.fixture
def life(lifecycle: Lifecycle, package: VnfPackage) -> Lifecycle:
    return lifecycle


def to(package: VnfPackage, **params: Any) -> dict[str, Any]:
    return {"vnfdId": str(package.vnfd_id), "additionalParams": params}


def upgraded(seen: CloudSnapshot, before: CloudSnapshot) -> set[str]:
    """Slots whose server has another image than before."""
    return {slot for slot in seen if seen[slot].image != before[slot].image}


class Watched(Saboteur):
    """Breaks nothing: takes a picture whenever Heat is asked for an update."""

    def __init__(self, provider: CloudProvider, life: Lifecycle, instance: VnfInstance) -> None:
        super().__init__(provider, "stacks.update", CrashError(), after=False)
        self._life, self._instance = life, instance
        self.asked: list[CloudSnapshot] = []

    def inject(self, method: Any, *args: Any, **kwargs: Any) -> Any:
        self.asked.append(cloud_snapshot(self._life, self._instance))
        return method(*args, **kwargs)


def test_vms_take_the_package_one_by_one_standby_first(
    life: Lifecycle, package: VnfPackage, provider: CloudProvider
) -> None:
    instance = life.instantiated(fabric_mtu=1500)
    life.done(instance, Operation.SCALE, {"type": "SCALE_OUT", "aspectId": "data-path", "numberOfSteps": 1})
    before = cloud_snapshot(life, instance)
    watched = Watched(provider, life, instance)
    registry.install(watched)
    op = life.done(instance, Operation.CHANGE_VNFPKG, to(package))
    assert op.changed is not None
    assert op.changed["package"]["vnfdId"] == str(package.vnfd_id)
    registry.install(provider)
    after = cloud_snapshot(life, instance)
    done = [upgraded(seen, before) for seen in (*watched.asked, after)]
    assert done == [set(), {"B"}, {"B", "1"}, {"B", "1", "2"}, {"A", "B", "1", "2"}]
    assert ids(after) == ids(before)
    assert of(after, "ports", "A", "B", "1", "2") == of(before, "ports", "A", "B", "1", "2")
    assert of(after, "status", "A", "B", "1", "2") == ["ACTIVE"] * 4
    assert [step.title for step in op.steps.filter(kind="update_stack@1").order_by("seq")] == [
        "Upgrade Slot B (Control VM)",
        "Upgrade Slot 1 (Data path VM)",
        "Upgrade Slot 2 (Data path VM)",
        "Upgrade Slot A (Control VM)",
    ]
    assert (instance.package_id, instance.settings) == (package.id, {"fabric_mtu": 1500})
    assert_recorded(life, instance)
    life.done(instance, Operation.SCALE, {"type": "SCALE_OUT", "aspectId": "data-path", "numberOfSteps": 1})
    assert len(set(of(cloud_snapshot(life, instance), "image", "A", "B", "1", "2", "3"))) == 1
    life.done(instance, Operation.CHANGE_VNFPKG, to(life.package))
    back = cloud_snapshot(life, instance)
    assert (instance.package_id, set(of(back, "image", *back))) == (life.package.id, {before["A"].image})
    assert ids(before).items() <= ids(back).items()
    assert_recorded(life, instance)
    life.done(instance, Operation.TERMINATE, FORCEFUL)
    assert_clean(life, instance)


def test_a_chosen_image_must_be_chosen_again(life: Lifecycle, package: VnfPackage) -> None:
    instance = life.instantiated(image="tiny")
    message = refused(life, instance, to(package))["/additionalParams/image"]
    assert f"runs tiny, chosen for 0.0.B2-4601. Choose the image of {NEXT}" in message
    before = cloud_snapshot(life, instance)
    life.done(instance, Operation.CHANGE_VNFPKG, to(package, image="tiny"))
    assert cloud_snapshot(life, instance) == before, "nothing to rebuild"
    assert (instance.package_id, instance.settings) == (package.id, {"image": "tiny"})
    life.done(instance, Operation.CHANGE_VNFPKG, to(life.package, image=""))
    assert upgraded(cloud_snapshot(life, instance), before) == {"A", "B", "1"}
    assert_recorded(life, instance)


def test_the_plan_has_the_order_of_rebuilds_and_the_losses(life: Lifecycle, package: VnfPackage) -> None:
    instance = life.instantiated()
    before = cloud_snapshot(life, instance)
    preview = plan_request(
        request=parse_request(Operation.CHANGE_VNFPKG, to(package)), vnfd_id=None, instance_id=instance.id, actor="test"
    )
    compute_preview(preview.id)
    preview.refresh_from_db()
    assert preview.state == "READY", preview.problem
    rows = {r["name"]: (r["action"], r["detail"]) for r in preview.result["resources"] if r["type"] == "vnfc"}
    assert {name: action for name, (action, _) in rows.items()} == {
        "Slot A (Control VM)": "update",
        "Slot B (Control VM)": "update",
        "Slot 1 (Data path VM)": "update",
    }
    assert all(detail.startswith("rebuilt from vnfm-vsr-pe-vsr-") for _, detail in rows.values())
    (warning,) = preview.result["warnings"]
    assert "one after the other: control/B, data-path/1, control/A." in warning
    assert "keeps its UUID, ports and addresses, and loses what it stored" in warning
    assert not any(quota["needed"] for quota in preview.result["quota"])
    assert cloud_snapshot(life, instance) == before


def test_a_secret_of_the_new_package_is_sealed_and_passed_to_heat(lifecycle: Lifecycle) -> None:
    def declare(vnfd: Any) -> None:
        vnfd["settings"][0]["settings"].append({"name": "operator_password", "label": "Operator's password"})

    def hide(hot: Any) -> None:
        hot["parameters"]["operator_password"] = {"type": "string", "description": "It has no default.", "hidden": True}

    instance = lifecycle.instantiated()
    request = to(onboarded(vsr_next(declare, hide)), operator_password="a secret")
    preview = plan_request(
        request=parse_request(Operation.CHANGE_VNFPKG, request), vnfd_id=None, instance_id=instance.id, actor="test"
    )
    assert preview.request["additionalParams"] == {"operator_password": "******"}
    compute_preview(preview.id)
    preview.refresh_from_db()
    assert preview.state == "READY", preview.problem
    assert "secret" not in str([preview.request, preview.result])
    assert "secret" not in str(lifecycle.start(instance, Operation.CHANGE_VNFPKG, request).params)


@pytest.mark.matrix(1)
@pytest.mark.parametrize("after", [False, True], ids=["before the effect", "after the effect"])
@pytest.mark.parametrize("nth", range(1, STAGES + 1))
def test_a_crash_upgrades_each_once(
    life: Lifecycle, package: VnfPackage, break_cloud: Callable[..., Any], nth: int, after: bool
) -> None:
    instance = life.instantiated()
    before = cloud_snapshot(life, instance)
    op = life.start(instance, Operation.CHANGE_VNFPKG, to(package))
    break_cloud("stacks.update", CrashError(), after=after, nth=nth)
    crash(life, op.id)
    op = life.run(op.id)
    assert op.state == "COMPLETED", life.story(op)
    seen = cloud_snapshot(life, instance)
    assert (ids(seen), upgraded(seen, before)) == (ids(before), {"A", "B", "1"})
    assert_recorded(life, instance)


FAILED_CALLS = [
    pytest.param(CallFailure("images.create", Rejected("sabotage", service="glance", http_status=400)), id="no image"),
    *(pytest.param(CallFailure("stacks.update", REFUSED, n), id=f"update {n} refused") for n in range(1, STAGES + 1)),
    *(
        pytest.param(CallFailure("stacks.update", LOST, n, after=True), id=f"answer {n} lost")
        for n in range(1, STAGES + 1)
    ),
    *(pytest.param(CallFailure("servers.show", NO_SERVER, 3 * n + 1), id=f"look {n + 1}") for n in range(STAGES)),
]


@pytest.mark.matrix(1)
@pytest.mark.parametrize("failure", FAILED_CALLS)
def test_a_failure_at_any_stage_rolls_back_to_the_old_package(
    life: Lifecycle, package: VnfPackage, break_cloud: Callable[..., Any], failure: CallFailure
) -> None:
    instance = life.instantiated()
    before, images = rollback_state(life, instance), life.images()
    op = life.start(instance, Operation.CHANGE_VNFPKG, to(package))
    break_cloud(failure.call, failure.error, after=failure.after, nth=failure.nth)
    op = life.run(op.id)
    assert op.state == "FAILED_TEMP", life.story(op)
    op = life.handle(op, "rollback")
    assert op.state == "ROLLED_BACK", life.story(op)
    assert rollback_state(life, instance) == before
    assert life.images() == images, "what was brought for it went again"
    assert_recorded(life, instance)
    life.done(instance, Operation.SCALE, {"type": "SCALE_OUT", "aspectId": "data-path", "numberOfSteps": 1})
    assert len(set(of(cloud_snapshot(life, instance), "image", "A", "B", "1", "2"))) == 1


@pytest.mark.matrix(1)
@pytest.mark.parametrize("nth", range(1, STAGES + 1))
def test_a_crash_while_undoing_ends_with_the_old_package(
    life: Lifecycle, package: VnfPackage, break_cloud: Callable[..., Any], nth: int
) -> None:
    instance = life.instantiated()
    before = rollback_state(life, instance)
    op = life.start(instance, Operation.CHANGE_VNFPKG, to(package))
    break_cloud("servers.show", NO_SERVER, after=False, nth=3 * STAGES - 2)
    op = life.run(op.id)
    assert op.state == "FAILED_TEMP", life.story(op)
    break_cloud("stacks.update", CrashError(), after=True, nth=nth)
    with pytest.raises(CrashError):
        life.handle(op, "rollback")
    expire_lease(op.id)
    op = life.run(op.id)
    assert op.state == "ROLLED_BACK", life.story(op)
    assert rollback_state(life, instance) == before
    assert_recorded(life, instance)


@pytest.mark.matrix(1)
@pytest.mark.parametrize("nth", range(1, STAGES + 1))
def test_a_failure_can_be_retried(
    life: Lifecycle, package: VnfPackage, break_cloud: Callable[..., Any], nth: int
) -> None:
    instance = life.instantiated()
    before = cloud_snapshot(life, instance)
    op = life.start(instance, Operation.CHANGE_VNFPKG, to(package))
    break_cloud("stacks.update", REFUSED, after=False, nth=nth)
    op = life.run(op.id)
    assert op.state == "FAILED_TEMP"
    assert upgraded(cloud_snapshot(life, instance), before) == set(SLOTS[: nth - 1])
    op = life.handle(op, "retry")
    assert op.state == "COMPLETED", life.story(op)
    assert upgraded(cloud_snapshot(life, instance), before) == {"A", "B", "1"}
    assert_recorded(life, instance)


def mark_failed(life: Lifecycle, package: VnfPackage, break_cloud: Callable[..., Any], nth: int) -> VnfInstance:
    """An instance whose upgrade was given up when Heat refused the nth update."""
    instance = life.instantiated()
    op = life.start(instance, Operation.CHANGE_VNFPKG, to(package))
    break_cloud("stacks.update", REFUSED, after=False, nth=nth)
    assert life.handle(life.run(op.id), "fail").state == "FAILED"
    settle_failed(op.id)
    assert_recorded(life, instance)
    return instance


def test_marked_failed_before_any_update_it_has_the_old_package(
    life: Lifecycle, package: VnfPackage, break_cloud: Callable[..., Any]
) -> None:
    instance = mark_failed(life, package, break_cloud, 1)
    assert instance.package_id == life.package.id
    life.done(instance, Operation.CHANGE_VNFPKG, to(package))
    assert instance.package_id == package.id


@pytest.mark.matrix(1)
@pytest.mark.parametrize("forward", [True, False], ids=["finished", "taken back"])
@pytest.mark.parametrize("nth", [2, 3])
def test_marked_failed_half_way_a_second_change_continues(
    life: Lifecycle, package: VnfPackage, break_cloud: Callable[..., Any], nth: int, forward: bool
) -> None:
    instance = mark_failed(life, package, break_cloud, nth)
    half, done = cloud_snapshot(life, instance), set(SLOTS[: nth - 1])
    assert instance.package_id == package.id
    assert len(set(of(half, "image", *done))) == 1
    assert half["A"].image not in of(half, "image", *done)
    life.done(instance, Operation.SCALE, {"type": "SCALE_OUT", "aspectId": "data-path", "numberOfSteps": 1})
    assert upgraded({**cloud_snapshot(life, instance), "2": half["A"]}, {**half, "2": half["A"]}) == set(), (
        "who runs stays"
    )
    life.done(instance, Operation.SCALE, {"type": "SCALE_IN", "aspectId": "data-path", "numberOfSteps": 1})
    life.done(instance, Operation.CHANGE_VNFPKG, to(package if forward else life.package))
    seen = cloud_snapshot(life, instance)
    assert ids(seen) == ids(half)
    assert upgraded(seen, half) == ({"A", "B", "1"} - done if forward else done)
    assert len(set(of(seen, "image", "A", "B", "1"))) == 1
    assert instance.package_id == (package if forward else life.package).id
    assert_recorded(life, instance)
    with pytest.raises(ProblemError, match="has this package already"):
        life.start(instance, Operation.CHANGE_VNFPKG, to(package if forward else life.package))
    life.done(instance, Operation.TERMINATE, FORCEFUL)
    assert_clean(life, instance)


def refused(life: Lifecycle, instance: VnfInstance, request: dict[str, Any]) -> dict[str, str]:
    with pytest.raises(ProblemError) as caught:
        life.start(instance, Operation.CHANGE_VNFPKG, request)
    return {error.field: error.message for error in caught.value.problem.errors}


def test_invalid_changes_are_refused_at_their_field(life: Lifecycle, package: VnfPackage) -> None:
    instance = life.instantiated()
    assert "has this package already" in refused(life, instance, to(life.package))["/vnfdId"]
    nowhere = {"vnfdId": "00000000-0000-4000-8000-000000000000"}
    assert "/vnfdId" in refused(life, instance, nowhere)
    params = {"fabric_network": "public", "fabric_mtu": 1500, "colour": "red"}
    found = refused(life, instance, to(package, **params))
    assert set(found) == {f"/additionalParams/{name}" for name in params}
    assert "internal" in found["/additionalParams/fabric_network"]
    assert "Heat would replace them" in found["/additionalParams/fabric_mtu"]
    instance.vnfcs.filter(slot="1").update(status="SHUTOFF")
    assert "must be ACTIVE to be rebuilt" in refused(life, instance, to(package))["/vnfdId"]
    package.operational_state = package.OperationalState.DISABLED
    package.save()
    assert "disabled" in refused(life, instance, to(package))["/vnfdId"]
    assert not LcmOpOcc.objects.filter(operation=Operation.CHANGE_VNFPKG).exists()


def _other_product(vnfd: Any) -> None:
    vnfd["productName"] = "Chess"


def _other_members(vnfd: Any) -> None:
    vnfd["vdus"][0]["members"] = ["cpm_b", "cpm_a"]


def _fewer_slots(vnfd: Any) -> None:
    vnfd["vdus"][0]["slots"] = ["A", "C"]
    vnfd["upgradeOrder"] = ["control/C", "data-path", "control/A"]


def _other_flavour(vnfd: Any) -> None:
    default, *others = vnfd["flavours"]
    vnfd["flavours"] = [{**default, "id": "modern"}, *others]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (_other_product, "This is Nokia Chess, the instance is Nokia VSR-PE."),
        (_other_members, "Heat would replace its VNFCs"),
        (_fewer_slots, "control has no slot B in the package"),
        (_other_flavour, "has no flavour 'default', which the instance has"),
    ],
)
def test_a_package_that_does_not_fit_is_refused(
    lifecycle: Lifecycle, change: Callable[[Any], None], words: str
) -> None:
    instance = lifecycle.instantiated()
    misfit = onboarded(vsr_next(change))
    assert words in refused(lifecycle, instance, to(misfit))["/vnfdId"]


@pytest.mark.matrix(1)
@pytest.mark.parametrize(
    ("file", "resource", "place"),
    [
        ("base.yaml", "cpm_b", "cpm_b/user_data"),
        ("nested/data_path.yaml", "server", "data_path/server/user_data"),
    ],
)
def test_a_package_that_boots_vms_otherwise_is_refused(
    lifecycle: Lifecycle, file: str, resource: str, place: str
) -> None:
    instance = lifecycle.instantiated()

    def edit(hot: Any) -> None:
        hot["resources"][resource]["properties"]["user_data"] = "another boot string"

    files = edited("vnfd.yaml", lambda vnfd: vnfd.update(vnfdId=NEXT_VNFD))
    other = onboarded(zipped(edited(file, edit, files)))
    words = f"The package boots VMs differently ({place}): Heat would replace those that run."
    assert words in refused(lifecycle, instance, to(other))["/vnfdId"]
