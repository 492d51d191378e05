"""Uploads of images to Glance: reported, cut, stalled, damaged, cancelled; never duplicated, never left behind."""

import hashlib
import random
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from django.db.models import F

from tests.factories.catalog import onboarded
from tests.factories.packages import edited, vsr_files, zipped
from tests.service.lcm.lifecycle import FORCEFUL, CrashError, Lifecycle, expire_lease
from tests.service.lcm.step_control import wake
from tests.support.cloudsim_process import CloudsimProcess
from tests.support.installation import until
from vnfm.catalog.artifacts import store
from vnfm.clouds import registry
from vnfm.clouds.errors import Transient
from vnfm.clouds.ports import SWALLOW_SECONDS, CloudProvider
from vnfm.clouds.types import Image
from vnfm.lcm.domain.states import CancelMode, Operation
from vnfm.lcm.models import LcmOpOcc, Step
from vnfm.lcm.reconcilers.driver import drive
from vnfm.lcm.sagas.step_kinds import STEP_KINDS
from vnfm.lcm.services.operations import op_cancel
from vnfm.lcm.steps import image as image_step
from vnfm.lcm.steps import image_upload
from vnfm.lcm.steps.base import Context
from vnfm.lcm.steps.image import ProvideImage
from vnfm.vims.models import Vim, VimArtefact

MIB = 1024**2
SIZE = 24 * MIB
"""More than the buffers between two processes hold: a cloud that reads nothing lets nothing more go out."""
WORD = r"^Glance has [1-9][\d.]* of 24 MiB$"
VNFD = "5f0c1c2e-7c1d-4f0a-9a53-00000000c0de"

pytestmark = pytest.mark.django_db(transaction=True)


@cache
def large_zip() -> bytes:
    """The shipped package with an image of its own, of which a compressor knows no two bytes."""
    data = random.Random(1).randbytes(SIZE)

    def edit(vnfd: Any) -> None:
        vnfd.update(vnfdId=VNFD, productName="Large")
        image = {"id": "vsr", "name": "Large", "path": "large.img", "diskFormat": "raw", "containerFormat": "bare"}
        vnfd["softwareImages"] = [image]

    return zipped(edited("vnfd.yaml", edit, {**vsr_files(), "large.img": data}))


@pytest.fixture(scope="module")
def artifacts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("artifacts")


@pytest.fixture
def life(vim: Vim, provider: CloudProvider, cloudsim: CloudsimProcess, settings: Any, artifacts: Path) -> Lifecycle:
    settings.ARTIFACTS_DIR = artifacts
    cloudsim.control("POST", "/reset")
    return Lifecycle(vim, onboarded(large_zip()))


@pytest.fixture
def broken(cloudsim: CloudsimProcess) -> Iterator[Callable[..., None]]:
    """Has something befall uploads, by a rule of the simulated cloud."""

    def rule(effect: str, **more: Any) -> None:
        given = {"service": "image", "method": "PUT", "path": "/file$", "effect": effect, **more}
        cloudsim.control("POST", "/failures", given)

    yield rule
    cloudsim.control("DELETE", "/failures")


@pytest.fixture
def slow(broken: Callable[..., None]) -> None:
    """An upload lasts some seconds: long enough for a word on the way."""
    broken("slow", seconds=0.03)


def start_instantiation(life: Lifecycle) -> LcmOpOcc:
    """An instantiation whose first look comes as far as sending the image."""
    return life.start(life.create(), Operation.INSTANTIATE, life.instantiate_request())


def step(op: LcmOpOcc) -> Step:
    return op.steps.get(kind="provide_image@1")


def under_way(op: LcmOpOcc) -> bool | None:
    return op.steps.filter(kind="provide_image@1", receipt__begun=True).exists() or None


def progress_reported(op: LcmOpOcc) -> bool | None:
    return op.steps.filter(kind="provide_image@1", message__regex=WORD).exists() or None


def ours(life: Lifecycle) -> list[Image]:
    return [image for image in life.cloud.images.list() if image.name.startswith("vnfm-")]


def assert_whole(life: Lifecycle, op: LcmOpOcc) -> None:
    """The operation is done, and Glance has what the package has, once."""
    assert op.state == "COMPLETED", life.story(op)
    (image,) = ours(life)
    (row,) = VimArtefact.objects.filter(kind="image")
    assert (row.resource_id, row.made_id) == (image.id, image.id)
    file = life.package.files.get(path="large.img")
    with store.open_object(file.sha256) as data:
        assert image.checksum == hashlib.file_digest(data, "md5").hexdigest()
    assert (image.status, image.size) == ("active", SIZE)


@contextmanager
def looking(op: LcmOpOcc) -> Iterator[threading.Event]:
    """A worker's look at the operation goes on beside it; set when it is over."""
    over = threading.Event()

    def look() -> None:
        from django.db import connections

        drive(op.id)
        over.set()
        connections.close_all()

    LcmOpOcc.objects.filter(id=op.id).update(wake_at=None)
    worker = threading.Thread(target=look)
    worker.start()
    try:
        yield over
    finally:
        worker.join()


