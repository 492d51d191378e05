"""Steps on what all instances of a cloud share: images and flavors. Made once, whoever needs them first."""

from datetime import timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet

from vnfm.catalog import selectors as catalog
from vnfm.catalog.domain.vnfd import ResourceNeeds
from vnfm.clouds.types import Image
from vnfm.kit import clock
from vnfm.kit.problem import Cause, Problem
from vnfm.lcm.domain.plan import flavor_for
from vnfm.lcm.domain.states import FINAL_STATES, OperationState
from vnfm.lcm.domain.steps import Blocked, Done, Outcome, Receipt, Waiting
from vnfm.lcm.models import LcmOpOcc
from vnfm.lcm.sagas.base import Context, Step, step_kind
from vnfm.vims.models import VimArtefact

TRUST = timedelta(seconds=60)
"""How long an artefact that was seen in the cloud is taken to be still there."""


def _has_stopped(maker_id: UUID) -> bool:
    """Whether the operation that claimed an artefact will not go on by itself."""
    return LcmOpOcc.objects.filter(id=maker_id, state__in=(*FINAL_STATES, OperationState.FAILED_TEMP)).exists()


class _Shared(Step):
    """The unique row (vim, kind, key) decides who makes it; everybody else waits for `ready_at`.

    Whoever removes it says so in the row first, having seen in the same transaction that nobody builds on it. An
    operation has stored its plan before it looks at the row: so it is either seen, or sees that the artefact is going.
    """

    artefact_kind = VimArtefact.Kind.IMAGE

    def _rows(self, ctx: Context) -> QuerySet[VimArtefact]:
        return VimArtefact.objects.filter(vim=ctx.instance.vim, kind=self.artefact_kind, key=ctx.params["key"])

    def _locked(self, ctx: Context) -> VimArtefact:
        """The row, until the transaction ends; ours when there was none."""
        key = {"vim": ctx.instance.vim, "kind": self.artefact_kind, "key": ctx.params["key"]}
        rows = VimArtefact.objects.select_for_update(no_key=True)
        return rows.get_or_create(**key, defaults={"maker_id": ctx.op.id})[0]

    @transaction.atomic
    def _claim(self, ctx: Context) -> VimArtefact:
        """The row of the artefact; ours when nobody else makes it, or whoever did has stopped or long finished."""
        row = self._locked(ctx)
        stale = row.ready_at is not None and row.ready_at < clock.now() - TRUST
        if stale or (row.ready_at is None and _has_stopped(row.maker_id)):
            row.maker_id, row.ready_at, row.going = ctx.op.id, None, False
            row.save(update_fields=["maker_id", "ready_at", "going"])
        return row

    @transaction.atomic
    def _withdraw(self, ctx: Context) -> bool:
        """Whether nobody builds on it: then it is going, and ours to remove."""
        row = self._locked(ctx)
        if row.going and row.maker_id == ctx.op.id:
            return True
        builders = LcmOpOcc.objects.exclude(id=ctx.op.id).exclude(state=OperationState.ROLLED_BACK)
        same = {"instance__vim": ctx.instance.vim, "plan__artefacts__contains": [{"key": ctx.params["key"]}]}
        if builders.filter(**same).exists():
            return False
        row.maker_id, row.ready_at, row.going = ctx.op.id, None, True
        row.save(update_fields=["maker_id", "ready_at", "going"])
        return True

    def submit(self, ctx: Context) -> Receipt:
        row = self._claim(ctx)
        if row.ready_at is not None or row.maker_id != ctx.op.id:
            return {"mine": False, "made": False}
        existing = self._find(ctx)
        if existing is not None:
            return {"mine": True, "made": False, "id": existing}
        return {"mine": True, "made": True, "id": self._make(ctx)}

    def observe(self, ctx: Context, receipt: Receipt) -> Outcome:
        row = self._rows(ctx).first()
        if row is not None and row.ready_at is not None:
            return Done(f"{row.key} is there")
        if receipt["mine"]:
            outcome = self._await(ctx, receipt["id"])
            if isinstance(outcome, Done):
                self._rows(ctx).update(resource_id=receipt["id"], ready_at=clock.now())
            return outcome
        if row is None or _has_stopped(row.maker_id):
            return Waiting("Whoever had it stopped; making it here", self.submit(ctx))
        return Waiting(f"{row.key} is being removed" if row.going else f"Another operation is making {row.key}")

    def again(self, ctx: Context, receipt: Receipt) -> Receipt:
        """Look and claim anew; what the first attempt made stays this operation's to remove."""
        new = self.submit(ctx)
        return {**new, "made": new["made"] or (receipt["made"] and receipt.get("id") == new.get("id"))}

    def undo(self, ctx: Context, receipt: Receipt) -> Outcome:
        """Remove what this operation made, unless others build on it already."""
        if not receipt["made"]:
            return Done("Shared with others")
        if not self._withdraw(ctx):
            return Done("Kept: other instances use it")
        self._remove(ctx, receipt["id"])
        self._rows(ctx).filter(maker_id=ctx.op.id, going=True).delete()
        return Done("Removed again")

    def _find(self, ctx: Context) -> str | None:
        raise NotImplementedError

    def _make(self, ctx: Context) -> str:
        raise NotImplementedError

    def _await(self, ctx: Context, resource_id: str) -> Outcome:
        raise NotImplementedError

    def _remove(self, ctx: Context, resource_id: str) -> None:
        raise NotImplementedError


