"""Operations that are driven step by step, also while the cloud is away."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tests.service.lcm.lifecycle import Lifecycle
from tests.support.cloudsim_process import CloudsimProcess
from vnfm.lcm.models import LcmOpOcc
from vnfm.lcm.reconcilers.driver import drive

SLOW_BOOT = 1.0


@contextmanager
def away(cloudsim: CloudsimProcess, **rule: Any) -> Iterator[None]:
    """The cloud answers nothing but 503."""
    cloudsim.control("POST", "/failures", {"service": "*", "effect": "status", "status": 503, "times": 10000, **rule})
    try:
        yield
    finally:
        cloudsim.control("DELETE", "/failures")


def wake(op: LcmOpOcc) -> LcmOpOcc:
    """One look now, whatever the time of the next one is."""
    LcmOpOcc.objects.filter(id=op.id).update(wake_at=None)
    drive(op.id)
    op.refresh_from_db()
    return op


def half_way(life: Lifecycle, op: LcmOpOcc, kind: str) -> LcmOpOcc:
    """Drive until the step of that kind waits; servers boot slowly, so that it has to."""
    cloudsim = CloudsimProcess.running[life.vim.auth_url]
    boot_seconds = cloudsim.control("GET", "/settings")["settings"]["boot_seconds"]
    cloudsim.control("PUT", "/settings", {"boot_seconds": SLOW_BOOT})
    try:
        while not op.steps.filter(kind=kind, state="WAITING").exists():
            op = wake(op)
            assert op.state in ("STARTING", "PROCESSING"), life.story(op)
    finally:
        cloudsim.control("PUT", "/settings", {"boot_seconds": boot_seconds})
    return op
