import json
import shutil

import pytest
from django.core.management import CommandError, call_command

from tests.factories.packages import LIBRARY, SHIPPED
from vnfm.catalog.artifacts.packing import package_files
from vnfm.catalog.domain.errors import PackageError


@pytest.fixture
def folder(tmp_path):
    return shutil.copytree(SHIPPED, tmp_path / "package")


def test_library_files_are_part_of_the_package(folder):
    files = package_files(folder, LIBRARY)
    assert files["fragments/vl_created.yaml"] == LIBRARY / "fragments" / "vl_created.yaml"
    assert files["base.env"] == folder / "base.env"


def test_files_of_a_desktop_are_left_out_of_the_folder(folder):
    before = package_files(folder, LIBRARY)
    (folder / ".DS_Store").write_bytes(b"\0Bud1")
    (folder / "._base.env").write_bytes(b"\0")
    assert package_files(folder, LIBRARY) == before


@pytest.mark.parametrize("source", ["fragments/nothing.yaml", "../catalog/README.md", "/etc/passwd"])
def test_library_files_come_from_the_library(folder, source):
    descriptor = folder / "vnfd.yaml"
    descriptor.write_text(descriptor.read_text().replace("base.yaml: vsr/base.yaml", f"base.yaml: {source}"))
    with pytest.raises(PackageError, match=r"The library file base\.yaml does not exist as") as caught:
        package_files(folder, LIBRARY)
    assert caught.value.faults[0].line


def test_a_file_has_one_source(folder):
    (folder / "base.yaml").write_text("heat_template_version: 2015-10-15\n")
    with pytest.raises(PackageError, match="is in the package's folder already"):
        package_files(folder, LIBRARY)


def test_a_folder_that_is_no_package(tmp_path):
    with pytest.raises(CommandError, match=r"There is no vnfd\.yaml"):
        call_command("package_zip", str(tmp_path), str(tmp_path / "x.zip"))


def test_the_manifest_command_writes_and_checks(folder, capsys):
    call_command("package_manifest", str(folder), "--check")
    (folder / "day0" / "config.cfg").write_text("changed")
    with pytest.raises(CommandError, match=r"MANIFEST\.json is out of date"):
        call_command("package_manifest", str(folder), "--check")
    call_command("package_manifest", str(folder))
    call_command("package_manifest", str(folder), "--check")
    assert "day0/config.cfg" in json.loads((folder / "MANIFEST.json").read_text())["files"]
    assert capsys.readouterr().out.endswith("unchanged\n")


def test_the_zip_command_makes_the_manifest_true_first(folder, tmp_path, capsys):
    before = len(package_files(folder, LIBRARY))
    (folder / "day0" / "more.cfg").write_text("more")
    call_command("package_zip", str(folder), str(tmp_path / "x.zip"))
    assert capsys.readouterr().out.endswith(f"{before + 1} files\n")
