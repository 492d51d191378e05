"""The input of the conditions and the drift of one instance, as values."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from vnfm.inventory.domain.observation import UNKNOWN
from vnfm.vims.domain.reachability import Reachability

INSTANTIATED = "INSTANTIATED"


@dataclass(frozen=True, slots=True)
class VimView:
    """The VIM: its reachability, and when its servers were last listed."""

    name: str
    reachability: Reachability
    servers_at: datetime | None
    stale_after: timedelta
    """Age at which what was observed of its servers becomes unknown."""
    renews_ports: bool = False
    """Its Heat has mark-unhealthy, which Liberty lacks: by it a lost port is replaced; no check finds it."""

    def lost_since(self, observed_at: datetime | None, now: datetime) -> datetime | None:
        """Since when what was last observed at `observed_at` is out of sight; None when what we know is current.

        A poll may reach Nova and not Heat: then servers are known although the VIM counts as unreachable.
        """
        seen = max((at for at in (observed_at, self.servers_at) if at is not None), default=None)
        since = self.reachability.last_transition_time
        if seen is None or (self.reachability.status == "False" and seen <= since):
            return since
        return seen if now - seen > self.stale_after else None


@dataclass(frozen=True, slots=True)
class LostPort:
    """A port that the package made for a VNFC and that Neutron no longer has."""

    port_id: str
    cp_id: str
    since: datetime


@dataclass(frozen=True, slots=True)
class VnfcView:
    """A VNFC: what it should be, and what was last observed of its server."""

    vdu_id: str
    name: str
    server_name: str
    desired: Literal["STARTED", "STOPPED"]
    status: str
    """The status as last observed."""
    status_since: datetime
    observed_at: datetime | None
    vnfc_id: str = ""
    server_id: str = ""
    expected_flavor_id: str = ""
    expected_flavor: str = ""
    """Its name, for people."""
    flavor_id: str = ""
    flavor: str = ""
    expected_host: str = ""
    host: str = ""
    lost_ports: tuple[LostPort, ...] = ()

    def status_at(self, vim: VimView, now: datetime) -> tuple[str, datetime]:
        """The status to show and since when: the last one seen, or UNKNOWN since it became stale."""
        lost = vim.lost_since(self.observed_at, now)
        return (self.status, self.status_since) if lost is None else (UNKNOWN, lost)


@dataclass(frozen=True, slots=True)
class StackView:
    """The Heat stack. Times are Heat's `updated_time` as it wrote them; "" for never."""

    name: str
    status: str
    updated_at: str
    left_at: str
    """`updated_at` as our last operation left it."""
    observed_at: datetime | None


@dataclass(frozen=True, slots=True)
class StrayServer:
    """A server that says it is of the instance and that no operation of ours recorded."""

    server_id: str
    name: str
    since: datetime


@dataclass(frozen=True, slots=True)
class RunningOperation:
    doing: str
    """Its action, as a sentence without its full stop: "Scaling is under way"."""
    state: str
    since: datetime


@dataclass(frozen=True, slots=True)
class InstanceView:
    """All that the conditions of one instance depend on."""

    instantiation_state: str
    created_at: datetime
    settled_at: datetime
    """When its last operation ended; its creation when there was none."""
    vnfcs: Sequence[VnfcView]
    wanted: Mapping[str, int] | None
    """VNFCs by VDU that the scale levels ask for; None when that is not known."""
    vim: VimView | None
    running: RunningOperation | None
    stack: StackView | None = None
    strays: Sequence[StrayServer] = ()
