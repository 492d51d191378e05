"""What one look at a VIM finds out, by bulk lists alone: the calls grow with nothing but the pages of the lists."""

import time
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TypeVar

from django.db.models import Q

from vnfm.clouds.errors import CloudError, Denied, NotFound
from vnfm.clouds.ports import Cloud
from vnfm.clouds.types import Host, Port, Server, ServerGroup, Stack
from vnfm.inventory.domain.observation import ACTIVE, MISSING, UNKNOWN
from vnfm.inventory.domain.pace import CHEAP_SECONDS, due
from vnfm.inventory.models import VimLook, Vnfc, VnfcPort, VnfInstance
from vnfm.vims.models import Vim

T = TypeVar("T")

FAILURES_TO_TELL = 2
"""A single failed look may be one lost answer; the next one follows at once, and a second failure is an outage."""

FULL_EVERY = timedelta(seconds=60)
"""All servers and ports are listed at least this often, so that what a lost update hid comes out."""

OVERLAP = timedelta(seconds=30)
"""Nova stamps a change before it commits it, on whichever controller: asking only from the last stamp on loses some."""

ALONE_AT_MOST = 50
"""Servers asked for each by itself in one look; where more are in doubt, one list of all is cheaper."""


@dataclass(slots=True)
class Sight:
    """None stands for what was not looked at, or did not answer."""

    full: bool
    servers: dict[str, Server] | None = None
    """By id. All of them when `full`, else those that changed and those in doubt."""
    servers_gone: set[str] = field(default_factory=set)
    """Those in doubt that Nova does not know any more."""
    doubted: bool = False
    """Asked for servers in doubt, whose changes the looks before had missed."""
    ports: dict[str, list[Port]] | None = None
    """By server id, for the servers in `ports_of`."""
    ports_of: frozenset[str] = frozenset()
    stacks: dict[str, Stack] | None = None
    stacks_gone: set[str] = field(default_factory=set)
    hosts: list[Host] | None = None
    groups: list[ServerGroup] | None = None
    took: dict[str, float] = field(default_factory=dict)
    """Question to the seconds that its answer took."""
    error: CloudError | None = None
    """What ended the look early; what was seen before it stands."""

    def server_told(self, server_id: str) -> bool:
        """Whether this look says anything of the server: in a full list, absence speaks too."""
        told = self.servers is not None and (self.full or server_id in self.servers)
        return told or server_id in self.servers_gone


def gather(
    *,
    vim: Vim,
    look: VimLook,
    cloud: Cloud,
    now: datetime,
    urgent: bool = False,
    lean: bool = False,
    doubts: Collection[str] = (),
) -> Sight:
    """Look at servers, then ports where there may be news, then hosts, then stacks.

    What takes long is asked less often, unless it is `urgent`; not at all when `lean`: then it is asked beside
    (`gather_around`, `gather_all`). `doubts` are servers to ask for in any case. A cloud's error is kept, not raised.
    """
    sight = Sight(full=not lean and full_is_due(vim, look, now), doubted=bool(doubts))
    asking = _Asking(vim, look, cloud, sight, now, everything=not lean and (sight.full or urgent), rung=urgent)
    # Doubts first: whoever named them takes them for asked after this look.
    alone = [*sorted(doubts), *sorted(_unseen(vim) - {*doubts})][:ALONE_AT_MOST] if lean else sorted(doubts)
    with _kept(sight), asking.timed("full") if sight.full else nullcontext():
        with nullcontext() if sight.full else asking.timed("servers"):
            asking.servers(alone)
        asking.ports(alone)
        if sight.full:
            asking.groups()
        if not lean or is_cheap(look, "hosts"):
            asking.hosts()
        if not lean or is_cheap(look, "stacks"):
            asking.stacks()
    return sight


