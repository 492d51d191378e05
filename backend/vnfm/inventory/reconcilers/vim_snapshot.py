"""Fetch what a cloud runs, by bulk lists: the number of calls grows with the pages of the lists, not with the VMs."""

import time
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TypeVar

from django.db.models import Q, QuerySet

from vnfm.clouds.errors import CloudError, Denied, NotFound, TooSlow
from vnfm.clouds.ports import Cloud
from vnfm.clouds.types import CloudHost, CloudServerGroup, Port, Server, Stack
from vnfm.inventory.domain.observation import ACTIVE, MISSING, UNKNOWN
from vnfm.inventory.domain.poll_interval import CHEAP_SECONDS, is_due
from vnfm.inventory.models import VimPollState, Vnfc, VnfcPort, VnfInstance
from vnfm.vims.domain.vim_record import VimRecord
from vnfm.vims.selectors import is_paused

T = TypeVar("T")

OUTAGE_FAILURES = 2
"""A single failed poll may be one lost answer; the next one follows at once, and a second failure is an outage."""

FULL_LIST_PERIOD = timedelta(seconds=60)
"""All servers and ports are listed at least this often, to find what a lost update hid."""

SLOW_FULL_LIST_PERIOD = timedelta(minutes=10)
"""The same in a cloud whose small lists come late."""

PORT_IDS_PERIOD = timedelta(seconds=5)
"""The ids of all ports are listed this often, to find those that are gone; less often where that takes long."""

MAX_PORT_IDS_SECONDS = 3.0
"""Where listing them took longer, they are listed with SLOW_FULL_LIST_PERIOD, and the full list finds what is gone."""

OVERLAP = timedelta(seconds=30)
"""Nova stamps a change before it commits it, on any controller: a list that starts at the last stamp misses some."""

MAX_SINGLE_REQUESTS = 50
"""Servers requested one by one in a poll; for more suspects, one list of all is cheaper."""


@dataclass(slots=True)
class VimSnapshot:
    """The answers of one poll. None: not requested, or no answer."""

    full: bool
    servers: dict[str, Server] | None = None
    """Servers by id: all of them when `full`, else those that changed and the suspects."""
    servers_gone: set[str] = field(default_factory=set)
    """Suspects that Nova does not know any more."""
    checked_suspects: bool = False
    """Suspects were requested: servers whose changes earlier polls had missed."""
    ports: dict[str, list[Port]] | None = None
    """By server id, for the servers in `ports_of`."""
    ports_of: frozenset[str] = frozenset()
    stacks: dict[str, Stack] | None = None
    stacks_gone: set[str] = field(default_factory=set)
    hosts: list[CloudHost] | None = None
    hosts_changed: bool = False
    """Found when they are recorded."""
    groups: list[CloudServerGroup] | None = None
    durations: dict[str, float] = field(default_factory=dict)
    """Seconds that each request took, by its name; or that the answer was waited for."""
    ports_answered: frozenset[str] = frozenset()
    """Those of `ports` and `port_ids` whose answers are in the snapshot."""
    unanswered: str = ""
    """The request that the cloud did not answer in time."""
    error: CloudError | None = None
    """The error that ended the poll early; answers before it are valid."""

    def covers_server(self, server_id: str) -> bool:
        """Return whether the snapshot says anything about the server: in a full list, absence does."""
        listed = self.servers is not None and (self.full or server_id in self.servers)
        return listed or server_id in self.servers_gone