def ended(life: Lifecycle, op: LcmOpOcc) -> LcmOpOcc:
    LcmOpOcc.objects.filter(id=op.id).update(wake_at=None)
    return life.run_out(op.id)


def pass_time(op: LcmOpOcc, seconds: float) -> None:
    """The step under way began so much earlier."""
    Step.objects.filter(id=step(op).id).update(started_at=F("started_at") - timedelta(seconds=seconds))


def test_a_token_that_expires_during_the_upload_begins_it_again(life: Lifecycle, broken: Callable[..., None]) -> None:
    broken("status", status=401, times=1)
    op = start_instantiation(life)
    assert_whole(life, ended(life, op))


def test_upload_progress_is_reported(life: Lifecycle, slow: None) -> None:
    from vnfm.kit.models import OutboxEvent

    op = start_instantiation(life)
    with looking(op) as looked:
        until(lambda: progress_reported(op), 30, "how much Glance has", every=0.05)
        events = OutboxEvent.objects.filter(topic="op_occ.changed").count()
        assert events < 20, "now and then, not for each piece"
        assert not looked.is_set()
    assert_whole(life, ended(life, op))
    assert "MD5" in step(op).message


def test_the_lease_is_renewed_and_no_transaction_is_open_meanwhile(life: Lifecycle, slow: None) -> None:
    from django.db import connection

    from vnfm.kit.durable import lease

    op = start_instantiation(life)
    with looking(op):
        until(lambda: under_way(op), 30, "the upload", every=0.05)
        with lease.hold(f"op:{op.id}") as held:
            assert held is None
        with connection.cursor() as cursor:
            cursor.execute("SELECT count(*) FROM pg_stat_activity WHERE state LIKE 'idle in transaction%'")
            assert cursor.fetchone() == (0,)
    assert_whole(life, ended(life, op))


