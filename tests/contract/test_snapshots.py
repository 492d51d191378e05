"""Snapshots of servers and volumes: what Nova, Cinder and Glance of Liberty have."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import pytest

from tests.contract import templates
from tests.contract.conftest import Yard, server_comes_to, until
from vnfm.clouds.errors import Conflict, NotFound
from vnfm.clouds.ports import Cloud
from vnfm.clouds.types import Image, StackInput, VolumeSnapshot

STRANGER = "00000000-0000-4000-8000-000000000000"


@dataclass
class Snapshots:
    """Images and snapshots of volumes that a test made; they go before its stacks do."""

    cloud: Cloud
    images: list[str] = field(default_factory=list)

    def image(self, server_id: str, name: str) -> str:
        self.images.append(self.cloud.servers.create_image(server_id, name))
        return self.images[-1]

    def found(self, part: str) -> list[VolumeSnapshot]:
        return [one for one in self.cloud.volumes.snapshots() if part in one.name]

    def clear(self, part: str) -> None:
        for image_id in self.images:
            self.cloud.images.delete(image_id)
        for one in self.found(part):
            until(lambda one=one: self._deleted(one.id), f"snapshot {one.name} to take its deletion")  # type: ignore[misc]
        until(lambda: not self.found(part), "the snapshots to be deleted")

    def _deleted(self, snapshot_id: str) -> bool:
        state = {one.id: one.status for one in self.cloud.volumes.snapshots()}.get(snapshot_id, "deleting")
        if state in ("available", "error"):
            self.cloud.volumes.delete_snapshot(snapshot_id)
        return state != "creating"


@pytest.fixture
def snapshots(cloud: Cloud, prefix: str) -> Iterator[Snapshots]:
    snapshots = Snapshots(cloud)
    yield snapshots
    snapshots.clear(prefix)


@pytest.fixture
def with_cinder(cloud: Cloud) -> None:
    if not cloud.volume_quotas():
        pytest.skip("this cloud has no Cinder")


@pytest.fixture
def make(yard: Yard, image: str, flavor: str, prefix: str) -> Callable[[str, str], tuple[str, str]]:
    """Makes a stack with one server; the ids of both."""

    def create(suffix: str, template: str) -> tuple[str, str]:
        stack_id = yard.create(suffix, StackInput(template, {}, {"image": image, "flavor": flavor}, {}, tags=(prefix,)))
        yard.settled(stack_id, "CREATE_COMPLETE")
        found = yard.cloud.stacks.resources(stack_id)
        return stack_id, next(r.physical_id for r in found if r.name == "server")

    return create


def active(cloud: Cloud, image_id: str) -> Image:
    def looked() -> Image | None:
        image = cloud.images.show(image_id)
        return image if image.status == "active" else None

    return until(looked, f"image {image_id} to be active")


def test_a_server_is_rebuilt_from_its_own_image(
    cloud: Cloud, make: Callable[[str, str], tuple[str, str]], snapshots: Snapshots, prefix: str
) -> None:
    _, server_id = make("imaged", templates.SERVER)
    name = f"{prefix}-of-server"
    image_id = snapshots.image(server_id, name)
    found = cloud.images.find(name)
    assert found is not None, "Nova registers the image before it answers"
    assert found.id == image_id
    image = active(cloud, image_id)
    assert image.properties["image_type"] == "snapshot"
    assert image.properties["instance_uuid"] == server_id
    server = server_comes_to(cloud, server_id, "ACTIVE")
    assert (server.volumes, server.image != image_id) == ((), True)
    cloud.servers.rebuild(server_id, image_id)
    until(lambda: cloud.servers.show(server_id).image == image_id, "the rebuild to begin")
    assert server_comes_to(cloud, server_id, "ACTIVE").image == image_id


def test_one_image_of_a_server_at_a_time(
    cloud: Cloud, make: Callable[[str, str], tuple[str, str]], snapshots: Snapshots, prefix: str
) -> None:
    _, server_id = make("twice", templates.SERVER)
    first = snapshots.image(server_id, f"{prefix}-first")
    refusal = ""
    try:
        snapshots.image(server_id, f"{prefix}-second")
    except Conflict as conflict:
        refusal = conflict.message
    assert server_id in refusal or cloud.images.show(first).status == "active", "two were made at the same time"
    active(cloud, first)


def test_an_image_of_a_server_that_never_was(cloud: Cloud) -> None:
    with pytest.raises(NotFound) as caught:
        cloud.servers.create_image(STRANGER, "none")
    assert STRANGER in caught.value.message


@pytest.mark.usefixtures("with_cinder")
def test_an_attached_volume_has_snapshots(
    cloud: Cloud, make: Callable[[str, str], tuple[str, str]], snapshots: Snapshots, prefix: str
) -> None:
    stack_id, server_id = make("volume", templates.SERVER_WITH_VOLUME)
    volume_id = next(r.physical_id for r in cloud.stacks.resources(stack_id) if r.name == "volume")
    assert cloud.servers.show(server_id).volumes == (volume_id,)
    volume = until(lambda: v if (v := cloud.volumes.show(volume_id)).status == "in-use" else None, "the volume's use")
    assert volume.size_gib == 1
    snapshot_id = cloud.volumes.create_snapshot(volume_id, f"{prefix}-of-volume")

    def available() -> VolumeSnapshot | None:
        found = {one.id: one for one in snapshots.found(prefix)}[snapshot_id]
        return found if found.status == "available" else None

    made = until(available, "the snapshot to be available")
    assert (made.volume_id, made.size_gib, made.name) == (volume_id, 1, f"{prefix}-of-volume")
    cloud.volumes.delete_snapshot(snapshot_id)
    until(lambda: not snapshots.found(prefix), "the snapshot to be deleted")
    cloud.volumes.delete_snapshot(snapshot_id)


@pytest.mark.usefixtures("with_cinder")
def test_the_image_of_a_server_that_boots_from_a_volume_names_snapshots(
    cloud: Cloud, make: Callable[[str, str], tuple[str, str]], snapshots: Snapshots, prefix: str
) -> None:
    _, server_id = make("root-volume", templates.SERVER_FROM_VOLUME)
    server = cloud.servers.show(server_id)
    assert server.image == ""
    image = active(cloud, snapshots.image(server_id, f"{prefix}-of-root"))
    (mapping,) = json.loads(image.properties["block_device_mapping"])
    made = {one.id: one for one in snapshots.found(prefix)}
    assert made[mapping["snapshot_id"]].volume_id == server.volumes[0]
    assert made[mapping["snapshot_id"]].name == f"snapshot for {prefix}-of-root"


@pytest.mark.usefixtures("with_cinder")
def test_a_snapshot_of_a_volume_that_never_was(cloud: Cloud) -> None:
    with pytest.raises(NotFound) as caught:
        cloud.volumes.create_snapshot(STRANGER, "none")
    assert STRANGER in caught.value.message
    with pytest.raises(NotFound):
        cloud.volumes.show(STRANGER)