def gather_around(*, vim: Vim, look: VimLook, cloud: Cloud, now: datetime, urgent: bool) -> Sight:
    """What a lean look leaves out: hosts and stacks, where their answers take long and are due."""
    sight = Sight(full=False)
    asking = _Asking(vim, look, cloud, sight, now, everything=False, rung=urgent)
    with _kept(sight):
        if not is_cheap(look, "hosts"):
            asking.hosts()
        if not is_cheap(look, "stacks"):
            asking.stacks()
    return sight


def gather_all(*, vim: Vim, look: VimLook, cloud: Cloud, now: datetime) -> Sight:
    """All servers, ports, server groups and stacks."""
    sight = Sight(full=True)
    asking = _Asking(vim, look, cloud, sight, now, everything=True, rung=False)
    with _kept(sight), asking.timed("full"):
        asking.servers(())
        asking.ports(())
        asking.groups()
        sight.stacks = {stack.id: stack for stack in cloud.stacks.list()}
    return sight


def is_known(look: VimLook) -> bool:
    """Whether there is something that a lean look can go on from, and a cloud that answers."""
    return look.full_at is not None and look.changed_to is not None and not look.failures


def is_cheap(look: VimLook, question: str) -> bool:
    """Whether its answer takes so little that a lean look puts it as well."""
    return bool(look.took.get(question, 0.0) <= CHEAP_SECONDS)


def around_is_due(vim: Vim, look: VimLook, now: datetime, *, urgent: bool) -> bool:
    """Whether there is something for `gather_around` to ask."""
    asked = [("stacks", look.stacks_at)]
    if vim.capabilities.get("hosts") is True:
        asked.append(("hosts", look.hosts_at))
    return any(not is_cheap(look, name) and due(at, look.took[name], now, rung=urgent) for name, at in asked)


def full_is_due(vim: Vim, look: VimLook, now: datetime) -> bool:
    """Whether all servers and ports are to be listed: nothing is known, an outage has ended, or it is time."""
    never = look.full_at is None or look.changed_to is None
    return never or look.failures >= FAILURES_TO_TELL or review_is_due(look, now) or bool(_unseen(vim))


def review_is_due(look: VimLook, now: datetime) -> bool:
    """Whether it is time that what a lost update hid comes out."""
    late = look.full_at is None or now - look.full_at >= FULL_EVERY
    return late and due(look.full_at, look.took.get("full", 0.0), now)


def _unseen(vim: Vim) -> set[str]:
    """Servers on record that nobody has seen yet.

    Nova calls one UNKNOWN whose state it has no name for, too; but of that one it has told the flavor.
    """
    unseen = Vnfc.objects.filter(instance__vim=vim, status=UNKNOWN, flavor_id="")
    return set(unseen.values_list("server_id", flat=True))


@contextmanager
def _kept(sight: Sight) -> Iterator[None]:
    """Keeps a cloud's error, with what was seen before it."""
    try:
        yield
    except CloudError as error:
        sight.error = error


