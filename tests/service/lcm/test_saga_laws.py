"""The four laws of every saga (ADR-0002): it succeeds; failing at each call leaves a clean slate; doing each step twice
changes nothing; undoing each step twice changes nothing.

The cases are (operation, nth changing call of the cloud, before or after its effect), from the table of operations:
a row there covers a new saga.
The normal run has a few of them, `-m long` all.
"""

from collections.abc import Callable, Collection, Sequence
from itertools import product
from typing import Any

import openstack
import pytest
from openstack.connection import Connection

from tests.chaos.operations import BY_NAME, DEFAULT, FRESH, OPERATIONS, fresh_package, make_foreign_network
from tests.chaos.operations import Operation as Row
from tests.factories.catalog import onboarded
from tests.factories.packages import vsr_next
from tests.service.lcm.cloud_snapshot import assert_recorded
from tests.service.lcm.lifecycle import (
    CHANGING,
    FORCEFUL,
    SCALE_IN,
    SCALE_OUT,
    CrashError,
    Lifecycle,
    Saboteur,
    assert_clean,
    crash,
    expire_lease,
)
from tests.support.cloudsim_process import CloudsimProcess
from vnfm.clouds import registry
from vnfm.clouds.errors import Rejected
from vnfm.clouds.ports import CloudProvider
from vnfm.clouds.types import Flavor
from vnfm.inventory.models import VnfInstance
from vnfm.inventory.reconcilers.vim_poll import poll_vim
from vnfm.kit import clock
from vnfm.lcm.domain.states import Operation
from vnfm.lcm.models import LcmOpOcc
from vnfm.lcm.selectors.operations import op_actions
from vnfm.lcm.services.snapshots import snapshot_create
from vnfm.vims.models import Vim, VimArtefact

REFUSED = Rejected("sabotage", service="heat", http_status=400)
LOST = Rejected("sabotage", service="heat", http_status=500)
NORMAL_FAILURES = {
    "INSTANTIATE, call 1, before the effect, then rollback",
    "INSTANTIATE, call 3, after the effect, then retry",
    "SCALE out, call 1, after the effect, then rollback",
    "CHANGE_EXT_CONN, call 2, after the effect, then retry",
    "TERMINATE gracefully, call 4, before the effect, then retry",
}
NORMAL_ROLLBACK_CRASHES = {"INSTANTIATE, call 2, after the effect", "CHANGE_EXT_CONN, call 1, before the effect"}

pytestmark = pytest.mark.django_db(transaction=True)


def law_cases(calls: Callable[[Row], int], normal: Collection[str], ways_out: Sequence[str] = ()) -> list[Any]:
    """(operation, nth call, after its effect[, way out]); those in `normal` run always, the others by `-m long`."""
    cases = []
    for row, after in product(OPERATIONS, (False, True)):
        for nth, *way_out in product(range(1, calls(row) + 1), *([ways_out] if ways_out else [])):
            name = f"{row.name}, call {nth}, {'after' if after else 'before'} the effect"
            name += f", then {way_out[0]}" if way_out else ""
            marks = () if name in normal else pytest.mark.long
            cases.append(pytest.param(row, nth, after, *way_out, id=name, marks=marks))
    assert set(normal) <= {case.id for case in cases}
    return cases


def normal_crashes() -> set[str]:
    """Return the first operation's last call of each task, after its effect."""
    firsts = {row.task: row for row in reversed(OPERATIONS) if row.calls}
    return {f"{row.name}, call {row.calls}, after the effect" for row in firsts.values()}


