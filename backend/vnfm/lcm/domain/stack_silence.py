"""Decide whether Heat still works on a stack in progress: pure, from two polls of it.

With convergence, a stack whose engine died stays in progress for ever, and Heat does not say so.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Any

PROGRESS = "stackActivity"
"""Key in a step's receipt for `StackActivity`; a heal has its own under "progress"."""
MANUALLY_RESET = "manually reset"
"""Heat's reason has it after `heat-manage reset_stack_status`."""


@dataclass(frozen=True, slots=True)
class StackActivity:
    """When the stack last changed, as far as polls showed."""

    mark: str
    """The mark of its resources, see `clouds.types.StackProgress`."""
    since: datetime
    event: str | None = None
    """Id of its newest event; None until it is requested."""
    silent: bool = False
    """No resource and no event has changed for as long as it takes to ask whether the engine has died."""

    def as_json(self) -> dict[str, Any]:
        return {**asdict(self), "since": self.since.isoformat()}

    @classmethod
    def from_receipt(cls, receipt: Mapping[str, Any] | None) -> "StackActivity | None":
        """None when the receipt has none."""
        data = (receipt or {}).get(PROGRESS)
        return cls(**{**data, "since": datetime.fromisoformat(data["since"])}) if data else None


def needs_event(before: StackActivity | None, mark: str, limit: timedelta, now: datetime) -> bool:
    """True if the newest event is to be read: its first id is kept half-way to the limit, and compared at the limit."""
    if before is None or before.mark != mark:
        return False
    return now - before.since >= (limit / 2 if before.event is None else limit)


def next_activity(
    before: StackActivity | None, mark: str, event: str | None, limit: timedelta, now: datetime
) -> StackActivity:
    """Return the activity after a poll; `event` is None when the poll did not read it."""
    if before is None or before.mark != mark:
        return StackActivity(mark, now)
    if event is None:
        return before
    if before.event is None:
        return StackActivity(mark, before.since, event)
    if before.event != event:
        return StackActivity(mark, now, event)
    return StackActivity(mark, before.since, event, silent=now - before.since >= limit)


def silence_words(since: datetime, stack_id: str) -> str:
    """Say what to check, and both remedies."""
    return (
        f"nothing since {since:%H:%M:%S} UTC; has Heat's engine died? Cancel by force, then retry or roll back: the "
        "request is made again. Or have the cloud's administrator run "
        f'"heat-manage reset_stack_status {stack_id}": then this goes on by itself'
    )
