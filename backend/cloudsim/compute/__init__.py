"""Nova of Liberty: v2.1 with microversions 2.1 to 2.12, and the compatible v2 without microversions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cloudsim.compute import seed
from cloudsim.compute.actions import Actions
from cloudsim.compute.attachments import Attachments
from cloudsim.compute.create import Creator
from cloudsim.compute.extensions import EXTENSIONS
from cloudsim.compute.flavors import Flavors
from cloudsim.compute.groups import Groups
from cloudsim.compute.guests import Guests
from cloudsim.compute.hosts import Fleet, Hypervisors, Services, Zones
from cloudsim.compute.interfaces import Interfaces
from cloudsim.compute.keypairs import Keypairs
from cloudsim.compute.lifecycle import Lifecycle
from cloudsim.compute.microversion import versioned
from cloudsim.compute.quotas import Quotas
from cloudsim.compute.relocation import Relocation
from cloudsim.compute.server_images import ServerImages
from cloudsim.compute.servers import Servers
from cloudsim.compute.volumes import Disks
from cloudsim.core.errors import Reply
from cloudsim.core.service import Handler, Request, Route

if TYPE_CHECKING:
    from cloudsim.core.cloud import Cloud
    from cloudsim.core.context import RequestContext

_MEDIA = "application/vnd.openstack.compute+json;version="


def _v2(base: str) -> dict[str, object]:
    return {
        "id": "v2.0",
        "status": "SUPPORTED",
        "version": "",
        "min_version": "",
        "updated": "2011-01-21T11:33:21Z",
        "links": [{"rel": "self", "href": f"{base}/v2/"}],
    }


def _v21(base: str) -> dict[str, object]:
    return {
        "id": "v2.1",
        "status": "CURRENT",
        "version": "2.12",
        "min_version": "2.1",
        "updated": "2013-07-23T11:33:21Z",
        "links": [{"rel": "self", "href": f"{base}/v2.1/"}],
    }


def versions(base: str) -> Reply:
    """``GET /``: 200 with both versions."""
    return Reply(200, {"versions": [_v2(base), _v21(base)]})


async def _show_version(_ctx: RequestContext, request: Request) -> Reply:
    """``GET /v2.1/``: needs authentication, unlike ``GET /``."""
    legacy = not request.path.startswith("/v2.1")
    document = _v2(request.base) if legacy else _v21(request.base)
    kind = f"{_MEDIA}{'2' if legacy else '2.1'}"
    return Reply(200, {"version": {**document, "media-types": [{"base": "application/json", "type": kind}]}})


async def _extensions(_ctx: RequestContext, _request: Request) -> Reply:
    return Reply(200, {"extensions": EXTENSIONS})


def routes(cloud: Cloud) -> list[Route]:
    fleet = Fleet(cloud)
    groups, keypairs, flavors = Groups(cloud), Keypairs(cloud), Flavors(cloud)
    disks = Disks(cloud)
    lifecycle = Lifecycle(cloud, fleet, groups, disks, Guests(cloud))
    servers = Servers(cloud, lifecycle)
    creator = Creator(cloud, flavors=flavors, groups=groups, keypairs=keypairs, lifecycle=lifecycle)
    relocation = Relocation(cloud, fleet=fleet, groups=groups, lifecycle=lifecycle)
    actions = Actions(
        cloud,
        servers=servers,
        flavors=flavors,
        lifecycle=lifecycle,
        relocation=relocation,
        fleet=fleet,
        images=ServerImages(cloud, lifecycle),
    )
    cloud.parts["fleet"], cloud.parts["lifecycle"] = fleet, lifecycle
    table = [
        ("GET", "/extensions", _extensions),
        *_flavor_table(flavors),
        *_server_table(servers),
        ("POST", "/servers", creator.create),
        ("POST", "/servers/{id}/action", actions.act),
        ("POST", "/servers/{id}/remote-consoles", actions.remote_console),
        *_interface_table(Interfaces(cloud, servers, lifecycle)),
        *_volume_table(Attachments(cloud, servers, disks)),
        *_small_tables(groups, keypairs, Quotas(cloud)),
        *_host_table(Hypervisors(cloud, fleet), Services(cloud, fleet), Zones(cloud, fleet)),
    ]
    found = [Route("GET", f"/{version}", _show_version) for version in ("v2", "v2.1")]
    for version in ("v2", "v2.1"):
        for method, path, handler in table:
            found.append(Route(method, f"/{version}/{{project_id}}{path}", versioned(handler)))
    return found


Table = list[tuple[str, str, Handler]]


def _flavor_table(flavors: Flavors) -> Table:
    specs = "/flavors/{id}/os-extra_specs"
    return [
        ("GET", "/flavors", flavors.index),
        ("POST", "/flavors", flavors.create),
        ("GET", "/flavors/detail", flavors.detail),
        ("GET", "/flavors/{id}", flavors.show),
        ("DELETE", "/flavors/{id}", flavors.delete),
        ("GET", "/flavors/{id}/os-flavor-access", flavors.access),
        ("GET", specs, flavors.specs),
        ("POST", specs, flavors.create_specs),
        ("GET", f"{specs}/{{key}}", flavors.show_spec),
        ("PUT", f"{specs}/{{key}}", flavors.update_spec),
        ("DELETE", f"{specs}/{{key}}", flavors.delete_spec),
    ]


def _server_table(servers: Servers) -> Table:
    one = "/servers/{id}"
    return [
        ("GET", "/servers", servers.index),
        ("GET", "/servers/detail", servers.detail),
        ("GET", one, servers.show),
        ("PUT", one, servers.update),
        ("DELETE", one, servers.delete),
        ("GET", f"{one}/metadata", servers.metadata),
        ("POST", f"{one}/metadata", servers.merge_metadata),
        ("PUT", f"{one}/metadata", servers.replace_metadata),
        ("GET", f"{one}/metadata/{{key}}", servers.metadata_item),
        ("PUT", f"{one}/metadata/{{key}}", servers.set_metadata_item),
        ("DELETE", f"{one}/metadata/{{key}}", servers.delete_metadata_item),
        ("GET", f"{one}/ips", servers.addresses),
        ("GET", f"{one}/os-security-groups", servers.security_groups),
        ("GET", f"{one}/os-instance-actions", servers.actions),
        ("GET", f"{one}/os-instance-actions/{{request_id}}", servers.action),
    ]


def _interface_table(interfaces: Interfaces) -> Table:
    root = "/servers/{id}/os-interface"
    return [
        ("GET", root, interfaces.index),
        ("POST", root, interfaces.attach),
        ("GET", f"{root}/{{port}}", interfaces.show),
        ("DELETE", f"{root}/{{port}}", interfaces.detach),
    ]


def _volume_table(attachments: Attachments) -> Table:
    root = "/servers/{id}/os-volume_attachments"
    return [
        ("GET", root, attachments.index),
        ("POST", root, attachments.create),
        ("GET", f"{root}/{{volume}}", attachments.show),
        ("DELETE", f"{root}/{{volume}}", attachments.delete),
    ]


def _small_tables(groups: Groups, keypairs: Keypairs, quotas: Quotas) -> Table:
    return [
        ("GET", "/os-server-groups", groups.index),
        ("POST", "/os-server-groups", groups.create),
        ("GET", "/os-server-groups/{id}", groups.show),
        ("DELETE", "/os-server-groups/{id}", groups.delete),
        ("GET", "/os-keypairs", keypairs.index),
        ("POST", "/os-keypairs", keypairs.create),
        ("GET", "/os-keypairs/{id}", keypairs.show),
        ("DELETE", "/os-keypairs/{id}", keypairs.delete),
        ("GET", "/limits", quotas.limits),
        ("GET", "/os-quota-sets/{id}", quotas.show),
        ("PUT", "/os-quota-sets/{id}", quotas.update),
        ("DELETE", "/os-quota-sets/{id}", quotas.reset),
        ("GET", "/os-quota-sets/{id}/defaults", quotas.defaults),
    ]


def _host_table(hypervisors: Hypervisors, services: Services, zones: Zones) -> Table:
    return [
        ("GET", "/os-hypervisors", hypervisors.index),
        ("GET", "/os-hypervisors/detail", hypervisors.detail),
        ("GET", "/os-hypervisors/statistics", hypervisors.statistics),
        ("GET", "/os-hypervisors/{id}", hypervisors.show),
        ("GET", "/os-hypervisors/{id}/search", hypervisors.search),
        ("GET", "/os-hypervisors/{id}/servers", hypervisors.servers),
        ("GET", "/os-services", services.index),
        ("PUT", "/os-services/{action}", services.update),
        ("GET", "/os-availability-zone", zones.index),
        ("GET", "/os-availability-zone/detail", zones.detail),
        ("GET", "/os-aggregates", zones.aggregates),
    ]


async def start(cloud: Cloud) -> None:
    cloud.parts["fleet"].load()
    seed.seed(cloud)
    lifecycle: Lifecycle = cloud.parts["lifecycle"]
    await lifecycle.guests.open(lifecycle.force, lifecycle.fail)


async def stop(cloud: Cloud) -> None:
    lifecycle: Lifecycle = cloud.parts["lifecycle"]
    await lifecycle.guests.close()
