"""The step that provides a software image in Glance: streamed, compared with the package, replaced if it broke off."""

from dataclasses import replace
from uuid import uuid5

from django.conf import settings

from vnfm.catalog import selectors as catalog
from vnfm.catalog.domain.vnfd import SoftwareImage
from vnfm.clouds.errors import CloudError, Conflict, NotFound
from vnfm.clouds.ports import SWALLOW_SECONDS
from vnfm.clouds.types import Image
from vnfm.kit.problem import Cause, Problem
from vnfm.lcm.domain.progress import progress_text
from vnfm.lcm.domain.states import OperationState
from vnfm.lcm.domain.steps import Blocked, Outcome, Receipt, Waiting
from vnfm.lcm.steps.base import Context
from vnfm.lcm.steps.image_upload import UploadStream, difference, upload_slot
from vnfm.lcm.steps.shared_artefact import SharedArtefact
from vnfm.vims.selectors import artefact_get

BUSY = frozenset({"saving", "importing", "uploading"})
BROKEN = frozenset({*BUSY, "queued", "killed", "deleted", "pending_delete"})
"""Statuses of an image whose upload failed. `deactivated` is none: an administrator set that."""
BUSY_SINCE = "busySince"
"""Key in the receipt for the seconds of the step after which Glance was first found busy."""
LATE = 30.0
"""Seconds for which Glance may stay busy with an image whose upload broke off here, or in a process that died. After
all bytes were sent it is SWALLOW_SECONDS.
"""
MAX_REPLACEMENTS = 8
"""One operation creates at most this many images in a row under ids of its own."""
SLOT_SECONDS = 2.0
"""Seconds until the next attempt to get an upload slot."""


class ProvideImage(SharedArtefact):
    """Provide a software image of the package in Glance, under a name that contains the digest of its bytes."""

    kind = "provide_image@1"
    artefact_kind = "image"

    def find(self, ctx: Context) -> Receipt | None:
        """It is for a rollback alone, which claims nothing: on the way forward `submit` claims before it searches."""
        if ctx.op.state != OperationState.ROLLING_BACK:
            return None
        existing = self._find(ctx)
        if existing is None or not self._is_own(ctx, existing):
            return None
        return {"mine": True, "made": True, "id": existing}

    def _find(self, ctx: Context) -> str | None:
        image = ctx.cloud.images.find(ctx.params["key"])
        return image.id if image else None

    def _create(self, ctx: Context) -> tuple[str, bool]:
        """Create it under an id of this operation: Glance refuses a repetition, from any process and however late."""
        image = self._image(ctx)
        for image_id in self._own_ids(ctx):
            try:
                return ctx.cloud.images.create(replace(image, id=image_id)), True
            except Conflict:
                if found := self._find(ctx):
                    return found, self._is_own(ctx, found)
        return ctx.cloud.images.create(image), True

    @staticmethod
    def _own_ids(ctx: Context) -> list[str]:
        """Return the ids to use in this order: Glance never reuses the id of a deleted image."""
        key = ctx.params["key"]
        return [str(uuid5(ctx.op.id, f"{key} {number}" if number else key)) for number in range(MAX_REPLACEMENTS)]

    def _is_own(self, ctx: Context, resource_id: str) -> bool:
        return resource_id in self._own_ids(ctx)

    @staticmethod
    def _image(ctx: Context) -> Image:
        image = ctx.vnfd.software_image(ctx.params["subject"])
        return Image(
            id="",
            name=ctx.params["key"],
            status="",
            size=image.size,
            checksum="",
            disk_format=image.disk_format,
            container_format=image.container_format,
            min_disk_gib=image.min_disk_gib,
            min_memory_mib=image.min_memory_mib,
            properties={"vnfm_sha256": image.sha256, "vnfm_placeholder": str(image.placeholder).lower()},
        )

    def retry(self, ctx: Context, receipt: Receipt) -> Receipt:
        return {name: value for name, value in super().retry(ctx, receipt).items() if name != BUSY_SINCE}

    def _await(self, ctx: Context, receipt: Receipt) -> Outcome:
        wanted = ctx.vnfd.software_image(ctx.params["subject"])
        try:
            image = ctx.cloud.images.show(receipt["id"])
        except NotFound:
            return self._replace(ctx, receipt, wanted)
        if image.status == "active":
            return self._verify(ctx, receipt, image, wanted)
        row = artefact_get(self._key(ctx))
        ours = receipt["made"] or (row is not None and row.made_id == image.id)
        if image.status == "queued" and not (ours and self._upload_started(receipt)):
            return self._send(ctx, receipt, wanted)
        if image.status in BUSY and not (ours and _is_late(ctx, receipt)):
            return Waiting(f"Glance {image.status}", {BUSY_SINCE: ctx.elapsed, **receipt})
        if ours and image.status in BROKEN:
            return self._replace(ctx, receipt, wanted)
        return Blocked(_unusable(image, wanted))

    @staticmethod
    def _upload_started(receipt: Receipt) -> bool:
        """True if some bytes may have been sent; of another operation's image that is unknown."""
        return bool(receipt.get("begun")) or not receipt["made"]

    def _replace(self, ctx: Context, receipt: Receipt, wanted: SoftwareImage) -> Outcome:
        """Another image in place of one that is missing or whose upload broke off: Glance cannot resume an upload."""
        ctx.cloud.images.delete(receipt["id"])
        other = self._find_or_create(ctx)
        return self._send(ctx, other, wanted) if other["made"] else Waiting("Glance has another of that name", other)

    def _send(self, ctx: Context, receipt: Receipt, wanted: SoftwareImage) -> Outcome:
        """Stream it, however long that takes. The lease is renewed all the time, and no transaction is open."""
        assert ctx.instance.vim is not None, "the instance got its VIM when the operation started"
        with upload_slot(ctx.instance.vim.id) as free:
            if not free:
                return Waiting("Waiting for other uploads", receipt, SLOT_SECONDS)
            with catalog.software_image_open(package=ctx.package, image=wanted) as file:
                started = {**receipt, "begun": True}
                sent_all = {**started, "sent": True}

                def report(sent: int) -> None:
                    ctx.report(
                        f"Glance has {progress_text(sent, wanted.size)}", sent_all if sent == wanted.size else None
                    )

                ctx.report(f"Glance has {progress_text(0, wanted.size)}", started)
                stream = UploadStream(file, report)
                _upload(ctx, receipt["id"], stream)
        image = ctx.cloud.images.show(receipt["id"])
        if image.status == "active":
            return self._compare(ctx, receipt, image, wanted, stream)
        return Waiting(f"All is sent; Glance says {image.status}", sent_all)

    def _verify(self, ctx: Context, receipt: Receipt, image: Image, wanted: SoftwareImage) -> Outcome:
        """Compare the bytes of an active image once, in the first operation that finds it."""
        row = artefact_get(self._key(ctx))
        if row is not None and row.resource_id == image.id and image.size == wanted.size:
            return self._ready(ctx, image.id, f"Glance has {image.name}, {image.size} bytes")
        with catalog.software_image_open(package=ctx.package, image=wanted) as file:
            # The report has the receipt: reading our own file does not show that the cloud answers.
            stream = UploadStream(
                file, lambda done: ctx.report(f"Compared {progress_text(done, wanted.size)}", receipt)
            )
            stream.read_all()
        return self._compare(ctx, receipt, image, wanted, stream)

    def _compare(
        self, ctx: Context, receipt: Receipt, image: Image, wanted: SoftwareImage, sent: UploadStream
    ) -> Outcome:
        hashes = sent.hashes()
        differs = difference(image, sent.read_bytes, hashes)
        damaged = hashes["sha256"] != wanted.sha256
        if not differs and not damaged:
            return self._ready(ctx, image.id, f"Glance has {image.name}, {image.size} bytes, MD5 {image.checksum}")
        if receipt["made"]:
            ctx.cloud.images.delete(image.id)
        return Blocked(_damaged(wanted, hashes["sha256"]) if damaged else _different(image, differs, receipt["made"]))

    def _remove(self, ctx: Context, resource_id: str) -> None:
        ctx.cloud.images.delete(resource_id)
        # A crash after creating another, before storing its receipt, leaves that one.
        if (found := self._find(ctx)) and self._is_own(ctx, found):
            ctx.cloud.images.delete(found)