class Laws:
    """One case: an instance that is prepared for an operation, a failure at one of its calls, and the expected end."""

    def __init__(self, life: Lifecycle, cloudsim: CloudsimProcess, provider: CloudProvider) -> None:
        self.life, self._cloudsim, self._provider = life, cloudsim, provider

    def prepare(self, operation: Row) -> VnfInstance:
        if operation.product == FRESH:
            self.life = Lifecycle(self.life.vim, onboarded(fresh_package()))
        instance = self.life.create()
        for name in operation.after:
            self.life.run(self.start(BY_NAME[name], instance).id)
        for slot, action in operation.damage:
            self._cloudsim.control("POST", f"/servers/{self.life.servers_of(instance)[slot]}/{action}")
        return instance

    def start(self, operation: Row, instance: VnfInstance) -> LcmOpOcc:
        task = Operation((operation.task or "modify_info").upper())
        body = dict(operation.body(str(self.life.vim.id)))
        if operation.snapshot == "new":
            body["vnfSnapshotInfoId"] = str(snapshot_create(actor="test").id)
        elif operation.snapshot:
            body["vnfSnapshotInfoId"] = str(instance.snapshots.get(state="AVAILABLE").id)
        return self.life.start(instance, task, body)

    def inject(self, error: BaseException, *, nth: int, after: bool) -> Saboteur:
        saboteur = Saboteur(self._provider, CHANGING, error, after=after, nth=nth)
        registry.install(saboteur)
        return saboteur

    def assert_completed(
        self, operation: Row, instance: VnfInstance, before: dict[str, str], may_replace: Collection[str] = ()
    ) -> None:
        """One server per slot, only the expected ones replaced, all in their power state, and recorded."""
        servers = self._assert_servers(instance, operation.slots)
        unchanged = servers.keys() & before.keys() - operation.replaced - set(may_replace)
        assert {slot: servers[slot] for slot in unchanged} == {slot: before[slot] for slot in unchanged}
        assert all(servers[slot] != before.get(slot) for slot in operation.replaced)
        stopped = {slot for slot, server in servers.items() if self.life.cloud.servers.show(server).status == "SHUTOFF"}
        assert stopped == operation.stopped
        assert {vnfc.slot for vnfc in instance.vnfcs.all() if vnfc.desired == "STOPPED"} == operation.stopped

    def assert_rolled_back(self, operation: Row, instance: VnfInstance, before: dict[str, str]) -> None:
        """The same slots as before, with the same servers but for those that the operation removes."""
        servers = self._assert_servers(instance, before.keys())
        kept = before.keys() & operation.slots - operation.replaced
        assert {slot: servers[slot] for slot in kept} == {slot: before[slot] for slot in kept}
        if not before:
            assert self.life.images() == []

    def _assert_servers(self, instance: VnfInstance, slots: Any) -> dict[str, str]:
        servers = [s for s in self.life.cloud.servers.list() if s.metadata.get("vnf_instance") == str(instance.id)]
        assert sorted(server.metadata["slot"] for server in servers) == sorted(slots)
        assert len(self.life.stacks_of(instance)) == bool(slots)
        if slots:
            poll_vim(vim=Vim.objects.get(id=self.life.vim.id), cloud=self.life.cloud, now=clock.now())
            assert_recorded(self.life, instance)
        else:
            assert_clean(self.life, instance)
        return {server.metadata["slot"]: server.id for server in servers}


@pytest.fixture
def laws(lifecycle: Lifecycle, cloudsim: CloudsimProcess, provider: CloudProvider) -> Laws:
    cloudsim.control("PUT", "/settings", {"flavor_create_role": "member"})
    onboarded(vsr_next())
    config = openstack.config.OpenStackConfig(config_files=[str(cloudsim.clouds_yaml)])
    make_foreign_network(Connection(config=config.get_one("cloudsim")))
    assert lifecycle.package.product_name == DEFAULT
    return Laws(lifecycle, cloudsim, provider)


def test_the_whole_life_succeeds(lifecycle: Lifecycle) -> None:
    instance = lifecycle.instantiated()
    assert {v.slot: v.server_id for v in instance.vnfcs.all()} == lifecycle.servers_of(instance)
    assert set(lifecycle.servers_of(instance)) == {"A", "B", "1"}
    before = lifecycle.servers_of(instance)
    lifecycle.done(instance, Operation.SCALE, SCALE_OUT)
    assert set(lifecycle.servers_of(instance)) == {"A", "B", "1", "2", "3"}
    assert before.items() <= lifecycle.servers_of(instance).items(), "a sibling was touched"
    lifecycle.done(instance, Operation.SCALE, SCALE_IN)
    assert set(lifecycle.servers_of(instance)) == {"A", "B", "1", "2"}
    lifecycle.done(instance, Operation.SCALE_TO_LEVEL, {"scaleInfo": [{"aspectId": "data-path", "scaleLevel": 2}]})
    assert set(lifecycle.servers_of(instance)) == {"A", "B", "1", "2", "3"}, "the freed slot comes back"
    assert {v.slot: v.server_id for v in instance.vnfcs.all()} == lifecycle.servers_of(instance)
    lifecycle.done(instance, Operation.TERMINATE, FORCEFUL)
    assert_clean(lifecycle, instance)


@pytest.mark.long
@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.name)
def test_an_operation_changes_the_cloud_as_often_as_its_row_says(laws: Laws, operation: Row) -> None:
    instance = laws.prepare(operation)
    counter = laws.inject(REFUSED, nth=1000, after=False)
    op = laws.life.run(laws.start(operation, instance).id)
    assert op.state == "COMPLETED", laws.life.story(op)
    assert 999 - counter.remaining == operation.calls


