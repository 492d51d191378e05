"""Nova: servers, flavors and limits, at a microversion no newer than Liberty's."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import UTC, datetime
from http import HTTPStatus
from time import monotonic
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

from openstack.compute.v2._proxy import Proxy

from vnfm.clouds.errors import CloudError, NotFound, Unknown
from vnfm.clouds.openstack import rest
from vnfm.clouds.openstack.errors import translate_errors
from vnfm.clouds.types import CloudHost, CloudServerGroup, Flavor, Quota, Server, ServerFault

EXTRA_SPECS_SECONDS = 300.0
"""Extra specs cost a call per flavor up to 2.60, so they are remembered; operators seldom change them."""

REMOTE_CONSOLES = (2, 6)
LONGEST_LOG = 256 * 1024
"""Characters kept of a guest's log, its last: lines may be of any length."""

_PARALLEL = 8


class NovaServers:
    def __init__(self, nova: Proxy, project_id: str, page_size: rest.PageSize) -> None:
        self._nova = nova
        self._project_id = project_id
        self._page_size = page_size

    @translate_errors("nova")
    def list(self, changes_since: datetime | None = None) -> Sequence[Server]:
        params = [("changes-since", f"{changes_since.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}")] if changes_since else []
        found = rest.pages(self._nova, "/servers/detail", "servers", params, self._page_size)
        return [_server(data) for data in found if data.get("tenant_id", self._project_id) == self._project_id]

    @translate_errors("nova")
    def show(self, server_id: str) -> Server:
        return _server(rest.get(self._nova, f"/servers/{server_id}")["server"])

    @translate_errors("nova")
    def start(self, server_id: str) -> None:
        self._nova.start_server(server_id)

    @translate_errors("nova")
    def stop(self, server_id: str) -> None:
        self._nova.stop_server(server_id)

    @translate_errors("nova")
    def delete(self, server_id: str) -> None:
        self._nova.delete_server(server_id, ignore_missing=True)

    @translate_errors("nova")
    def rename(self, server_id: str, name: str) -> None:
        self._nova.put(f"/servers/{server_id}", json={"server": {"name": name}}, raise_exc=True)

    def reboot(self, server_id: str) -> None:
        self._act(server_id, {"reboot": {"type": "HARD"}})

    def rebuild(self, server_id: str, image_id: str) -> None:
        self._act(server_id, {"rebuild": {"imageRef": image_id}})

    def evacuate(self, server_id: str, *, on_shared_storage: bool) -> None:
        self._act(server_id, {"evacuate": {"onSharedStorage": on_shared_storage}})

    def resize(self, server_id: str, flavor_id: str) -> None:
        self._act(server_id, {"resize": {"flavorRef": flavor_id}})

    def confirm_resize(self, server_id: str) -> None:
        self._act(server_id, {"confirmResize": None})

    @translate_errors("nova")
    def create_image(self, server_id: str, name: str) -> str:
        """The Location names the image up to 2.44; since then only the body does."""
        body = {"createImage": {"name": name}}
        answer = self._nova.post(f"/servers/{server_id}/action", json=body, raise_exc=True)
        location = answer.headers.get("Location", "")
        return location.rstrip("/").rsplit("/", 1)[-1] if location else str(answer.json()["image_id"])

    @translate_errors("nova")
    def console_url(self, server_id: str) -> str:
        """Nova took the action away where the resource came (2.6); before it there is the action alone."""
        if _microversion(self._nova) >= REMOTE_CONSOLES:
            body = {"remote_console": {"protocol": "vnc", "type": "novnc"}}
            answer = self._nova.post(f"/servers/{server_id}/remote-consoles", json=body, raise_exc=True)
            return _web_url(answer.json()["remote_console"]["url"])
        action = {"os-getVNCConsole": {"type": "novnc"}}
        answer = self._nova.post(f"/servers/{server_id}/action", json=action, raise_exc=True)
        return _web_url(answer.json()["console"]["url"])

    @translate_errors("nova")
    def console_log(self, server_id: str, lines: int) -> str:
        action = {"os-getConsoleOutput": {"length": lines}}
        answer = self._nova.post(f"/servers/{server_id}/action", json=action, raise_exc=True)
        return str(answer.json()["output"] or "")[-LONGEST_LOG:]

    @translate_errors("nova")
    def _act(self, server_id: str, body: Mapping[str, Any]) -> None:
        """Post the action ourselves: the requests of the SDK's methods follow the newest Nova."""
        self._nova.post(f"/servers/{server_id}/action", json=body, raise_exc=True)


