"""Checks of uploads in a process of their own, for a bounded time (ADR-0089)."""

from collections.abc import Callable
from typing import TypeVar, TypeVarTuple

from vnfm.catalog.artifacts.store import StagedFile
from vnfm.catalog.domain.errors import PackageError, PackageFault
from vnfm.catalog.services import package_checks
from vnfm.kit.bounded_process import BoundedProcesses, ProcessDiedError, ResultTooLargeError, TimeOverError

Ts = TypeVarTuple("Ts")
T = TypeVar("T")

CHECK_SECONDS = 60.0
"""The largest template that is allowed takes some 2 s of processor: this is for a machine with much else to do."""
BYTES_PER_SECOND = 4 * 1024 * 1024
"""The slowest rate at which a zip, images included, is unpacked and hashed."""
_SETTINGS = ("CATALOG_DIR", "PACKAGE_CERTIFICATES_DIR", "PACKAGE_MAX_UNPACKED_BYTES", "PACKAGE_SIGNATURES")
_processes = BoundedProcesses(package_checks.__name__, _SETTINGS)


def run_check(check: Callable[[StagedFile, *Ts], T], archive: StagedFile, *arguments: *Ts) -> T:
    """Return the result of the check of the zip; raises PackageError, also for one that takes too long or too much."""
    return run_bounded(CHECK_SECONDS + archive.size / BYTES_PER_SECOND, check, archive, *arguments)


def run_bounded(seconds: float, check: Callable[[*Ts], T], *arguments: *Ts) -> T:
    """As `run_check`, for any function of `package_checks`."""
    try:
        return _processes.call(seconds, check, *arguments)
    except TimeOverError as error:
        raise _too_costly(f"The check did not end within {seconds:.0f} seconds.") from error
    except ProcessDiedError as error:
        raise _too_costly("The process of the check ended before the check did.") from error
    except ResultTooLargeError as error:
        raise _too_costly("The check found more than it may answer.") from error
    except MemoryError as error:
        raise _too_costly("The check needs more memory than it may have.") from error


def _too_costly(words: str) -> PackageError:
    step = "Send fewer or smaller templates; on a machine with much else to do, try again later."
    return PackageError("PACKAGE_TOO_COSTLY", [PackageFault("", words)], step)
