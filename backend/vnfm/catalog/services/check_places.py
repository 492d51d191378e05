"""Few uploads are checked at a time for web requests: a check of the largest takes seconds of processor.

Each has a process of its own (`check_process`). A worker validates two of its own at a time
(`reconcilers.onboarding.SLOTS`).
"""

from collections.abc import Iterator
from contextlib import contextmanager

from vnfm.kit.durable.places import Places
from vnfm.kit.problem import Problem, ProblemError

CHECKS_AT_ONCE = 2
QUEUE_SECONDS = 10.0
places = Places("package-check", CHECKS_AT_ONCE)
_BUSY = Problem(
    503,
    "CHECKS_BUSY",
    "Service unavailable",
    f"{CHECKS_AT_ONCE} other packages are being checked.",
    "Try again in a few seconds.",
    extra={"retryAfter": 5},
)


@contextmanager
def checking() -> Iterator[None]:
    """A place for a check; raises a 503 problem with Retry-After when none is free for QUEUE_SECONDS."""
    with places.hold(QUEUE_SECONDS) as free:
        if not free:
            raise ProblemError(_BUSY)
        yield
