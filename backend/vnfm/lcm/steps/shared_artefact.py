"""The base of steps on what all instances of a cloud share, images and flavors: created once, by the first operation
that needs them.
"""

from abc import abstractmethod
from datetime import timedelta
from typing import ClassVar
from uuid import UUID

from django.db import transaction

from vnfm.inventory.selectors import is_removal_requested
from vnfm.kit import clock
from vnfm.lcm.domain.states import DRIVEN_STATES, OperationState
from vnfm.lcm.domain.steps import Done, Outcome, Receipt, Waiting
from vnfm.lcm.models import LcmOpOcc
from vnfm.lcm.steps.base import Context, Step
from vnfm.vims.domain.artefact import ArtefactKey
from vnfm.vims.selectors import artefact_get
from vnfm.vims.services.artefacts import (
    artefact_claim,
    artefact_created,
    artefact_lock,
    artefact_ready,
    artefact_removed,
)

TRUST = timedelta(seconds=60)
"""An artefact that was found in the cloud counts as existing for this time."""


def is_maker_stopped(maker_id: UUID) -> bool:
    """True if the operation, or the removal, that claimed an artefact has stopped."""
    driven = LcmOpOcc.objects.filter(id=maker_id, state__in=DRIVEN_STATES)
    return not driven.exists() and not is_removal_requested(unclaimed_id=maker_id)


class SharedArtefact(Step):
    """The unique row (vim, kind, key) decides which operation creates it; all others wait for `ready_at`.

    A removal first marks the row (`going`), after a check in the same transaction that no operation uses the artefact.
    An operation stores its plan before it reads the row: so either the removal finds the plan, or the operation finds
    the mark.
    """

    artefact_kind: ClassVar[str]

    def _key(self, ctx: Context) -> ArtefactKey:
        assert ctx.instance.vim_id is not None, "the instance got its VIM when the operation started"
        return ArtefactKey(ctx.instance.vim_id, self.artefact_kind, ctx.params["key"])

    @transaction.atomic
    def _claim(self, ctx: Context) -> bool:
        """Claim it if its maker has stopped or it was ready more than TRUST ago; True if this operation makes it."""
        row = artefact_lock(self._key(ctx), maker_id=ctx.op.id)
        stale = row.ready_at is not None and row.ready_at < clock.now() - TRUST
        if stale or (row.ready_at is None and is_maker_stopped(row.maker_id)):
            artefact_claim(artefact_id=row.id, maker_id=ctx.op.id, going=False)
            return True
        return row.ready_at is None and row.maker_id == ctx.op.id

    @transaction.atomic
    def _withdraw(self, ctx: Context) -> bool:
        """Claim the removal; False when another operation's plan uses the artefact."""
        row = artefact_lock(self._key(ctx), maker_id=ctx.op.id)
        if row.going and row.maker_id == ctx.op.id:
            return True
        users = LcmOpOcc.objects.exclude(id=ctx.op.id).exclude(state=OperationState.ROLLED_BACK)
        same = {"instance__vim": ctx.instance.vim_id, "plan__artefacts__contains": [{"key": ctx.params["key"]}]}
        if users.filter(**same).exists():
            return False
        artefact_claim(artefact_id=row.id, maker_id=ctx.op.id, going=True)
        return True

    def submit(self, ctx: Context) -> Receipt:
        return self._find_or_create(ctx) if self._claim(ctx) else {"mine": False, "made": False}

    def observe(self, ctx: Context, receipt: Receipt) -> Outcome:
        row = artefact_get(self._key(ctx))
        if row is not None and row.ready_at is not None:
            return Done(f"{row.key} is there")
        if receipt["mine"]:
            return self._await(ctx, receipt)
        if row is None or is_maker_stopped(row.maker_id):
            return Waiting("The operation that was creating it stopped; creating it here", self.submit(ctx))
        return Waiting(f"{row.key} is being removed" if row.going else f"Another operation is creating {row.key}")

    def retry(self, ctx: Context, receipt: Receipt) -> Receipt:
        """Claim and find again; what the first attempt created stays this operation's to remove."""
        new = self.submit(ctx)
        return {**receipt, **new, "made": new["made"] or receipt["made"]} if new.get("id") == receipt.get("id") else new

    def undo(self, ctx: Context, receipt: Receipt) -> Outcome:
        """Remove what this operation created, unless others use it already."""
        if not receipt["made"]:
            return Done("Shared with others")
        if not self._withdraw(ctx):
            return Done("Kept: other instances use it")
        self._remove(ctx, receipt["id"])
        artefact_removed(self._key(ctx), maker_id=ctx.op.id)
        return Done("Removed again")

    def _find_or_create(self, ctx: Context) -> Receipt:
        """The operation that has claimed it calls this."""
        existing = self._find(ctx)
        resource_id, created = self._create(ctx) if existing is None else (existing, self._is_own(ctx, existing))
        if created:
            artefact_created(self._key(ctx), resource_id=resource_id)
        return {"mine": True, "made": created, "id": resource_id}

    def _ready(self, ctx: Context, resource_id: str, message: str) -> Done:
        """It exists and is correct: all operations may use it."""
        artefact_ready(self._key(ctx), resource_id=resource_id, now=clock.now())
        return Done(message)

    def _is_own(self, ctx: Context, resource_id: str) -> bool:
        """True if the id itself shows that this operation created it, even without a receipt."""
        return False

    @abstractmethod
    def _find(self, ctx: Context) -> str | None: ...

    @abstractmethod
    def _create(self, ctx: Context) -> tuple[str, bool]:
        """Return its id, and whether this operation created it: another may have done so since `_find`."""

    @abstractmethod
    def _await(self, ctx: Context, receipt: Receipt) -> Outcome: ...

    @abstractmethod
    def _remove(self, ctx: Context, resource_id: str) -> None: ...
