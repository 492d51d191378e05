"""The services of an OpenStack that we know, by catalog type, and what people call them."""

from collections.abc import Mapping
from typing import Literal

from vnfm.kit.problem import Source

Service = Literal["identity", "compute", "network", "image", "orchestration", "alarming", "volume"]

SERVICE_NAMES: Mapping[str, Source] = {
    "identity": "keystone",
    "compute": "nova",
    "network": "neutron",
    "image": "glance",
    "orchestration": "heat",
    "alarming": "openstack",
    "volume": "openstack",
}
