"""The list that each service of a cloud answers, for tests of answers that misbehave."""

from collections.abc import Callable

from vnfm.clouds.ports import Cloud

LISTS: dict[str, tuple[str, Callable[[Cloud], object]]] = {
    "orchestration": ("heat", lambda cloud: cloud.stacks.list()),
    "compute": ("nova", lambda cloud: cloud.servers.list()),
    "image": ("glance", lambda cloud: cloud.images.list()),
    "network": ("neutron", lambda cloud: cloud.networks.list()),
}
