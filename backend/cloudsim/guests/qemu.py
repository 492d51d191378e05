"""Guests under QEMU, without root.

Each guest has a folder with its disk, a layer on the image, and its config drive. QEMU ends with this process (prctl
PR_SET_PDEATHSIG, by setpriv), so that a killed cloud leaves no guest behind.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import shutil
import signal
import tempfile
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from cloudsim.guests.accelerator import accelerator
from cloudsim.guests.iso9660 import iso_image
from cloudsim.guests.model import CONSOLE_BYTES, GuestError
from cloudsim.guests.processes import output_of
from cloudsim.guests.qmp import Qmp

if TYPE_CHECKING:
    from pathlib import Path

    from cloudsim.guests.model import Guest, GuestImage, GuestNic
    from cloudsim.guests.ports import OnExit, Segments

PROGRAM, IMAGE_TOOL = "qemu-system-x86_64", "qemu-img"
START_SECONDS = 30.0
LABEL = "config-2"
_TICK = 0.02


def lacking() -> str:
    """Return the programs that are missing for guests under QEMU; "" if none is."""
    missing = [name for name in (PROGRAM, IMAGE_TOOL, "setpriv") if shutil.which(name) is None]
    return f"{' and '.join(missing)} missing (Debian: qemu-system-x86, qemu-utils)" if missing else ""


async def ignore_exit(_ident: str, _words: str) -> None:
    """Ignore the exit of a guest; the cloud replaces this function."""


@dataclass
class Machine:
    """One running QEMU."""

    process: asyncio.subprocess.Process
    qmp: Qmp
    nics: list[str]
    """The port ids in the order of the NICs."""
    console: bytearray = field(default_factory=bytearray)
    output: bytearray = field(default_factory=bytearray)
    """The output of QEMU itself."""
    ended: asyncio.Event = field(default_factory=asyncio.Event)
    wanted: bool = True
    """Whether it should run; False once we end it."""


class Qemu:
    """`Hypervisor` by QEMU, with disks in `folder`."""

    def __init__(self, folder: Path, sockets: Path, segments: Segments, program: str = PROGRAM) -> None:
        self.on_exit: OnExit = ignore_exit
        self._folder, self._sockets, self._segments, self._program = folder, sockets, segments, program
        self._machines: dict[str, Machine] = {}
        self._accelerator = "tcg"
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def accelerator(self) -> str:
        return self._accelerator

    async def open(self) -> None:
        if missing := lacking():
            raise GuestError(missing)
        self._folder.mkdir(parents=True, exist_ok=True)
        self._accelerator = await accelerator(self._program)
        await self._segments.open()

    async def close(self) -> None:
        for ident in [*self._machines]:
            await self.kill(ident)
        await self._segments.close()

    def runs(self, ident: str) -> bool:
        return ident in self._machines

    def console(self, ident: str) -> bytes:
        machine = self._machines.get(ident)
        path = self._folder / ident / "console"
        return bytes(machine.console) if machine else path.read_bytes() if path.exists() else b""

    # Power

    async def start(self, guest: Guest) -> None:
        if guest.ident in self._machines:
            return
        home = self._folder / guest.ident
        home.mkdir(exist_ok=True)
        disk = home / "disk.qcow2"
        if not disk.exists():
            await self._make_disk(guest, disk)
        (home / "config.iso").write_bytes(iso_image(LABEL, guest.drive))
        socket = self._sockets / hashlib.sha256(guest.ident.encode()).hexdigest()[:16]
        socket.unlink(missing_ok=True)
        command = [*self._command(guest, home, socket)]
        for place, nic in enumerate(guest.nics):
            device = f"virtio-net-pci,id=d{place},netdev=n{place},mac={nic.mac},romfile="
            command += ["-netdev", f"{await self._segments.netdev(nic)},id=n{place}", "-device", device]
        machine = await self._launch(guest, command, socket)
        try:
            await self._connect(machine)
        except GuestError:
            await self.kill(guest.ident)
            raise

    def _command(self, guest: Guest, home: Path, socket: Path) -> list[str]:
        cpus = max(1, min(guest.cpus, os.cpu_count() or 1))
        return [
            "setpriv", "--pdeathsig", "KILL", self._program,
            "-name", f"guest={guest.name.replace(',', ',,')}", "-machine", "pc,graphics=off",
            "-accel", "kvm" if self._accelerator == "kvm" else "tcg,tb-size=128",
            "-cpu", "host" if self._accelerator == "kvm" else "max", "-smp", str(cpus), "-m", str(guest.memory),
            "-uuid", guest.ident, "-no-user-config", "-nodefaults", "-display", "none", "-serial", "stdio",
            "-qmp", f"unix:{socket},server=on,wait=off", "-rtc", "base=utc", "-device", "virtio-rng-pci",
            "-sandbox", "on,obsolete=deny,elevateprivileges=deny,spawn=deny,resourcecontrol=deny",
            "-drive", f"file={home / 'disk.qcow2'},format=qcow2,if=none,id=root,cache=unsafe,discard=unmap",
            "-device", "virtio-blk-pci,drive=root,bootindex=0",
            "-drive", f"file={home / 'config.iso'},format=raw,if=none,id=config,readonly=on",
            "-device", "virtio-blk-pci,drive=config",
        ]  # fmt: skip

    async def _launch(self, guest: Guest, command: list[str], socket: Path) -> Machine:
        try:
            process = await asyncio.create_subprocess_exec(
                *command, stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE, start_new_session=True,
            )  # fmt: skip
        except OSError as error:
            raise GuestError(f"{command[0]}: {error.strerror}") from error
        machine = Machine(process, Qmp(socket), [nic.port_id for nic in guest.nics])
        self._machines[guest.ident] = machine
        self._follow(self._watch(guest.ident, machine))
        return machine

    def _follow(self, work: Any) -> None:
        task: asyncio.Task[None] = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _connect(self, machine: Machine) -> None:
        """Connect to QEMU's monitor, which accepts connections once the machine exists."""
        async with asyncio.timeout(START_SECONDS):
            while True:
                if machine.ended.is_set():
                    raise GuestError(_last_line(machine.output) or "QEMU ended at once")
                with suppress(OSError):
                    await machine.qmp.connect()
                    return
                await asyncio.sleep(_TICK)

    async def _watch(self, ident: str, machine: Machine) -> None:
        """Keep the output of QEMU, and report its end."""
        out, err = machine.process.stdout, machine.process.stderr
        assert out is not None  # both are pipes
        assert err is not None
        await asyncio.gather(_keep(out, machine.console), _keep(err, machine.output))
        await machine.process.wait()
        machine.qmp.close()
        self._machines.pop(ident, None)
        for port_id in machine.nics:
            with suppress(GuestError):
                await self._segments.release(port_id)
        with suppress(FileNotFoundError):
            (self._folder / ident / "console").write_bytes(machine.console)
        machine.ended.set()
        if machine.wanted:
            await self.on_exit(ident, _last_line(machine.output))

    async def shut_down(self, ident: str, seconds: float) -> bool:
        machine = self._machines.get(ident)
        if machine is None:
            return True
        machine.wanted = False
        with suppress(GuestError, TimeoutError):
            await machine.qmp.execute("system_powerdown")
            async with asyncio.timeout(seconds):
                await machine.ended.wait()
        return machine.ended.is_set()

    async def kill(self, ident: str) -> None:
        machine = self._machines.get(ident)
        if machine is None:
            return
        machine.wanted = False
        with suppress(ProcessLookupError):
            machine.process.send_signal(signal.SIGKILL)
        await machine.ended.wait()

    async def pause(self, ident: str) -> None:
        await self._execute(ident, "stop")

    async def resume(self, ident: str) -> None:
        await self._execute(ident, "cont")

    async def erase(self, ident: str) -> None:
        await self.kill(ident)
        await asyncio.to_thread(shutil.rmtree, self._folder / ident, ignore_errors=True)

    async def _execute(self, ident: str, command: str, **arguments: Any) -> None:
        machine = self._machines.get(ident)
        if machine is None:
            raise GuestError("the guest does not run")
        await machine.qmp.execute(command, **arguments)

    # NICs

    async def plug(self, ident: str, nic: GuestNic) -> None:
        machine = self._machines.get(ident)
        if machine is None or nic.port_id in machine.nics:
            return
        place = len(machine.nics)
        options = dict(pair.split("=", 1) for pair in f"type={await self._segments.netdev(nic)}".split(","))
        machine.nics.append(nic.port_id)
        await self._execute(ident, "netdev_add", id=f"n{place}", **_nested(options))
        await self._execute(ident, "device_add", driver="virtio-net-pci", id=f"d{place}", netdev=f"n{place}",
                            mac=nic.mac, romfile="")  # fmt: skip

    async def unplug(self, ident: str, nic: GuestNic) -> None:
        machine = self._machines.get(ident)
        if machine is None or nic.port_id not in machine.nics:
            return
        place = machine.nics.index(nic.port_id)
        machine.nics[place] = ""  # the numbers of the other NICs must not change
        await self._execute(ident, "device_del", id=f"d{place}")
        await self._segments.release(nic.port_id)

    async def set_link(self, ident: str, nic: GuestNic, *, up: bool) -> None:
        machine = self._machines.get(ident)
        if machine and nic.port_id in machine.nics:
            await self._execute(ident, "set_link", name=f"d{machine.nics.index(nic.port_id)}", up=up)

    # Disks

    async def _make_disk(self, guest: Guest, disk: Path) -> None:
        size = await inspect(guest.image)
        wished = guest.disk << 30
        await output_of(
            IMAGE_TOOL, "create", "-q", "-f", "qcow2", "-b", str(guest.image.path.resolve()),
            "-F", guest.image.format, str(disk), str(max(size, wished)),
        )  # fmt: skip


