"""The step that has a software image in Glance: streamed, compared with what was sent, made anew when it broke off."""

from dataclasses import replace
from datetime import datetime, timedelta
from uuid import uuid5

from django.conf import settings

from vnfm.catalog import selectors as catalog
from vnfm.catalog.domain.vnfd import SoftwareImage
from vnfm.clouds.errors import CloudError, Conflict, NotFound
from vnfm.clouds.ports import SWALLOW_SECONDS
from vnfm.clouds.types import Image
from vnfm.kit import clock
from vnfm.kit.problem import Cause, Problem
from vnfm.lcm.domain.amounts import part_of
from vnfm.lcm.domain.states import OperationState
from vnfm.lcm.domain.steps import Blocked, Outcome, Receipt, Waiting
from vnfm.lcm.sagas.artefacts import Shared
from vnfm.lcm.sagas.base import Context, step_kind
from vnfm.lcm.sagas.outgoing import Outgoing, difference, lane
from vnfm.vims.models import VimArtefact

BUSY = frozenset({"saving", "importing", "uploading"})
BROKEN = frozenset({*BUSY, "queued", "killed", "deleted", "pending_delete"})
"""Statuses of an image whose upload came to nothing. `deactivated` is none: an administrator wanted that."""
LATE = timedelta(seconds=30)
"""How long Glance may still be at an image whose upload has broken off here, or was ours to a process that died. One of
which all had gone out gets SWALLOW_SECONDS.
"""
ANEW = 8
"""How many images one operation makes in a row under ids of its own."""
LANE_SECONDS = 2.0


@step_kind
class ProvideImage(Shared):
    """Have a software image of the package in Glance, under a name that holds the digest of its bytes."""

    kind = "provide_image@1"
    artefact_kind = VimArtefact.Kind.IMAGE

    def find(self, ctx: Context) -> Receipt | None:
        """For a rollback alone, which has nothing to claim: going forward, `submit` claims before it looks."""
        if ctx.op.state != OperationState.ROLLING_BACK:
            return None
        existing = self._find(ctx)
        if existing is None or not self._is_own(ctx, existing):
            return None
        return {"mine": True, "made": True, "id": existing}

    def _find(self, ctx: Context) -> str | None:
        image = ctx.cloud.images.find(ctx.params["key"])
        return image.id if image else None

    def _make(self, ctx: Context) -> tuple[str, bool]:
        """Under an id of this operation's: the same request again, by whatever process and however late, is refused."""
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
        """One after the other: of an image that was made and deleted Glance never forgets the id."""
        key = ctx.params["key"]
        return [str(uuid5(ctx.op.id, f"{key} {number}" if number else key)) for number in range(ANEW)]

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

    def _await(self, ctx: Context, receipt: Receipt) -> Outcome:
        wanted = ctx.vnfd.software_image(ctx.params["subject"])
        try:
            image = ctx.cloud.images.show(receipt["id"])
        except NotFound:
            return self._anew(ctx, receipt, wanted)
        if image.status == "active":
            return self._as_it_must_be(ctx, receipt, image, wanted)
        ours = receipt["made"] or self._rows(ctx).filter(made_id=image.id).exists()
        if image.status == "queued" and not (ours and self._has_begun(receipt)):
            return self._sent(ctx, receipt, wanted)
        if image.status in BUSY and not (ours and _is_late(receipt)):
            since = receipt.get("busy_since", clock.now().isoformat())
            return Waiting(f"Glance {image.status}", {**receipt, "busy_since": since})
        if ours and image.status in BROKEN:
            return self._anew(ctx, receipt, wanted)
        return Blocked(_unusable(image, wanted))

    @staticmethod
    def _has_begun(receipt: Receipt) -> bool:
        """Whether something of it may have been sent; of another operation's image nobody knows."""
        return bool(receipt.get("begun")) or not receipt["made"]

    def _anew(self, ctx: Context, receipt: Receipt, wanted: SoftwareImage) -> Outcome:
        """Another in the place of one that is gone, or whose upload broke off: Glance can resume none."""
        ctx.cloud.images.delete(receipt["id"])
        other = self._found_or_made(ctx)
        return self._sent(ctx, other, wanted) if other["made"] else Waiting("Glance has another of this name", other)

    def _sent(self, ctx: Context, receipt: Receipt, wanted: SoftwareImage) -> Outcome:
        """Stream it, as long as that takes. The lease is renewed meanwhile, and no transaction is open."""
        assert ctx.instance.vim is not None, "the instance got its VIM when the operation started"
        with lane(ctx.instance.vim.id) as free:
            if not free:
                return Waiting("Other images are on their way", receipt, LANE_SECONDS)
            with catalog.software_image_open(package=ctx.package, image=wanted) as file:
                begun = {**receipt, "begun": True}
                gone = {**begun, "sent": True}

                def tell(sent: int) -> None:
                    ctx.tell(f"Glance has {part_of(sent, wanted.size)}", gone if sent == wanted.size else None)

                ctx.tell(f"Glance has {part_of(0, wanted.size)}", begun)
                going = Outgoing(file, tell)
                _upload(ctx, receipt["id"], going)
        image = ctx.cloud.images.show(receipt["id"])
        if image.status == "active":
            return self._compared(ctx, receipt, image, wanted, going)
        return Waiting(f"All is sent; Glance says {image.status}", gone)

    def _as_it_must_be(self, ctx: Context, receipt: Receipt, image: Image, wanted: SoftwareImage) -> Outcome:
        """Of an active image: its bytes are compared once, by whoever finds it there first."""
        known = self._rows(ctx).filter(resource_id=image.id).exists()
        if known and image.size == wanted.size:
            return self._ready(ctx, image.id, f"Glance has {image.name}, {image.size} bytes")
        with catalog.software_image_open(package=ctx.package, image=wanted) as file:
            # With the receipt: no cloud has part in this, and one that is away has not come back by it.
            own = Outgoing(file, lambda done: ctx.tell(f"Compared {part_of(done, wanted.size)}", receipt))
            own.read_all()
        return self._compared(ctx, receipt, image, wanted, own)

    def _compared(self, ctx: Context, receipt: Receipt, image: Image, wanted: SoftwareImage, sent: Outgoing) -> Outcome:
        hashes = sent.hashes()
        differs = difference(image, sent.read_bytes, hashes)
        damaged = hashes["sha256"] != wanted.sha256
        if not differs and not damaged:
            return self._ready(ctx, image.id, f"Glance has {image.name}, {image.size} bytes, MD5 {image.checksum}")
        if receipt["made"]:
            ctx.cloud.images.delete(image.id)
        return Blocked(_damaged(wanted, hashes["sha256"]) if damaged else _unlike(image, differs, receipt["made"]))

    def _remove(self, ctx: Context, resource_id: str) -> None:
        ctx.cloud.images.delete(resource_id)
        # A crash between making another and noting it leaves that one.
        if (found := self._find(ctx)) and self._is_own(ctx, found):
            ctx.cloud.images.delete(found)


