"""Waiting for a stack in progress, and noticing that no engine of Heat works on it."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import transaction

from vnfm.clouds.types import Stack
from vnfm.inventory.services import instance_changed
from vnfm.kit import clock
from vnfm.lcm.domain.stack_silence import (
    MANUALLY_RESET,
    PROGRESS,
    StackActivity,
    needs_event,
    next_activity,
    silence_words,
)
from vnfm.lcm.domain.steps import Receipt, Waiting
from vnfm.lcm.steps.base import Context

PROGRESS_EVERY = 2.0
"""Seconds between counts of resources, each of which costs Heat a walk through the nested stacks."""
TAKE_OVER = "takeOver"
"""Key in a receipt: a person retries on a stack that stands still, so the next request need not wait for its end."""


def await_progress(ctx: Context, receipt: Receipt, stack: Stack, words: str = "Heat", at_least: float = 0.0) -> Waiting:
    """Wait for a stack in progress; the receipt notes since when nothing of it changes."""
    message = f"{words} {stack.status}"
    if ctx.elapsed < PROGRESS_EVERY:
        return Waiting(message, receipt, at_least)
    limit, now = timedelta(seconds=settings.STACK_SILENT_SECONDS), clock.now()
    before, progress = StackActivity.from_receipt(receipt), ctx.cloud.stacks.progress(stack.id)
    asked = needs_event(before, progress.mark, limit, now)
    event = ctx.cloud.stacks.last_event(stack.id) if asked else None
    activity = next_activity(before, progress.mark, event, limit, now)
    if activity.silent != (before is not None and before.silent):
        _reevaluate(ctx)
    message += f": {progress.complete} of {progress.total} resources"
    if activity.silent:
        message += f"; {silence_words(activity.since, stack.id)}"
    return Waiting(message, {**receipt, PROGRESS: activity.as_json()}, at_least)


@transaction.atomic
def _reevaluate(ctx: Context) -> None:
    """The alarm of a stack that stands still depends on the receipt."""
    instance_changed(ctx.instance)


def was_reset(stack: Stack) -> bool:
    """True if an administrator has ended it by `heat-manage reset_stack_status`: its last request is made again."""
    return stack.failed and MANUALLY_RESET in stack.status_reason.lower()


def take_over(receipt: Mapping[str, Any]) -> dict[str, bool]:
    """Return the part of `receipt` that a retry keeps: whether the stack stood still when the step was given up."""
    activity = StackActivity.from_receipt(receipt)
    return {TAKE_OVER: True} if activity is not None and activity.silent else {}
