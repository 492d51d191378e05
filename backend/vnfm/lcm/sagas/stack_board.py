"""One look at Heat for many waiting operations: the cost of waiting must not grow with the number that wait."""

import threading
import time
from collections import defaultdict
from dataclasses import dataclass, field

from vnfm.clouds.ports import Cloud
from vnfm.clouds.types import Stack

CROWD = 4
"""From this many stacks watched at once in a cloud, one list is cheaper than a look at each."""
FRESH_SECONDS = 0.5
WATCHED_SECONDS = 6.0
"""How long a stack counts as watched after the last question; longer than the longest pause between two looks."""


@dataclass(slots=True)
class _Board:
    lock: threading.Lock = field(default_factory=threading.Lock)
    refreshing: threading.Lock = field(default_factory=threading.Lock)
    asked: dict[str, float] = field(default_factory=dict)
    stacks: dict[str, Stack] = field(default_factory=dict)
    listed_at: float = -1e9


_boards: defaultdict[str, _Board] = defaultdict(_Board)


def look(cloud: Cloud, vim_id: str, stack_id: str) -> Stack:
    """The stack's state, seldom older than FRESH_SECONDS; raises NotFound when Heat no longer knows it.

    One thread refreshes the list; the others never wait for it, they look for themselves when it is too old.
    """
    board = _boards[vim_id]
    if not _is_crowded(board, stack_id):
        return cloud.stacks.status(stack_id)
    if time.monotonic() - board.listed_at > FRESH_SECONDS and board.refreshing.acquire(blocking=False):
        try:
            board.stacks = {stack.id: stack for stack in cloud.stacks.list()}
            board.listed_at = time.monotonic()
        finally:
            board.refreshing.release()
    known = board.stacks.get(stack_id)
    if known is not None and time.monotonic() - board.listed_at <= 2 * FRESH_SECONDS:
        return known
    return cloud.stacks.status(stack_id)


def _is_crowded(board: _Board, stack_id: str) -> bool:
    with board.lock:
        now = time.monotonic()
        board.asked[stack_id] = now
        board.asked = {key: at for key, at in board.asked.items() if now - at < WATCHED_SECONDS}
        return len(board.asked) >= CROWD
