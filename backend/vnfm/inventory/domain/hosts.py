"""Compute hosts as Nova shows them, in the form of our records. Pure."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from vnfm.clouds.types import CloudHost


@dataclass(frozen=True, slots=True)
class HostObservation:
    state: str
    service: str
    status: str
    forced_down: bool | None
    reason: str

    def same_state(self, other: "HostObservation") -> bool:
        """Return whether at most the reason differs."""
        mine = (self.state, self.service, self.status, self.forced_down)
        return mine == (other.state, other.service, other.status, other.forced_down)


@dataclass(frozen=True, slots=True)
class HostChanges:
    """Changes after which the records match the observation."""

    put: Mapping[str, HostObservation]
    """By name, those that are new or changed."""
    gone: frozenset[str]

    def __bool__(self) -> bool:
        return bool(self.put or self.gone)


def observe_hosts(hosts: Iterable[CloudHost]) -> dict[str, HostObservation]:
    return {
        host.name: HostObservation(
            state="up" if host.hypervisor_up else "down",
            service="up" if host.up else "down",
            status="enabled" if host.enabled else "disabled",
            forced_down=host.forced_down,
            reason=host.disabled_reason,
        )
        for host in hosts
    }


def host_changes(before: Mapping[str, HostObservation], observed: Mapping[str, HostObservation]) -> HostChanges:
    put = {name: host for name, host in observed.items() if before.get(name) != host}
    return HostChanges(put, frozenset(before.keys() - observed.keys()))