def _upload(ctx: Context, image_id: str, stream: UploadStream) -> None:
    try:
        ctx.cloud.images.upload(image_id, stream, stall_seconds=settings.IMAGE_STALL_SECONDS)
    except CloudError as error:
        if stream.stopped_by is not None:
            raise stream.stopped_by from error
        raise


def _is_late(ctx: Context, receipt: Receipt) -> bool:
    since = receipt.get(BUSY_SINCE)
    return since is not None and ctx.elapsed - since > (SWALLOW_SECONDS if receipt.get("sent") else LATE)


def _unusable(image: Image, wanted: SoftwareImage) -> Problem:
    detail = (
        f"Image {image.name} ({image.id}) is {image.status} with {image.size} bytes; the package's has {wanted.size}."
    )
    next_step = "Delete that image in Glance and retry, or choose another image."
    return Problem(409, "IMAGE_UNUSABLE", "The image cannot be used", detail, next_step, (Cause("glance", detail),))


def _different(image: Image, differs: str, made: bool) -> Problem:
    detail = f"Image {image.name} ({image.id}) is not what it should be: {differs}."
    next_step = (
        "It has been deleted again. Retry sends it again; if it differs again, have Glance's store checked."
        if made
        else "Delete that image in Glance and retry, or choose another image."
    )
    return Problem(
        409, "IMAGE_DIFFERS", "The image is another in the cloud", detail, next_step, (Cause("glance", detail),)
    )


def _damaged(wanted: SoftwareImage, found: str) -> Problem:
    return Problem(
        500,
        "ARTIFACT_DAMAGED",
        "A stored file is damaged",
        f"The artifact store's {wanted.path} has SHA-256 {found}; when it was onboarded it had {wanted.sha256}.",
        "Restore VNFM_ARTIFACTS_DIR from its backup, or delete the package and onboard it again; then retry.",
    )
