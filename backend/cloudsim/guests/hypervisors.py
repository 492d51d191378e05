"""Chooses and opens the hypervisor."""

from __future__ import annotations

import logging
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from cloudsim.guests.bridges import Bridges
from cloudsim.guests.links import Links
from cloudsim.guests.model import GuestError
from cloudsim.guests.namespaces import Namespaces
from cloudsim.guests.qemu import Qemu, private_folder
from cloudsim.guests.user_segments import UserSegments

if TYPE_CHECKING:
    from cloudsim.core.cloud import Cloud
    from cloudsim.guests.ports import Hypervisor

QEMU, QEMU_BRIDGES, NAMESPACES = "qemu", "qemu-bridges", "namespaces"
NAMES = (QEMU, QEMU_BRIDGES, NAMESPACES)

log = logging.getLogger("cloudsim.guests")


async def open_hypervisor(cloud: Cloud) -> None:
    """Create the part `hypervisor`; if it cannot work, the cloud runs without it and `no_guests` has the reason."""
    if not cloud.options.guests or cloud.state_dir is None:
        return
    hypervisor = _make(cloud.options.guests, cloud.state_dir / "guests")
    try:
        await hypervisor.open()
    except GuestError as error:
        cloud.parts["no_guests"] = str(error)
        log.warning("no guests, all servers are simulated: %s", error)
        return
    cloud.parts["hypervisor"] = hypervisor


async def close_hypervisor(cloud: Cloud) -> None:
    hypervisor: Hypervisor | None = cloud.parts.pop("hypervisor", None)
    if hypervisor:
        await hypervisor.close()
    if cloud.options.guests and cloud.state_dir:
        _forget(cloud.state_dir / "guests" / "run")


def _make(name: str, folder: Path) -> Hypervisor:
    links = Links(folder)
    if name == NAMESPACES:
        return Namespaces(folder, links, Bridges(links))
    sockets = _sockets(folder)
    return Qemu(folder / "servers", sockets, Bridges(links) if name == QEMU_BRIDGES else UserSegments(sockets))


def _sockets(folder: Path) -> Path:
    """Create a folder with a short path for sockets, and link it as `run`; remove that of a killed process first."""
    folder.mkdir(parents=True, exist_ok=True)
    link = folder / "run"
    _forget(link)
    link.symlink_to(private_folder())
    return link.resolve()


def _forget(link: Path) -> None:
    if link.is_symlink():
        shutil.rmtree(link.resolve(), ignore_errors=True)
        link.unlink()
