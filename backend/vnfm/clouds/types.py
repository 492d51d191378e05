"""Values that cross the port, immutable. Sizes in MiB and GiB as Nova counts."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from vnfm.kit.problem import Source
from vnfm.kit.web.message import INTERNAL


@dataclass(frozen=True, slots=True)
class Connection:
    """All that is needed to talk to one region and project of an OpenStack. Never logged: `password` is repr-free.

    The project is `project_id`, or `project_name` in `project_domain_name`, or that of the application credential.
    """

    auth_url: str
    username: str
    """Empty with `application_credential_id`."""
    password: str = field(repr=False)
    """The password of the user, or the secret of the application credential."""
    project_name: str = ""
    """Beside `project_id` it is only a label."""
    user_domain_name: str = "Default"
    project_domain_name: str = "Default"
    project_id: str = ""
    application_credential_id: str = ""
    application_credential_name: str = ""
    """Names a credential of the user `username`."""
    region: str = ""
    interface: Literal["public", "internal", "admin"] = "public"
    cacert: str = ""
    """PEM text of the CA that signed the cloud's certificates; empty means the system's own."""
    insecure: bool = False
    endpoint_overrides: Mapping[str, str] = field(default_factory=dict)
    """Service type (identity, compute, network, image, orchestration, alarming) to URL; for wrong catalogs."""
    vim: str = field(default="", compare=False)
    """Name of the registered VIM, for metrics; "" for a connection that is only tried."""

    @property
    def by_application_credential(self) -> bool:
        """True if it logs in by an application credential instead of a user's password."""
        return bool(self.application_credential_id or self.application_credential_name)


@dataclass(frozen=True, slots=True)
class BusConnection:
    """The settings for notifications of a cloud's services over its message bus (AMQP)."""

    urls: tuple[str, ...] = field(repr=False)
    """One for each member of the bus, as amqp://user:password@host:5672/vhost; the first that answers is used."""
    exchanges: tuple[str, ...]
    """Each service that notifies has its own, by its `control_exchange`, such as nova."""
    topic: str = "notifications"
    queue: str = ""
    """A queue declared for us by the operator; "": our own, which ends with the connection."""
    cacert: str = ""
    """PEM text of the CA that signed the bus's certificates; empty means the system's own."""
    insecure: bool = False


@dataclass(frozen=True, slots=True)
class OsloNotification:
    """An event in a service and, where the service names it, its project."""

    event_type: str
    project_id: str = ""


@dataclass(frozen=True, slots=True)
class StackInput:
    """Everything Heat is given. Kept by us because Liberty's Heat cannot give files and environment back."""

    template: str
    """The root HOT, as text."""
    environment: Mapping[str, Any]
    """`resource_registry` and `parameter_defaults`."""
    parameters: Mapping[str, Any]
    """Those that the environment has among its `parameter_defaults` are given there: Heat takes such for templates
    below the root, too, which may be the only ones to declare them."""
    files: Mapping[str, str]
    """Name as written in the template or registry, to content."""
    tags: tuple[str, ...] = ()
    timeout_minutes: int = 60


@dataclass(frozen=True, slots=True)
class Stack:
    id: str
    name: str
    status: str
    """Action and status as Heat joins them, such as CREATE_COMPLETE."""
    status_reason: str
    tags: tuple[str, ...] = ()
    updated_at: str = ""
    """Heat's `updated_time` as it wrote it: tells whether an accepted update has begun."""
    outputs: Mapping[str, Any] = field(default_factory=dict)
    """Empty in lists; filled by `show`."""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    """Values of the template's parameters, as texts: Heat joins lists by commas, writes JSON as JSON and masks hidden
    ones as `******`. Empty in lists; filled by `show`."""

    @property
    def in_progress(self) -> bool:
        return self.status.endswith("_IN_PROGRESS")

    @property
    def failed(self) -> bool:
        return self.status.endswith("_FAILED")


@dataclass(frozen=True, slots=True)
class StackResource:
    """One resource of a stack or of one of its nested stacks."""

    name: str
    type: str
    physical_id: str
    status: str
    status_reason: str
    path: tuple[str, ...]
    """Names of the parent resources from the root stack down; () for a resource of the root stack."""


@dataclass(frozen=True, slots=True)
class StackProgress:
    """Heat's progress with a stack, nested ones included."""

    complete: int
    total: int
    mark: str
    """The same as long as no resource changes."""


@dataclass(frozen=True, slots=True)
class ResourceChange:
    """A change of one resource in Heat's own preview."""

    action: Literal["create", "keep", "update", "replace", "delete"]
    name: str
    type: str
    parent: str = ""
    """The resource of the nested stack that it is in, where Heat names it."""


@dataclass(frozen=True, slots=True)
class ServerFault:
    """Nova's fault: why a server is in ERROR."""

    code: int
    message: str
    details: str = ""


@dataclass(frozen=True, slots=True)
class Server:
    id: str
    name: str
    status: str
    """Nova's status: ACTIVE, BUILD, SHUTOFF, ERROR, DELETED …"""
    task_state: str = ""
    host: str = ""
    """Empty where our rights do not let Nova tell."""
    host_hash: str = ""
    """Nova's `hostId`: shown to every role, and the same for two servers of a project on one host; "" while on none."""
    flavor: str = ""
    """The flavor's id (Liberty) or name (2.47 and later), as Nova shows it."""
    image: str = ""
    """The image's id; empty for a server that boots from a volume."""
    metadata: Mapping[str, str] = field(default_factory=dict)
    fault: ServerFault | None = None
    """Why it is in ERROR. A current Nova omits it in lists for a server that never reached a host; `show` has it."""
    created_at: datetime | None = None
    updated_at: datetime | None = None
    volumes: tuple[str, ...] = ()
    """Ids of the attached volumes, that of the root disk among them when it boots from a volume."""


