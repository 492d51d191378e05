"""Steps on what all instances of a cloud share: images and flavors. Made once, whoever needs them first."""

from datetime import timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet

from vnfm.catalog.domain.vnfd import ResourceNeeds
from vnfm.inventory.models import UnclaimedResource
from vnfm.kit import clock
from vnfm.lcm.domain.plan import flavor_for
from vnfm.lcm.domain.states import DRIVEN_STATES, OperationState
from vnfm.lcm.domain.steps import Done, Outcome, Receipt, Waiting
from vnfm.lcm.models import LcmOpOcc
from vnfm.lcm.sagas.base import Context, Step, step_kind
from vnfm.vims.models import VimArtefact

TRUST = timedelta(seconds=60)
"""How long an artefact that was seen in the cloud is taken to be still there."""


def has_stopped(maker_id: UUID) -> bool:
    """Whether the operation that claimed an artefact, or what was to remove it, will not go on by itself."""
    driven = LcmOpOcc.objects.filter(id=maker_id, state__in=DRIVEN_STATES)
    removed = UnclaimedResource.objects.filter(id=maker_id, removal=UnclaimedResource.Removal.REQUESTED)
    return not driven.exists() and not removed.exists()


class Shared(Step):
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
        if stale or (row.ready_at is None and has_stopped(row.maker_id)):
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
        return self._found_or_made(ctx)

    def observe(self, ctx: Context, receipt: Receipt) -> Outcome:
        row = self._rows(ctx).first()
        if row is not None and row.ready_at is not None:
            return Done(f"{row.key} is there")
        if receipt["mine"]:
            return self._await(ctx, receipt)
        if row is None or has_stopped(row.maker_id):
            return Waiting("Whoever had it stopped; making it here", self.submit(ctx))
        return Waiting(f"{row.key} is being removed" if row.going else f"Another operation is making {row.key}")

    def again(self, ctx: Context, receipt: Receipt) -> Receipt:
        """Look and claim anew; what the first attempt made stays this operation's to remove."""
        new = self.submit(ctx)
        return {**receipt, **new, "made": new["made"] or receipt["made"]} if new.get("id") == receipt.get("id") else new

    def undo(self, ctx: Context, receipt: Receipt) -> Outcome:
        """Remove what this operation made, unless others build on it already."""
        if not receipt["made"]:
            return Done("Shared with others")
        if not self._withdraw(ctx):
            return Done("Kept: other instances use it")
        self._remove(ctx, receipt["id"])
        self._rows(ctx).filter(maker_id=ctx.op.id, going=True).delete()
        return Done("Removed again")

    def _found_or_made(self, ctx: Context) -> Receipt:
        """For whoever has claimed it."""
        existing = self._find(ctx)
        resource_id, made = self._make(ctx) if existing is None else (existing, self._is_own(ctx, existing))
        if made:
            self._rows(ctx).update(made_id=resource_id)
        return {"mine": True, "made": made, "id": resource_id}

    def _ready(self, ctx: Context, resource_id: str, message: str) -> Done:
        """It is there and as it must be: everybody may use it."""
        self._rows(ctx).update(resource_id=resource_id, ready_at=clock.now())
        return Done(message)

    def _is_own(self, ctx: Context, resource_id: str) -> bool:
        """Whether the id itself tells that this operation made it, though there may be no receipt."""
        return False

    def _find(self, ctx: Context) -> str | None:
        raise NotImplementedError

    def _make(self, ctx: Context) -> tuple[str, bool]:
        """Its id, and whether this operation made it: somebody else may just have."""
        raise NotImplementedError

    def _await(self, ctx: Context, receipt: Receipt) -> Outcome:
        raise NotImplementedError

    def _remove(self, ctx: Context, resource_id: str) -> None:
        raise NotImplementedError


@step_kind
class CreateFlavor(Shared):
    """Create the Nova flavor that the operator agreed to."""

    kind = "create_flavor@1"
    artefact_kind = VimArtefact.Kind.FLAVOR

    def _find(self, ctx: Context) -> str | None:
        flavor = ctx.cloud.flavors.find(ctx.params["key"])
        return flavor.id if flavor else None

    def _make(self, ctx: Context) -> tuple[str, bool]:
        needs = next(chosen.needs for chosen in ctx.plan.flavors if chosen.vdu_id == ctx.params["subject"])
        return ctx.cloud.flavors.create(flavor_for(ctx.params["key"], ResourceNeeds(**needs))), True

    def _await(self, ctx: Context, receipt: Receipt) -> Outcome:
        return self._ready(ctx, receipt["id"], f"Nova has flavor {ctx.params['key']}")

    def _remove(self, ctx: Context, resource_id: str) -> None:
        ctx.cloud.flavors.delete(resource_id)
