"""An image that the FRR router's recipe has built, in its package: checked by the manifest when it is onboarded."""

import io
import subprocess
import zipfile
from hashlib import sha256
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from tests.factories.packages import ROOT
from vnfm.catalog import selectors
from vnfm.catalog.models import VnfPackage
from vnfm.catalog.services import onboarding, packages
from vnfm.kit.problem import ProblemError

pytestmark = pytest.mark.django_db
FRR = ROOT / "catalog" / "open" / "frr-router"
IMAGE_NAME = "images/frr-router.qcow2"
QCOW2 = b"QFI\xfb" + (3).to_bytes(4, "big") + bytes(16) + (16).to_bytes(4, "big") + (1 << 30).to_bytes(8, "big")
"""Begin of a qcow2 image without a backing file (QEMU, docs/interop/qcow2)."""


def built(folder: Path, octets: bytes = QCOW2.ljust(65_536, b"\0")) -> Path:
    """The folder of an image, as the recipe leaves it."""
    folder.mkdir()
    (folder / "frr-router.qcow2").write_bytes(octets)
    (folder / "SHA256SUMS").write_text(f"{sha256(octets).hexdigest()}  frr-router.qcow2\n")
    return folder


def packed(folder: Path) -> bytes:
    target = folder / "frr-router.zip"
    call_command("package_zip", str(FRR / "8.4.4"), str(target), "--image", f"frr-router={folder / 'frr-router.qcow2'}")
    return target.read_bytes()


def onboard(data: bytes) -> VnfPackage:
    package = packages.package_create(user_defined_data={})
    onboarding.package_onboard(package_id=package.id, source=io.BytesIO(data))
    return selectors.package_get(package_id=package.id)


def test_the_package_with_the_image_is_onboarded_with_its_checksum(tmp_path: Path) -> None:
    folder = built(tmp_path / "image")
    package = onboard(packed(folder))
    expected = sha256((folder / "frr-router.qcow2").read_bytes()).hexdigest()
    assert package.onboarding_state == "ONBOARDED"
    assert package.files.get(path=IMAGE_NAME).sha256 == expected
    vnfd = selectors.vnfd_of(package)
    assert [(image.path, image.name) for image in vnfd.software_images] == [
        (IMAGE_NAME, "FRR router 8.4.4 on Debian 12")
    ]
    assert not [note for note in vnfd.notes if "placeholder" in note]


def test_equal_images_give_an_equal_package_and_others_another(tmp_path: Path) -> None:
    first, again = packed(built(tmp_path / "a")), packed(built(tmp_path / "b"))
    other = packed(built(tmp_path / "c", QCOW2.ljust(131_072, b"\0")))
    assert first == again
    ids = {onboard(first).vnfd_id, onboard(other).vnfd_id}
    assert len(ids) == 2, "both may be onboarded side by side"


def test_another_image_than_the_recipe_built_is_refused(tmp_path: Path) -> None:
    """By the name of the file, and with what is wrong with it."""
    data = packed(built(tmp_path / "image"))
    forged = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(forged, "w") as new:
        for entry in old.infolist():
            octets = old.read(entry)
            new.writestr(entry, octets[:-1] + b"x" if entry.filename == IMAGE_NAME else octets)
    with pytest.raises(ProblemError) as refused:
        onboard(forged.getvalue())
    problem = refused.value.problem
    assert problem.code == "MANIFEST_MISMATCH"
    assert problem.detail.startswith(f"{IMAGE_NAME}: The file's SHA-256 is ")


def test_an_image_without_a_placeholder_and_one_that_is_not_there(tmp_path: Path) -> None:
    file = built(tmp_path / "image") / "frr-router.qcow2"
    arguments = (str(FRR / "8.4.4"), str(tmp_path / "x.zip"), "--image")
    with pytest.raises(CommandError, match=r"no placeholder 'other' for an image; there is frr-router"):
        call_command("package_zip", *arguments, f"other={file}")
    with pytest.raises(CommandError, match="an image file that exists"):
        call_command("package_zip", *arguments, "frr-router=/nowhere")


def test_the_recipe_refuses_an_image_that_it_has_not_built(tmp_path: Path) -> None:
    folder = built(tmp_path / "image")
    (folder / "frr-router.qcow2").write_bytes(b"another")
    done = subprocess.run([FRR / "image" / "package", folder], capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "frr-router.qcow2" in done.stdout + done.stderr
    assert not (folder / "frr-router.zip").exists()