def fetch_changes(
    *,
    vim: VimRecord,
    state: VimPollState,
    cloud: Cloud,
    now: datetime,
    urgent: bool = False,
    lean: bool = False,
    suspects: Collection[str] = (),
) -> VimSnapshot:
    """Fetch servers, then ports where something may have changed, then hosts, then stacks.

    Slow requests are sent less often, unless `urgent`; not at all when `lean`: then `fetch_slow` and `fetch_all` send
    them. `suspects` are servers to request in any case. A cloud's error is stored in the snapshot, not raised.
    """
    snapshot = VimSnapshot(full=not lean and full_list_is_due(vim, state, now), checked_suspects=bool(suspects))
    fetch = _Fetch(vim, state, cloud, snapshot, now, everything=not lean and (snapshot.full or urgent), urgent=urgent)
    # Suspects first: the caller counts them as checked after this poll.
    single = sorted(suspects)
    if lean:
        never_observed = set(_never_observed(vim).values_list("server_id", flat=True))
        single = [*single, *sorted(never_observed - {*suspects})][:MAX_SINGLE_REQUESTS]
    with _store_error(snapshot), fetch.timed("full") if snapshot.full else nullcontext():
        with nullcontext() if snapshot.full else fetch.timed("servers"):
            fetch.servers(single)
        fetch.ports(single)
        if snapshot.full:
            fetch.groups()
        if not lean or is_cheap(state, "hosts"):
            fetch.hosts()
        if not lean or is_cheap(state, "stacks"):
            fetch.stacks()
    return snapshot


def fetch_slow(*, vim: VimRecord, state: VimPollState, cloud: Cloud, now: datetime, urgent: bool) -> VimSnapshot:
    """Fetch hosts and stacks where their answers take long and are due: a lean poll leaves them out."""
    snapshot = VimSnapshot(full=False)
    fetch = _Fetch(vim, state, cloud, snapshot, now, everything=False, urgent=urgent)
    with _store_error(snapshot):
        if not is_cheap(state, "hosts"):
            fetch.hosts()
        if not is_cheap(state, "stacks"):
            fetch.stacks()
    return snapshot


def fetch_all(*, vim: VimRecord, state: VimPollState, cloud: Cloud, now: datetime) -> VimSnapshot:
    """All servers, ports, server groups and stacks."""
    snapshot = VimSnapshot(full=True)
    fetch = _Fetch(vim, state, cloud, snapshot, now, everything=True, urgent=False)
    with _store_error(snapshot), fetch.timed("full"):
        fetch.servers(())
        fetch.ports(())
        fetch.groups()
        snapshot.stacks = {stack.id: stack for stack in cloud.stacks.list()}
    return snapshot


def has_baseline(state: VimPollState) -> bool:
    """Return whether a lean poll has a full list to start from: also after an outage, as Nova lists its changes."""
    return state.full_at is not None and state.changes_until is not None


def is_cheap(state: VimPollState, request: str) -> bool:
    """Return whether the request takes so little time that a lean poll sends it as well."""
    return bool(state.durations.get(request, 0.0) <= CHEAP_SECONDS)


def slow_is_due(vim: VimRecord, state: VimPollState, now: datetime, *, urgent: bool) -> bool:
    """Return whether `fetch_slow` has anything to request."""
    answered = [("stacks", state.stacks_at)]
    if vim.capabilities.get("hosts") is True:
        answered.append(("hosts", state.hosts_at))
    return any(
        not is_cheap(state, name) and is_due(at, state.durations[name], now, urgent=urgent) for name, at in answered
    )


def full_list_is_due(vim: VimRecord, state: VimPollState, now: datetime) -> bool:
    """Return whether to list all servers and ports: nothing is known, an outage has ended, or it is time."""
    outage = state.failures >= OUTAGE_FAILURES
    if state.full_at is None or outage or full_scan_is_due(state, now):
        return True
    # Without a stamp of Nova's, as in an empty cloud, each poll lists all servers.
    servers = _recorded_servers(vim) if state.changes_until is None else _never_observed(vim)
    return servers.exists()


def _recorded_servers(vim: VimRecord) -> QuerySet[Vnfc]:
    return Vnfc.objects.filter(instance__vim=vim.id)


def full_scan_is_due(state: VimPollState, now: datetime, *, slow: bool = False) -> bool:
    """`slow`: even the list of changed servers comes late."""
    period = SLOW_FULL_LIST_PERIOD if slow else FULL_LIST_PERIOD
    late = state.full_at is None or abs(now - state.full_at) >= period
    return late and is_due(state.full_at, state.durations.get("full", 0.0), now)


