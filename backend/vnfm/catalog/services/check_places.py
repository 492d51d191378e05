"""How many uploads are checked at a time in web requests: a check of the largest takes seconds of processor.

They stay in the web processes, and do not go to a worker as probes of clouds do: a worker's threads run the operations,
which a check would delay just as much. A worker validates two of its own at a time (`reconcilers.onboarding.SLOTS`).
"""

from collections.abc import Iterator
from contextlib import contextmanager

from vnfm.kit.places import Places
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
