"""What a cloud says of its compute hosts, in the form in which we keep it. Pure."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from vnfm.clouds.types import Host


@dataclass(frozen=True, slots=True)
class HostSeen:
    state: str
    service: str
    status: str
    forced_down: bool | None
    reason: str

    def same_state(self, other: "HostSeen") -> bool:
        """Whether only the words of the reason differ, if anything."""
        mine = (self.state, self.service, self.status, self.forced_down)
        return mine == (other.state, other.service, other.status, other.forced_down)


@dataclass(frozen=True, slots=True)
class HostNews:
    """What to write so that the record says what was seen."""

    put: Mapping[str, HostSeen]
    """By name, those that are new or other than before."""
    gone: frozenset[str]

    def __bool__(self) -> bool:
        return bool(self.put or self.gone)


def hosts_seen(hosts: Iterable[Host]) -> dict[str, HostSeen]:
    return {
        host.name: HostSeen(
            state="up" if host.hypervisor_up else "down",
            service="up" if host.up else "down",
            status="enabled" if host.enabled else "disabled",
            forced_down=host.forced_down,
            reason=host.disabled_reason,
        )
        for host in hosts
    }


def host_news(before: Mapping[str, HostSeen], seen: Mapping[str, HostSeen]) -> HostNews:
    put = {name: host for name, host in seen.items() if before.get(name) != host}
    return HostNews(put, frozenset(before.keys() - seen.keys()))
