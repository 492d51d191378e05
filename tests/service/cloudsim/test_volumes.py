"""Volumes by openstacksdk: what Cinder of Liberty does, and Nova with them."""

from __future__ import annotations

import pytest
from openstack import exceptions
from openstack.connection import Connection

from tests.support.cloudsim_process import CloudsimProcess
from tests.support.waiting import until

PATIENCE = 10


@pytest.fixture
def volume(user: Connection):
    """`volume(name, size, **more)` makes one and waits until it can be used."""

    def make(name: str = "data", size: int | None = 1, **more: object):
        made = user.block_storage.create_volume(name=name, size=size, **more)
        return user.block_storage.wait_for_status(made, interval=0.05, wait=PATIENCE)

    return make


def attachments(user: Connection, server) -> dict[str, str]:
    return {one.volume_id: one.device for one in user.compute.volume_attachments(server.id)}


def test_a_volume_lives_in_cinder(user, volume):
    made = volume("data", 2, volume_type="lvmdriver-1", metadata={"use": "logs"})
    assert (made.size, made.status, made.is_bootable, made.volume_type) == (2, "available", False, "lvmdriver-1")
    assert made.metadata == {"use": "logs"}
    assert [one.name for one in user.block_storage.volumes()] == ["data"]
    user.block_storage.extend_volume(made, 3)
    until(lambda: user.block_storage.get_volume(made.id).size == 3, "the larger volume", PATIENCE)
    user.block_storage.delete_volume(made)
    user.block_storage.wait_for_delete(made, interval=0.05, wait=PATIENCE)
    assert [*user.block_storage.volumes()] == []


def test_a_volume_of_an_image_is_bootable(user, volume):
    made = volume("root", 1, image_id=user.image.find_image("tiny").id)
    assert made.is_bootable
    assert made.volume_image_metadata["image_name"] == "tiny"
    copy = volume("copy", None, source_volume_id=made.id)
    assert (copy.size, copy.is_bootable) == (1, True)


@pytest.mark.parametrize(
    ("body", "status", "words"),
    [
        ({"size": 0}, 400, "Invalid input received: Volume size '0' must be an integer and greater than 0"),
        ({"size": 1, "volume_type": "gold"}, 404, "Volume type with name gold could not be found."),
        ({"size": 1, "imageRef": "nothing"}, 400, "Invalid image identifier or unable to access requested image."),
        ({"size": 1, "availability_zone": "moon"}, 400, "Invalid input received: Availability zone 'moon' is invalid"),
        ({"size": 1, "source_volid": "none"}, 404, "Volume none could not be found."),
    ],
)
def test_cinder_refuses_in_its_words(user, body, status, words):
    answer = user.block_storage.post("/volumes", json={"volume": body})
    (fault,) = answer.json().values()
    assert (answer.status_code, fault["message"]) == (status, words)


def test_quota_of_volumes(cloud: CloudsimProcess, user, volume):
    cloud.control("PUT", "/quotas/vnf", {"volume": {"volumes": 1, "gigabytes": 5}})
    volume("one", 4)
    answer = user.block_storage.post("/volumes", json={"volume": {"size": 2}})
    assert answer.status_code == 413
    assert answer.json()["overLimit"]["message"] == (
        "Requested volume or snapshot exceeds allowed gigabytes quota."
        " Requested 2G, quota is 5G and 4G has been consumed."
    )
    answer = user.block_storage.post("/volumes", json={"volume": {"size": 1}})
    assert (
        answer.json()["overLimit"]["message"] == "Maximum number of volumes allowed (1) exceeded for quota 'volumes'."
    )


def test_attach_and_detach(user, volume, boot):
    server, data = boot(), volume()
    user.compute.create_volume_attachment(server, volume_id=data.id)
    held = user.block_storage.wait_for_status(data, "in-use", interval=0.05, wait=PATIENCE)
    assert held.attachments[0]["server_id"] == server.id
    assert attachments(user, server) == {data.id: "/dev/vdb"}
    assert [one["id"] for one in user.compute.get_server(server.id).attached_volumes] == [data.id]
    with pytest.raises(exceptions.BadRequestException, match="Currently in 'in-use'"):
        user.compute.create_volume_attachment(server, volume_id=data.id)
    with pytest.raises(exceptions.BadRequestException, match="Volume cannot be deleted while in attached state"):
        user.block_storage.delete_volume(data)
    user.compute.delete_volume_attachment(server, data.id)
    free = user.block_storage.wait_for_status(data, "available", interval=0.05, wait=PATIENCE)
    assert free.attachments == []
    assert attachments(user, server) == {}