@dataclass(frozen=True, slots=True)
class _Asking:
    """One look under way."""

    vim: Vim
    look: VimLook
    cloud: Cloud
    sight: Sight
    now: datetime
    everything: bool
    rung: bool

    @contextmanager
    def timed(self, question: str) -> Iterator[None]:
        began = time.monotonic()
        yield
        self.sight.took[question] = round(time.monotonic() - began, 3)

    def _due(self, question: str, asked_at: datetime | None) -> bool:
        return self.everything or due(asked_at, self.look.took.get(question, 0.0), self.now, rung=self.rung)

    def servers(self, in_doubt: Iterable[str]) -> None:
        since = None if self.sight.full or self.look.changed_to is None else self.look.changed_to - OVERLAP
        told = {server.id: server for server in self.cloud.servers.list(since)}
        for server_id in () if self.sight.full else (one for one in in_doubt if one not in told):
            try:
                told[server_id] = self.cloud.servers.show(server_id)
            except NotFound:
                self.sight.servers_gone.add(server_id)
        self.sight.servers = told

    def ports(self, in_doubt: Iterable[str]) -> None:
        """All of ours in a full look; else those of servers that changed, are in doubt, or of which a port turned."""
        networks = self.cloud.networks
        ours = Vnfc.objects.filter(instance__vim=self.vim)
        if self.sight.full:
            wanted = set(ours.values_list("server_id", flat=True))
        else:
            wanted = _turned(self.vim, self.sight) | {*in_doubt}
            if self._due("ports", self.look.ports_at):
                with self.timed("ports"):
                    not_active = networks.ports_not_active()
                wanted |= _with_other_ports(self.vim, not_active)
                self.sight.ports = {}
        self.sight.ports_of = frozenset(wanted)
        if wanted:
            self.sight.ports = _ports_by_server(networks.ports(sorted(wanted)))

    def groups(self) -> None:
        self.sight.groups = _if_told(self.cloud.server_groups)

    def hosts(self) -> None:
        """Hosts only where the last probe found that we may list them."""
        if self.vim.capabilities.get("hosts") is True and self._due("hosts", self.look.hosts_at):
            with self.timed("hosts"):
                self.sight.hosts = _if_told(self.cloud.hosts)

    def stacks(self) -> None:
        if self._due("stacks", self.look.stacks_at):
            with self.timed("stacks"):
                self.sight.stacks = {stack.id: stack for stack in self.cloud.stacks.list()}
                _confirm_gone(self.vim, self.cloud, self.sight)


def _if_told(ask: Callable[[], Sequence[T]]) -> list[T] | None:
    """The answer; None where the cloud's policy keeps it from us, which is no failure of the look."""
    try:
        return list(ask())
    except (Denied, NotFound) as error:
        if error.service == "keystone":
            raise
        return None


def _turned(vim: Vim, sight: Sight) -> set[str]:
    """Servers of ours whose status is another than on record."""
    told = sight.servers or {}
    rows = Vnfc.objects.filter(instance__vim=vim, server_id__in=list(told)).only("server_id", "status")
    return {row.server_id for row in rows if row.status != told[row.server_id].status}


def _with_other_ports(vim: Vim, not_active: Iterable[Port]) -> set[str]:
    """Servers of ours with a port whose status or binding is another than on record.

    One that Neutron does not have any more is seen in the next full look: it is not among those that are not active.
    """
    told = {port.id: port for port in not_active if port.server_id}
    of_interest = Q(port_id__in=list(told)) | ~Q(status__in=(ACTIVE, MISSING))
    rows = VnfcPort.objects.filter(of_interest, vnfc__instance__vim=vim)
    found, known = set(), set()
    for port_id, server_id, status, vif_type in rows.values_list("port_id", "vnfc__server_id", "status", "vif_type"):
        known.add(port_id)
        port = told.get(port_id)
        if port is None or (port.status, port.vif_type) != (status, vif_type):
            found.add(server_id)
    strangers = {port.server_id for port_id, port in told.items() if port_id not in known}
    ours = Vnfc.objects.filter(instance__vim=vim, server_id__in=list(strangers))
    return found | set(ours.values_list("server_id", flat=True))


def _ports_by_server(ports: Iterable[Port]) -> dict[str, list[Port]]:
    grouped: dict[str, list[Port]] = defaultdict(list)
    for port in ports:
        grouped[port.server_id].append(port)
    return grouped


def _confirm_gone(vim: Vim, cloud: Cloud, sight: Sight) -> None:
    """Ask for a recorded stack that the list lacks: it may be gone, or younger than the list."""
    stacks = sight.stacks or {}
    recorded = VnfInstance.objects.filter(vim=vim).exclude(stack_id="").exclude(stack_status=MISSING)
    for stack_id in set(recorded.values_list("stack_id", flat=True)) - stacks.keys():
        try:
            stacks[stack_id] = cloud.stacks.status(stack_id)
        except NotFound:
            sight.stacks_gone.add(stack_id)
