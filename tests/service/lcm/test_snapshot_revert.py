"""Reverting to VNF snapshots (SOL003 5.4.22): what stays, what Nova refuses, and the images that servers run from."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from tests.factories.catalog import onboarded
from tests.factories.packages import NEXT_VNFD, edited, vsr_next, zipped
from tests.service.lcm.lifecycle import FORCEFUL, SCALE_IN, SCALE_OUT, Lifecycle, Saboteur
from tests.service.lcm.snapshot_scenes import REFUSED, SNAPSHOTS, images, named, preview, removed, take
from vnfm.clouds import registry
from vnfm.clouds.errors import Conflict, Transient
from vnfm.clouds.ports import CloudProvider
from vnfm.lcm.domain.states import Operation
from vnfm.lcm.reconcilers.settle_failed import settle_failed

if TYPE_CHECKING:
    from rest_framework.test import APIClient

    from tests.support.cloudsim_process import CloudsimProcess

pytestmark = pytest.mark.django_db(transaction=True)


class Counting(Saboteur):
    """Notes each rebuild that Nova took; the second one gets no answer, before or after it."""

    def __init__(self, provider: CloudProvider, requests: list[str], *, after: bool) -> None:
        lost = Transient("no answer", service="nova")
        super().__init__(provider, "servers.rebuild", lost, after=after, nth=2)
        self._requests = requests

    def inject(self, method: Any, *args: Any, **kwargs: Any) -> Any:
        def noted(server_id: str, image_id: str) -> None:
            method(server_id, image_id)
            self._requests.append(server_id)

        return super().inject(noted, *args, **kwargs)


class Locked(Saboteur):
    """One server is locked: Nova rebuilds it never."""

    def __init__(self, provider: CloudProvider, server_id: str) -> None:
        refused = Conflict("Instance is locked", service="nova", http_status=409)
        super().__init__(provider, "servers.rebuild", refused, after=False)
        self._server_id = server_id

    def inject(self, method: Any, *args: Any, **kwargs: Any) -> Any:
        if args[0] == self._server_id:
            raise self._error
        return method(*args, **kwargs)


def test_a_revert_says_beforehand_what_stays(lifecycle: Lifecycle) -> None:
    instance = lifecycle.instantiated()
    lifecycle.done(instance, Operation.SCALE, SCALE_OUT)
    snapshot = take(lifecycle, instance)
    lifecycle.done(instance, Operation.SCALE, SCALE_IN)
    lifecycle.cloud.images.delete(snapshot.vnfcs.get(slot="2").image_id)
    before = {s.id: s.image for s in lifecycle.cloud.servers.list()}

    shown = preview(instance, Operation.REVERT_TO_SNAPSHOT, named(snapshot))
    rows = {row["name"]: (row["action"], row["detail"]) for row in shown.result["resources"]}
    actions = {name.rsplit(" ", 1)[-1]: action for name, (action, _) in rows.items()}
    assert actions == {"A": "update", "B": "update", "1": "update", "2": "keep", "3": "keep"}
    details = {name.rsplit(" ", 1)[-1]: detail for name, (_, detail) in rows.items()}
    assert "no longer has image" in details["2"]
    assert "scaled in since" in details["3"]
    warnings = " ".join(shown.result["warnings"])
    assert "Memory is in no snapshot" in warnings
    assert "The scale level of data-path was 2 and stays 1." in warnings
    (step,) = [step for step in shown.result["steps"] if step["name"] == "rebuild_from_snapshot@1"]
    assert step["oneWay"]
    assert {s.id: s.image for s in lifecycle.cloud.servers.list()} == before

    op = lifecycle.done(instance, Operation.REVERT_TO_SNAPSHOT, named(snapshot))
    after = {s.metadata["slot"]: s.image for s in lifecycle.cloud.servers.list()}
    reverted = {slot for slot in after if after[slot] in images(lifecycle).values()}
    assert reverted == {"A", "B", "1"}
    changed = {row["slot"]: row["change"] for row in op.changed["vnfcs"]}
    assert changed == dict.fromkeys("AB1", "MODIFIED")


def test_a_snapshot_that_servers_boot_from_stays(lifecycle: Lifecycle, api: "APIClient") -> None:
    instance = lifecycle.instantiated()
    snapshot = take(lifecycle, instance)
    lifecycle.done(instance, Operation.REVERT_TO_SNAPSHOT, named(snapshot))
    answer = api.delete(f"{SNAPSHOTS}/{snapshot.id}")
    assert (answer.status_code, answer.json()["code"]) == (409, "SNAPSHOT_IN_USE")
    (row,) = api.get(f"/api/v1/vnf_instances/{instance.id}/snapshots").json()
    assert (row["state"], len(row["bootedVnfcs"])) == ("AVAILABLE", 3)
    later = take(lifecycle, instance)
    lifecycle.done(instance, Operation.REVERT_TO_SNAPSHOT, named(later))
    assert api.delete(f"{SNAPSHOTS}/{snapshot.id}").status_code == 204
    lifecycle.done(instance, Operation.TERMINATE, FORCEFUL)
    assert api.delete(f"{SNAPSHOTS}/{later.id}").status_code == 204
    removed(lifecycle, snapshot)
    removed(lifecycle, later)
    assert images(lifecycle) == {}


def test_half_a_revert_holds_the_images_it_used(
    lifecycle: Lifecycle, break_cloud: Callable[..., Saboteur], api: "APIClient"
) -> None:
    instance = lifecycle.instantiated()
    snapshot = take(lifecycle, instance)
    break_cloud("servers.rebuild", REFUSED, after=False, nth=2)
    op = lifecycle.run(lifecycle.start(instance, Operation.REVERT_TO_SNAPSHOT, named(snapshot)).id)
    assert op.state == "FAILED_TEMP", lifecycle.story(op)
    op = lifecycle.handle(op, "fail")
    settle_failed(op.id)
    used = {server.image for server in lifecycle.cloud.servers.list()} & {*images(lifecycle).values()}
    assert len(used) == 1
    answer = api.delete(f"{SNAPSHOTS}/{snapshot.id}").json()
    assert (answer["code"], answer["detail"].count(",")) == ("SNAPSHOT_IN_USE", 0)


@pytest.mark.parametrize("after", [False, True])
def test_no_server_is_rebuilt_twice_after_a_lost_answer(
    lifecycle: Lifecycle, provider: CloudProvider, after: bool
) -> None:
    instance = lifecycle.instantiated()
    snapshot = take(lifecycle, instance)
    requests: list[str] = []
    registry.install(Counting(provider, requests, after=after))
    op = lifecycle.done(instance, Operation.REVERT_TO_SNAPSHOT, named(snapshot))
    assert sorted(requests) == sorted(lifecycle.servers_of(instance).values())
    assert op.steps.get(kind="rebuild_from_snapshot@1").receipt["asked"].keys() == {*requests}


def test_a_paused_server_is_not_reverted(lifecycle: Lifecycle, cloudsim: "CloudsimProcess") -> None:
    instance = lifecycle.instantiated()
    snapshot = take(lifecycle, instance)
    cloudsim.control("POST", f"/servers/{lifecycle.servers_of(instance)['1']}/pause")
    op = lifecycle.run(lifecycle.start(instance, Operation.REVERT_TO_SNAPSHOT, named(snapshot)).id)
    assert (op.state, op.problem["code"]) == ("ROLLED_BACK", "NOT_REVERTIBLE"), lifecycle.story(op)
    assert "PAUSED" in op.problem["detail"]


def test_novas_words_stop_the_revert_of_a_locked_server(lifecycle: Lifecycle, provider: CloudProvider) -> None:
    instance = lifecycle.instantiated()
    snapshot = take(lifecycle, instance)
    registry.install(Locked(provider, lifecycle.servers_of(instance)["1"]))
    op = lifecycle.run_out(lifecycle.start(instance, Operation.REVERT_TO_SNAPSHOT, named(snapshot)).id)
    assert (op.state, op.problem["code"]) == ("FAILED_TEMP", "VIM_CONFLICT"), lifecycle.story(op)
    assert "is locked" in op.problem["detail"]
    registry.install(provider)
    op = lifecycle.handle(op, "retry")
    assert op.state == "COMPLETED", lifecycle.story(op)


def test_an_upgrade_with_the_same_image_leaves_the_snapshot_in_use(lifecycle: Lifecycle, api: "APIClient") -> None:
    instance = lifecycle.instantiated()
    snapshot = take(lifecycle, instance)
    lifecycle.done(instance, Operation.REVERT_TO_SNAPSHOT, named(snapshot))
    same = onboarded(zipped(edited("vnfd.yaml", lambda vnfd: vnfd.update(vnfdId=NEXT_VNFD, vnfdVersion="1.1"))))
    lifecycle.done(instance, Operation.CHANGE_VNFPKG, {"vnfdId": str(same.vnfd_id)})
    assert {server.image for server in lifecycle.cloud.servers.list()} == {*images(lifecycle).values()}
    assert api.delete(f"{SNAPSHOTS}/{snapshot.id}").json()["code"] == "SNAPSHOT_IN_USE"
    another = onboarded(vsr_next(lambda vnfd: vnfd.update(vnfdId=str(lifecycle.package.id))))
    lifecycle.done(instance, Operation.CHANGE_VNFPKG, {"vnfdId": str(another.vnfd_id)})
    assert api.delete(f"{SNAPSHOTS}/{snapshot.id}").status_code == 204
