"""One look at Heat for many waiting operations: the cost of waiting must not grow with the number that wait."""

import threading
import time
from collections import defaultdict
from dataclasses import dataclass, field
from uuid import UUID

from vnfm.clouds.ports import Cloud
from vnfm.clouds.types import Stack
from vnfm.lcm.services.operations import op_wake

CROWD = 4
"""From this many stacks watched at once in a cloud, one list is cheaper than a look at each."""
LOOKS_PER_SECOND = 20
"""What a crowd may cost a worker; whoever sleeps longer for it is rung when a list shows that its stack is done."""
LONGEST_PACE = 50.0
FRESH_SECONDS = 0.5
LISTED_PER_SECOND = 500
"""Stacks of ours; a longer list costs Heat and us more, and is asked for less often."""
WATCHED_SECONDS = 60.0
"""How long a stack counts as watched after the last question; longer than the longest pause between two looks."""


@dataclass(slots=True)
class _Board:
    lock: threading.Lock = field(default_factory=threading.Lock)
    refreshing: threading.Lock = field(default_factory=threading.Lock)
    asked: dict[str, tuple[float, UUID]] = field(default_factory=dict)
    """Stack id to when it was last asked for, and the operation that waits for it."""
    stacks: dict[str, Stack] = field(default_factory=dict)
    listed_at: float = -1e9


_boards: defaultdict[str, _Board] = defaultdict(_Board)


def look(cloud: Cloud, vim_id: str, stack_id: str, op_id: UUID) -> Stack:
    """The stack's state, seldom older than a list may be; raises NotFound when Heat no longer knows it.

    One thread refreshes the list; the others never wait for it, they look for themselves when it is too old.
    """
    board = _boards[vim_id]
    stack = None
    try:
        stack = _look(board, cloud, stack_id) if _is_crowded(board, stack_id, op_id) else cloud.stacks.status(stack_id)
    finally:
        if stack is None or not stack.in_progress:
            with board.lock:
                board.asked.pop(stack_id, None)
    return stack


def _look(board: _Board, cloud: Cloud, stack_id: str) -> Stack:
    fresh = max(FRESH_SECONDS, len(board.asked) / LISTED_PER_SECOND)
    if time.monotonic() - board.listed_at > fresh and board.refreshing.acquire(blocking=False):
        try:
            _refresh(board, cloud)
        finally:
            board.refreshing.release()
    known = board.stacks.get(stack_id)
    if known is not None and time.monotonic() - board.listed_at <= 2 * fresh:
        return known
    return cloud.stacks.status(stack_id)


def pace(vim_id: str) -> float:
    """Seconds until the next look at a stack of this cloud, at least: the more that wait, the longer."""
    return min(LONGEST_PACE, len(_boards[vim_id].asked) / LOOKS_PER_SECOND)


def _refresh(board: _Board, cloud: Cloud) -> None:
    board.stacks = {stack.id: stack for stack in cloud.stacks.list()}
    board.listed_at = time.monotonic()
    with board.lock:
        waiting = [(board.stacks.get(stack_id), op_id) for stack_id, (_, op_id) in board.asked.items()]
    for stack, op_id in waiting:
        if stack is None or not stack.in_progress:
            op_wake(op_id=op_id)


def _is_crowded(board: _Board, stack_id: str, op_id: UUID) -> bool:
    with board.lock:
        now = time.monotonic()
        board.asked[stack_id] = (now, op_id)
        board.asked = {key: value for key, value in board.asked.items() if now - value[0] < WATCHED_SECONDS}
        return len(board.asked) >= CROWD
