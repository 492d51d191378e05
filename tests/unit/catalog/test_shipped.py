"""Rules for every package in `catalog/`."""

import struct
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from hot.language import LIBERTY_VERSIONS
from tests.factories.packages import LIBRARY, ROOT, schema, shipped_folders, shipped_package
from vnfm.catalog.artifacts.packing import write_manifest, write_zip
from vnfm.catalog.domain.placeholder import placeholder_qcow2
from vnfm.catalog.domain.settings import effective_settings, validate_settings

FOLDERS = shipped_folders()
IDS = ["-".join(folder.parts[-3:]) for folder in FOLDERS]


@pytest.fixture(params=FOLDERS, ids=IDS)
def folder(request):
    return request.param


@pytest.fixture
def package(folder):
    return shipped_package(folder)


@pytest.mark.parametrize("name", ["vnfd", "manifest"])
def test_the_schemas_are_schemas(name):
    Draft202012Validator.check_schema(schema(name))


def test_the_manifest_is_true(folder):
    changed = write_manifest(folder, LIBRARY, write=False)
    assert not changed, f"run: manage.py package_manifest {folder.relative_to(ROOT)}"


def test_the_package_is_accepted_and_needs_no_input(package):
    assert validate_settings(package.vnfd, {}) == []
    for flavour in package.vnfd.flavours:
        assert flavour.level(flavour.default_level) is not None


def test_an_unshipped_image_is_named_as_placeholder(package):
    for image in package.vnfd.software_images:
        if image.placeholder:
            assert "placeholder" in image.name
            assert any("placeholder" in note and "your own" in note for note in package.vnfd.notes)
            assert sha256(package.generated[image.path]).hexdigest() == image.sha256


def test_every_template_is_one_for_liberty():
    for path in LIBRARY.rglob("*.yaml"):
        version = path.read_text().splitlines()[0].removeprefix("heat_template_version: ")
        assert version in LIBERTY_VERSIONS, path


def test_the_same_files_give_the_same_zip(folder, tmp_path):
    write_zip(folder, LIBRARY, tmp_path / "a.zip")
    write_zip(folder, LIBRARY, tmp_path / "b.zip")
    assert (tmp_path / "a.zip").read_bytes() == (tmp_path / "b.zip").read_bytes()


def test_yamllint_is_content():
    done = subprocess.run(
        [sys.executable, "-m", "yamllint", "--strict", "catalog", "heat_templates"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout


def test_the_placeholder_is_a_whole_qcow2():
    """The structure that `qemu-img check` looks at: header, refcounts of exactly the clusters that exist, empty L1."""
    data = placeholder_qcow2()
    magic, version, _, _, bits, size, _, l1_size, l1, refcounts, clusters, _, _ = struct.unpack(
        ">4sIQIIQIIQQIIQ", data[:72]
    )
    cluster = 1 << bits
    assert (magic, version, size, clusters) == (b"QFI\xfb", 2, 1024 * 1024, 1)
    assert l1_size * (cluster // 8) * cluster >= size
    assert l1_size * 8 <= cluster
    (block,) = struct.unpack_from(">Q", data, refcounts)
    counts = struct.unpack_from(f">{cluster // 2}H", data, block)
    assert sum(counts) == len(data) // cluster == 4
    assert data[l1:] == bytes(cluster)


@pytest.mark.parametrize("folder", shipped_folders(), ids=lambda folder: folder.name)
def test_by_default_management_is_open_to_its_own_network_alone_and_no_community_is_known(folder: Path) -> None:
    vnfd = shipped_package(folder).vnfd
    settings = effective_settings(vnfd, {})
    if "management_access" in settings:
        assert settings["management_access"] == settings["management_cidr"]
    parameter = vnfd.setting("management_access")
    assert parameter is None or parameter.default != "0.0.0.0/0", "also for who gives the template to Heat itself"
    texts = [file.read_text() for file in (folder / "day0").glob("*")] if (folder / "day0").is_dir() else []
    assert not any("community public" in text for text in texts)
