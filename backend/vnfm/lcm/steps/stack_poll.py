"""Polls stacks for many waiting operations: the number of calls must not grow with the number of operations."""

import threading
import time
from collections import defaultdict
from dataclasses import dataclass, field
from uuid import UUID

from vnfm.clouds.ports import Cloud
from vnfm.clouds.types import Stack
from vnfm.lcm.services.operations import op_wake

CROWD = 4
"""One list call is cheaper than one call for each of this many watched stacks of a cloud."""
POLLS_PER_SECOND = 20
"""Limit of a worker's polls for all of them; an operation that waits longer is woken when a list shows its end."""
LONGEST_INTERVAL = 50.0
FRESH_SECONDS = 0.5
LISTED_PER_SECOND = 500
"""A longer list costs Heat and us more, and is requested less often."""
WATCHED_SECONDS = 60.0
"""A stack counts as watched for this time after a poll; longer than the longest pause between two polls."""


@dataclass(slots=True)
class _CloudStacks:
    lock: threading.Lock = field(default_factory=threading.Lock)
    refreshing: threading.Lock = field(default_factory=threading.Lock)
    watched: dict[str, tuple[float, UUID]] = field(default_factory=dict)
    """Stack id → time of its last poll (monotonic), and the operation that waits for it."""
    stacks: dict[str, Stack] = field(default_factory=dict)
    listed_at: float = -1e9


_clouds: defaultdict[str, _CloudStacks] = defaultdict(_CloudStacks)


def stack_status(cloud: Cloud, vim_id: str, stack_id: str, op_id: UUID) -> Stack:
    """The stack's status, seldom older than FRESH_SECONDS; raises NotFound when Heat no longer knows it.

    One thread refreshes the list; the others never wait for it: they request a single stack when it is too old.
    """
    polled = _clouds[vim_id]
    stack = None
    try:
        stack = (
            _status_from_list(polled, cloud, stack_id)
            if _is_crowded(polled, stack_id, op_id)
            else cloud.stacks.status(stack_id)
        )
    finally:
        if stack is None or not stack.in_progress:
            with polled.lock:
                polled.watched.pop(stack_id, None)
    return stack


def _status_from_list(polled: _CloudStacks, cloud: Cloud, stack_id: str) -> Stack:
    fresh = max(FRESH_SECONDS, len(polled.watched) / LISTED_PER_SECOND)
    if time.monotonic() - polled.listed_at > fresh and polled.refreshing.acquire(blocking=False):
        try:
            _refresh(polled, cloud)
        finally:
            polled.refreshing.release()
    known = polled.stacks.get(stack_id)
    if known is not None and time.monotonic() - polled.listed_at <= 2 * fresh:
        return known
    return cloud.stacks.status(stack_id)


def poll_interval(vim_id: str) -> float:
    """Least seconds until the next poll of a stack of this cloud: the more are watched, the longer."""
    return min(LONGEST_INTERVAL, len(_clouds[vim_id].watched) / POLLS_PER_SECOND)


def _refresh(polled: _CloudStacks, cloud: Cloud) -> None:
    polled.stacks = {stack.id: stack for stack in cloud.stacks.list()}
    polled.listed_at = time.monotonic()
    with polled.lock:
        waiting = [(polled.stacks.get(stack_id), op_id) for stack_id, (_, op_id) in polled.watched.items()]
    for stack, op_id in waiting:
        if stack is None or not stack.in_progress:
            op_wake(op_id=op_id)


def _is_crowded(polled: _CloudStacks, stack_id: str, op_id: UUID) -> bool:
    with polled.lock:
        now = time.monotonic()
        polled.watched[stack_id] = (now, op_id)
        polled.watched = {key: value for key, value in polled.watched.items() if now - value[0] < WATCHED_SECONDS}
        return len(polled.watched) >= CROWD
