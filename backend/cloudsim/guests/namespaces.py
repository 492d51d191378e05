"""Guests in namespaces of this machine's kernel: they use the same images, but start in seconds. Needs root.

The image's root file system is unpacked once; each guest has its own layer on it, and its own process, mount, network,
host name and IPC namespaces. That does not isolate a guest securely, as its programs run as this machine's root without
some capabilities: use it for trusted images only.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import shutil
import signal
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from cloudsim.guests.config_drive import host_name
from cloudsim.guests.model import CONSOLE_BYTES, GuestError
from cloudsim.guests.processes import output_of
from cloudsim.guests.qemu import ignore_exit
from cloudsim.guests.rootfs import unpack

if TYPE_CHECKING:
    from cloudsim.guests.bridges import Bridges
    from cloudsim.guests.links import Links
    from cloudsim.guests.model import Guest, GuestNic
    from cloudsim.guests.ports import OnExit

_HERE = Path(__file__).parent
_TOOLS = ("ip", "unshare", "setpriv", "mount", "qemu-img")
_SEED = Path("var/lib/cloud/seed/config_drive")
"""The folder in which cloud-init looks for a config drive without a disk."""
_DROPPED = "-sys_module,-sys_rawio,-sys_boot,-sys_time,-mknod"
_ENTER = """
set -e
umask 022
mount -t overlay overlay -o "lowerdir=$1,upperdir=$2/upper,workdir=$2/work" "$2/root"
cd "$2/root"
mkdir -p proc sys dev run tmp
mount -t proc proc proc
mount -t sysfs -o ro sysfs sys
mount -t tmpfs -o mode=755 tmpfs dev
for name in null zero full random urandom tty; do touch dev/$name && mount --bind /dev/$name dev/$name; done
mkdir dev/pts dev/shm dev/net
mount -t devpts -o newinstance,ptmxmode=666,mode=620 devpts dev/pts
ln -s pts/ptmx dev/ptmx; ln -s /proc/self/fd dev/fd; ln -s /proc/self/fd/1 dev/stdout; ln -s /proc/self/fd/2 dev/stderr
mount -t tmpfs tmpfs dev/shm; mount -t tmpfs tmpfs run
hostname "$3"
for file in proc/sys/net/ipv4/ip_forward proc/sys/net/ipv6/conf/all/forwarding; do echo 1 >$file 2>/dev/null || :; done
exec setpriv --bounding-set "$4" --inh-caps "$4" chroot . /bin/sh -c "$5"
"""


@dataclass
class Space:
    """One running guest."""

    process: asyncio.subprocess.Process
    nics: dict[str, str]
    """The devices by port id."""
    console: bytearray = field(default_factory=bytearray)
    ended: asyncio.Event = field(default_factory=asyncio.Event)
    wanted: bool = True


class Namespaces:
    """`Hypervisor` by namespaces, with root file systems and layers in `folder`."""

    def __init__(self, folder: Path, links: Links, bridges: Bridges) -> None:
        self.on_exit: OnExit = ignore_exit
        self._folder, self._links, self._bridges = folder, links, bridges
        self._spaces: dict[str, Space] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._unpacking = asyncio.Lock()

    async def open(self) -> None:
        if os.geteuid() != 0:
            raise GuestError("namespaces need root")
        if missing := [tool for tool in _TOOLS if shutil.which(tool) is None]:
            raise GuestError(f"{', '.join(missing)} missing")
        for name in ("images", "servers"):
            (self._folder / name).mkdir(parents=True, exist_ok=True)
        await self._bridges.open()

    async def close(self) -> None:
        for ident in [*self._spaces]:
            await self.kill(ident)
        await self._bridges.close()

    def runs(self, ident: str) -> bool:
        return ident in self._spaces

    def console(self, ident: str) -> bytes:
        space, kept = self._spaces.get(ident), self._home(ident) / "console"
        return bytes(space.console) if space else kept.read_bytes() if kept.exists() else b""

    def namespace(self, ident: str) -> str:
        """Return the name of the guest's network namespace."""
        return self._links.name("s", ident)

    def _home(self, ident: str) -> Path:
        return self._folder / "servers" / ident

    # Power

    async def start(self, guest: Guest) -> None:
        if guest.ident in self._spaces:
            return
        lower = self._folder / "images" / guest.image.digest
        async with self._unpacking:
            await unpack(guest.image, lower)
        home = self._home(guest.ident)
        await asyncio.to_thread(prepare, home, guest)
        await self._clear_links(guest.ident)
        await output_of("ip", "netns", "add", self.namespace(guest.ident))
        await output_of("ip", "-n", self.namespace(guest.ident), "link", "set", "lo", "up")
        nics: dict[str, str] = {}
        for nic in guest.nics:
            await self._cable(guest.ident, nic, f"eth{len(nics)}")
            nics[nic.port_id] = f"eth{len(nics)}"
        self._spaces[guest.ident] = space = Space(await self._launch(guest, lower, home), nics)
        task = asyncio.create_task(self._watch(guest.ident, space))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _launch(self, guest: Guest, lower: Path, home: Path) -> asyncio.subprocess.Process:
        init = (_HERE / "namespace_init.sh").read_text()
        return await asyncio.create_subprocess_exec(
            "setpriv", "--pdeathsig", "KILL",
            "ip", "netns", "exec", self.namespace(guest.ident),
            "unshare", "--mount", "--pid", "--uts", "--ipc", "--fork", "--kill-child=KILL",
            "sh", "-c", _ENTER, "sh", str(lower), str(home), host_name(guest.name), _DROPPED, init,
            stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
            start_new_session=True,
        )  # fmt: skip

    async def _cable(self, ident: str, nic: GuestNic, device: str) -> None:
        space = self.namespace(ident)
        await self._bridges.cable(nic, space, device)
        for address in nic.addresses:
            await output_of("ip", "-n", space, "address", "add", address, "dev", device)
        if nic.gateway:
            # Only the first NIC's default route is set, as with cloud-init: the kernel uses one.
            with suppress(GuestError):
                await output_of("ip", "-n", space, "route", "add", "default", "via", nic.gateway)

    async def _watch(self, ident: str, space: Space) -> None:
        out = space.process.stdout
        assert out is not None  # it is a pipe
        ended = asyncio.ensure_future(space.process.wait())
        while not ended.done() and (data := await out.read(65536)):
            space.console += data
            del space.console[:-CONSOLE_BYTES]
        await ended
        self._spaces.pop(ident, None)
        await self._uncable(space)
        await self._clear_links(ident)
        with suppress(FileNotFoundError):
            (self._home(ident) / "console").write_bytes(space.console)
        space.ended.set()
        if space.wanted:
            await self.on_exit(ident, "")

    async def _uncable(self, space: Space) -> None:
        for port_id in space.nics:
            await self._bridges.release(port_id)

    async def _clear_links(self, ident: str) -> None:
        """Delete the guest's namespace, and with it both ends of its veth pairs."""
        with suppress(GuestError):
            await output_of("ip", "netns", "delete", self.namespace(ident))

    async def shut_down(self, ident: str, seconds: float) -> bool:
        space = self._spaces.get(ident)
        if space is None:
            return True
        space.wanted = False
        for pid in _children(space.process.pid):
            os.kill(pid, signal.SIGTERM)
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await space.ended.wait()
        return space.ended.is_set()

    async def kill(self, ident: str) -> None:
        space = self._spaces.get(ident)
        if space is None:
            return
        space.wanted = False
        await self._uncable(space)  # first, so that the kernel cannot close its connections in order
        with suppress(ProcessLookupError):
            space.process.kill()
        await space.ended.wait()

    async def pause(self, ident: str) -> None:
        self._signal(ident, signal.SIGSTOP)

    async def resume(self, ident: str) -> None:
        self._signal(ident, signal.SIGCONT)

    def _signal(self, ident: str, what: signal.Signals) -> None:
        """Send a signal to all processes of a guest; this machine's kernel still forwards its packets."""
        space = self._spaces.get(ident)
        if space is None:
            raise GuestError("the guest does not run")
        for pid in _descendants(space.process.pid):
            with suppress(ProcessLookupError):
                os.kill(pid, what)

    async def erase(self, ident: str) -> None:
        await self.kill(ident)
        await asyncio.to_thread(shutil.rmtree, self._home(ident), ignore_errors=True)

    # NICs

    async def plug(self, ident: str, nic: GuestNic) -> None:
        space = self._spaces.get(ident)
        if space and nic.port_id not in space.nics:
            device = next(name for place in range(64) if (name := f"eth{place}") not in space.nics.values())
            space.nics[nic.port_id] = device
            await self._cable(ident, nic, device)

    async def unplug(self, ident: str, nic: GuestNic) -> None:
        space = self._spaces.get(ident)
        if space and space.nics.pop(nic.port_id, None):
            await self._bridges.release(nic.port_id)

    async def set_link(self, ident: str, nic: GuestNic, *, up: bool) -> None:
        space = self._spaces.get(ident)
        if space and nic.port_id in space.nics:
            await self._bridges.set_carrier(nic.port_id, up=up)


