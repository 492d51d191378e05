"""Which changing requests a piece of work made, with OpenStack's own request ids: the trail into the cloud's logs."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from vnfm.clouds.types import Call

_listening: ContextVar[tuple[list[Call], ...]] = ContextVar("listening", default=())


@contextmanager
def recorded() -> Iterator[list[Call]]:
    """Collect every request that may change something (all but GET and HEAD, tokens left out) that this thread makes.

    Of use also when the work fails: the list holds what was sent until then. Of nested trails each hears it all.
    """
    calls: list[Call] = []
    token = _listening.set((*_listening.get(), calls))
    try:
        yield calls
    finally:
        _listening.reset(token)


def record(call: Call) -> None:
    """For adapters: tell of a request, whether it was answered or not."""
    for calls in _listening.get():
        calls.append(call)