def _never_observed(vim: VimRecord) -> QuerySet[Vnfc]:
    """Recorded servers that no poll has observed.

    Nova also reports UNKNOWN for a state it has no name for; but then the flavor is known.
    """
    return Vnfc.objects.filter(instance__vim=vim.id, status=UNKNOWN, flavor_id="")


@contextmanager
def _store_error(snapshot: VimSnapshot) -> Iterator[None]:
    try:
        yield
    except CloudError as error:
        snapshot.error = error


@dataclass(frozen=True, slots=True)
class _Fetch:
    """One poll under way; fills `snapshot`."""

    vim: VimRecord
    state: VimPollState
    cloud: Cloud
    snapshot: VimSnapshot
    now: datetime
    everything: bool
    urgent: bool

    @contextmanager
    def timed(self, request: str) -> Iterator[None]:
        """A refusal says nothing of how long the request takes; one without an answer counts as long."""
        started = time.monotonic()
        try:
            yield
        except TooSlow:
            self.snapshot.unanswered = self.snapshot.unanswered or request
            self._record_duration(request, started)
            raise
        self._record_duration(request, started)

    def _record_duration(self, request: str, started: float) -> None:
        self.snapshot.durations[request] = round(time.monotonic() - started, 3)

    def _due(self, request: str, answered_at: datetime | None) -> bool:
        if self._waits(request):
            return False
        duration = self.state.durations.get(request, 0.0)
        return self.everything or is_due(answered_at, duration, self.now, urgent=self.urgent)

    def _waits(self, request: str) -> bool:
        """One that got no answer waits for the end of the pause that all requests without answer share."""
        return bool(self.vim.late.get(request, {}).get("timeouts")) and is_paused(self.vim, self.now)

    def servers(self, suspects: Iterable[str]) -> None:
        full, until = self.snapshot.full, self.state.changes_until
        since = None if full or until is None else until - OVERLAP
        servers = {server.id: server for server in self.cloud.servers.list(since)}
        self._show((one for one in suspects if not full), servers)
        self.snapshot.servers = servers

    def _show(self, server_ids: Iterable[str], servers: dict[str, Server]) -> None:
        """Request those that `servers` lacks."""
        for server_id in server_ids:
            if server_id in servers or server_id in self.snapshot.servers_gone:
                continue
            try:
                servers[server_id] = self.cloud.servers.show(server_id)
            except NotFound:
                self.snapshot.servers_gone.add(server_id)

    def ports(self, suspects: Iterable[str]) -> None:
        """Ports of all our servers in a full poll; else of suspects, and of servers whose status or port changed."""
        networks, answered = self.cloud.networks, {"ports", "port_ids"}
        ours = Vnfc.objects.filter(instance__vim=self.vim.id)
        if self.snapshot.full:
            server_ids = set(ours.values_list("server_id", flat=True))
        else:
            server_ids = _with_other_status(self.vim, self.snapshot) | {*suspects}
            if self._due("ports", self.state.ports_at):
                with self.timed("ports"):
                    not_active = networks.ports_not_active()
                server_ids |= _with_other_ports(self.vim, not_active)
            gone = self._with_gone_ports()
            server_ids |= gone
            if gone and self.snapshot.servers is not None:  # most likely with their servers
                self._show(sorted(gone)[:MAX_SINGLE_REQUESTS], self.snapshot.servers)
            answered &= self.snapshot.durations.keys()
        if server_ids:
            self.snapshot.ports = _ports_by_server(networks.ports(sorted(server_ids)))
            self.snapshot.ports_of = frozenset(server_ids)
        self.snapshot.ports_answered = frozenset(answered)

    def _with_gone_ports(self) -> set[str]:
        """Our servers with a recorded port that Neutron does not have any more."""
        at, seconds = self.state.port_ids_at, self.state.durations.get("port_ids", 0.0)
        period = PORT_IDS_PERIOD if seconds <= MAX_PORT_IDS_SECONDS else SLOW_FULL_LIST_PERIOD
        late = at is None or (abs(self.now - at) >= period and is_due(at, seconds, self.now))
        if not late or self._waits("port_ids"):
            return set()
        with self.timed("port_ids"):
            present = self.cloud.networks.port_ids()
        rows = VnfcPort.objects.filter(vnfc__instance__vim=self.vim.id).exclude(status=MISSING)
        recorded = rows.values_list("port_id", "vnfc__server_id")
        return {server_id for port_id, server_id in recorded if port_id not in present}

    def groups(self) -> None:
        self.snapshot.groups = _if_allowed(self.cloud.server_groups)

    def hosts(self) -> None:
        """Hosts only where the last probe found that we may list them."""
        if self.vim.capabilities.get("hosts") is True and self._due("hosts", self.state.hosts_at):
            with self.timed("hosts"):
                self.snapshot.hosts = _if_allowed(self.cloud.hosts)

    def stacks(self) -> None:
        if self._due("stacks", self.state.stacks_at):
            with self.timed("stacks"):
                self.snapshot.stacks = {stack.id: stack for stack in self.cloud.stacks.list()}
                _confirm_gone(self.vim, self.cloud, self.snapshot)


