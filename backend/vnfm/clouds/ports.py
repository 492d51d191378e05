"""Ports towards a cloud. Every method makes the fewest calls it can, waits for nothing, raises `CloudError`s only."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, Protocol

from vnfm.clouds.types import (
    BusConnection,
    CloudHost,
    CloudServerGroup,
    CloudVolume,
    Connection,
    Flavor,
    Image,
    Network,
    OsloNotification,
    Port,
    Probe,
    Quota,
    ResourceChange,
    Server,
    Stack,
    StackInput,
    StackProgress,
    StackResource,
    VolumeSnapshot,
)
from vnfm.kit.problem import Source

SWALLOW_SECONDS = 600.0
"""Glance answers an upload when its store has swallowed the whole image, which is after our last byte."""


class Stacks(Protocol):
    """Heat, by what Liberty's Heat can do."""

    def find(self, name: str) -> Stack | None: ...

    def status(self, stack_id: str) -> Stack:
        """The cheap poll, without outputs (Heat would resolve them); raises NotFound as `show` does."""

    def show(self, stack_id: str) -> Stack:
        """Return it with outputs and parameters; raises NotFound when Heat no longer knows it, or has deleted it."""

    def list(self, tag: str = "") -> Sequence[Stack]:
        """All stacks of the project, one bulk call (paged), optionally by tag."""

    def create(self, name: str, stack: StackInput) -> str:
        """Returns the stack id; raises Conflict when the name is taken, Rejected with Heat's words otherwise."""

    def update(self, stack_id: str, stack: StackInput) -> None:
        """Full PUT: template, environment, files and parameters."""

    def delete(self, stack_id: str) -> None:
        """Asks for deletion; already gone is success."""

    def check(self, stack_id: str) -> None: ...

    def mark_unhealthy(self, stack_id: str, path: Sequence[str], name: str, reason: str) -> None:
        """Let the next update replace one resource, in the root (path ()) or in a nested stack; its siblings are kept.

        `path` as `StackResource.path`; NotFound when there is no such resource. Heat of Liberty cannot do it: Rejected.
        """

    def template(self, stack_id: str) -> Mapping[str, Any]:
        """The root template as Heat holds it, read from YAML; files and environment it does not give back."""

    def resources(self, stack_id: str, depth: int = 5) -> Sequence[StackResource]:
        """Resources of the stack and its nested stacks."""

    def progress(self, stack_id: str) -> StackProgress:
        """Return the progress of a running create, update or delete, by one bulk call."""

    def last_event(self, stack_id: str) -> str:
        """Id of the newest event of the stack, of its nested ones too where Heat lists those (since Mitaka); "" for
        none.
        """

    def validate(self, stack: StackInput) -> None:
        """Have Heat check the templates, values aside; raises Rejected with its words for the first fault."""

    def hot_functions(self) -> Mapping[str, Sequence[str]]:
        """Each heat_template_version that Heat accepts, such as 2015-10-15, with its functions: a call, and one for
        each version when the list of versions is new. The functions are empty where Heat fails to list them.
        """

    def resource_types(self) -> Sequence[str]:
        """Types that this user can have: not those that are hidden, lack their service, or that the policy forbids.
        Liberty lists a type without looking for the Neutron extension that it takes. At most five minutes old.
        """

    def preview_create(self, name: str, stack: StackInput) -> Sequence[ResourceChange]: ...

    def preview_update(self, stack_id: str, stack: StackInput) -> Sequence[ResourceChange]:
        """Return the changes of the root stack's resources alone, and by Heat's pessimism: references between resources
        count as changed, so it calls updated or replaced what the update then keeps. Trust create, delete, and that
        Heat does not refuse.
        """


