"""The flavors, key pair and quotas of a fresh cloud."""

from __future__ import annotations

from base64 import b64encode
from typing import TYPE_CHECKING

from cloudsim.compute.keypairs import add_keypair
from cloudsim.compute.quotas import DEFAULTS, UNLIMITED, set_limits
from cloudsim.identity.seed import stable_id, stable_uuid

if TYPE_CHECKING:
    from cloudsim.core.cloud import Cloud

PINNED = {"hw:cpu_policy": "dedicated"}
HUGE = {**PINNED, "hw:mem_page_size": "1048576", "hw:numa_nodes": "1"}
LAB: tuple[tuple[str, int, int, int, dict[str, str]], ...] = (
    ("m1.tiny", 1, 512, 1, {}),
    ("m1.small", 1, 2048, 20, {}),
    ("m1.medium", 2, 4096, 40, {}),
    ("m1.large", 4, 8192, 80, {}),
    ("vnf.oam", 2, 4096, 40, {}),
    ("vnf.control", 4, 8192, 40, {}),
    ("vnf.dpdk", 4, 8192, 20, HUGE),
    ("vnf.sriov", 4, 8192, 20, PINNED),
)
"""The flavors of the reference lab: name, vCPUs, MiB, GiB, extra specs."""
OPERATOR = (
    *LAB,
    ("m1.nano", 1, 128, 1, {}),
    ("m1.xlarge", 8, 16384, 160, {}),
    ("vnf.sriov.small", 2, 4096, 20, PINNED),
    ("vnf.sriov.large", 4, 16384, 60, PINNED),
    ("vnf.sriov.xlarge", 12, 16384, 20, PINNED),
    ("vnf.dpdk.large", 8, 16384, 20, HUGE),
    ("vnf.dpdk.xlarge", 12, 32768, 20, HUGE),
    ("vnf.dpdk.2xlarge", 18, 32768, 20, HUGE),
    ("vnf.dpdk.4xlarge", 24, 65536, 20, HUGE),
)
"""The flavors of an operator of carrier VNFs: the sizes of Nova and DevStack, and series with pinned CPUs and with huge
pages; a series has one disk size if its VMs are to be resized in both directions."""
KEY = b"\0\0\0\x0bssh-ed25519\0\0\0\x20" + bytes(range(32))
"""A public key without a private one, which no guest needs."""
FLAVORS = {"lab": LAB, "operator": OPERATOR}

BOUNDED = frozenset({"metadata_items", "injected_file_content_bytes", "injected_file_path_bytes"})
"""Limits that keep Liberty's defaults even for a project without quotas."""


def seed(cloud: Cloud) -> None:
    """Create the objects of a new cloud; an existing one is not changed."""
    if cloud.store.get("seeded", "compute"):
        return
    for name, vcpus, ram, disk, specs in FLAVORS[cloud.options.seed]:
        ident = stable_uuid(f"flavor:{name}")
        doc = {
            "id": ident,
            "name": name,
            "vcpus": vcpus,
            "ram": ram,
            "disk": disk,
            "ephemeral": 0,
            "swap": 0,
            "rxtx_factor": 1.0,
            "is_public": True,
            "projects": [],
            "extra_specs": dict(specs),
        }
        cloud.store.put("flavor", ident, doc)
    if cloud.options.seed == "operator":
        add_keypair(cloud, stable_id("user:vnfm"), "default", f"ssh-ed25519 {b64encode(KEY).decode()} simulated")
    for project in ("vnf", "admin"):
        limits = {name: UNLIMITED for name in DEFAULTS if name not in BOUNDED}
        set_limits(cloud, stable_id(f"project:{project}"), limits)
    cloud.store.put("seeded", "compute", {"id": "compute"})
