"""VNF snapshots (SOL003 5.4.21 to 5.4.24): the resource, how it is filled, and its removal."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any
from unittest.mock import Mock
from uuid import UUID

import pytest
from django.core.management import CommandError, call_command

from tests.factories.catalog import onboarded
from tests.factories.packages import zipped
from tests.service.lcm.lifecycle import FORCEFUL, Lifecycle, Saboteur
from tests.service.lcm.snapshot_scenes import DISKS, REFUSED, SNAPSHOTS, images, named, preview, removed, take
from tests.support.etsi_schema import errors
from vnfm.accounts.models import AuditEntry
from vnfm.clouds import registry
from vnfm.clouds.errors import Transient
from vnfm.clouds.ports import CloudProvider
from vnfm.kit import clock
from vnfm.kit.problem import ProblemError
from vnfm.lcm.api import instances
from vnfm.lcm.domain.snapshots import image_name
from vnfm.lcm.domain.states import Operation
from vnfm.lcm.domain.unclaimed import FoundResource
from vnfm.lcm.models import LcmOpOcc, VnfcSnapshot, VnfSnapshot
from vnfm.lcm.reconcilers.settle_failed import settle_failed
from vnfm.lcm.reconcilers.snapshot_removal import remove_snapshot
from vnfm.lcm.selectors.claims import claims_on
from vnfm.lcm.services.operations import op_handle_error
from vnfm.lcm.services.snapshots import snapshot_create, snapshot_delete
from vnfm.vims.services import vim_delete

if TYPE_CHECKING:
    from rest_framework.test import APIClient

pytestmark = pytest.mark.django_db(transaction=True)


class Cinder(Saboteur):
    """Shows the volume snapshots that Nova had made in another status, while there is one."""

    def __init__(self, provider: CloudProvider, status: str) -> None:
        super().__init__(provider, "volumes.snapshots", REFUSED, after=False)
        self.status = status

    def inject(self, method: Any, *args: Any, **kwargs: Any) -> Any:
        found = method(*args, **kwargs)
        return [
            replace(one, status=self.status) if self.status and one.name.startswith("snapshot for") else one
            for one in found
        ]


def test_the_resource_through_its_life(api: "APIClient", lifecycle: Lifecycle) -> None:
    instance = lifecycle.instantiated()
    created = api.post(SNAPSHOTS, {}, format="json")
    assert created.status_code == 201, created.json()
    assert errors("VnfSnapshotInfo", created.json()) == []
    assert created.json().keys() == {"id", "_links"}
    path, ident = created.headers["Location"], created.json()["id"]
    url = f"/vnflcm/v2/vnf_instances/{instance.id}"
    before = api.get(url).json()
    assert {"createSnapshot", "revertToSnapshot"} <= before["_links"].keys()
    body = {"vnfSnapshotInfoId": ident, "userDefinedData": {"why": "before the upgrade"}}
    started = api.post(f"{url}/create_snapshot", body, format="json")
    assert started.status_code == 202, started.json()
    assert errors("VnfSnapshotInfo", api.get(path).json()) == []
    assert api.delete(path).json()["code"] == "SNAPSHOT_IN_USE"
    op = lifecycle.run(UUID(started.headers["Location"].rsplit("/", 1)[-1]))
    assert op.state == "COMPLETED", lifecycle.story(op)

    occurrence = api.get(started.headers["Location"]).json()
    assert errors("VnfLcmOpOcc", occurrence) == []
    assert occurrence["vnfSnapshotInfoId"] == ident
    assert occurrence["_links"]["vnfSnapshot"]["href"].endswith(f"{SNAPSHOTS}/{ident}")
    answer = api.get(path)
    info = answer.json()
    assert errors("VnfSnapshotInfo", info) == []
    assert info["_links"]["takenFrom"]["href"].endswith(url)
    snapshot = info["vnfSnapshot"]
    assert snapshot["vnfInstance"]["instantiatedVnfInfo"] == before["instantiatedVnfInfo"]
    assert snapshot["userDefinedData"] == {"why": "before the upgrade"}
    assert snapshot["vnfdId"] == before["vnfdId"]
    assert {one["computeSnapshotResource"]["resourceId"] for one in snapshot["vnfcSnapshots"]} == {
        *images(lifecycle).values()
    }
    again = api.post(f"{url}/create_snapshot", body, format="json")
    assert (again.status_code, again.json()["code"]) == (409, "SNAPSHOT_TAKEN")

    patched = api.patch(path, {"vnfSnapshotPkgId": "pkg-7"}, format="json", HTTP_IF_MATCH=answer.headers["ETag"])
    assert (patched.status_code, patched.json()) == (200, {"vnfSnapshotPkgId": "pkg-7"})
    assert errors("VnfSnapshotInfoModifications", patched.json()) == []
    stale = api.patch(path, {"vnfSnapshotPkgId": "pkg-8"}, format="json", HTTP_IF_MATCH=answer.headers["ETag"])
    assert stale.status_code == 412
    assert api.delete(path, HTTP_IF_MATCH=answer.headers["ETag"]).status_code == 412
    assert api.delete(path).status_code == 204
    assert (api.get(path).status_code, api.get(SNAPSHOTS).json()) == (404, [])
    remove_snapshot(UUID(ident))
    assert images(lifecycle) == {}
    assert not VnfSnapshot.objects.exists()


def test_no_operation_starts_without_the_copy_of_its_instance(
    api: "APIClient", lifecycle: Lifecycle, monkeypatch: pytest.MonkeyPatch
) -> None:
    instance, snapshot = lifecycle.instantiated(), snapshot_create(actor="test")
    monkeypatch.setattr(instances, "snapshot_picture", Mock(side_effect=OSError("the process dies")))
    answer = api.post(f"/vnflcm/v2/vnf_instances/{instance.id}/create_snapshot", named(snapshot), format="json")
    assert answer.status_code == 500
    snapshot.refresh_from_db()
    assert snapshot.state == "EMPTY"
    assert not LcmOpOcc.objects.filter(operation=Operation.CREATE_SNAPSHOT).exists()


def test_lists_are_filtered_and_selected(api: "APIClient", lifecycle: Lifecycle) -> None:
    instance = lifecycle.instantiated()
    snapshot, empty = take(lifecycle, instance), snapshot_create(actor="test")
    short = api.get(SNAPSHOTS).json()
    assert [row["id"] for row in short] == [str(snapshot.id), str(empty.id)]
    assert short[0]["vnfSnapshot"].keys() & {"vnfInstance", "vnfcSnapshots"} == set()
    (image_id, *_) = images(lifecycle).values()
    for wanted in (
        f"(eq,vnfSnapshot/vnfInstanceId,{instance.id})",
        f"(eq,vnfSnapshot/vnfcSnapshots/computeSnapshotResource/resourceId,{image_id})",
        f"(eq,vnfSnapshot/id,{snapshot.id})",
        "(gt,vnfSnapshot/creationFinishedAt,2020-01-01T00:00:00Z)",
    ):
        (row,) = api.get(SNAPSHOTS, {"filter": wanted, "fields": "vnfSnapshot/vnfcSnapshots"}).json()
        assert len(row["vnfSnapshot"]["vnfcSnapshots"]) == 3
    full = api.get(f"{SNAPSHOTS}?all_fields").json()
    assert full[0] == api.get(f"{SNAPSHOTS}/{snapshot.id}").json()
    assert api.get(SNAPSHOTS, {"filter": "(eq,vnfSnapshot/nothing,1)"}).status_code == 400


def test_lists_take_a_fixed_number_of_queries_and_have_pages(
    api: "APIClient", lifecycle: Lifecycle, django_assert_max_num_queries: Any
) -> None:
    instance = lifecycle.create()
    now = {"started_at": clock.now(), "finished_at": clock.now()}
    owned = {"instance": instance, "instance_uuid": instance.id, "vnfd_id": instance.package.vnfd_id, **now}
    rows = VnfSnapshot.objects.bulk_create(VnfSnapshot(state="AVAILABLE", **owned) for _ in range(120))
    vnfc = {"vnfc_id": instance.id, "vdu_id": "vdu", "name": "v", "boots_from_volume": False, **now}
    VnfcSnapshot.objects.bulk_create(VnfcSnapshot(snapshot=row, **vnfc) for row in rows)
    for url in (f"/api/v1/vnf_instances/{instance.id}/snapshots", f"{SNAPSHOTS}?all_fields"):
        with django_assert_max_num_queries(12):
            answer = api.get(url)
        assert len(answer.json()) == 100
        following = answer.headers["Link"].partition("<")[2].partition(">")[0]
        assert len(api.get(following).json()) == 20


@pytest.mark.parametrize("attribute", ["vnfSnapshotPkgId", "vnfSnapshot"])
def test_no_snapshot_comes_from_a_package(api: "APIClient", attribute: str) -> None:
    answer = api.post(SNAPSHOTS, {attribute: {"id": "1"} if attribute == "vnfSnapshot" else "1"}, format="json")
    assert answer.status_code == 422
    assert "not extracted" in str(answer.json())


def test_an_unknown_snapshot_and_one_of_another_instance_are_refused(api: "APIClient", lifecycle: Lifecycle) -> None:
    instance = lifecycle.instantiated()
    url = f"/vnflcm/v2/vnf_instances/{instance.id}"
    for task in ("create_snapshot", "revert_to_snapshot"):
        answer = api.post(f"{url}/{task}", {"vnfSnapshotInfoId": str(instance.id)}, format="json")
        assert answer.status_code == 422
        assert "/vnfSnapshotInfoId" in str(answer.json())
    empty = snapshot_create(actor="test")
    assert api.post(f"{url}/revert_to_snapshot", named(empty), format="json").status_code == 409
    snapshot = take(lifecycle, instance)
    VnfSnapshot.objects.filter(id=snapshot.id).update(instance_uuid=empty.id)
    answer = api.post(f"{url}/revert_to_snapshot", named(snapshot), format="json")
    assert "another VNF instance" in answer.json()["detail"]


def test_a_deletion_half_done_goes_on(lifecycle: Lifecycle, break_cloud: Callable[..., Saboteur]) -> None:
    snapshot = take(lifecycle, lifecycle.instantiated())
    break_cloud("images.delete", Transient("no answer", service="glance"), after=True, nth=2)
    snapshot_delete(snapshot_id=snapshot.id)
    remove_snapshot(snapshot.id)
    row = VnfSnapshot.objects.get(id=snapshot.id)
    assert row.state == "DELETING"
    assert "no answer" in row.removal_problem["detail"]
    assert len(images(lifecycle)) == 1
    assert row.wake_at > clock.now() + timedelta(seconds=10)
    remove_snapshot(snapshot.id)
    assert len(images(lifecycle)) == 1, "it is not due"
    removed(lifecycle, snapshot)
    assert images(lifecycle) == {}


def test_a_snapshot_that_nova_gives_up_is_retried(lifecycle: Lifecycle, break_cloud: Callable[..., Saboteur]) -> None:
    instance = lifecycle.instantiated()
    snapshot = snapshot_create(actor="test")
    op = lifecycle.start(instance, Operation.CREATE_SNAPSHOT, named(snapshot))
    while not images(lifecycle):
        LcmOpOcc.objects.filter(id=op.id).update(wake_at=None)
        lifecycle.look(op.id)
    lifecycle.cloud.images.delete(min(images(lifecycle).values()))
    op = lifecycle.run(op.id)
    assert (op.state, op.problem["code"]) == ("FAILED_TEMP", "NOT_SNAPSHOTTED"), lifecycle.story(op)
    op = lifecycle.handle(op, "retry")
    assert op.state == "COMPLETED", lifecycle.story(op)
    assert len(images(lifecycle)) == 3


@pytest.mark.parametrize("way_out", ["rollback", "fail"])
def test_a_failed_snapshot_leaves_nothing_or_can_be_deleted(
    lifecycle: Lifecycle, break_cloud: Callable[..., Saboteur], way_out: str
) -> None:
    instance = lifecycle.instantiated()
    snapshot = snapshot_create(actor="test")
    break_cloud("servers.create_image", REFUSED, after=False, nth=3)
    op = lifecycle.run(lifecycle.start(instance, Operation.CREATE_SNAPSHOT, named(snapshot)).id)
    assert op.state == "FAILED_TEMP", lifecycle.story(op)
    op = lifecycle.handle(op, way_out)
    if way_out == "rollback":
        assert images(lifecycle) == {}
        again = lifecycle.done(instance, Operation.CREATE_SNAPSHOT, named(snapshot))
        assert again.state == "COMPLETED"
        return
    settle_failed(op.id)
    assert VnfSnapshot.objects.get(id=snapshot.id).state == "INCOMPLETE"
    assert len(images(lifecycle)) == 2
    snapshot_delete(snapshot_id=snapshot.id)
    removed(lifecycle, snapshot)
    assert images(lifecycle) == {}


def test_a_late_image_of_a_rolled_back_operation_is_ignored(
    lifecycle: Lifecycle, break_cloud: Callable[..., Saboteur]
) -> None:
    instance = lifecycle.instantiated()
    snapshot = snapshot_create(actor="test")
    break_cloud("servers.create_image", REFUSED, after=False, nth=2)
    op = lifecycle.run(lifecycle.start(instance, Operation.CREATE_SNAPSHOT, named(snapshot)).id)
    (name,) = images(lifecycle)
    op = lifecycle.handle(op, "rollback")
    assert (op.state, images(lifecycle)) == ("ROLLED_BACK", {}), lifecycle.story(op)
    late = lifecycle.cloud.servers.create_image(lifecycle.servers_of(instance)["1"], name)
    lifecycle.run_out(lifecycle.start(instance, Operation.CREATE_SNAPSHOT, named(snapshot)).id)
    snapshot.refresh_from_db()
    assert snapshot.state == "AVAILABLE"
    assert late not in {row.image_id for row in snapshot.vnfcs.all()}
    assert len(images(lifecycle)) == 4
    snapshot_delete(snapshot_id=snapshot.id)
    removed(lifecycle, snapshot)
    assert images(lifecycle) == {}


def test_images_of_a_snapshot_are_claimed_and_others_are_not(lifecycle: Lifecycle) -> None:
    snapshot = take(lifecycle, lifecycle.instantiated())
    (name, ident), *_ = images(lifecycle).items()
    other = name.replace(str(snapshot.id), "00000000-0000-4000-8000-000000000000")
    found = [
        FoundResource("image", ident, name, ours=True, observed_at=clock.now()),
        FoundResource("image", "another", other, ours=True, observed_at=clock.now()),
    ]
    claims = claims_on(found, lifecycle.vim)
    assert [claims.claim(one) for one in found] == [True, False]


def test_volumes_have_snapshots_and_hold_up_a_termination(lifecycle: Lifecycle) -> None:
    lifecycle.package = onboarded(zipped({"base.yaml": DISKS}))
    instance = lifecycle.instantiated(image="tiny", flavor="m1.tiny")
    snapshot = take(lifecycle, instance)
    op = LcmOpOcc.objects.get(operation=Operation.CREATE_SNAPSHOT)
    volumes = {row.name: len(row.volumes) for row in snapshot.vnfcs.all()}
    assert list(volumes.values()) == [1, 1]
    assert images(lifecycle).keys() == {image_name(snapshot.id, row.vnfc_id, op.id) for row in snapshot.vnfcs.all()}
    assert len(lifecycle.cloud.volumes.snapshots()) == 2
    shown = preview(instance, Operation.REVERT_TO_SNAPSHOT, named(snapshot))
    actions = sorted((row["action"], row["detail"]) for row in shown.result["resources"])
    assert [action for action, _ in actions] == ["keep", "update"]
    assert "boots from a volume" in actions[0][1]
    assert "attached volume stays" in actions[1][1]
    lifecycle.done(instance, Operation.REVERT_TO_SNAPSHOT, named(snapshot))

    def terminated() -> dict[str, Any]:
        op = lifecycle.run(lifecycle.start(instance, Operation.TERMINATE, FORCEFUL).id)
        assert (op.state, op.problem["code"]) == ("ROLLED_BACK", "SNAPSHOTS_HOLD_VOLUMES"), lifecycle.story(op)
        assert str(snapshot.id) in op.problem["detail"]
        return op.problem

    assert terminated()["nextStep"] == "Delete these VNF snapshots first."
    snapshot.vnfcs.update(server_id="healed since")
    terminated()
    VnfSnapshot.objects.filter(id=snapshot.id).update(state="DELETING")
    assert terminated()["nextStep"].startswith("Wait until")
    snapshot.vnfcs.all().delete()
    VnfSnapshot.objects.filter(id=snapshot.id).update(state="INCOMPLETE")
    terminated()


@pytest.mark.parametrize("status", ["creating", "error"])
def test_a_snapshot_waits_for_the_volumes_that_a_server_boots_from(
    lifecycle: Lifecycle, provider: CloudProvider, status: str
) -> None:
    lifecycle.package = onboarded(zipped({"base.yaml": DISKS}))
    instance = lifecycle.instantiated(image="tiny", flavor="m1.tiny")
    snapshot = snapshot_create(actor="test")
    cinder = Cinder(provider, status)
    registry.install(cinder)
    op = lifecycle.start(instance, Operation.CREATE_SNAPSHOT, named(snapshot))
    while "copied" not in lifecycle.story(op) and op.state != "FAILED_TEMP":
        LcmOpOcc.objects.filter(id=op.id).update(wake_at=None)
        op = lifecycle.look(op.id)
    assert op.state == ("PROCESSING" if status == "creating" else "FAILED_TEMP"), lifecycle.story(op)
    assert (op.problem or {}).get("code") == ("NOT_SNAPSHOTTED" if status == "error" else None)
    failed = images(lifecycle)
    if status == "error":
        op_handle_error(op_id=op.id, task="retry", actor="test")
        op = lifecycle.look(op.id)
    cinder.status = ""
    op = lifecycle.run(op.id)
    assert op.state == "COMPLETED", lifecycle.story(op)
    snapshot.refresh_from_db()
    assert snapshot.state == "AVAILABLE"
    assert [len(row.volumes) for row in snapshot.vnfcs.all()] == [1, 1]
    again = {row.image_id for row in snapshot.vnfcs.all() if row.boots_from_volume} - {*failed.values()}
    assert len(again) == (status == "error")


def test_a_volume_snapshot_that_cinder_does_not_delete_is_named(lifecycle: Lifecycle, provider: CloudProvider) -> None:
    lifecycle.package = onboarded(zipped({"base.yaml": DISKS}))
    instance = lifecycle.instantiated(image="tiny", flavor="m1.tiny")
    snapshot = take(lifecycle, instance)
    cinder = Cinder(provider, "error_deleting")
    registry.install(cinder)
    snapshot_delete(snapshot_id=snapshot.id)
    remove_snapshot(snapshot.id)
    snapshot.refresh_from_db()
    assert snapshot.removal_problem["code"] == "VOLUME_SNAPSHOT_STUCK"
    assert "error_deleting" in snapshot.removal_problem["detail"]
    cinder.status = ""
    removed(lifecycle, snapshot)
    assert lifecycle.cloud.volumes.snapshots() == []

    other = snapshot_create(actor="test")
    cinder.status = "error_deleting"
    op = lifecycle.run(lifecycle.start(instance, Operation.CREATE_SNAPSHOT, named(other)).id)
    op = lifecycle.handle(op, "rollback")
    assert (op.state, op.problem["code"]) == ("FAILED_TEMP", "VOLUME_SNAPSHOT_STUCK"), lifecycle.story(op)


def test_a_snapshot_whose_cloud_is_gone_for_good_is_forgotten(lifecycle: Lifecycle) -> None:
    instance = lifecycle.instantiated()
    snapshot = take(lifecycle, instance)
    with pytest.raises(CommandError, match="AVAILABLE"):
        call_command("snapshot_forget", str(snapshot.id))
    call_command("instance_forget", str(instance.id))
    snapshot_delete(snapshot_id=snapshot.id)
    with pytest.raises(ProblemError) as refused:
        vim_delete(vim=lifecycle.vim)
    assert refused.value.problem.extra["usedBy"] == [snapshot.name]
    assert "snapshot_forget" in refused.value.problem.next_step
    call_command("snapshot_forget", str(snapshot.id))
    assert AuditEntry.objects.filter(action="snapshot_forget", object=str(snapshot.id)).exists()
    assert len(images(lifecycle)) == 3, "what is in the cloud stays there"
    vim_delete(vim=lifecycle.vim)


def test_a_server_that_is_gone_has_no_snapshot(lifecycle: Lifecycle) -> None:
    instance = lifecycle.instantiated()
    lifecycle.cloud.servers.delete(lifecycle.servers_of(instance)["1"])
    snapshot = snapshot_create(actor="test")
    op = lifecycle.run(lifecycle.start(instance, Operation.CREATE_SNAPSHOT, named(snapshot)).id)
    assert (op.state, op.problem["code"]) == ("ROLLED_BACK", "NOT_SNAPSHOTTABLE"), lifecycle.story(op)
    assert VnfSnapshot.objects.get(id=snapshot.id).state == "EMPTY"
    assert registry.provider() is not None
