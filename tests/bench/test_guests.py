"""The costs of a guest of the simulated cloud: the time from `server create` to its first SNMP answer, and its memory.

The image is named by VNFM_TEST_FRR_IMAGE (qcow2, as catalog/open/frr-router/image/build makes it). Under QEMU without
KVM a boot is about 55 seconds of processor time, so these figures say most on a quiet machine.
"""

from __future__ import annotations

import os
import time
from pathlib import Path

import psutil
import pytest
from gufo.snmp import SnmpVersion
from gufo.snmp.sync import SnmpSession

from demo.surroundings import COMMUNITY, CUSTOMER_1, Surroundings
from tests.service.cloudsim.conftest import connect
from tests.support.cloudsim_process import CloudsimProcess
from tests.support.guest_images import lacking_namespaces, require_qemu
from tests.support.waiting import until

pytestmark = pytest.mark.bench

SYS_NAME = "1.3.6.1.2.1.1.5.0"
BOOT_SECONDS = 600.0
KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f bench"


@pytest.mark.timeout(1200)
@pytest.mark.parametrize("hypervisor", ["namespaces", "qemu-bridges"])
def test_boot_of_a_router(hypervisor: str, tmp_path: Path, record_property: pytest.RecordProperty) -> None:
    image = os.environ.get("VNFM_TEST_FRR_IMAGE", "")
    require_qemu()
    if not image or lacking_namespaces():
        pytest.skip(lacking_namespaces() or "VNFM_TEST_FRR_IMAGE names no image")
    with CloudsimProcess(tmp_path, guests=hypervisor, boot_seconds=0) as process:
        around = Surroundings(connect(process), "bench", 55)
        around.image(image)
        around.make_networks()
        if hypervisor == "namespaces":  # unpacks the image, once
            around.boot(CUSTOMER_1, "m1.small", KEY)
            around.remove()
            around = Surroundings(connect(process), "bench-2", 55)
            around.make_networks()
        began, address = time.perf_counter(), around.management_address(CUSTOMER_1)
        around.boot(CUSTOMER_1, "m1.small", KEY)
        active = time.perf_counter() - began
        until(lambda: _answers(address), "the first SNMP answer", BOOT_SECONDS, 0.1)
        figures = {"active_seconds": active, "snmp_seconds": time.perf_counter() - began, "mib": _mib(process)}
    for name, value in figures.items():
        record_property(f"{hypervisor}_{name}", round(value, 1))
    print({name: round(value, 1) for name, value in figures.items()}, "load", os.getloadavg()[0])


def _answers(address: str) -> bool:
    try:
        with SnmpSession(addr=address, version=SnmpVersion.v2c, community=COMMUNITY, timeout=0.5) as session:
            return session.get(SYS_NAME) is not None
    except (TimeoutError, OSError):
        return False


def _mib(process: CloudsimProcess) -> float:
    """Proportional memory of all that runs below the cloud."""
    below = psutil.Process(process.pid).children(recursive=True)
    return sum(child.memory_full_info().pss for child in below) / 2**20