def prepare(home: Path, guest: Guest) -> None:
    """Create the guest's layer with its config drive and a systemctl that works without systemd."""
    upper = home / "upper"
    shutil.rmtree(upper / _SEED, ignore_errors=True)
    for folder in (home / "work", home / "root"):
        folder.mkdir(parents=True, exist_ok=True)
    machine = hashlib.md5(guest.ident.encode(), usedforsecurity=False).hexdigest()
    for path, content in guest.drive.items():
        _write(upper, _SEED / path, content, 0o600)
    _write(upper, Path("usr/local/bin/systemctl"), (_HERE / "namespace_systemctl.sh").read_bytes(), 0o755)
    _write(upper, Path("etc/machine-id"), f"{machine}\n".encode(), 0o444)


def _write(upper: Path, path: Path, content: bytes, mode: int) -> None:
    """Write a file; its folders hide the image's, so they are open to all users of the guest, despite the umask."""
    for folder in reversed(path.parents):
        if not (upper / folder).exists():
            (upper / folder).mkdir(parents=True)
            (upper / folder).chmod(0o755)
    (upper / path).unlink(missing_ok=True)
    (upper / path).write_bytes(content)
    (upper / path).chmod(mode)


def _children(pid: int) -> list[int]:
    with suppress(OSError):
        return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    return []


def _descendants(pid: int) -> list[int]:
    found = _children(pid)
    for one in found:
        found += _children(one)
    return found
