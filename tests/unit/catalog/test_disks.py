"""Images by their own bytes: what they are, and what they would have the cloud's host open."""

import struct

import pytest

from vnfm.catalog.domain.disks import HEAD_BYTES, format_of, image_fault
from vnfm.catalog.domain.placeholder import placeholder_qcow2

BACKING = b"/etc/shadow"


def qcow2(*, version=3, backing=b"", features=0):
    """A header as QEMU writes it, with what hangs on it."""
    at = 512 if backing else 0
    head = struct.pack(">4sIQIIQIIQQIIQ", b"QFI\xfb", version, at, len(backing), 16, 1 << 30, 0, 1, 0, 0, 0, 0, 0)
    head += struct.pack(">QQQII", features, 0, 0, 4, 104)
    return (head.ljust(512, b"\0") + backing).ljust(HEAD_BYTES, b"\0")


def vmdk(kind="monolithicSparse", extent='RW 2048 SPARSE "disk.vmdk"', more="", **header):
    descriptor = f'# Disk DescriptorFile\nversion=1\nCID=1\ncreateType="{kind}"\n{more}\n{extent}\n#DDB\nddb.x = "1"\n'
    fields = {"capacity": 2048, "grain": 128, "at": 1, "length": 20} | header
    head = struct.pack("<4sIIQQQQ", b"KDMV", 1, 3, *fields.values()).ljust(512, b"\0")
    return (head + descriptor.encode()).ljust(HEAD_BYTES, b"\0")


def with_extent_file(text):
    """The header leads to a descriptor that is well; QEMU looks at the first sector."""
    whole = vmdk()
    return vmdk(at=40)[:512] + text.encode().ljust(39 * 512, b"\0") + whole[512 : -39 * 512]


@pytest.mark.parametrize(
    ("head", "found"),
    [
        (placeholder_qcow2(), "qcow2"),
        (vmdk(), "vmdk"),
        (b"# Disk DescriptorFile\n", "vmdk"),
        (b"\0" * 64 + b"\x7f\x10\xda\xbe", "vdi"),
        (b"\0" * 0x8001 + b"CD001", "iso"),
        (b"conectix", "vhd"),
        (b"vhdxfile", "vhdx"),
        (b"\xeb\x63\x90" + b"\0" * 507 + b"\x55\xaa", "raw"),
        (b"", "raw"),
    ],
)
def test_disk_format_by_the_file_header(head, found):
    assert format_of(head) == found


@pytest.mark.parametrize(
    ("head", "disk_format"),
    [
        (placeholder_qcow2(), "qcow2"),
        (qcow2(), "qcow2"),
        (qcow2(features=0b10000), "qcow2"),
        (vmdk(), "vmdk"),
        (vmdk("streamOptimized"), "vmdk"),
        (b"\0" * 100, "raw"),
        (b"\0" * 0x8001 + b"CD001", "iso"),
        (b"\0" * 0x8001 + b"CD001", "raw"),
    ],
)
def test_valid_images(head, disk_format):
    assert image_fault(head, disk_format, "bare") == ""


@pytest.mark.parametrize(
    ("head", "disk_format", "words"),
    [
        (placeholder_qcow2(), "raw", "says raw, but the file is qcow2"),
        (b"\0" * 100, "qcow2", "says qcow2, but the file is raw"),
        (b"#!/bin/sh", "vmdk", "the file is raw"),
        (qcow2(backing=BACKING), "qcow2", "backing file, '/etc/shadow', which the cloud's host would read"),
        (qcow2(version=2, backing=BACKING), "qcow2", "backing file"),
        (qcow2(features=1 << 2), "qcow2", "data are in another file"),
        (qcow2(features=1 << 9), "qcow2", "unknown features"),
        (qcow2(version=1), "qcow2", "version 1"),
        (qcow2()[:40], "qcow2", "incomplete header"),
        (vmdk("monolithicFlat", 'RW 2048 FLAT "/etc/shadow" 0'), "vmdk", "monolithicFlat"),
        (vmdk(extent='RW 2048 SPARSE "/etc/shadow"'), "vmdk", "an extent elsewhere, 'RW 2048 SPARSE"),
        (vmdk(extent='RW 2048 SPARSE "../secret.vmdk"'), "vmdk", "an extent elsewhere"),
        (vmdk(extent='RW 2048 FLAT "disk-flat.vmdk" 0'), "vmdk", "an extent elsewhere"),
        (vmdk(extent=""), "vmdk", "no extent"),
        (vmdk(more='parentFileNameHint="/etc/shadow"'), "vmdk", "on top of another"),
        (vmdk(more='# parentFileNameHint="/etc/shadow"'), "vmdk", "on top of another"),
        (vmdk(more='ddb.x = "PARENTFILENAMEHINT=1"'), "vmdk", "on top of another"),
        (vmdk(more="#" * 600 + '\nparentFileNameHint="/etc/shadow"', length=1), "vmdk", "on top of another"),
        (vmdk(more='# createType="monolithicFlat"'), "vmdk", "monolithicFlat"),
        (vmdk(more='x createType="custom"'), "vmdk", "custom"),
        (vmdk(capacity=0), "vmdk", "without a descriptor"),
        (with_extent_file("parentFileNameHint"), "vmdk", "without a descriptor"),
        (vmdk(at=0), "vmdk", "without a descriptor"),
        (vmdk(at=1 << 40), "vmdk", "without a descriptor"),
        (b"# Disk DescriptorFile\ncreateType=...", "vmdk", "data are in other files"),
        (b"COWD", "vmdk", "data are in other files"),
        (b"KDMV", "vmdk", "data are in other files"),
    ],
)
def test_images_with_a_wrong_format(head, disk_format, words):
    assert words in image_fault(head, disk_format, "bare")


def test_an_ova_is_a_tar():
    tar = b"\0" * 257 + b"ustar"
    assert image_fault(tar, "vmdk", "ova") == ""
    assert "the file is qcow2" in image_fault(placeholder_qcow2(), "vmdk", "ova")