class Servers(Protocol):
    def list(self, changes_since: datetime | None = None) -> Sequence[Server]:
        """All servers of the project, or those changed since (deleted ones then included, as status DELETED)."""

    def show(self, server_id: str) -> Server: ...

    def start(self, server_id: str) -> None: ...

    def stop(self, server_id: str) -> None: ...

    def delete(self, server_id: str) -> None:
        """Already gone is success."""

    def rename(self, server_id: str, name: str) -> None: ...

    # Each of the following is accepted here and done later: watch the status. Id, ports and metadata stay. Conflict
    # when the server's state forbids it, NotFound when it is gone.

    def reboot(self, server_id: str) -> None:
        """Hard, as pulling the plug: also a way out of ERROR and SHUTOFF. HARD_REBOOT, then ACTIVE."""

    def rebuild(self, server_id: str, image_id: str) -> None:
        """A fresh disk from the image on the same host. REBUILD, then ACTIVE, or SHUTOFF if it was that before."""

    def evacuate(self, server_id: str, *, on_shared_storage: bool) -> None:
        """Off a host that is down, to one that Nova chooses; without shared storage the disk is rebuilt.

        Denied without an administrator's rights; Rejected while the host's compute service still reports.
        """

    def resize(self, server_id: str, flavor_id: str) -> None:
        """RESIZE, then VERIFY_RESIZE, in which both sizes are held until `confirm_resize`."""

    def confirm_resize(self, server_id: str) -> None:
        """Ends VERIFY_RESIZE with ACTIVE, or SHUTOFF if it was that before."""

    def create_image(self, server_id: str, name: str) -> str:
        """Request an image of its disk, and return the image's id. Watch the image's status, which ends in active; when
        Nova gives up, the image is deleted. Until then the server has a task state. If the server boots from a volume,
        Cinder makes a snapshot of each of its volumes, which the image's property `block_device_mapping` names.
        """

    def console_url(self, server_id: str) -> str:
        """Return the URL of its VNC console for a browser (noVNC); it holds a token and is good for a while only.

        Conflict when the server has none in its state, Rejected when the cloud offers no such consoles.
        """

    def console_log(self, server_id: str, lines: int) -> str:
        """The last `lines` lines that its guest wrote to the serial console; Conflict when there is none yet."""


class Flavors(Protocol):
    def list(self) -> Sequence[Flavor]: ...

    def find(self, name: str) -> Flavor | None: ...

    def create(self, flavor: Flavor) -> str:
        """Creates with its extra specs; `flavor.id` is ignored. Raises Denied without the rights."""

    def add_extra_specs(self, flavor_id: str, extra_specs: Mapping[str, str]) -> None: ...

    def delete(self, flavor_id: str) -> None: ...

    def may_create(self) -> bool | None:
        """True if Nova's policy lets this user create flavors with extra specs, found without effect; None: unknown."""


class Readable(Protocol):
    """The bytes of an image, of which the whole need never be in memory. `len` tells how many, where it is known."""

    def read(self, size: int = ..., /) -> bytes: ...


class Images(Protocol):
    def list(self) -> Sequence[Image]: ...

    def find(self, name: str) -> Image | None: ...

    def show(self, image_id: str) -> Image: ...

    def create(self, image: Image) -> str:
        """Registers an empty image, under `image.id` where it has one.

        Raises Conflict when that id is used, or was ever: Glance remembers those of deleted images.
        """

    def upload(self, image_id: str, data: Readable, *, stall_seconds: float = 60.0) -> None:
        """Returns when Glance has taken all of it; raises Transient when it takes nothing for `stall_seconds`, or has
        not swallowed it SWALLOW_SECONDS after the last byte.

        What has broken off cannot be resumed: the image may be left queued, saving or killed, or even active with
        less in it than was sent.
        """

    def delete(self, image_id: str) -> None:
        """Already gone is success."""


