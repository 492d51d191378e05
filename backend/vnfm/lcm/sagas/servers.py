"""Looks at an instance's servers, and what they are called in our words."""

from collections.abc import Collection, Mapping

from vnfm.clouds.errors import Denied, NotFound
from vnfm.clouds.ports import Cloud
from vnfm.clouds.types import Server
from vnfm.inventory.domain.observation import GONE, MISSING, TRANSITIONAL
from vnfm.lcm.domain.healing import VERIFY_RESIZE, Sight

MANY = 10
"""From this many servers on, one list of the project is cheaper than a call each."""


def servers_seen(cloud: Cloud, ids: Collection[str]) -> dict[str, Server]:
    """Those of the servers that exist, by id."""
    if len(ids) > MANY:
        found = {server.id: server for server in cloud.servers.list() if server.id in ids}
    else:
        found = {server_id: server for server_id in ids if (server := _server(cloud, server_id)) is not None}
    return {server_id: server for server_id, server in found.items() if server.status not in GONE}


def _server(cloud: Cloud, server_id: str) -> Server | None:
    try:
        return cloud.servers.show(server_id)
    except NotFound:
        return None


def is_busy(server: Server) -> bool:
    """Whether Nova is at something with it, so that its status will change; a resize waits for a person's word."""
    return bool(server.task_state) or (server.status in TRANSITIONAL and server.status != VERIFY_RESIZE)


class Hosts:
    """Which compute hosts are down, asked of Nova once and only if somebody wants to know."""

    def __init__(self, cloud: Cloud) -> None:
        self._cloud = cloud
        self._up: Mapping[str, bool] | None = None

    def is_down(self, name: str) -> bool | None:
        """None where our rights do not let us see, or Nova does not say where the server is."""
        if not name:
            return None
        if self._up is None:
            try:
                self._up = {host.name: host.up for host in self._cloud.hosts()}
            except Denied:
                self._up = {}
        up = self._up.get(name)
        return None if up is None else not up


def sight_of(server: Server | None, hosts: Hosts) -> Sight:
    """The server as the rules of healing see it."""
    if server is None:
        return Sight(MISSING)
    return Sight(
        status=server.status,
        busy=is_busy(server),
        fault=server.fault.message if server.fault else "",
        host=server.host,
        host_down=hosts.is_down(server.host),
        image=server.image,
    )
