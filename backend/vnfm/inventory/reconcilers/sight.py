"""What one look at a VIM finds out, by bulk lists alone: the calls grow with nothing but the pages of the lists."""

import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TypeVar

from django.db.models import Q

from vnfm.clouds.errors import CloudError, Denied, NotFound
from vnfm.clouds.ports import Cloud
from vnfm.clouds.types import Host, Port, Server, ServerGroup, Stack
from vnfm.inventory.domain.observation import ACTIVE, MISSING, UNKNOWN
from vnfm.inventory.domain.pace import due
from vnfm.inventory.models import VimLook, Vnfc, VnfcPort, VnfInstance
from vnfm.vims.models import Vim

T = TypeVar("T")

FULL_EVERY = timedelta(seconds=60)
"""All servers and ports are listed at least this often, so that what a lost update hid comes out."""

OVERLAP = timedelta(seconds=30)
"""Nova stamps a change before it commits it, on whichever controller: asking only from the last stamp on loses some."""


@dataclass(slots=True)
class Sight:
    """None stands for what was not looked at, or did not answer."""

    full: bool
    servers: dict[str, Server] | None = None
    """By id. All of them when `full`, else those that changed."""
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
        return self.servers is not None and (self.full or server_id in self.servers)


def gather(*, vim: Vim, look: VimLook, cloud: Cloud, now: datetime, urgent: bool = False) -> Sight:
    """Look at servers, then ports where there may be news, then hosts, then stacks.

    What takes long is asked less often, unless it is `urgent`. A cloud's error is kept, not raised.
    """
    sight = Sight(full=_full_is_due(vim, look, now))
    asking = _Asking(vim, look, cloud, sight, now, everything=sight.full or urgent)
    try:
        with asking.timed("full") if sight.full else nullcontext():
            asking.all()
    except CloudError as error:
        sight.error = error
    return sight


@dataclass(frozen=True, slots=True)
class _Asking:
    """One look under way."""

    vim: Vim
    look: VimLook
    cloud: Cloud
    sight: Sight
    now: datetime
    everything: bool

    @contextmanager
    def timed(self, question: str) -> Iterator[None]:
        began = time.monotonic()
        yield
        self.sight.took[question] = round(time.monotonic() - began, 3)

    def _due(self, question: str, asked_at: datetime | None) -> bool:
        return self.everything or due(asked_at, self.look.took.get(question, 0.0), self.now)

    def all(self) -> None:
        with nullcontext() if self.sight.full else self.timed("servers"):
            self.servers()
        self.ports()
        self.hosts()
        self.stacks()

    def servers(self) -> None:
        since = None if self.sight.full or self.look.changed_to is None else self.look.changed_to - OVERLAP
        self.sight.servers = {server.id: server for server in self.cloud.servers.list(since)}

    def ports(self) -> None:
        """All of ours in a full look; else those of servers that changed, or of which a port came up or went down."""
        networks = self.cloud.networks
        ours = Vnfc.objects.filter(instance__vim=self.vim)
        if self.sight.full:
            wanted = set(ours.values_list("server_id", flat=True))
        else:
            wanted = _turned(self.vim, self.sight)
            if self._due("ports", self.look.ports_at):
                with self.timed("ports"):
                    not_active = networks.ports_not_active()
                wanted |= _with_other_ports(self.vim, not_active)
                self.sight.ports = {}
        self.sight.ports_of = frozenset(wanted)
        if wanted:
            self.sight.ports = _ports_by_server(networks.ports(sorted(wanted)))

    def hosts(self) -> None:
        """Hosts only where the last probe found that we may list them."""
        if self.sight.full:
            self.sight.groups = _if_told(self.cloud.server_groups)
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


def _full_is_due(vim: Vim, look: VimLook, now: datetime) -> bool:
    if look.full_at is None or look.changed_to is None or look.failures:
        return True
    if now - look.full_at >= FULL_EVERY and due(look.full_at, look.took.get("full", 0.0), now):
        return True
    return Vnfc.objects.filter(instance__vim=vim, status=UNKNOWN).exists()


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