async def inspect(image: GuestImage) -> int:
    """Return the size of the image's disk in octets. Raises GuestError unless it is a disk that needs no other file.

    An uploaded qcow2 may name any file of this machine as its backing or data file, and the guest would read it.
    """
    text = await output_of(IMAGE_TOOL, "info", "--output", "json", "-f", image.format, str(image.path))
    facts = json.loads(text)
    details = (facts.get("format-specific") or {}).get("data") or {}
    if facts.get("backing-filename") or details.get("data-file"):
        raise GuestError(f"Image {image.path.name} refers to another file, and is refused")
    return int(facts["virtual-size"])


def _nested(options: dict[str, str]) -> dict[str, Any]:
    """Convert `a.b=c` of a command line into QMP's nested form."""
    found: dict[str, Any] = {}
    for name, value in options.items():
        *parents, last = name.split(".")
        place = found
        for parent in parents:
            place = place.setdefault(parent, {})
        place[last] = {"on": True, "off": False}.get(value, value)
    return found


async def _keep(stream: asyncio.StreamReader, kept: bytearray) -> None:
    while data := await stream.read(65536):
        kept += data
        del kept[:-CONSOLE_BYTES]


def _last_line(output: bytearray) -> str:
    lines = output.decode(errors="replace").strip().splitlines()
    return lines[-1].removeprefix(f"{PROGRAM}: ") if lines else ""


def private_folder() -> str:
    """Create a folder with a short path for sockets, whose paths may have 107 characters."""
    return tempfile.mkdtemp(prefix="cloudsim-")
