"""What a hypervisor is given: a guest with its disk, NICs and config drive."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

CONSOLE_BYTES = 100 * 1024
"""How much of a console is kept: Nova's MAX_CONSOLE_BYTES."""


class GuestError(Exception):
    """A hypervisor could not do it; the message is for the server's fault."""


@dataclass(frozen=True, slots=True)
class GuestNic:
    """A port of Neutron at a guest. `addresses` with prefix length, as `192.0.2.5/24`.

    `gateway` is where the guest sends what is not on the link; `host_address` is what this machine has on the network.
    """

    port_id: str
    network_id: str
    mac: str
    addresses: tuple[str, ...] = ()
    gateway: str = ""
    host_address: str = ""


@dataclass(frozen=True, slots=True)
class GuestImage:
    """An image of Glance: `format` is qcow2 or raw; `digest` names its contents."""

    path: Path
    format: str
    digest: str


@dataclass(frozen=True, slots=True)
class Guest:
    """A server as its hypervisor sees it. `memory` in MiB, `disk` in GiB (0: as large as the image).

    `drive`: the files of the config drive by path, as `openstack/latest/meta_data.json`.
    """

    ident: str
    name: str
    image: GuestImage
    memory: int
    cpus: int
    disk: int
    nics: tuple[GuestNic, ...]
    drive: Mapping[str, bytes]
