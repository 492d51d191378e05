"""Collects changing requests with OpenStack's request ids, by which they are found in the cloud's logs."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from vnfm.clouds.types import ApiCall

_call_lists: ContextVar[tuple[list[ApiCall], ...]] = ContextVar("call_lists", default=())


@contextmanager
def record_calls() -> Iterator[list[ApiCall]]:
    """Collect every request that may change something (all but GET and HEAD, tokens left out) that this thread makes.

    When the work fails, the list holds what was sent until then. Nested blocks each collect all calls.
    """
    calls: list[ApiCall] = []
    token = _call_lists.set((*_call_lists.get(), calls))
    try:
        yield calls
    finally:
        _call_lists.reset(token)


def log_call(call: ApiCall) -> None:
    """Log a request, answered or not; adapters call this."""
    for calls in _call_lists.get():
        calls.append(call)
