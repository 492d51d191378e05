"""The input of a hypervisor: a guest with its disk, NICs and config drive."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

CONSOLE_BYTES = 100 * 1024
"""The number of bytes of a console that are kept, as Nova's MAX_CONSOLE_BYTES."""


class GuestError(Exception):
    """A failure of a hypervisor; the message becomes the server's fault."""


@dataclass(frozen=True, slots=True)
class GuestNic:
    """A port of Neutron at a guest; `addresses` have a prefix length, such as `192.0.2.5/24`.

    `gateway` is the guest's default gateway on the network; `host_address` is this machine's address there.
    """

    port_id: str
    network_id: str
    mac: str
    addresses: tuple[str, ...] = ()
    gateway: str = ""
    host_address: str = ""


@dataclass(frozen=True, slots=True)
class GuestImage:
    """An image of Glance; `format` is qcow2 or raw, and `digest` identifies its contents."""

    path: Path
    format: str
    digest: str


@dataclass(frozen=True, slots=True)
class Guest:
    """A server for its hypervisor; `memory` is in MiB, `disk` in GiB (0: as large as the image).

    `drive` has the files of the config drive by path, such as `openstack/latest/meta_data.json`.
    """

    ident: str
    name: str
    image: GuestImage
    memory: int
    cpus: int
    disk: int
    nics: tuple[GuestNic, ...]
    drive: Mapping[str, bytes]
