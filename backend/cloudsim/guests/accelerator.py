"""Checks that KVM can run guests here: although the device exists, it may abort or hang at the first guest."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

KVM = Path("/dev/kvm")
PROBE_SECONDS = 5.0
_EXIT_STATUS = 2 * 10 + 1
"""The exit status of QEMU's isa-debug-exit for the value 10, which the probe writes."""

# A boot sector: page tables at 0x1000, long mode, a million turns of a loop, `outl 10` to port 0xf4. Real mode alone
# proves little: some kernels run it, and no operating system after it.
_CODE = bytes.fromhex(
    "fa 31c0 8ed8 8ec0 8ed0 bc007c"  # cli; xor ax,ax; mov ds, es, ss; mov sp,0x7c00
    "bf0010 6631c0 b9000c fc 66f3ab"  # clear 0x1000 to 0x3fff
    "66c706001003200000 66c706002003300000 66c706003083000000"  # one page of 2 MiB, identity
    "0f0116907c"  # lgdt
    "66b820000000 0f22e0 66b800100000 0f22d8"  # cr4 = PAE; cr3 = 0x1000
    "66b9800000c0 0f32 660d00010000 0f30"  # EFER.LME
    "66b801000080 0f22c0 ea697c0800"  # cr0 = PE + PG; far jump to 64 bits
    "b940420f00 e2fe b80a000000 e7f4 f4 ebfd"  # loop; outl; hlt for ever
    "660f1f440000 0000000000000000 00000000009a2000 0f00 807c0000"  # the descriptor table at 0x7c80, and its pointer
)
BOOT_SECTOR = _CODE.ljust(510, b"\0") + b"\x55\xaa"


async def accelerator(program: str) -> str:
    """Return `kvm` if it runs 64-bit code within some seconds, else `tcg`."""
    return "kvm" if KVM.exists() and await runs(program, "kvm") else "tcg"  # noqa: ASYNC240 - a look at /dev


async def runs(program: str, name: str) -> bool:
    """Return whether QEMU runs the probe with this accelerator."""
    with tempfile.NamedTemporaryFile() as disk:
        disk.write(BOOT_SECTOR)
        disk.flush()
        process = await asyncio.create_subprocess_exec(
            program, "-machine", f"pc,accel={name}", "-cpu", "max", "-m", "16", "-nodefaults", "-no-user-config",
            "-display", "none", "-drive", f"file={disk.name},format=raw,if=ide",
            "-device", "isa-debug-exit,iobase=0xf4,iosize=4",
            stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL,
        )  # fmt: skip
        try:
            async with asyncio.timeout(PROBE_SECONDS):
                return await process.wait() == _EXIT_STATUS
        except TimeoutError:
            process.kill()  # not awaited, since a process that hangs in the kernel may not die
            return False