@pytest.mark.parametrize(("operation", "nth", "after"), law_cases(lambda row: row.calls, normal_crashes()))
def test_a_crash_at_any_call_changes_nothing(laws: Laws, operation: Row, nth: int, after: bool) -> None:
    """Each step may run twice: a worker dies at the call, and the next one completes the operation."""
    instance = laws.prepare(operation)
    before = laws.life.servers_of(instance)
    op = laws.start(operation, instance)
    laws.inject(CrashError(), nth=nth, after=after)
    crash(laws.life, op.id)
    op = laws.life.run(op.id)
    assert op.state == "COMPLETED", laws.life.story(op)
    laws.assert_completed(operation, instance, before)


@pytest.mark.parametrize(
    ("operation", "nth", "after", "way_out"),
    law_cases(lambda row: row.calls, NORMAL_FAILURES, ways_out=("rollback", "retry")),
)
def test_a_failure_at_any_call_rolls_back_or_can_be_retried(
    laws: Laws, operation: Row, nth: int, after: bool, way_out: str
) -> None:
    """An operation that fails at the call leads back to the state before, unless it says why it cannot, and a retry
    completes it.
    """
    instance = laws.prepare(operation)
    before = laws.life.servers_of(instance)
    op = laws.start(operation, instance)
    saboteur = laws.inject(LOST if after else REFUSED, nth=nth, after=after)
    op = laws.life.run(op.id)
    assert saboteur.injected == 1
    if op.state == "FAILED_TEMP":
        rollback = next(action for action in op_actions(op) if action.action == "rollback")
        if nth == operation.calls and after:
            assert rollback.enabled == bool(operation.undo_calls)
        op = laws.life.handle(op, way_out if rollback.enabled else "retry")
    if op.state == "ROLLED_BACK":
        laws.assert_rolled_back(operation, instance, before)
    else:
        assert op.state == "COMPLETED", laws.life.story(op)
        damaged = {slot for slot, _ in operation.damage}  # a refused action of a heal leads to the next one
        laws.assert_completed(operation, instance, before, may_replace=damaged)


@pytest.mark.parametrize(("operation", "nth", "after"), law_cases(lambda row: row.undo_calls, NORMAL_ROLLBACK_CRASHES))
def test_a_crash_at_any_call_of_a_rollback_changes_nothing(laws: Laws, operation: Row, nth: int, after: bool) -> None:
    """Each undo may run twice: the last call fails after its effect, and a worker dies in the rollback."""
    instance = laws.prepare(operation)
    before = laws.life.servers_of(instance)
    op = laws.start(operation, instance)
    laws.inject(LOST, nth=operation.calls, after=True)
    op = laws.life.run(op.id)
    assert op.state == "FAILED_TEMP", laws.life.story(op)
    laws.inject(CrashError(), nth=nth, after=after)
    with pytest.raises(CrashError):
        laws.life.handle(op, "rollback")
    expire_lease(op.id)
    op = laws.life.run(op.id)
    assert op.state == "ROLLED_BACK", laws.life.story(op)
    laws.assert_rolled_back(operation, instance, before)


def test_a_failed_scale_out_rolls_back_and_the_next_one_still_fits(
    lifecycle: Lifecycle, break_cloud: Callable[..., Any]
) -> None:
    instance = lifecycle.instantiated()
    before = lifecycle.servers_of(instance)
    op = lifecycle.start(instance, Operation.SCALE, SCALE_OUT)
    break_cloud("servers.show", Rejected("sabotage", service="nova", http_status=400), after=False)
    op = lifecycle.run(op.id)
    assert op.state == "FAILED_TEMP"
    op = lifecycle.handle(op, "rollback")
    assert op.state == "ROLLED_BACK", lifecycle.story(op)
    instance.refresh_from_db()
    assert lifecycle.servers_of(instance) == before
    assert {v.slot: v.server_id for v in instance.vnfcs.all()} == before
    assert instance.scale_levels == {"data-path": 0}
    lifecycle.done(instance, Operation.SCALE, SCALE_OUT)
    assert set(lifecycle.servers_of(instance)) == {"A", "B", "1", "2", "3"}


def test_an_operation_marked_failed_leaves_an_instance_that_can_be_terminated(
    lifecycle: Lifecycle, break_cloud: Callable[..., Any]
) -> None:
    from vnfm.lcm.reconcilers.settle_failed import settle_failed

    instance = lifecycle.create()
    op = lifecycle.start(instance, Operation.INSTANTIATE, lifecycle.instantiate_request())
    break_cloud("servers.show", Rejected("sabotage", service="nova", http_status=400), after=False)
    op = lifecycle.run(op.id)
    op = lifecycle.handle(op, "fail")
    assert op.state == "FAILED"
    settle_failed(op.id)
    instance.refresh_from_db()
    assert instance.instantiation_state == "INSTANTIATED"
    assert {v.slot: v.server_id for v in instance.vnfcs.all()} == lifecycle.servers_of(instance)
    lifecycle.done(instance, Operation.TERMINATE, FORCEFUL)
    assert_clean(lifecycle, instance)


