"""What one look at a VIM finds out, by bulk lists alone: the calls grow with nothing but the pages of the lists."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from vnfm.clouds.errors import CloudError, NotFound
from vnfm.clouds.ports import Cloud
from vnfm.clouds.types import Port, Server, Stack
from vnfm.inventory.domain.observation import ACTIVE, MISSING, UNKNOWN
from vnfm.inventory.models import VimLook, Vnfc, VnfcPort, VnfInstance
from vnfm.vims.models import Vim

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
    error: CloudError | None = None
    """What ended the look early; what was seen before it stands."""

    def server_told(self, server_id: str) -> bool:
        """Whether this look says anything of the server: in a full list, absence speaks too."""
        return self.servers is not None and (self.full or server_id in self.servers)


def gather(*, vim: Vim, look: VimLook, cloud: Cloud, now: datetime) -> Sight:
    """Look at servers, then ports where there may be news, then stacks. A cloud's error is kept, not raised."""
    sight = Sight(full=_full_is_due(vim, look, now))
    try:
        since = None if sight.full or look.changed_to is None else look.changed_to - OVERLAP
        sight.servers = {server.id: server for server in cloud.servers.list(since)}
        sight.ports_of = frozenset(_servers_with_port_news(vim, sight))
        if sight.ports_of:
            sight.ports = _ports_by_server(cloud.networks.ports(sorted(sight.ports_of)))
        sight.stacks = {stack.id: stack for stack in cloud.stacks.list()}
        _confirm_gone(vim, cloud, sight)
    except CloudError as error:
        sight.error = error
    return sight


def _full_is_due(vim: Vim, look: VimLook, now: datetime) -> bool:
    if look.full_at is None or look.changed_to is None or look.failures or now - look.full_at >= FULL_EVERY:
        return True
    return Vnfc.objects.filter(instance__vim=vim, status=UNKNOWN).exists()


def _servers_with_port_news(vim: Vim, sight: Sight) -> set[str]:
    """Servers whose ports to look at: all of ours in a full look; else the changed ones and those not at rest."""
    ours = Vnfc.objects.filter(instance__vim=vim)
    if sight.full:
        return set(ours.values_list("server_id", flat=True))
    changed = {
        row.server_id
        for row in ours.filter(server_id__in=list(sight.servers or ())).only("server_id", "status")
        if row.status != (sight.servers or {})[row.server_id].status
    }
    restless = VnfcPort.objects.filter(vnfc__instance__vim=vim, vnfc__status=ACTIVE).exclude(status=ACTIVE)
    return changed | set(restless.values_list("vnfc__server_id", flat=True))


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
