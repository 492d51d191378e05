"""A large image through the whole product: uploaded over HTTP, unpacked, stored, sent to Glance by a worker, compared.

Measured: the most memory that the web process, the worker and the simulated cloud had at any time, and the pace.
"""

import hashlib
import json
import os
import shutil
import time
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.factories.packages import edited, vsr_files
from tests.support.installation import Product, until

GIB = 1024**3
SIZE = int(float(os.environ.get("BENCH_IMAGE_GIB", "2")) * GIB)
BLOCK = 4 * 1024 * 1024
VNFD = "5f0c1c2e-7c1d-4f0a-9a53-0000000b1640"
BUDGETS = json.loads((Path(__file__).parent / "budgets.json").read_text())["image"]

pytestmark = [pytest.mark.bench, pytest.mark.timeout(3600)]


@pytest.fixture(scope="module")
def product(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Product]:
    state = Path(tmp_path_factory.mktemp("image"))
    with Product(state) as running:
        yield running
    shutil.rmtree(state)  # pytest would keep the gigabytes of three runs


def blocks() -> Iterator[bytes]:
    """SIZE bytes that are the same each time, and no block of which is like another."""
    left, number, block = SIZE, 0, bytearray(hashlib.shake_256(b"image").digest(BLOCK))
    while left:
        block[:8] = number.to_bytes(8, "big")
        piece = bytes(block[: min(BLOCK, left)])
        left, number = left - len(piece), number + 1
        yield piece


def package(target: Path) -> str:
    """A zip of the shipped package with that image; the MD5 of the image."""
    digest, md5 = hashlib.sha256(), hashlib.md5()
    for piece in blocks():
        digest.update(piece)
        md5.update(piece)

    def edit(vnfd: Any) -> None:
        vnfd.update(vnfdId=VNFD, productName="Large")
        image = {"id": "vsr", "name": "Large", "path": "large.img", "diskFormat": "raw", "containerFormat": "bare"}
        vnfd["softwareImages"] = [image]

    files = edited("vnfd.yaml", edit, vsr_files())
    manifest = json.loads(files["MANIFEST.json"])
    manifest["files"]["large.img"] = digest.hexdigest()
    files["MANIFEST.json"] = json.dumps(manifest).encode()
    with zipfile.ZipFile(target, "w") as archive:
        for path, data in files.items():
            archive.writestr(path, data)
        with archive.open(zipfile.ZipInfo("large.img"), "w", force_zip64=True) as image:
            for piece in blocks():
                image.write(piece)
    return md5.hexdigest()


def onboard(product: Product, archive: Path) -> None:
    path = "/vnfpkgm/v2/vnf_packages/" + str(product.post("/vnfpkgm/v2/vnf_packages", {}).json()["id"])
    headers = {"Content-Type": "application/zip"}
    with archive.open("rb") as data:
        sent = product.session.put(f"{product.url}{path}/package_content", data=data, headers=headers, timeout=1800)
    assert sent.ok, sent.text[:500]

    def onboarded() -> bool | None:
        found = product.get(path)
        assert found["onboardingState"] != "ERROR", found
        return found["onboardingState"] == "ONBOARDED" or None

    until(onboarded, 1800, "the package is onboarded", every=1.0)


def image_progress(product: Product, location: str) -> str:
    op = location.rsplit("/", 1)[-1]
    steps = product.get(f"/api/v1/vnf_lcm_op_occs/{op}/steps")
    return str(next((step["message"] for step in steps if step["name"].startswith("provide_image")), ""))


def test_a_large_image_takes_little_memory(
    product: Product, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    before = {service: product.peak_mib(service) for service in ("web", "worker", "cloudsim")}
    archive = tmp_path / "large.zip"
    checksum = package(archive)
    start = time.monotonic()
    onboard(product, archive)
    stored = time.monotonic() - start
    archive.unlink()
    start = time.monotonic()
    location = product.instantiate(product.create("large", VNFD), product.vim_id())
    words = set()

    def over() -> dict[str, Any] | None:
        words.add(image_progress(product, location))
        op: dict[str, Any] = product.get(location)
        return op if op["operationState"] not in {"STARTING", "PROCESSING"} else None

    op = until(over, 1800, "the instantiation ends", every=0.5)
    sent = time.monotonic() - start
    assert op["operationState"] == "COMPLETED", op
    (image,) = [image for image in product.cloud().image.images() if image.name.startswith("vnfm-large-")]
    assert (image.status, image.size, image.checksum) == ("active", SIZE, checksum)
    on_the_way = {one for one in words if one.startswith("Glance has ") and one.endswith(" GiB")}
    assert len(on_the_way) > 1, words
    peaks = {service: round(product.peak_mib(service)) for service in before}
    figures = {
        "gib": SIZE / GIB,
        "peak_mib": peaks,
        "before_mib": {service: round(mib) for service, mib in before.items()},
        "onboarded_seconds": round(stored, 1),
        "instantiated_seconds": round(sent, 1),
    }
    print(f"\n{figures}\n{sorted(on_the_way)}")
    record_property("image", figures)
    assert all(status["restarts"] == 0 for status in product.status()["services"].values())
    assert {service: mib for service, mib in peaks.items() if mib > BUDGETS["peak_mib"]} == {}
