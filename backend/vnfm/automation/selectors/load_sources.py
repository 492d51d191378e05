"""Sources of load values: the port, and the adapters that `config.wiring` installs."""

from collections.abc import Mapping
from datetime import datetime
from typing import Protocol

from vnfm.automation.domain.load import Load
from vnfm.automation.domain.policy import LoadSourceKind
from vnfm.inventory.models import VnfInstance


class LoadProvider(Protocol):
    """Reads stored values; calls no cloud and no device."""

    def load(self, *, instance: VnfInstance, metric: str, since: datetime, now: datetime) -> Load:
        """The metric from `since` on, including the sample that held then.

        An unknown value is a sample without one, with the reason in `words`; no samples: the metric is unknown.
        """
        ...


_installed: dict[LoadSourceKind, LoadProvider] = {}


def install(sources: Mapping[LoadSourceKind, LoadProvider]) -> None:
    """Called by `config.wiring` at start, and by tests."""
    _installed.clear()
    _installed.update(sources)


def source(kind: LoadSourceKind) -> LoadProvider | None:
    """None when no source of that kind is installed."""
    return _installed.get(kind)
