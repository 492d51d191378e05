"""Compute hosts: their capacity, its use by servers, and the administrators' API of hosts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cloudsim.compute import scheduler as sched
from cloudsim.compute.common import bad, not_found, require_admin
from cloudsim.compute.microversion import version_of
from cloudsim.core.errors import Reply
from cloudsim.network.networks import PHYSNETS

if TYPE_CHECKING:
    from cloudsim.core.cloud import Cloud
    from cloudsim.core.context import RequestContext
    from cloudsim.core.service import Request
    from cloudsim.core.store import Doc

NODES = 2
SHARED_CPUS, DEDICATED_CPUS = 12, 36
MEMORY = {4: 128 * 1024, 2048: 32 * 1024, 1048576: 96 * 1024}
VFS = 8
DISK = 20_000
"""A host as in the reference lab: 20 TB of disk, and on each of two NUMA nodes 12 shared CPUs (times 16), 36 dedicated
ones, 256 GiB (split by page size) and 8 VFs for each of three physical networks."""

CPUS = NODES * (SHARED_CPUS + DEDICATED_CPUS)
TOTAL_MEMORY = NODES * sum(MEMORY.values())


def empty_host(name: str) -> sched.Host:
    nodes = [
        sched.Node(SHARED_CPUS * sched.CPU_RATIO, DEDICATED_CPUS, dict(MEMORY), dict.fromkeys(PHYSNETS, VFS))
        for _ in range(NODES)
    ]
    return sched.Host(name, nodes, DISK)


class Fleet:
    """The hosts with their free capacity, rebuilt from the servers' claims at start."""

    def __init__(self, cloud: Cloud) -> None:
        self._cloud = cloud
        self._hosts: dict[str, sched.Host] = {}
        cloud.store.index("server", "host", lambda doc: [doc["host"]] if doc["host"] else [])

    def load(self) -> None:
        """Create the hosts of a new cloud, and subtract the claims of servers."""
        store = self._cloud.store
        while len(store.list("host")) < self._cloud.options.hosts:
            self.add()
        for doc in store.list("host"):
            self._hosts[doc["id"]] = empty_host(doc["id"])
            self.refresh(doc)
        for server in store.list("server"):
            for held in claims_of(server):
                self._apply(held, 1)

    def add(self) -> Doc:
        """Add a host that is empty and up."""
        number = len(self._cloud.store.list("host")) + 1
        name = f"compute-{number:02d}"
        doc = {"id": name, "number": number, "enabled": True, "reason": None, "alive": True, "forced": False}
        self._hosts[name] = empty_host(name)
        return self._cloud.store.put("host", name, doc)

    def refresh(self, doc: Doc) -> None:
        """Apply a changed host document."""
        host = self._hosts[doc["id"]]
        host.enabled = doc["enabled"]
        host.up = doc["alive"] and not doc["forced"]

    def claim(self, needs: sched.Needs, **policy: Any) -> sched.Choice:
        """Choose a host and claim capacity on it."""
        choice = sched.choose(self._hosts.values(), needs, **policy)
        if choice.host and choice.claim:
            sched.apply(choice.host, choice.claim)
        return choice

    def place(self, server: Doc, needs: sched.Needs, **policy: Any) -> sched.Choice:
        """Choose a host for a server and claim it there; the server document is changed, not stored."""
        choice = self.claim(needs, **policy)
        if choice.host:
            server["host"], server["claim"] = choice.host.name, choice.claim
        return choice

    def release(self, holder: Doc) -> None:
        """Release the claims of a server, or of the other side of its resize."""
        for one in claims_of(holder):
            self._apply(one, -1)
            one["claim"] = None

    def _apply(self, held: Doc, sign: int) -> None:
        if held["host"] in self._hosts:
            sched.apply(self._hosts[held["host"]], held["claim"], sign)

    def is_up(self, name: str) -> bool:
        return name in self._hosts and self._hosts[name].up

    def free(self, name: str) -> sched.Host:
        return self._hosts[name]


def claims_of(server: Doc) -> list[Doc]:
    """Return the holders of a server's claims: itself and, during a resize, the old or the new size."""
    return [held for held in (server, server.get("resize")) if held and held["claim"]]


