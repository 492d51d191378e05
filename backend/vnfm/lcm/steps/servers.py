"""Queries of an instance's servers and compute hosts."""

from collections.abc import Collection, Mapping

from vnfm.clouds.errors import Denied, NotFound
from vnfm.clouds.ports import Cloud
from vnfm.clouds.types import Server
from vnfm.inventory.domain.observation import GONE, MISSING, TRANSITIONAL
from vnfm.lcm.domain.healing import VERIFY_RESIZE, ServerState

MANY = 10
"""One list of the project is cheaper than one call for each of more servers."""


def servers_by_id(cloud: Cloud, ids: Collection[str]) -> dict[str, Server]:
    """The existing ones of the servers, by id."""
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
    """True if Nova has a task under way for it, so that its status will change; VERIFY_RESIZE waits for a request."""
    return bool(server.task_state) or (server.status in TRANSITIONAL and server.status != VERIFY_RESIZE)


class HostStates:
    """The states of compute hosts: one call to Nova, at the first question."""

    def __init__(self, cloud: Cloud) -> None:
        self._cloud = cloud
        self._up: Mapping[str, bool] | None = None

    def is_down(self, name: str) -> bool | None:
        """None where our rights do not show hosts, or Nova does not report the server's host."""
        if not name:
            return None
        if self._up is None:
            try:
                self._up = {host.name: host.up for host in self._cloud.hosts()}
            except Denied:
                self._up = {}
        up = self._up.get(name)
        return None if up is None else not up


def server_state(server: Server | None, hosts: HostStates) -> ServerState:
    """The server for `domain.healing`."""
    if server is None:
        return ServerState(MISSING)
    return ServerState(
        status=server.status,
        busy=is_busy(server),
        fault=server.fault.message if server.fault else "",
        host=server.host,
        host_down=hosts.is_down(server.host),
        image=server.image,
        updated=server.updated_at.isoformat() if server.updated_at else "",
    )