def _microversion(nova: Proxy) -> tuple[int, ...]:
    """Return the microversion in use; (0,) with a cloud that has none."""
    return tuple(int(part) for part in (nova.default_microversion or "0").split("."))


def _web_url(url: str) -> str:
    """It is opened in a browser, where a URL of another kind could do anything."""
    if urlsplit(url).scheme not in {"http", "https"}:
        raise Unknown("The console that Nova names is not on the web.", service="nova")
    return url


class NovaFlavors:
    def __init__(self, nova: Proxy, extra_specs: dict[str, tuple[float, Mapping[str, str]]]) -> None:
        self._nova = nova
        self._known = extra_specs

    @translate_errors("nova")
    def list(self) -> Sequence[Flavor]:
        found = self._plain()
        with ThreadPoolExecutor(_PARALLEL, thread_name_prefix="flavors") as pool:
            specs = list(pool.map(self._extra_specs, [data["id"] for data in found]))
        # A flavor that was deleted between the two calls is not one to choose any more.
        return [_flavor(data, spec) for data, spec in zip(found, specs, strict=True) if spec is not None]

    @translate_errors("nova")
    def find(self, name: str) -> Flavor | None:
        for data in self._plain():
            if data["name"] == name:
                specs = self._extra_specs(data["id"])
                return _flavor(data, specs) if specs is not None else None
        return None

    @translate_errors("nova")
    def create(self, flavor: Flavor) -> str:
        made = self._nova.create_flavor(
            name=flavor.name, vcpus=flavor.vcpus, ram=flavor.memory_mib, disk=flavor.disk_gib
        )
        flavor_id = str(made.id)
        if flavor.extra_specs:
            try:
                self._nova.create_flavor_extra_specs(made, dict(flavor.extra_specs))
            except Exception:
                # A flavor that lacks its extra specs would be a different one under the promised name.
                with suppress(CloudError):
                    self.delete(flavor_id)
                raise
        return flavor_id

    @translate_errors("nova")
    def delete(self, flavor_id: str) -> None:
        self._known.pop(flavor_id, None)
        self._nova.delete_flavor(flavor_id, ignore_missing=True)

    @translate_errors("nova")
    def add_extra_specs(self, flavor_id: str, extra_specs: Mapping[str, str]) -> None:
        self._nova.create_flavor_extra_specs(flavor_id, dict(extra_specs))
        self._known.pop(flavor_id, None)

    @translate_errors("nova")
    def may_create(self) -> bool | None:
        """Nova checks its policy first (nova/api/openstack/compute/flavor_manage.py, flavors_extraspecs.py). A request
        for a flavor with an id and a name that are taken, and one for extra specs of a flavor that cannot exist, get
        409 and 404 with the right, and 403 without it.
        """
        flavors = rest.get(self._nova, "/flavors", [("limit", "2")])["flavors"]
        flavor_id = str(uuid4())
        stranger = f"/flavors/{flavor_id}"
        specs = {"extra_specs": {"hw:cpu_policy": "shared"}}
        answers = [self._nova.post(f"{stranger}/os-extra_specs", json=specs, raise_exc=False)]
        if flavors:
            # The request names two flavors, so that neither's deletion in this moment lets Nova create one.
            twin = {"id": flavors[0]["id"], "name": flavors[-1]["name"], "vcpus": 1, "ram": 1, "disk": 0}
            answers.append(self._nova.post("/flavors", json={"flavor": twin}, raise_exc=False))
        else:  # Nothing is taken: the right to delete tells, which older releases do not tell apart.
            answers.append(self._nova.delete(stranger, raise_exc=False))
        if any(answer.status_code == HTTPStatus.FORBIDDEN for answer in answers):
            return False
        # Another 404 is that of a proxy, or of a Nova without these calls.
        known = [
            answer.status_code == HTTPStatus.CONFLICT
            or (answer.status_code == HTTPStatus.NOT_FOUND and flavor_id in answer.text)
            for answer in answers
        ]
        return True if all(known) else None

    def _plain(self) -> Sequence[Mapping[str, Any]]:
        return list(rest.pages(self._nova, "/flavors/detail", "flavors", [("is_public", "None")]))

    def _extra_specs(self, flavor_id: str) -> Mapping[str, str] | None:
        """None when the flavor is gone."""
        asked_at, specs = self._known.get(flavor_id, (0.0, {}))
        if asked_at and monotonic() - asked_at < EXTRA_SPECS_SECONDS:
            return specs
        try:
            specs = self._ask_extra_specs(flavor_id)
        except NotFound:
            return None
        self._known[flavor_id] = (monotonic(), specs)
        return specs

    @translate_errors("nova")
    def _ask_extra_specs(self, flavor_id: str) -> Mapping[str, str]:
        specs: dict[str, str] = rest.get(self._nova, f"/flavors/{flavor_id}/os-extra_specs")["extra_specs"]
        return specs