class Hypervisors:
    """os-hypervisors, for administrators."""

    def __init__(self, cloud: Cloud, fleet: Fleet) -> None:
        self._cloud = cloud
        self._fleet = fleet

    def _brief(self, doc: Doc) -> Doc:
        return {
            "id": doc["number"],
            "hypervisor_hostname": doc["id"],
            "state": "up" if self._fleet.is_up(doc["id"]) else "down",
            "status": "enabled" if doc["enabled"] else "disabled",
        }

    def _usage(self, doc: Doc) -> Doc:
        free = self._fleet.free(doc["id"])
        shared = NODES * SHARED_CPUS * sched.CPU_RATIO - sum(node.shared for node in free.nodes)
        dedicated = NODES * DEDICATED_CPUS - sum(node.dedicated for node in free.nodes)
        running = self._cloud.store.count("server", "host", doc["id"])
        return {
            "vcpus": CPUS,
            "vcpus_used": shared + dedicated,
            "memory_mb": TOTAL_MEMORY,
            "memory_mb_used": TOTAL_MEMORY - free.free_memory(),
            "free_ram_mb": free.free_memory(),
            "local_gb": DISK,
            "local_gb_used": DISK - free.disk,
            "free_disk_gb": free.disk,
            "disk_available_least": free.disk,
            "running_vms": running,
            "current_workload": 0,
        }

    def _detail(self, doc: Doc) -> Doc:
        return {
            **self._brief(doc),
            **self._usage(doc),
            "hypervisor_type": "QEMU",
            "hypervisor_version": 2003000,
            "host_ip": f"192.0.2.{doc['number'] % 254 + 1}",
            "cpu_info": '{"vendor": "Intel", "model": "Haswell", "arch": "x86_64", "topology": {"cores": 24,'
            ' "threads": 2, "sockets": 2}}',
            "service": {"id": doc["number"], "host": doc["id"], "disabled_reason": doc["reason"]},
        }

    async def index(self, ctx: RequestContext, _request: Request) -> Reply:
        require_admin(ctx, "os_compute_api:os-hypervisors")
        return Reply(200, {"hypervisors": [self._brief(doc) for doc in self._cloud.store.list("host")]})

    async def detail(self, ctx: RequestContext, _request: Request) -> Reply:
        require_admin(ctx, "os_compute_api:os-hypervisors")
        return Reply(200, {"hypervisors": [self._detail(doc) for doc in self._cloud.store.list("host")]})

    async def show(self, ctx: RequestContext, request: Request) -> Reply:
        require_admin(ctx, "os_compute_api:os-hypervisors")
        for doc in self._cloud.store.list("host"):
            if str(doc["number"]) == request.params["id"]:
                return Reply(200, {"hypervisor": self._detail(doc)})
        raise not_found(f"Hypervisor with ID '{request.params['id']}' could not be found.")

    async def statistics(self, ctx: RequestContext, _request: Request) -> Reply:
        require_admin(ctx, "os_compute_api:os-hypervisors")
        hosts = [self._usage(doc) for doc in self._cloud.store.list("host")]
        totals = {name: sum(host[name] for host in hosts) for name in (hosts[0] if hosts else {})}
        return Reply(200, {"hypervisor_statistics": {"count": len(hosts), **totals}})

    async def search(self, ctx: RequestContext, request: Request) -> Reply:
        require_admin(ctx, "os_compute_api:os-hypervisors")
        return Reply(200, {"hypervisors": [self._brief(doc) for doc in self._matching(request)]})

    async def servers(self, ctx: RequestContext, request: Request) -> Reply:
        require_admin(ctx, "os_compute_api:os-hypervisors")
        found = []
        for doc in self._matching(request):
            held = self._cloud.store.find("server", "host", doc["id"])
            servers = [{"uuid": server["id"], "name": instance_name(server)} for server in held]
            found.append({**self._brief(doc), **({"servers": servers} if servers else {})})
        return Reply(200, {"hypervisors": found})

    def _matching(self, request: Request) -> list[Doc]:
        pattern = request.params["id"]
        found = [doc for doc in self._cloud.store.list("host") if pattern in doc["id"]]
        if not found:
            raise not_found(f"No hypervisor matching '{pattern}' could be found.")
        return found


def instance_name(server: Doc) -> str:
    """Return libvirt's name of a guest."""
    return f"instance-{server['number']:08x}"


