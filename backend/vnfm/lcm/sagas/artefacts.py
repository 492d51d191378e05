"""Steps on what all instances of a cloud share: images and flavors. Made once, whoever needs them first."""

from datetime import timedelta

from django.db import IntegrityError, transaction

from vnfm.catalog import selectors as catalog
from vnfm.clouds.types import Image
from vnfm.kit import clock
from vnfm.lcm.domain.plan import flavor_for
from vnfm.lcm.domain.states import FINAL_STATES
from vnfm.lcm.domain.steps import Done, Outcome, Receipt, Waiting
from vnfm.lcm.models import LcmOpOcc
from vnfm.lcm.sagas.base import Context, Step, step_kind
from vnfm.vims.models import VimArtefact

TRUST = timedelta(seconds=60)
"""How long an artefact that was seen in the cloud is taken to be still there."""


class _Shared(Step):
    """The unique row (vim, kind, key) decides who makes it; everybody else waits for `ready_at`."""

    artefact_kind = VimArtefact.Kind.IMAGE

    def _claim(self, ctx: Context) -> VimArtefact:
        key = {"vim": ctx.instance.vim, "kind": self.artefact_kind, "key": ctx.params["key"]}
        try:
            with transaction.atomic():
                return VimArtefact.objects.create(**key, maker_id=ctx.op.id)
        except IntegrityError:
            row = VimArtefact.objects.get(**key)
        maker_over = row.ready_at is None and LcmOpOcc.objects.filter(id=row.maker_id, state__in=FINAL_STATES).exists()
        if maker_over or (row.ready_at is not None and row.ready_at < clock.now() - TRUST):
            # Its maker gave up, or it has not been seen for a while: look again ourselves.
            taken = VimArtefact.objects.filter(id=row.id, maker_id=row.maker_id, ready_at=row.ready_at).update(
                maker_id=ctx.op.id, ready_at=None
            )
            row.refresh_from_db()
            if taken:
                return row
        return row

    def submit(self, ctx: Context) -> Receipt:
        row = self._claim(ctx)
        if row.ready_at is not None or row.maker_id != ctx.op.id:
            return {"mine": False}
        existing = self._find(ctx)
        if existing is not None:
            return {"mine": True, "made": False, "id": existing}
        return {"mine": True, "made": True, "id": self._make(ctx)}

    def observe(self, ctx: Context, receipt: Receipt) -> Outcome:
        row = VimArtefact.objects.filter(vim=ctx.instance.vim, kind=self.artefact_kind, key=ctx.params["key"]).first()
        if row is not None and row.ready_at is not None:
            return Done(f"{row.key} is there")
        if receipt["mine"]:
            outcome = self._await(ctx, receipt["id"])
            if isinstance(outcome, Done):
                VimArtefact.objects.filter(vim=ctx.instance.vim, kind=self.artefact_kind, key=ctx.params["key"]).update(
                    resource_id=receipt["id"], ready_at=clock.now()
                )
            return outcome
        if row is None or LcmOpOcc.objects.filter(id=row.maker_id, state__in=FINAL_STATES).exists():
            return Waiting("The operation that was making it gave up; making it here", self.submit(ctx))
        return Waiting(f"Another operation is making {ctx.params['key']}")

    def again(self, ctx: Context, receipt: Receipt) -> Receipt:
        return self.submit(ctx)

    def undo(self, ctx: Context, receipt: Receipt) -> Outcome:
        """Remove what this operation made, unless others build on it already."""
        if not receipt.get("made"):
            return Done("Shared with others")
        others = (
            LcmOpOcc.objects.exclude(id=ctx.op.id)
            .filter(instance__vim=ctx.instance.vim, plan__artefacts__contains=[{"key": ctx.params["key"]}])
            .exclude(state__in=["ROLLED_BACK", "FAILED"])
        )
        if others.exists():
            return Done("Kept: other instances use it")
        self._remove(ctx, receipt["id"])
        VimArtefact.objects.filter(vim=ctx.instance.vim, kind=self.artefact_kind, key=ctx.params["key"]).delete()
        return Done("Removed again")

    def _find(self, ctx: Context) -> str | None:
        raise NotImplementedError

    def _make(self, ctx: Context) -> str:
        raise NotImplementedError

    def _await(self, ctx: Context, resource_id: str) -> Outcome:
        raise NotImplementedError

    def _remove(self, ctx: Context, resource_id: str) -> None:
        raise NotImplementedError


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
        if image.status == "active":
            return Done(f"Glance has {image.name}, {image.size} bytes")
        if image.status == "queued":
            software_image = ctx.vnfd.software_image(ctx.params["subject"])
            with catalog.software_image_open(package=ctx.instance.package, image=software_image) as data:
                ctx.cloud.images.upload(resource_id, data)
            return Waiting("Glance has the bytes")
        return Waiting(f"Glance {image.status}")

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
        needs = ctx.vnfd.vdu(ctx.params["subject"]).needs
        return ctx.cloud.flavors.create(flavor_for(ctx.params["key"], needs))

    def _await(self, ctx: Context, resource_id: str) -> Outcome:
        return Done(f"Nova has flavor {ctx.params['key']}")

    def _remove(self, ctx: Context, resource_id: str) -> None:
        ctx.cloud.flavors.delete(resource_id)