def mapping(**more: object) -> dict[str, object]:
    return {"boot_index": 0, "destination_type": "volume", "delete_on_termination": True, **more}


def test_a_server_boots_from_a_volume_of_an_image(user, boot):
    image = user.image.find_image("tiny").id
    asked = [mapping(source_type="image", uuid=image, volume_size=3), mapping(source_type="blank", volume_size=2)]
    asked[1] |= {"boot_index": -1, "delete_on_termination": False}
    server = boot("backed", block_device_mapping=asked)
    assert server.status == "ACTIVE"
    assert not server.image
    disks = {one.size: one for one in user.block_storage.volumes()}
    assert attachments(user, server) == {disks[3].id: "/dev/vda", disks[2].id: "/dev/vdb"}
    assert disks[3].is_bootable
    with pytest.raises(exceptions.ForbiddenException, match="Can't detach root device volume"):
        user.compute.delete_volume_attachment(server, disks[3].id)
    user.compute.delete_server(server)
    user.compute.wait_for_delete(server, interval=0.05, wait=PATIENCE)
    user.block_storage.wait_for_delete(disks[3], interval=0.05, wait=PATIENCE)
    assert [one.status for one in user.block_storage.volumes()] == ["available"]


def test_a_server_boots_from_a_volume_that_is_there(user, volume, boot):
    root = volume("root", 1, image_id=user.image.find_image("tiny").id)
    asked = [mapping(source_type="volume", uuid=root.id, delete_on_termination=False)]
    server = boot("backed", block_device_mapping=asked)
    assert user.block_storage.get_volume(root.id).status == "in-use"
    user.compute.delete_server(server)
    user.compute.wait_for_delete(server, interval=0.05, wait=PATIENCE)
    assert user.block_storage.get_volume(root.id).status == "available"


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        (mapping(source_type="volume", uuid="none"), "failed to get volume none."),
        (mapping(source_type="snapshot", uuid="none"), "failed to get snapshot none."),
        (mapping(source_type="image", uuid="none", volume_size=1), "failed to get image none."),
        (mapping(source_type="tape"), "Invalid source_type field."),
        (mapping(source_type="volume"), "Missing device UUID."),
        (
            mapping(source_type="image", uuid="none", destination_type="local"),
            "Mapping image to local is not supported",
        ),
        (mapping(source_type="blank", volume_size=1, boot_index=1), "Boot sequence for the instance"),
        (mapping(source_type="blank"), "need to have non-zero size"),
    ],
)
def test_nova_refuses_devices_in_its_words(boot, asked, words):
    with pytest.raises(exceptions.BadRequestException, match=words):
        boot("refused", block_device_mapping=[asked])


def test_an_empty_volume_boots_nothing(volume, boot):
    empty = volume("empty")
    with pytest.raises(exceptions.BadRequestException, match=f"Block Device {empty.id} is not bootable."):
        boot("refused", block_device_mapping=[mapping(source_type="volume", uuid=empty.id)])


def test_a_server_whose_volume_is_over_quota_ends_in_error(cloud, user, boot):
    cloud.control("PUT", "/quotas/vnf", {"volume": {"volumes": 0}})
    image = user.image.find_image("tiny").id
    made = boot("backed", wait=False, block_device_mapping=[mapping(source_type="image", uuid=image, volume_size=1)])
    server = user.compute.wait_for_server(made, "ERROR", failures=[], interval=0.05)
    assert server.fault["message"] == f"Build of instance {made.id} aborted: Volume resource quota exceeded"


def test_a_boot_from_a_volume_survives_a_restart(cloud, user, boot, volume):
    root = volume("root", 1, image_id=user.image.find_image("tiny").id)
    asked = [mapping(source_type="volume", uuid=root.id)]
    made = boot("backed", wait=False, block_device_mapping=asked, metadata={"cloudsim:boot_seconds": "1"})
    cloud.kill()
    cloud.start()
    assert user.compute.wait_for_server(made, interval=0.05).status == "ACTIVE"
    assert user.block_storage.get_volume(root.id).status == "in-use"
