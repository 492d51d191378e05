"""Images that instances share: an operation during the removal of one waits, and creates it again."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any
from uuid import uuid4

import pytest
from rest_framework.test import APIClient

from tests.service.lcm.lifecycle import FORCEFUL, CrashError, Lifecycle, Saboteur, expire_lease
from tests.service.lcm.stack_watch import listed, remove, removed, watch, watch_twice
from tests.service.lcm.step_control import wake
from tests.support.cloudsim_process import CloudsimProcess
from vnfm.clouds import registry
from vnfm.clouds.errors import Conflict, Rejected, Transient
from vnfm.clouds.ports import CloudProvider
from vnfm.inventory.selectors import UNCLAIMED_GRACE
from vnfm.kit import clock
from vnfm.lcm.domain.states import Operation
from vnfm.lcm.models import LcmOpOcc, Step
from vnfm.vims.models import VimArtefact
from vnfm.vims.reconcilers.probe import probe_vim

pytestmark = pytest.mark.django_db(transaction=True)


class Meanwhile(Saboteur):
    """Breaks nothing: just before an image is deleted, another instance wants it, and goes on as far as it can."""

    def __init__(self, provider: CloudProvider, life: Lifecycle) -> None:
        super().__init__(provider, "images.delete", CrashError(), after=False)
        self._life = life
        self.op: LcmOpOcc | None = None

    def inject(self, method: Any, *args: Any, **kwargs: Any) -> Any:
        if self.op is None:
            self.op = self._life.start(self._life.create(), Operation.INSTANTIATE, self._life.instantiate_request())
            for _ in range(5):
                wake(self.op)
        return method(*args, **kwargs)


class Late(Saboteur):
    """A process is frozen with a request under way, and the cloud gets it when everything is over."""

    def __init__(self, provider: CloudProvider, call: str) -> None:
        super().__init__(provider, call, CrashError(), after=False)
        self.arrive: Callable[[], object] = lambda: None

    def inject(self, method: Any, *args: Any, **kwargs: Any) -> Any:
        if self.injected:
            return method(*args, **kwargs)
        self.arrive = lambda: method(*args, **kwargs)
        return super().inject(method, *args, **kwargs)


class KilledBetween(Saboteur):
    """The process dies when Nova has the flavor, and before it gives it its extra specs."""

    def __init__(self, provider: CloudProvider) -> None:
        super().__init__(provider, "flavors.create", CrashError(), after=True)

    def inject(self, method: Any, *args: Any, **kwargs: Any) -> Any:
        (flavor,) = args
        return super().inject(lambda: method(replace(flavor, extra_specs={})))


class Sooner(Saboteur):
    """Just before an image is made, a stranger makes one of its name; and Glance will not have ours."""

    def __init__(self, provider: CloudProvider) -> None:
        super().__init__(
            provider, "images.create", Conflict("sabotage", service="glance", http_status=409), after=False
        )
        self.strangers = ""

    def inject(self, method: Any, *args: Any, **kwargs: Any) -> Any:
        self.strangers = self.strangers or method(replace(args[0], id=str(uuid4())))
        return super().inject(method, *args, **kwargs)


def image_step(op: LcmOpOcc | None) -> Step:
    assert op is not None
    return op.steps.get(kind="provide_image@1")


def with_an_image_of_its_own(life: Lifecycle, break_cloud: Callable[..., Any], provider: CloudProvider) -> LcmOpOcc:
    """An instantiation that has put the image into the cloud, and failed then."""
    break_cloud("stacks.create", Rejected("sabotage", service="heat", http_status=400), after=False)
    op = life.run(life.start(life.create(), Operation.INSTANTIATE, life.instantiate_request()).id)
    assert (op.state, len(life.images())) == ("FAILED_TEMP", 1)
    registry.install(provider)
    return op


def assert_created_again(life: Lifecycle, op: LcmOpOcc | None) -> None:
    assert op is not None
    LcmOpOcc.objects.filter(id=op.id).update(wake_at=None)
    op = life.run(op.id)
    assert op.state == "COMPLETED", life.story(op)
    (row,) = VimArtefact.objects.filter(kind="image")
    assert (row.maker_id, row.going) == (op.id, False)
    assert life.cloud.images.show(row.resource_id).status == "active"


def test_a_request_that_arrives_after_the_end_makes_no_second_image(
    lifecycle: Lifecycle, provider: CloudProvider
) -> None:
    late = Late(provider, "images.create")
    registry.install(late)
    op = lifecycle.start(lifecycle.create(), Operation.INSTANTIATE, lifecycle.instantiate_request())
    with pytest.raises(CrashError):
        lifecycle.run(op.id)
    assert_created_again(lifecycle, op)
    with pytest.raises(Conflict):
        late.arrive()
    assert len(lifecycle.images()) == 1


def test_an_image_of_a_stranger_who_was_sooner_is_not_ours(lifecycle: Lifecycle, provider: CloudProvider) -> None:
    sooner = Sooner(provider)
    registry.install(sooner)
    op = wake(lifecycle.start(lifecycle.create(), Operation.INSTANTIATE, lifecycle.instantiate_request()))
    receipt = image_step(op).receipt
    assert (receipt["id"], receipt["made"]) == (sooner.strangers, False)
    LcmOpOcc.objects.filter(id=op.id).update(wake_at=None)
    op = lifecycle.run(op.id)
    assert op.state == "COMPLETED", lifecycle.story(op)
    row = VimArtefact.objects.get(kind="image")
    assert (row.resource_id, row.made_id) == (sooner.strangers, ""), "used, and never to be removed by us"


def test_a_deleted_image_is_created_again(lifecycle: Lifecycle, break_cloud: Callable[..., Any]) -> None:
    """Glance gives an id once; the retry must have another."""
    broken = Rejected("sabotage", service="glance", http_status=400)
    break_cloud("images.upload", broken, after=False)
    op = lifecycle.run(lifecycle.start(lifecycle.create(), Operation.INSTANTIATE, lifecycle.instantiate_request()).id)
    assert op.state == "FAILED_TEMP", lifecycle.story(op)
    image = lifecycle.cloud.images.find(lifecycle.images()[0])
    assert image is not None
    lifecycle.cloud.images.delete(image.id)
    op = lifecycle.handle(op, "retry")
    assert op.state == "COMPLETED", lifecycle.story(op)


def test_an_operation_during_the_removal_by_a_rollback_creates_the_image_again(
    lifecycle: Lifecycle, break_cloud: Callable[..., Any], provider: CloudProvider
) -> None:
    op = with_an_image_of_its_own(lifecycle, break_cloud, provider)
    meanwhile = Meanwhile(provider, lifecycle)
    registry.install(meanwhile)
    assert lifecycle.handle(op, "rollback").state == "ROLLED_BACK"
    registry.install(provider)
    assert "is being removed" in image_step(meanwhile.op).message
    assert_created_again(lifecycle, meanwhile.op)


def test_an_operation_during_the_removal_by_a_user_creates_the_image_again(
    lifecycle: Lifecycle, operator_api: APIClient, provider: CloudProvider
) -> None:
    lifecycle.done(lifecycle.instantiated(), Operation.TERMINATE, FORCEFUL)
    (name,) = lifecycle.images()
    VimArtefact.objects.all().delete()
    probe_vim(lifecycle.vim.id, registry.provider(), clock.now())
    watch_twice(lifecycle)
    probe_vim(lifecycle.vim.id, registry.provider(), clock.now() + UNCLAIMED_GRACE)
    watch(lifecycle)
    item = listed(operator_api, lifecycle)[name]
    meanwhile = Meanwhile(provider, lifecycle)
    registry.install(meanwhile)
    assert remove(operator_api, item).status_code == 202
    assert removed(operator_api, lifecycle, name)["state"] == "REMOVED"
    registry.install(provider)
    assert "is being removed" in image_step(meanwhile.op).message
    assert_created_again(lifecycle, meanwhile.op)


def test_an_image_that_cannot_be_removed_can_be_used_again(
    lifecycle: Lifecycle, operator_api: APIClient, break_cloud: Callable[..., Any], provider: CloudProvider
) -> None:
    lifecycle.done(lifecycle.instantiated(), Operation.TERMINATE, FORCEFUL)
    (name,) = lifecycle.images()
    VimArtefact.objects.all().delete()
    probe_vim(lifecycle.vim.id, registry.provider(), clock.now())
    watch_twice(lifecycle)
    probe_vim(lifecycle.vim.id, registry.provider(), clock.now() + UNCLAIMED_GRACE)
    watch(lifecycle)
    break_cloud("images.delete", Transient("busy", service="glance", http_status=503), after=False)
    assert remove(operator_api, listed(operator_api, lifecycle)[name]).status_code == 202
    from vnfm.lcm.reconcilers.removal import remove_unclaimed

    item = listed(operator_api, lifecycle)[name]
    remove_unclaimed(item["id"])
    assert VimArtefact.objects.get().going, "it is still to go"
    break_cloud("images.delete", Rejected("sabotage", service="glance", http_status=403), after=False)
    assert removed(operator_api, lifecycle, name)["state"] == "FAILED"
    registry.install(provider)
    assert not VimArtefact.objects.exists()
    lifecycle.instantiated()
    assert lifecycle.images() == [name]


@pytest.mark.matrix(1)
@pytest.mark.parametrize("after", [False, True], ids=["before the effect", "after the effect"])
def test_a_rollback_that_crashes_at_the_image_removes_it_all_the_same(
    lifecycle: Lifecycle, break_cloud: Callable[..., Any], provider: CloudProvider, after: bool
) -> None:
    op = with_an_image_of_its_own(lifecycle, break_cloud, provider)
    break_cloud("images.delete", CrashError(), after=after)
    with pytest.raises(CrashError):
        lifecycle.handle(op, "rollback")
    expire_lease(op.id)
    waiting = lifecycle.start(lifecycle.create(), Operation.INSTANTIATE, lifecycle.instantiate_request())
    for _ in range(3):
        waiting = wake(waiting)
    assert "is being removed" in image_step(waiting).message
    assert lifecycle.run(op.id).state == "ROLLED_BACK"
    assert_created_again(lifecycle, waiting)


def test_a_rollback_that_stops_at_the_image_leaves_it_to_who_waits(
    lifecycle: Lifecycle, break_cloud: Callable[..., Any], provider: CloudProvider
) -> None:
    op = with_an_image_of_its_own(lifecycle, break_cloud, provider)
    break_cloud("images.delete", Rejected("sabotage", service="glance", http_status=403), after=False)
    assert lifecycle.handle(op, "rollback").state == "FAILED_TEMP"
    assert VimArtefact.objects.get().going
    lifecycle.done(lifecycle.create(), Operation.INSTANTIATE, lifecycle.instantiate_request())
    assert lifecycle.handle(op, "rollback").state == "ROLLED_BACK"
    assert len(lifecycle.images()) == 1, "the second instance stands on it"


def test_a_twin_of_an_image_in_use_can_be_removed(lifecycle: Lifecycle, operator_api: APIClient) -> None:
    """Two of one name, as a crash may leave them: the other one is unclaimed."""
    lifecycle.instantiated()
    (name,) = lifecycle.images()
    row = VimArtefact.objects.get(key=name)
    image = lifecycle.cloud.images.show(row.resource_id)
    twin = lifecycle.cloud.images.create(replace(image, id="", properties={"twin": str(uuid4())}))
    probe_vim(lifecycle.vim.id, registry.provider(), clock.now())
    watch_twice(lifecycle)
    probe_vim(lifecycle.vim.id, registry.provider(), clock.now() + UNCLAIMED_GRACE)
    watch(lifecycle)
    item = listed(operator_api, lifecycle)[name]
    assert item["resourceId"] == twin
    assert remove(operator_api, item).status_code == 202
    assert removed(operator_api, lifecycle, name)["state"] == "REMOVED"
    row.refresh_from_db()
    assert (row.going, lifecycle.cloud.images.show(row.resource_id).status) == (False, "active")


def test_a_flavor_that_a_crash_left_without_its_extra_specs_gets_them(
    lifecycle: Lifecycle, cloudsim: CloudsimProcess, provider: CloudProvider
) -> None:
    cloudsim.control("PUT", "/settings", {"flavor_create_role": "member"})
    for flavor in lifecycle.cloud.flavors.list():
        if flavor.extra_specs:
            lifecycle.cloud.flavors.delete(flavor.id)
    probe_vim(lifecycle.vim.id, provider, clock.now())
    lifecycle.vim.refresh_from_db()
    registry.install(KilledBetween(provider))
    request = {**lifecycle.instantiate_request(), "additionalParams": {"createFlavors": True}}
    op = lifecycle.start(lifecycle.create(), Operation.INSTANTIATE, request)
    with pytest.raises(CrashError):
        lifecycle.run(op.id)
    expire_lease(op.id)
    op = lifecycle.run(op.id)
    assert op.state == "COMPLETED", lifecycle.story(op)
    planned = next(flavor for flavor in op.plan["flavors"] if flavor["source"] == "to_create")
    made = lifecycle.cloud.flavors.find(planned["flavor_name"])
    assert made is not None
    assert made.extra_specs["hw:cpu_policy"] == "dedicated"
    lifecycle.vim.refresh_from_db()
    assert made.id in {flavor["id"] for flavor in lifecycle.vim.resources["flavors"]}
