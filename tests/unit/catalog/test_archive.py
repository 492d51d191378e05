import io
import stat
import struct
import zipfile

import pytest

from vnfm.catalog.artifacts import archive
from vnfm.catalog.artifacts.archive import Limits, unpack
from vnfm.catalog.domain.errors import PackageError

LIMITS = Limits(unpacked_bytes=64 * 1024 * 1024)


def build(*entries, method=zipfile.ZIP_DEFLATED):
    """A zip of (name or ZipInfo, bytes) in that order."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", method) as packed:
        for name, data in entries:
            packed.writestr(name, data)
    return target.getvalue()


@pytest.fixture
def unzip(tmp_path):
    folder = tmp_path / "staging"
    folder.mkdir()

    def run(data, limits=LIMITS):
        path = tmp_path / "package.zip"
        path.write_bytes(data)
        return unpack(path, folder, limits)

    yield run
    assert {path.name for path in tmp_path.rglob("*")} - {"staging", "package.zip"} <= {
        path.name for path in folder.iterdir()
    }, "something was written outside of the staging folder"


def refused(unzip, data, code="ZIP_REFUSED", limits=LIMITS):
    with pytest.raises(PackageError) as caught:
        unzip(data, limits)
    assert caught.value.code == code
    return caught.value.faults


def link(name):
    info = zipfile.ZipInfo(name)
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    return info


def unmarked(data):
    """The zip without the marks that its names are UTF-8."""
    marked = bytearray(data)
    for signature, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        place = marked.find(signature)
        while place >= 0:
            marked[place + flags + 1] &= ~0x08
            place = marked.find(signature, place + 4)
    return bytes(marked)


def test_names_that_are_utf8_without_saying_so(unzip):
    names = {"größe.yaml", "cafe\u0301/日本.yaml", "a\u200cb.yaml", "\U0001f468\u200d\U0001f4bb.yaml"}
    data = build(*((name, b"x") for name in sorted(names)))
    assert unmarked(data) != data
    assert set(unzip(unmarked(data))) == names
    assert refused(unzip, unmarked(build(("é\u202e.yaml", b"x"))))[0].message == "The name holds control characters."


def test_files_are_unpacked_under_names_of_our_own(unzip):
    files = unzip(build(("a.txt", b"one"), ("folder/", b""), ("folder/b.txt", b"two"), ("ü.txt", b"three")))
    assert {path: staged.path.read_bytes() for path, staged in files.items()} == {
        "a.txt": b"one",
        "folder/b.txt": b"two",
        "ü.txt": b"three",
    }
    assert files["a.txt"].size == 3


NO_ZIPS = {"empty": b"", "short": b"PK", "words": b"not a zip at all" * 100, "cut": build(("a", b"x" * 1000))[:-30]}


@pytest.mark.parametrize("data", NO_ZIPS.values(), ids=NO_ZIPS)
def test_not_a_zip(unzip, data):
    refused(unzip, data, "NOT_A_ZIP")


def test_damaged_bytes(unzip):
    data = bytearray(build(("a", bytes(range(256)) * 10), method=zipfile.ZIP_STORED))
    data[100] ^= 0xFF
    assert "Bad CRC-32" in refused(unzip, bytes(data), "NOT_A_ZIP")[0].message


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("../evil", "The path leads out of the package."),
        ("a/../../evil", "The path leads out of the package."),
        ("/etc/passwd", "The path is absolute; it must start at the package's root."),
        ("C:/evil", "The path is absolute; it must start at the package's root."),
        ("a\\..\\evil", "The path leads out of the package."),
        ("vnf\\a.env", archive._BACKSLASH),
        ("./a", "The path is not plain: write folder/file."),
        ("a//b", "The path is not plain: write folder/file."),
        ("a\nb", "The name holds control characters."),
        ("a\u202eb", "The name holds control characters."),
        ("x" * 301, "The name is longer than 300 characters."),
        (link("a"), "Only files and folders are allowed, no links and no devices."),
    ],
)
def test_names_and_kinds_that_are_refused(unzip, name, message):
    assert [fault.message for fault in refused(unzip, build((name, b"x")))] == [message]


def test_a_name_that_is_cut_by_a_zero_byte(unzip):
    data = build(("good.txt_evil", b"x")).replace(b"good.txt_evil", b"good.txt\0evil")
    assert refused(unzip, data)[0].message == "The name holds a zero byte or a foreign separator."


def test_a_name_in_an_unnamed_character_set(unzip):
    data = build(("aaaa", b"x")).replace(b"aaaa", b"\xe4\xf6\xfc\xdf")
    assert refused(unzip, data)[0].message == "The name is neither ASCII nor UTF-8."


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_file_that_is_there_twice(unzip):
    assert refused(unzip, build(("a", b"1"), ("a", b"2")))[0].message == "The zip has this file twice."


def test_a_file_that_is_a_folder_too(unzip):
    assert refused(unzip, build(("a", b"1"), ("a/b", b"2")))[0].message == "This is a file and a folder at once."


def test_too_many_files(unzip):
    data = build(*((f"f{n}", b"") for n in range(archive.MAX_FILES + 1)))
    assert "1000 are allowed" in refused(unzip, data)[0].message


def test_a_bomb_by_ratio(unzip):
    faults = refused(unzip, build(("bomb", bytes(30 * 1024 * 1024))))
    assert faults[0].message == "The file unpacks to more than 200 times its packed size."


def test_a_bomb_of_many_files_that_are_each_small_enough(unzip):
    data = build(*((f"f{n}", bytes(1024 * 1024)) for n in range(11)))
    faults = refused(unzip, data)
    assert faults[0].message == "All files together unpack to more than 200 times their packed size."


def test_a_bomb_by_total(unzip):
    data = build(*((f"f{n}", bytes(1024 * 1024)) for n in range(5)))
    faults = refused(unzip, data, "PACKAGE_TOO_LARGE", Limits(4 * 1024 * 1024))
    assert faults[0].message == "Unpacked, the package has 5242880 bytes; 4194304 are allowed."


def test_a_directory_that_lies_about_a_size(unzip):
    data = bytearray(build(("bomb", bytes(5 * 1024 * 1024))))
    directory = data.rindex(b"PK\x01\x02")
    data[directory + 24 : directory + 28] = struct.pack("<I", 10)
    faults = refused(unzip, bytes(data), "NOT_A_ZIP")
    assert faults


def test_a_directory_that_claims_to_be_huge(unzip, monkeypatch):
    monkeypatch.setattr(archive, "MAX_DIRECTORY_BYTES", 4096)
    data = build(*((f"{n:0>250}", b"") for n in range(100)))
    assert "its directory claims" in refused(unzip, data, "NOT_A_ZIP")[0].message


def test_an_encrypted_file(unzip):
    data = bytearray(build(("a", b"x")))
    data[data.rindex(b"PK\x01\x02") + 8] |= 1
    assert refused(unzip, bytes(data))[0].message.startswith("The file is protected by a password")


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"\x1f\x8b\x08\0rest", "it is packed by gzip, not a zip. Unpack it, and send its files as a zip"),
        (b"7z\xbc\xaf\x27\x1crest", "it is an archive of 7-Zip (7z), not a zip."),
        (b"Rar!\x1a\x07\x01\0", "it is an archive of RAR, not a zip."),
        (b"BZh91AY", "it is packed by bzip2, not a zip."),
        (b"\xfd7zXZ\0\0", "it is packed by xz, not a zip."),
        (b"vnf/a.yaml".ljust(257, b"\0") + b"ustar  \0".ljust(255, b"\0"), "it is a tar, not a zip."),
        (b"vnf.ovf".ljust(257, b"\0") + b"ustar\x0000".ljust(255, b"\0"), "it is an OVA, VMware's archive of disks"),
        (b"QFI\xfb\0\0\0\3", "it is a disk image (qcow2), not a package. Upload it to Glance"),
        (b"\0" * 32769 + b"CD001", "it is a disk image (ISO 9660), not a package."),
        (b"<!DOCTYPE html>\n<html>404</html>", "it is a page of HTML, as of a download that failed. Download the file"),
        (b"version https://git-lfs.github.com/spec/v1\n", "it is a pointer of Git LFS, not the file itself. Fetch"),
        (b"# V\nheat_template_version: 2015-10-15\n", "it is a HOT itself, not a zip. Zip it with its environment"),
        (b"tosca_definitions_version: tosca_simple_yaml_1_2\n", "it is a TOSCA definition"),
        (b"", "it is an empty file. Send it with its content."),
        (b"PK\x03\x04rest of a zip that was cut", "File is not a zip file."),
        (b"#!/bin/sh\n", "File is not a zip file."),
    ],
)
def test_what_was_sent_in_place_of_a_zip(unzip, data, words):
    (found,) = refused(unzip, data, "NOT_A_ZIP")
    assert found.message.startswith(f"This is not a readable zip: {words}")


def test_a_name_keeps_its_single_backslash(unzip):
    (found,) = refused(unzip, build(("vnf\\a\u202eb.env", b"x")))
    assert found.file == "vnf\\a\\u202eb.env"


def test_a_method_that_is_not_allowed(unzip):
    assert "store and deflate" in refused(unzip, build(("a", b"x"), method=zipfile.ZIP_BZIP2))[0].message
