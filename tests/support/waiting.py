"""Waiting for a condition, where nothing says when it holds."""

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def until(condition: Callable[[], T | None], what: str, seconds: float = 90, every: float = 0.02) -> T:
    """The first truthy result of `condition`: simulators and processes are of their own and take their time."""
    deadline = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < deadline, f"waited {seconds} s for {what}"
        time.sleep(every)
    return found