def _if_allowed(fetch: Callable[[], Sequence[T]]) -> list[T] | None:
    """The answer; None where the cloud's policy denies it, which does not fail the poll."""
    try:
        return list(fetch())
    except (Denied, NotFound) as error:
        if error.source == "keystone":
            raise
        return None


def _with_other_status(vim: VimRecord, snapshot: VimSnapshot) -> set[str]:
    """Our servers whose status differs from the recorded one."""
    servers = snapshot.servers or {}
    rows = Vnfc.objects.filter(instance__vim=vim.id, server_id__in=list(servers)).only("server_id", "status")
    return {row.server_id for row in rows if row.status != servers[row.server_id].status}


def _with_other_ports(vim: VimRecord, not_active: Iterable[Port]) -> set[str]:
    """Our servers with a port whose status or binding differs from the recorded one.

    A port that Neutron no longer has is not among those that are not active.
    """
    ports = {port.id: port for port in not_active if port.server_id}
    candidates = Q(port_id__in=list(ports)) | ~Q(status__in=(ACTIVE, MISSING))
    rows = VnfcPort.objects.filter(candidates, vnfc__instance__vim=vim.id)
    found, known = set(), set()
    for port_id, server_id, status, vif_type in rows.values_list("port_id", "vnfc__server_id", "status", "vif_type"):
        known.add(port_id)
        port = ports.get(port_id)
        if port is None or (port.status, port.vif_type) != (status, vif_type):
            found.add(server_id)
    unrecorded = {port.server_id for port_id, port in ports.items() if port_id not in known}
    ours = Vnfc.objects.filter(instance__vim=vim.id, server_id__in=list(unrecorded))
    return found | set(ours.values_list("server_id", flat=True))


def _ports_by_server(ports: Iterable[Port]) -> dict[str, list[Port]]:
    grouped: dict[str, list[Port]] = defaultdict(list)
    for port in ports:
        grouped[port.server_id].append(port)
    return grouped


def _confirm_gone(vim: VimRecord, cloud: Cloud, snapshot: VimSnapshot) -> None:
    """Request a recorded stack that the list lacks: it may be gone, or younger than the list."""
    stacks = snapshot.stacks or {}
    recorded = VnfInstance.objects.filter(vim=vim.id).exclude(stack_id="").exclude(stack_status=MISSING)
    for stack_id in set(recorded.values_list("stack_id", flat=True)) - stacks.keys():
        try:
            stacks[stack_id] = cloud.stacks.status(stack_id)
        except NotFound:
            snapshot.stacks_gone.add(stack_id)
