"""Placeholder for a licensed software image that cannot be shipped."""

import struct

CLUSTER_BITS = 9
CLUSTER = 1 << CLUSTER_BITS
VIRTUAL_SIZE = 1024 * 1024


def placeholder_qcow2() -> bytes:
    """An empty disk of 1 MiB as qcow2 version 2: 2 KiB, always the same bytes, not bootable.

    Four clusters: header, refcount table, refcount block, L1 table (QEMU docs/interop/qcow2.txt). It must be valid,
    since Glance inspects images.
    """
    l1_entries = VIRTUAL_SIZE // (CLUSTER * CLUSTER // 8)
    header = struct.pack(
        ">4sIQIIQIIQQIIQ",
        b"QFI\xfb",
        2,  # version
        0,  # backing file offset
        0,  # backing file name size
        CLUSTER_BITS,
        VIRTUAL_SIZE,
        0,  # encryption
        l1_entries,
        3 * CLUSTER,  # L1 table
        1 * CLUSTER,  # refcount table
        1,  # clusters of the refcount table
        0,  # snapshots
        0,  # snapshot table
    )
    clusters = (
        header,
        struct.pack(">Q", 2 * CLUSTER),
        struct.pack(">4H", 1, 1, 1, 1),
        b"",
    )
    return b"".join(cluster.ljust(CLUSTER, b"\0") for cluster in clusters)
