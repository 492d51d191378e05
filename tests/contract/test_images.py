import hashlib
from dataclasses import replace
from io import BytesIO
from uuid import uuid4

import pytest

from vnfm.clouds.errors import Conflict, NotFound, Rejected
from vnfm.clouds.ports import Cloud
from vnfm.clouds.types import Image

STRANGER = "00000000-0000-4000-8000-000000000000"


def fresh(name: str) -> Image:
    return Image("", name, "", 0, "", "raw", "bare", 1, 64, {"hw_vif_model": "virtio", "vnfm_digest": "abc"})


def test_an_image_is_registered_filled_once_found_and_deleted(
    cloud: Cloud, prefix: str, request: pytest.FixtureRequest
) -> None:
    name, data = f"{prefix}-image", b"placeholder\n" * 1000
    image_id = cloud.images.create(fresh(name))
    request.addfinalizer(lambda: cloud.images.delete(image_id))
    queued = cloud.images.show(image_id)
    assert (queued.status, queued.size, queued.checksum) == ("queued", 0, "")

    cloud.images.upload(image_id, BytesIO(data))
    image = cloud.images.show(image_id)
    assert (image.status, image.size) == ("active", len(data))
    assert image.checksum == hashlib.md5(data).hexdigest()
    assert (image.disk_format, image.container_format) == ("raw", "bare")
    assert (image.min_disk_gib, image.min_memory_mib) == (1, 64)
    assert image.properties["hw_vif_model"] == "virtio"
    assert image.properties["vnfm_digest"] == "abc"
    assert cloud.images.find(name) == image
    assert image in cloud.images.list()
    with pytest.raises(Conflict) as caught:
        cloud.images.upload(image_id, BytesIO(data))
    assert caught.value.source == "glance"

    cloud.images.delete(image_id)
    cloud.images.delete(image_id)
    assert cloud.images.find(name) is None
    with pytest.raises(NotFound):
        cloud.images.show(image_id)


def test_an_id_is_never_reused(cloud: Cloud, prefix: str) -> None:
    wanted = replace(fresh(f"{prefix}-once"), id=str(uuid4()))
    assert cloud.images.create(wanted) == wanted.id
    with pytest.raises(Conflict):
        cloud.images.create(wanted)
    cloud.images.delete(wanted.id)
    with pytest.raises(Conflict):
        cloud.images.create(wanted)
    assert cloud.images.find(wanted.name) is None


def test_of_two_with_one_name_the_filled_one_is_found(
    cloud: Cloud, prefix: str, request: pytest.FixtureRequest
) -> None:
    name = f"{prefix}-twin"
    filled, empty = cloud.images.create(fresh(name)), cloud.images.create(fresh(name))
    request.addfinalizer(lambda: (cloud.images.delete(filled), cloud.images.delete(empty)))
    cloud.images.upload(filled, BytesIO(b"x" * 512))
    found = cloud.images.find(name)
    assert found is not None
    assert found.id == filled


def test_a_format_that_glance_does_not_know_is_rejected(cloud: Cloud, prefix: str) -> None:
    odd = Image("", f"{prefix}-odd", "", 0, "", "floppy", "bare")
    with pytest.raises(Rejected) as caught:
        cloud.images.create(odd)
    assert caught.value.http_status == 400
    assert cloud.images.find(odd.name) is None


def test_an_image_that_never_was(cloud: Cloud) -> None:
    with pytest.raises(NotFound) as caught:
        cloud.images.show(STRANGER)
    assert STRANGER in caught.value.message
    with pytest.raises(NotFound):
        cloud.images.upload(STRANGER, BytesIO(b"x"))
    assert cloud.images.find("no-such-image") is None