class Networks(Protocol):
    def list(self) -> Sequence[Network]:
        """Networks that the project may use, with their subnets (two bulk calls)."""

    def create(self, name: str, cidr: str, *, dhcp: bool) -> Network:
        """A network of the project with one subnet, whose gateway is Neutron's choice. All or nothing: where the
        subnet is refused, the network is deleted again.
        """

    def ports(self, server_ids: Sequence[str] | None = None) -> Sequence[Port]:
        """Ports of the project (filtered on our side: Liberty ignores filters it does not know)."""

    def extensions(self) -> Sequence[str]:
        """Aliases of the extensions that Neutron has loaded, such as qos and port-security."""

    def may_share(self) -> bool | None:
        """True if Neutron's policy lets this user share networks, found without effect; None: unknown."""

    def port_ids(self) -> frozenset[str]:
        """Ids of all ports of the project: the smallest list that tells which are gone."""

    def network_ids(self) -> frozenset[str]:
        """Ids of the project's own networks."""

    def ports_not_active(self) -> Sequence[Port]:
        """Ports of the project whose status is another than ACTIVE, in one call that grows with those alone."""


class Volumes(Protocol):
    """Cinder. On a cloud without it there are no snapshots, and all else raises NotFound."""

    def show(self, volume_id: str) -> CloudVolume: ...

    def snapshots(self) -> Sequence[VolumeSnapshot]:
        """All snapshots of the project."""

    def create_snapshot(self, volume_id: str, name: str) -> str:
        """Request a snapshot of a volume, which may be in use, and return its id; watch its status. Raises Rejected
        when the volume's status forbids it, QuotaExceeded when there are too many.
        """

    def delete_snapshot(self, snapshot_id: str) -> None:
        """Asks for deletion; already gone is success. Rejected while its status forbids it."""


class Cloud(Protocol):
    """One authenticated region and project."""

    @property
    def stacks(self) -> Stacks: ...
    @property
    def servers(self) -> Servers: ...
    @property
    def flavors(self) -> Flavors: ...
    @property
    def images(self) -> Images: ...
    @property
    def networks(self) -> Networks: ...
    @property
    def volumes(self) -> Volumes: ...

    def project_id(self) -> str:
        """Return the id of the project that the token is scoped to."""

    def answers(self, service: Source) -> bool:
        """True if the service answers its smallest request, for its versions, in time."""

    def quotas(self) -> Sequence[Quota]: ...

    def volume_quotas(self) -> Sequence[Quota]:
        """Volumes and their GiB; empty on a cloud without Cinder."""

    def hosts(self) -> Sequence[CloudHost]:
        """The compute hosts; raises Denied without an administrator's rights."""

    def server_group_size(self) -> int | None:
        """Most servers of a server group; None: no limit, or none is reported."""

    def server_groups(self) -> Sequence[CloudServerGroup]: ...

    def zones(self) -> Sequence[str]:
        """The availability zones that are available, sorted; Nova chooses among them when none is named."""

    def key_pairs(self) -> Sequence[str]:
        """Names of the key pairs of our user, sorted; others' are not listed."""

    def volume_types(self) -> Sequence[str]:
        """Names of the volume types that our project may use, sorted; empty on a cloud without Cinder."""

    def probe(self) -> Probe:
        """Reads everything that a VIM registration shows; raises Denied or Transient when there is no way in."""


class Bus(Protocol):
    """The message bus of a cloud, for one thread."""

    def listen(
        self,
        *,
        on_notification: Callable[[OsloNotification], None],
        on_listening: Callable[[Sequence[str]], None],
        keep_listening: Callable[[], bool],
    ) -> None:
        """Receive notifications while `keep_listening`, which is called about once a second, returns true.

        `on_listening` is called once connected, and again when it changes, with the exchanges that do not exist: a
        service declares its own with its first notification. Takes no message from other consumers, unless the
        settings name their queue. Raises Denied, NotFound or Transient when the connection fails or is lost.
        """


class CloudProvider(Protocol):
    """Gives clouds for connections; caches sessions per thread and connection, so that a token is made once."""

    def connect(self, connection: Connection) -> Cloud: ...

    def bus(self, connection: BusConnection) -> Bus: ...