def test_a_sibling_that_is_stopped_does_not_hold_up_a_scale_out(lifecycle: Lifecycle) -> None:
    instance = lifecycle.instantiated()
    stopped = lifecycle.servers_of(instance)["1"]
    lifecycle.cloud.servers.stop(stopped)
    lifecycle.done(instance, Operation.SCALE, SCALE_OUT)
    assert lifecycle.servers_of(instance)["1"] == stopped
    assert {vnfc.slot: vnfc.status for vnfc in instance.vnfcs.all()}["1"] == "SHUTOFF"


def test_scaling_out_keeps_flavor_and_image_of_running_servers(lifecycle: Lifecycle, cloudsim: Any) -> None:
    """A smaller flavor that fits has come since: it is for new instances, not for a reason to resize running VMs."""
    instance = lifecycle.instantiated()
    before = lifecycle.servers_of(instance)
    flavors = {slot: lifecycle.cloud.servers.show(server_id).flavor for slot, server_id in before.items()}
    cloudsim.control("PUT", "/settings", {"flavor_create_role": "member"})
    lifecycle.cloud.flavors.create(Flavor("", "aaa.smaller", vcpus=4, memory_mib=8192, disk_gib=10))
    VimArtefact.objects.all().delete()
    lifecycle.done(instance, Operation.SCALE, SCALE_OUT)
    after = lifecycle.servers_of(instance)
    assert before.items() <= after.items()
    assert {slot: lifecycle.cloud.servers.show(after[slot]).flavor for slot in before} == flavors


def test_a_flavor_is_created_when_agreed_and_removed_when_rolled_back(
    lifecycle: Lifecycle, break_cloud: Callable[..., Any], cloudsim: Any
) -> None:
    cloudsim.control("PUT", "/settings", {"flavor_create_role": "member"})
    for flavor in lifecycle.cloud.flavors.list():
        if flavor.memory_mib >= 8192:
            lifecycle.cloud.flavors.delete(flavor.id)
    instance = lifecycle.create()
    refused = lifecycle.run(lifecycle.start(instance, Operation.INSTANTIATE, lifecycle.instantiate_request()).id)
    assert refused.state == "ROLLED_BACK"
    assert "createFlavors" in refused.problem["detail"]
    break_cloud("stacks.create", Rejected("sabotage", service="heat", http_status=400), after=False)
    agreed = lifecycle.instantiate_request(createFlavors=True)
    op = lifecycle.run(lifecycle.start(instance, Operation.INSTANTIATE, agreed).id)
    assert op.state == "FAILED_TEMP", lifecycle.story(op)
    made = [f.name for f in lifecycle.cloud.flavors.list() if f.name.startswith("vnfm-")]
    assert len(made) == 2
    assert lifecycle.handle(op, "rollback").state == "ROLLED_BACK"
    assert [f.name for f in lifecycle.cloud.flavors.list() if f.name.startswith("vnfm-")] == []
    lifecycle.done(instance, Operation.INSTANTIATE, agreed)


def test_a_graceful_termination_shuts_down_first(lifecycle: Lifecycle) -> None:
    instance = lifecycle.instantiated()
    op = lifecycle.done(instance, Operation.TERMINATE, {"terminationType": "GRACEFUL"})
    assert op.steps.get(kind="stop_servers@1").message == "All servers are down"
    assert_clean(lifecycle, instance)


def test_a_failed_maker_of_the_image_does_not_hold_up_the_others(
    lifecycle: Lifecycle, break_cloud: Callable[..., Any]
) -> None:
    first, second = lifecycle.create(), lifecycle.create()
    break_cloud("images.upload", Rejected("sabotage", service="glance", http_status=400), after=False)
    op = lifecycle.run(lifecycle.start(first, Operation.INSTANTIATE, lifecycle.instantiate_request()).id)
    assert op.state == "FAILED_TEMP"
    lifecycle.done(second, Operation.INSTANTIATE, lifecycle.instantiate_request())
    assert len(lifecycle.images()) == 1
    assert lifecycle.handle(op, "rollback").state == "ROLLED_BACK"
    assert len(lifecycle.images()) == 1, "the second instance stands on it"


def test_an_instance_whose_cloud_is_gone_for_good_can_be_let_go(lifecycle: Lifecycle) -> None:
    from django.core.management import call_command

    instance = lifecycle.instantiated()
    (stack,) = lifecycle.stacks_of(instance)
    call_command("instance_forget", str(instance.id))
    instance.refresh_from_db()
    assert (instance.instantiation_state, instance.vim, instance.stack_id) == ("NOT_INSTANTIATED", None, "")
    assert not instance.vnfcs.exists()
    assert lifecycle.stacks_of(instance) == [stack], "what is in the cloud stays there"