def _upload(ctx: Context, image_id: str, going: Outgoing) -> None:
    try:
        ctx.cloud.images.upload(image_id, going, stall_seconds=settings.IMAGE_STALL_SECONDS)
    except CloudError as error:
        if going.stopped_by is not None:
            raise going.stopped_by from error
        raise


def _is_late(receipt: Receipt) -> bool:
    since = receipt.get("busy_since")
    patience = timedelta(seconds=SWALLOW_SECONDS) if receipt.get("sent") else LATE
    return since is not None and datetime.fromisoformat(since) < clock.now() - patience


def _unusable(image: Image, wanted: SoftwareImage) -> Problem:
    words = (
        f"Image {image.name} ({image.id}) is {image.status} with {image.size} bytes; the package's has {wanted.size}."
    )
    next_step = "Delete that image in Glance and retry, or choose another image."
    return Problem(409, "IMAGE_UNUSABLE", "The image cannot be used", words, next_step, (Cause("glance", words),))


def _unlike(image: Image, differs: str, made: bool) -> Problem:
    words = f"Image {image.name} ({image.id}) is not what it should be: {differs}."
    next_step = (
        "It has been deleted again. Retry sends it anew; if it differs again, have Glance's store looked at."
        if made
        else "Delete that image in Glance and retry, or choose another image."
    )
    return Problem(
        409, "IMAGE_DIFFERS", "The image is another in the cloud", words, next_step, (Cause("glance", words),)
    )


def _damaged(wanted: SoftwareImage, found: str) -> Problem:
    return Problem(
        500,
        "ARTIFACT_DAMAGED",
        "A stored file is damaged",
        f"The artifact store's {wanted.path} has SHA-256 {found}; when it was onboarded it had {wanted.sha256}.",
        "Restore VNFM_ARTIFACTS_DIR from its backup, or delete the package and onboard it again; then retry.",
    )