@pytest.mark.matrix(2)
@pytest.mark.parametrize("after", [0, SIZE // 2, SIZE - 1])
def test_a_cut_upload_is_replaced(life: Lifecycle, broken: Callable[..., None], after: int) -> None:
    broken("cut", after_bytes=after)
    op = wake(start_instantiation(life))
    assert step(op).receipt["begun"]
    first = step(op).receipt["id"]
    op = ended(life, op)
    assert_whole(life, op)
    assert ours(life)[0].id != first, "an image that something broke off at is not filled again"


@pytest.mark.matrix(1)
@pytest.mark.parametrize("status", [500, 503])
def test_a_failed_upload_is_retried(life: Lifecycle, broken: Callable[..., None], status: int) -> None:
    broken("status", status=status, times=2)
    assert_whole(life, ended(life, start_instantiation(life)))


@pytest.mark.parametrize("status", ["queued", "saving", "killed"])
def test_the_upload_of_a_dead_worker_is_replaced(
    life: Lifecycle, break_cloud: Callable[..., Any], provider: CloudProvider, cloudsim: CloudsimProcess, status: str
) -> None:
    op = start_instantiation(life)
    break_cloud("images.upload", CrashError(), after=False)
    with pytest.raises(CrashError):
        wake(op)
    expire_lease(op.id)
    registry.install(provider)
    (left,) = ours(life)
    cloudsim.control("POST", f"/images/{left.id}/{status}")
    if status == "saving":
        op = wake(op)
        assert step(op).message == "Glance saving", "it may yet come to an end"
        pass_time(op, image_step.LATE)
    op = ended(life, op)
    assert_whole(life, op)
    assert ours(life)[0].id != left.id


def test_a_worker_that_dies_when_all_is_sent_sends_nothing_again(
    life: Lifecycle, break_cloud: Callable[..., Any], provider: CloudProvider, cloudsim: CloudsimProcess
) -> None:
    op = start_instantiation(life)
    break_cloud("images.upload", CrashError(), after=True)
    with pytest.raises(CrashError):
        wake(op)
    expire_lease(op.id)
    registry.install(provider)
    cloudsim.control("DELETE", "/stats")
    op = ended(life, op)
    assert_whole(life, op)
    routes = cloudsim.control("GET", "/stats")["routes"]
    assert not [route for route in routes if route["method"] == "PUT" and route["service"] == "image"]


def test_glance_gets_time_to_store_a_complete_upload(
    life: Lifecycle, break_cloud: Callable[..., Any], provider: CloudProvider, cloudsim: CloudsimProcess
) -> None:
    op = start_instantiation(life)
    break_cloud("images.upload", Transient("no answer", service="glance"), after=True)
    op = wake(op)
    registry.install(provider)
    assert step(op).receipt["sent"]
    (left,) = ours(life)
    cloudsim.control("POST", f"/images/{left.id}/saving")
    op = wake(op)
    for patience, stays in ((image_step.LATE, True), (SWALLOW_SECONDS, False)):
        pass_time(op, patience)
        op = wake(op)
        assert (left.id in {image.id for image in ours(life)}) == stays
    assert_whole(life, ended(life, op))


def test_different_content_in_glance_is_an_error_with_both_digests(
    life: Lifecycle, broken: Callable[..., None]
) -> None:
    broken("garble", after_bytes=SIZE // 2)
    op = ended(life, start_instantiation(life))
    assert op.state == "FAILED_TEMP"
    assert op.problem["code"] == "IMAGE_DIFFERS"
    file = life.package.files.get(path="large.img")
    with store.open_object(file.sha256) as data:
        sent = hashlib.file_digest(data, "md5").hexdigest()
    assert f"MD5: sent {sent}, Glance has " in op.problem["detail"]
    assert ours(life) == [], "no server may boot it"
    assert_whole(life, life.handle(op, "retry"))


def test_a_file_that_the_store_damaged_reaches_no_server(life: Lifecycle) -> None:
    op = start_instantiation(life)
    file = life.package.files.get(path="large.img")
    path = store.object_path(file.sha256)
    with path.open("r+b") as data:
        data.truncate(SIZE - 1)
    op = ended(life, op)
    assert (op.state, op.problem["code"]) == ("FAILED_TEMP", "ARTIFACT_DAMAGED")
    assert file.sha256 in op.problem["detail"]
    assert ours(life) == []
    path.unlink()  # the next test gets a whole one


def test_a_stalled_upload_ends_after_a_while_without_progress(
    life: Lifecycle, broken: Callable[..., None], cloudsim: CloudsimProcess, settings: Any
) -> None:
    settings.IMAGE_STALL_SECONDS = 1.0
    broken("stall", after_bytes=SIZE // 4)
    op = wake(start_instantiation(life))
    assert op.state == "PROCESSING"
    assert op.waiting_since is not None, life.story(op)
    assert "Waiting for the cloud since" in step(op).message
    cloudsim.control("DELETE", "/failures")
    assert_whole(life, ended(life, op))


def cancelled_on_the_way(op: LcmOpOcc, mode: CancelMode) -> LcmOpOcc:
    with looking(op):
        until(lambda: under_way(op), 30, "the upload", every=0.05)
        op_cancel(op_id=op.id, mode=mode, actor="test")
    while (op := LcmOpOcc.objects.get(id=op.id)).state == "PROCESSING":
        wake(op)
    return op


def test_a_forceful_cancellation_breaks_the_upload_off(life: Lifecycle, slow: None) -> None:
    op = cancelled_on_the_way(start_instantiation(life), CancelMode.FORCEFUL)
    assert op.state == "FAILED_TEMP", life.story(op)
    assert step(op).state == "FAILED"
    assert ours(life)[0].status != "active"
    assert life.handle(op, "rollback").state == "ROLLED_BACK"
    assert ours(life) == []


def test_a_graceful_cancellation_lets_it_come_to_its_end(life: Lifecycle, slow: None) -> None:
    op = cancelled_on_the_way(start_instantiation(life), CancelMode.GRACEFUL)
    assert op.state == "FAILED_TEMP", life.story(op)
    assert step(op).state == "DONE"
    assert ours(life)[0].status == "active"
    assert_whole(life, life.handle(op, "retry"))


def test_an_image_of_that_name_that_was_there_before_is_compared(life: Lifecycle) -> None:
    """And never removed: who made it is not known."""
    first = life.instantiated()
    (image,) = ours(life)
    VimArtefact.objects.all().delete()
    life.instantiated()
    (row,) = VimArtefact.objects.filter(kind="image")
    assert (row.resource_id, row.made_id) == (image.id, "")
    assert [found.id for found in ours(life)] == [image.id]
    life.done(first, Operation.TERMINATE, FORCEFUL)


def test_comparing_here_does_not_say_that_the_cloud_answers(life: Lifecycle, monkeypatch: pytest.MonkeyPatch) -> None:
    life.instantiated()
    VimArtefact.objects.all().delete()
    op = start_instantiation(life)
    until(lambda: wake(op) and step(op).receipt, 30, "the look at the image")
    VimArtefact.objects.update(resource_id="", ready_at=None)
    monkeypatch.setattr(image_upload, "REPORT_EVERY", 0.0)
    reports: list[tuple[str, Any]] = []
    found = LcmOpOcc.objects.get(id=op.id)
    assert found.instance is not None
    receipt = step(op).receipt
    ctx = Context(
        found, found.instance, step(op).params, STEP_KINDS, report=lambda word, new=None: reports.append((word, new))
    )
    ProvideImage().observe(ctx, receipt)
    assert reports
    assert {word.split()[0] for word, _ in reports} == {"Compared"}
    assert all(new == receipt for _, new in reports)
