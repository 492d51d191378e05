"""Detects the format of disk images, and images that would make the host open other files.

A host that boots an image follows references in its header: a backing file, an external data file, extents in other
files. An uploaded image could thus read the host's own files (CVE-2015-5163, CVE-2022-47951, CVE-2024-32498).
Layouts: QEMU `docs/interop/qcow2.txt`; VMware "Virtual Disk Format 5.0".
"""

import struct

from vnfm.kit.patterns import pattern

HEAD_BYTES = 64 * 1024
"""Bytes of a file's beginning that are read: they include the header of every format, and a VMDK's descriptor."""

_ISO_MAGIC_AT = 0x8001
_MAGICS: tuple[tuple[int, bytes, str], ...] = (
    (0, b"QFI\xfb", "qcow2"),
    (0, b"KDMV", "vmdk"),
    (0, b"COWD", "vmdk"),
    (0, b"# Disk DescriptorFile", "vmdk"),
    (0, b"vhdxfile", "vhdx"),
    (0, b"conectix", "vhd"),
    (0, b"QED\0", "qed"),
    (0, b"LUKS\xba\xbe", "luks"),
    (0, b"WithoutFreeSpace", "parallels"),
    (0, b"WithouFreSpacExt", "parallels"),
    (64, b"\x7f\x10\xda\xbe", "vdi"),
    (257, b"ustar", "tar"),
    (_ISO_MAGIC_AT, b"CD001", "iso"),
)
"""Offset, bytes and format; the first match counts. Without a match the format is raw."""

_QCOW2_HEAD = struct.Struct(">4sIQI")
"""Magic, version, offset and length of the backing file's name."""
_PLAIN, _WITH_FEATURES = 2, 3
"""Versions in use."""
_QCOW2_FEATURES = slice(72, 80)
"""The incompatible ones."""
_EXTERNAL_DATA = 1 << 2
_KNOWN_FEATURES = 0b11111
"""dirty, corrupt, external data file, compression type, extended L2 entries."""
_VMDK_HEAD = struct.Struct("<4sIIQQQQ")
"""Magic, version, flags, capacity, grain size, and offset and length of the descriptor in sectors."""
_SECTOR = 512
_WHOLE_VMDKS = ("monolithicSparse", "streamOptimized")
"""`createType`s with all data in one file: those that Nova accepts by default."""
_CREATE_TYPE = pattern(r"(?i)createType(.*)")
_EXTENT = pattern(r'(?:RW|RDONLY|NOACCESS)\s+\d+\s+SPARSE\s+"[^"/\\]*"\s*')
_EXCERPT = 80
_FLATTEN = "Make one file of it: qemu-img convert -O {} IMAGE NEW."


def format_of(head: bytes) -> str:
    """The format by the first HEAD_BYTES of a file, by Glance's name where it has one."""
    return next((name for at, magic, name in _MAGICS if head.startswith(magic, at)), "raw")


def image_fault(head: bytes, disk_format: str, container_format: str) -> str:
    """Why the file must not be uploaded as an image of these formats; "" when it may."""
    found = format_of(head)
    if container_format == "ova":
        return "" if found == "tar" else f"The descriptor says OVA, which is a tar, but the file is {found}."
    # A hybrid ISO can be used as a raw disk.
    if found != disk_format and (found, disk_format) != ("iso", "raw"):
        return f"The descriptor says {disk_format}, but the file is {found}. Correct diskFormat, or the file."
    return {"qcow2": _qcow2_fault, "vmdk": _vmdk_fault}.get(found, _no_fault)(head)


def _no_fault(head: bytes) -> str:
    return ""


def _qcow2_fault(head: bytes) -> str:
    if len(head) < _QCOW2_FEATURES.stop:
        return "It is a qcow2 with an incomplete header."
    _, version, backing_at, backing_length = _QCOW2_HEAD.unpack_from(head)
    if version not in (_PLAIN, _WITH_FEATURES):
        return f"It is a qcow2 of version {version}; clouds accept 2 and 3."
    if backing_at:
        name = head[backing_at : backing_at + min(backing_length, _EXCERPT)].decode(errors="replace")
        return f"It has a backing file, {name!r}, which the cloud's host would read. {_FLATTEN.format('qcow2')}"
    features = int.from_bytes(head[_QCOW2_FEATURES], "big") if version == _WITH_FEATURES else 0
    if features & _EXTERNAL_DATA:
        return f"Its data are in another file, which the cloud's host would read. {_FLATTEN.format('qcow2')}"
    if features & ~_KNOWN_FEATURES:
        return f"Its header has unknown features ({features:#x}). {_FLATTEN.format('qcow2')}"
    return ""


def _vmdk_fault(head: bytes) -> str:
    if not head.startswith(b"KDMV") or len(head) < _VMDK_HEAD.size:
        return f"It is a VMDK whose data are in other files. {_FLATTEN.format('vmdk')}"
    _, _, _, capacity, _, at, _ = _VMDK_HEAD.unpack_from(head)
    if at != 1 or not capacity:
        return f"It is a VMDK without a descriptor at its beginning. {_FLATTEN.format('vmdk')}"
    # QEMU reads it from there to the first NUL, whatever the length in the header.
    return _descriptor_fault(head[_SECTOR:].split(b"\0", 1)[0].decode(errors="replace"))


def _descriptor_fault(descriptor: str) -> str:
    """The VMDK's descriptor: lines of `key="value"`, and one line for each extent.

    QEMU searches the whole text for a key, comments included, and uses the first match (`vmdk_parent_open`,
    `vmdk_parse_description`), so keys anywhere in the text count.
    """
    kinds = [kind.strip(' "=\t\r') for kind in (found[1] for found in _CREATE_TYPE.finditer(descriptor))] or [""]
    foreign = [kind for kind in kinds if kind not in _WHOLE_VMDKS]
    if foreign:
        kind = foreign[0][:_EXCERPT]
        return f"It is a VMDK of type {kind!r}, whose data may be in other files. {_FLATTEN.format('vmdk')}"
    if "parentfilenamehint" in descriptor.lower():
        return f"It is a VMDK on top of another, which the cloud's host would read. {_FLATTEN.format('vmdk')}"
    lines = [line.strip() for line in descriptor.splitlines()]
    extents = [line for line in lines if line.startswith(("RW", "RDONLY", "NOACCESS"))]
    outside = [line for line in extents if not _EXTENT.fullmatch(line)]
    if outside or not extents:
        what = f"an extent elsewhere, {outside[0][:_EXCERPT]!r}," if outside else "no extent"
        return f"It is a VMDK with {what} so it is not complete. {_FLATTEN.format('vmdk')}"
    return ""