class Services:
    """os-services: the compute service of each host, and the controllers'."""

    def __init__(self, cloud: Cloud, fleet: Fleet) -> None:
        self._cloud = cloud
        self._fleet = fleet

    async def index(self, ctx: RequestContext, request: Request) -> Reply:
        require_admin(ctx, "os_compute_api:os-services")
        forced = version_of(request) >= (2, 11)
        services = [self._view(doc, forced=forced) for doc in self._cloud.store.list("host")]
        for number, binary in enumerate(("nova-conductor", "nova-scheduler", "nova-consoleauth"), 1001):
            services.append(self._controller(number, binary, forced=forced))
        wanted = {name: request.query[name] for name in ("host", "binary") if name in request.query}
        shown = [one for one in services if all(one[name] == value for name, value in wanted.items())]
        return Reply(200, {"services": shown})

    def _controller(self, number: int, binary: str, *, forced: bool) -> Doc:
        view = {
            "id": number,
            "binary": binary,
            "host": "controller",
            "zone": "internal",
            "status": "enabled",
            "state": "up",
            "updated_at": self._cloud.clock.now().strftime("%Y-%m-%dT%H:%M:%S.000000"),
            "disabled_reason": None,
        }
        return {**view, "forced_down": False} if forced else view

    def _view(self, doc: Doc, *, forced: bool) -> Doc:
        view = {
            "id": doc["number"],
            "binary": "nova-compute",
            "host": doc["id"],
            "zone": "nova",
            "status": "enabled" if doc["enabled"] else "disabled",
            "state": "up" if self._fleet.is_up(doc["id"]) else "down",
            "updated_at": self._cloud.clock.now().strftime("%Y-%m-%dT%H:%M:%S.000000"),
            "disabled_reason": doc["reason"],
        }
        return {**view, "forced_down": doc["forced"]} if forced else view

    async def update(self, ctx: RequestContext, request: Request) -> Reply:
        """``PUT /os-services/{enable|disable|disable-log-reason|force-down}``."""
        require_admin(ctx, "os_compute_api:os-services")
        action, given = request.params["action"], request.object
        if action not in {"enable", "disable", "disable-log-reason", "force-down"}:
            raise not_found("Unknown action")
        if action == "force-down" and version_of(request) < (2, 11):
            raise not_found("Unknown action")
        doc = self._cloud.store.get("host", str(given.get("host")))
        if doc is None or given.get("binary") != "nova-compute":
            raise not_found(f"Could not find binary {given.get('binary')} on host {given.get('host')}.")
        answer: Doc = {"host": doc["id"], "binary": "nova-compute"}
        if action == "force-down":
            if not isinstance(given.get("forced_down"), bool):
                raise bad("Missing forced_down field")
            doc["forced"] = answer["forced_down"] = given["forced_down"]
        else:
            doc["enabled"] = action == "enable"
            doc["reason"] = given.get("disabled_reason") if action == "disable-log-reason" else None
            answer["status"] = "enabled" if doc["enabled"] else "disabled"
            if doc["reason"]:
                answer["disabled_reason"] = doc["reason"]
        self._cloud.store.put("host", doc["id"], doc)
        self._fleet.refresh(doc)
        return Reply(200, {"service": answer})


class Zones:
    """Availability zones and aggregates: one zone, ``nova``."""

    def __init__(self, cloud: Cloud, fleet: Fleet) -> None:
        self._cloud = cloud
        self._fleet = fleet

    async def index(self, _ctx: RequestContext, _request: Request) -> Reply:
        return Reply(200, {"availabilityZoneInfo": [_zone("nova", None)]})

    async def detail(self, ctx: RequestContext, _request: Request) -> Reply:
        require_admin(ctx, "os_compute_api:os-availability-zone:detail")
        stamp = self._cloud.clock.stamp()
        hosts = {
            doc["id"]: {
                "nova-compute": {
                    "available": self._fleet.is_up(doc["id"]),
                    "active": doc["enabled"],
                    "updated_at": stamp,
                }
            }
            for doc in self._cloud.store.list("host")
        }
        return Reply(200, {"availabilityZoneInfo": [_zone("nova", hosts)]})

    async def aggregates(self, ctx: RequestContext, _request: Request) -> Reply:
        require_admin(ctx, "os_compute_api:os-aggregates:index")
        return Reply(200, {"aggregates": []})


def _zone(name: str, hosts: Doc | None) -> Doc:
    return {"zoneName": name, "zoneState": {"available": True}, "hosts": hosts}


def forced_host(zone: str | None) -> str | None:
    """Return the host of a zone ``nova:compute-01``; None if no host is forced. Raises ApiFault 400."""
    if not zone:
        return None
    name, _, host = zone.partition(":")
    if name != "nova":
        raise bad("The requested availability zone is not available")
    return host or None
