"""Short programs that hypervisors run."""

from __future__ import annotations

import asyncio

from cloudsim.guests.model import GuestError

SECONDS = 600.0
"""The timeout of a program in seconds; unpacking an image takes longest."""


async def output_of(*command: str) -> str:
    """Run a program and return its output. Raises GuestError with its error output if it fails."""
    try:
        process = await asyncio.create_subprocess_exec(
            *command, stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
        )
    except OSError as error:
        raise GuestError(f"{command[0]}: {error.strerror}") from error
    try:
        async with asyncio.timeout(SECONDS):
            out, err = await process.communicate()
    except TimeoutError:
        process.kill()
        raise GuestError(f"{command[0]} did not end within {SECONDS:.0f} s") from None
    if process.returncode:
        lines = err.decode(errors="replace").strip().splitlines()
        raise GuestError(lines[-1] if lines else f"{command[0]} failed")
    return out.decode(errors="replace")
