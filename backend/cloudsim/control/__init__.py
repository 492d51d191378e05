"""The control API, which no OpenStack has: failures, times and statistics. It needs no token."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cloudsim.control.failures import Failures
from cloudsim.control.heat import Heat
from cloudsim.control.hosts import Hosts
from cloudsim.control.images import Images
from cloudsim.control.ports import Ports
from cloudsim.control.servers import Servers
from cloudsim.control.settling import Settling
from cloudsim.control.snapshots import Snapshots
from cloudsim.control.switches import Switches
from cloudsim.core.errors import Reply

if TYPE_CHECKING:
    from cloudsim.core.cloud import Cloud
    from cloudsim.core.service import Route


def versions(base: str) -> Reply:
    return Reply(200, {"versions": [{"id": "v1", "links": [{"rel": "self", "href": f"{base}/v1"}]}]})


def routes(cloud: Cloud) -> list[Route]:
    return [
        *Failures(cloud).routes(),
        *Heat(cloud).routes(),
        *Hosts(cloud).routes(),
        *Images(cloud).routes(),
        *Ports(cloud).routes(),
        *Servers(cloud).routes(),
        *Settling(cloud).routes(),
        *Snapshots(cloud).routes(),
        *Switches(cloud).routes(),
    ]