@dataclass(frozen=True, slots=True)
class CloudVolume:
    """A volume of Cinder."""

    id: str
    name: str
    status: str
    """Cinder's status: available, in-use, error …"""
    size_gib: int


@dataclass(frozen=True, slots=True)
class VolumeSnapshot:
    """A snapshot of a volume of Cinder."""

    id: str
    name: str
    volume_id: str
    status: str
    """Cinder's status: creating, available, deleting, error …"""
    size_gib: int


@dataclass(frozen=True, slots=True)
class CloudHost:
    """A compute host as Nova's administrator sees it; `name` is what `Server.host` says."""

    name: str
    up: bool
    """True if its compute service reports; only from one that does not can Nova evacuate."""
    enabled: bool
    """True if Nova may place new servers on it."""
    vcpus: int
    """Physical ones, without Nova's overcommit."""
    vcpus_used: int
    memory_mib: int
    memory_mib_used: int
    zone: str = ""
    hypervisor_up: bool = True
    """True if Nova shows its hypervisors up; as `up` where it has none."""
    forced_down: bool | None = None
    """True if an operator forced it down (`force-down`); None before Nova's 2.11."""
    disabled_reason: str = ""


@dataclass(frozen=True, slots=True)
class CloudServerGroup:
    """Servers of the project that Nova keeps together or apart."""

    id: str
    name: str
    policies: tuple[str, ...]
    """`affinity` or `anti-affinity`; a newer Nova also has their soft forms."""
    members: tuple[str, ...]
    """Server ids."""


@dataclass(frozen=True, slots=True)
class ApiCall:
    """One request that changed, or was to change, something in the cloud; never its body."""

    service: Source
    method: str
    path: str
    """The path has neither host nor query."""
    status: int
    """HTTP status; 0 when no answer came, so that the effect is unknown."""
    request_id: str
    """OpenStack's own, by which its operator finds the request in the logs; "" where none was given."""
    at: datetime
    """When it was sent."""


@dataclass(frozen=True, slots=True)
class Port:
    id: str
    name: str
    network_id: str
    server_id: str
    mac_address: str
    ip_addresses: tuple[str, ...]
    vnic_type: str
    status: str
    vif_type: str = ""


@dataclass(frozen=True, slots=True)
class Subnet:
    id: str
    network_id: str = field(metadata=INTERNAL)
    name: str
    cidr: str
    gateway_ip: str
    ip_version: int
    dhcp: bool
    allocation_pools: tuple[tuple[str, str], ...] = field(default=(), metadata=INTERNAL)
    """First and last address of each range that Neutron gives out."""


@dataclass(frozen=True, slots=True)
class Network:
    id: str
    name: str
    status: str
    external: bool
    shared: bool
    subnets: tuple[Subnet, ...] = ()


@dataclass(frozen=True, slots=True)
class Flavor:
    id: str
    name: str
    vcpus: int
    memory_mib: int
    disk_gib: int
    extra_specs: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Image:
    id: str
    name: str
    status: str
    size: int
    """Bytes; 0 while queued."""
    checksum: str = field(metadata=INTERNAL)
    """MD5 as Glance computes it; empty while queued."""
    disk_format: str
    container_format: str = field(metadata=INTERNAL)
    min_disk_gib: int = 0
    min_memory_mib: int = 0
    properties: Mapping[str, str] = field(default_factory=dict, metadata=INTERNAL)
    hash_algorithm: str = field(default="", metadata=INTERNAL)
    """hashlib's name of it, such as sha512; empty before Glance of Rocky, and while queued."""
    hash_value: str = field(default="", metadata=INTERNAL)
    """It is hexadecimal."""


@dataclass(frozen=True, slots=True)
class Quota:
    """One limited resource; `limit` -1 means unlimited, None that the cloud does not tell."""

    resource: str
    """instances, cores, ram_mib, server_groups, networks, subnets, ports, security_groups, volumes, gigabytes (of
    volumes).
    """
    limit: int | None
    used: int | None


@dataclass(frozen=True, slots=True)
class Features:
    """Abilities of a cloud that templates can use; None: the cloud does not say."""

    hot_functions: Mapping[str, tuple[str, ...]] | None
    """Each heat_template_version that Heat accepts, such as 2015-10-15, with its functions; null: not known."""
    resource_types: tuple[str, ...] | None
    """Types that Heat lists: supported ones whose service is there, and that its policy allows to this user;
    null: not known."""
    network_extensions: tuple[str, ...] | None
    """Aliases of Neutron's loaded extensions; null: not known."""


@dataclass(frozen=True, slots=True)
class Probe:
    """The findings about a cloud: versions, rights, limits and resources to pick from."""

    versions: Mapping[str, str]
    """Service type to the version we would speak, e.g. compute to 2.12, orchestration to 1.0; `hot` to the newest
    heat_template_version that Heat accepts, where it tells."""
    capabilities: Mapping[str, bool | None]
    """heat_mark_unhealthy, heat_check_spares_siblings, flavor_create, network_share, alarming, admin, hosts; None: the
    cloud does not say."""
    features: Features
    quotas: tuple[Quota, ...]
    flavors: tuple[Flavor, ...]
    images: tuple[Image, ...]
    networks: tuple[Network, ...]
    zones: tuple[str, ...] | None = None
    """Nova's availability zones that are available; None: Nova does not tell. So of the next two."""
    key_pairs: tuple[str, ...] | None = None
    """Names of the user's key pairs."""
    volume_types: tuple[str, ...] | None = None
    """Names of Cinder's volume types that the project may use; none without Cinder."""
    project_id: str = ""
    """The project that the token is scoped to."""
    project_name: str = ""
    project_domain_name: str = ""