@translate_errors("nova")
def compute_quotas(nova: Proxy) -> Sequence[Quota]:
    limits = rest.get(nova, "/limits")["limits"]["absolute"]
    return [
        Quota("instances", limits.get("maxTotalInstances"), limits.get("totalInstancesUsed")),
        Quota("cores", limits.get("maxTotalCores"), limits.get("totalCoresUsed")),
        Quota("ram_mib", limits.get("maxTotalRAMSize"), limits.get("totalRAMUsed")),
        Quota("server_groups", limits.get("maxServerGroups"), limits.get("totalServerGroupsUsed")),
    ]


@translate_errors("nova")
def server_group_size(nova: Proxy) -> int | None:
    limit = rest.get(nova, "/limits")["limits"]["absolute"].get("maxServerGroupMembers")
    return limit if isinstance(limit, int) and limit >= 0 else None


@translate_errors("nova")
def compute_hosts(nova: Proxy) -> Sequence[CloudHost]:
    """List compute services, for they decide what Nova can do; their hypervisors tell how big the hosts are."""
    hypervisors: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for data in rest.get(nova, "/os-hypervisors/detail")["hypervisors"]:
        hypervisors[data["service"]["host"]].append(data)
    services = rest.get(nova, "/os-services", [("binary", "nova-compute")])["services"]
    return [_host(data, hypervisors[data["host"]]) for data in services if data["binary"] == "nova-compute"]


@translate_errors("nova")
def compute_zones(nova: Proxy) -> Sequence[str]:
    listed = rest.get(nova, "/os-availability-zone")["availabilityZoneInfo"]
    return sorted(data["zoneName"] for data in listed if data["zoneState"]["available"])


@translate_errors("nova")
def key_pairs(nova: Proxy) -> Sequence[str]:
    return sorted(data["keypair"]["name"] for data in rest.get(nova, "/os-keypairs")["keypairs"])


@translate_errors("nova")
def server_groups(nova: Proxy) -> Sequence[CloudServerGroup]:
    listed = rest.get(nova, "/os-server-groups")["server_groups"]
    return [
        CloudServerGroup(data["id"], data.get("name") or "", tuple(data["policies"]), tuple(data["members"]))
        for data in listed
    ]


def _host(service: Mapping[str, Any], hypervisors: Sequence[Mapping[str, Any]]) -> CloudHost:
    def total(field: str) -> int:
        return sum(data[field] for data in hypervisors)

    return CloudHost(
        name=service["host"],
        up=service["state"] == "up",
        enabled=service["status"] == "enabled",
        vcpus=total("vcpus"),
        vcpus_used=total("vcpus_used"),
        memory_mib=total("memory_mb"),
        memory_mib_used=total("memory_mb_used"),
        zone=service.get("zone") or "",
        hypervisor_up=all(data["state"] == "up" for data in hypervisors) if hypervisors else service["state"] == "up",
        forced_down=service.get("forced_down"),
        disabled_reason=service.get("disabled_reason") or "",
    )


def _server(data: Mapping[str, Any]) -> Server:
    fault = data.get("fault")
    flavor, image = data.get("flavor") or {}, data.get("image") or {}
    return Server(
        id=data["id"],
        name=data.get("name") or "",
        status=data["status"],
        task_state=data.get("OS-EXT-STS:task_state") or "",
        host=data.get("OS-EXT-SRV-ATTR:host") or "",
        host_hash=data.get("hostId") or "",
        flavor=flavor.get("id") or flavor.get("original_name") or "",
        image=image.get("id") or "",
        metadata=data.get("metadata") or {},
        fault=ServerFault(fault.get("code", 0), fault.get("message", ""), fault.get("details") or "")
        if fault
        else None,
        created_at=_time(data.get("created")),
        updated_at=_time(data.get("updated")),
        volumes=tuple(one["id"] for one in data.get("os-extended-volumes:volumes_attached") or ()),
    )


def _time(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None


def _flavor(data: Mapping[str, Any], extra_specs: Mapping[str, str]) -> Flavor:
    return Flavor(
        id=data["id"],
        name=data["name"],
        vcpus=data["vcpus"],
        memory_mib=data["ram"],
        disk_gib=data["disk"],
        extra_specs=extra_specs,
    )
