"""Where load values come from: the port, and what `config.wiring` put behind it."""

from collections.abc import Mapping
from datetime import datetime
from typing import Protocol

from vnfm.automation.domain.load import Load
from vnfm.automation.domain.policy import Source
from vnfm.inventory.models import VnfInstance


class LoadSource(Protocol):
    """Reads what others have stored; asks no cloud and no device."""

    def load(self, *, instance: VnfInstance, metric: str, since: datetime, now: datetime) -> Load:
        """How the metric has been from `since` on, that is with the sample that held then.

        What it cannot tell is a sample without a value, with the reason in `words`; without any samples it has never
        heard of the metric.
        """
        ...


_installed: dict[Source, LoadSource] = {}


def install(sources: Mapping[Source, LoadSource]) -> None:
    """Choose the sources; called by `config.wiring` at start, and by tests that bring their own."""
    _installed.clear()
    _installed.update(sources)


def source(kind: Source) -> LoadSource | None:
    """None while nothing delivers values of that kind."""
    return _installed.get(kind)