def _unusable(image: Image, size: int) -> Problem:
    words = f"Image {image.name} ({image.id}) is {image.status} with {image.size} bytes; the package's has {size}."
    next_step = "Delete that image in Glance and retry, or choose another image."
    return Problem(409, "IMAGE_UNUSABLE", "The image cannot be used", words, next_step, (Cause("glance", words),))


@step_kind
class ProvideImage(_Shared):
    """Have a software image of the package in Glance, under a name that holds the digest of its bytes."""

    kind = "provide_image@1"
    artefact_kind = VimArtefact.Kind.IMAGE

    def _find(self, ctx: Context) -> str | None:
        image = ctx.cloud.images.find(ctx.params["key"])
        return image.id if image else None

    def _make(self, ctx: Context) -> str:
        image = ctx.vnfd.software_image(ctx.params["subject"])
        properties = {"vnfm_sha256": image.sha256, "vnfm_placeholder": str(image.placeholder).lower()}
        return ctx.cloud.images.create(
            Image(
                id="",
                name=ctx.params["key"],
                status="",
                size=image.size,
                checksum="",
                disk_format=image.disk_format,
                container_format=image.container_format,
                min_disk_gib=image.min_disk_gib,
                min_memory_mib=image.min_memory_mib,
                properties=properties,
            )
        )

    def _await(self, ctx: Context, resource_id: str) -> Outcome:
        image = ctx.cloud.images.show(resource_id)
        software_image = ctx.vnfd.software_image(ctx.params["subject"])
        if image.status == "active" and image.size == software_image.size:
            return Done(f"Glance has {image.name}, {image.size} bytes")
        if image.status == "queued":
            with catalog.software_image_open(package=ctx.package, image=software_image) as data:
                ctx.cloud.images.upload(resource_id, data)
            return Waiting("Glance has the bytes")
        if image.status in ("saving", "importing", "uploading"):
            return Waiting(f"Glance {image.status}")
        return Blocked(_unusable(image, software_image.size))

    def _remove(self, ctx: Context, resource_id: str) -> None:
        ctx.cloud.images.delete(resource_id)


@step_kind
class CreateFlavor(_Shared):
    """Create the Nova flavor that the operator agreed to."""

    kind = "create_flavor@1"
    artefact_kind = VimArtefact.Kind.FLAVOR

    def _find(self, ctx: Context) -> str | None:
        flavor = ctx.cloud.flavors.find(ctx.params["key"])
        return flavor.id if flavor else None

    def _make(self, ctx: Context) -> str:
        needs = next(chosen.needs for chosen in ctx.plan.flavors if chosen.vdu_id == ctx.params["subject"])
        return ctx.cloud.flavors.create(flavor_for(ctx.params["key"], ResourceNeeds(**needs)))

    def _await(self, ctx: Context, resource_id: str) -> Outcome:
        return Done(f"Nova has flavor {ctx.params['key']}")

    def _remove(self, ctx: Context, resource_id: str) -> None:
        ctx.cloud.flavors.delete(resource_id)
