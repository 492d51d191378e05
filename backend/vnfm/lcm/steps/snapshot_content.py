"""The steps that take a snapshot of a VNF: an image of each VNFC, snapshots of attached volumes, and their record.

All in the cloud is found by its name, so that no step needs a receipt to go on, or to take back what a crash left.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from vnfm.clouds.errors import Conflict, Failed, NotFound
from vnfm.clouds.ports import Cloud
from vnfm.clouds.types import Image, VolumeSnapshot
from vnfm.kit import clock
from vnfm.kit.problem import Cause, Problem
from vnfm.lcm.domain.snapshots import image_name, name_prefix, volume_snapshot_name
from vnfm.lcm.domain.steps import Blocked, Done, Outcome, Receipt, Waiting
from vnfm.lcm.models import VnfcSnapshot
from vnfm.lcm.services.snapshots import snapshot_fill
from vnfm.lcm.steps.base import Context, Step

PATIENCE = 30.0
"""Seconds within which a server that is busy must take the request."""
UNFINISHED = ("queued", "saving", "importing", "creating")
ENDED_WELL = ("active", "available")
GONE = "deleted"
"""The status of what the cloud no longer lists."""
DELETABLE = ("available", "error")
"""Statuses in which Cinder deletes a snapshot."""
PASSING = ("creating", "deleting")
"""Statuses that Cinder leaves by itself."""

Vnfc = Mapping[str, Any]
"""Parameters of one VNFC: id, vduId, slot, name, label, serverId, volumes, bootsFromVolume."""


def snapshot_id_of(ctx: Context) -> UUID:
    return UUID(ctx.params["snapshotId"])


def by_image_name(ctx: Context) -> dict[str, Vnfc]:
    """The VNFCs by the names that this operation gives to their images."""
    return {image_name(snapshot_id_of(ctx), UUID(vnfc["id"]), ctx.op.id): vnfc for vnfc in ctx.params["vnfcs"]}


def images_of(cloud: Cloud, snapshot_id: UUID) -> list[Image]:
    """The images of a snapshot."""
    return [image for image in cloud.images.list() if image.name.startswith(name_prefix(snapshot_id))]


def volume_snapshots_of(cloud: Cloud, snapshot_id: UUID) -> list[VolumeSnapshot]:
    """Its snapshots of volumes, those that Nova made among them: their names begin with words of its own."""
    return [one for one in cloud.volumes.snapshots() if name_prefix(snapshot_id) in one.name]


@dataclass(frozen=True, slots=True)
class Remaining:
    """The volume snapshots that Cinder still has."""

    pending: tuple[str, ...] = ()
    """Names of those that Cinder is at work on."""
    stuck: tuple[VolumeSnapshot, ...] = ()
    """Those in a status in which Cinder neither deletes nor goes on."""

    def outcome(self, done: str) -> Outcome:
        """Return the outcome of an undo."""
        if self.stuck:
            return Blocked(self.problem("Deleting volume snapshots"))
        return Waiting(f"Cinder still has {', '.join(self.pending)}") if self.pending else Done(done)

    def problem(self, work: str) -> Problem:
        states = [f"{one.name} ({one.id}) is {one.status}" for one in self.stuck]
        return Problem(
            Failed.status,
            "VOLUME_SNAPSHOT_STUCK",
            "Cinder does not delete a volume snapshot",
            f"{work}: {', '.join(states)}.",
            "Have the cloud's administrator set its status to error (cinder snapshot-reset-state --state error), "
            "then it is deleted.",
            tuple(Cause("openstack", state) for state in states),
        )


def delete_content(cloud: Cloud, snapshot_id: UUID) -> Remaining:
    """Have the cloud delete all of a snapshot."""
    for image in images_of(cloud, snapshot_id):
        cloud.images.delete(image.id)
    return delete_volume_snapshots(cloud, snapshot_id)


def delete_volume_snapshots(cloud: Cloud, snapshot_id: UUID) -> Remaining:
    found = volume_snapshots_of(cloud, snapshot_id)
    for one in found:
        if one.status in DELETABLE:
            cloud.volumes.delete_snapshot(one.id)
    stuck = tuple(one for one in found if one.status not in (*DELETABLE, *PASSING))
    return Remaining(tuple(one.name for one in found if one not in stuck), stuck)


class TakeImages(Step):
    """Have Nova make an image of each VNFC, all at once, and wait for them together.

    The image of a server that boots from a volume is complete at once, long before the snapshots of its volumes are.
    """

    kind = "take_images@1"

    def submit(self, ctx: Context) -> Receipt:
        return {"asked": []}

    def observe(self, ctx: Context, receipt: Receipt) -> Outcome:
        names = by_image_name(ctx)
        images = {image.name: image for image in images_of(ctx.cloud, snapshot_id_of(ctx))}
        statuses = {name: image.status for name, image in images.items()}
        gone = [name for name in receipt["asked"] if _has_failed(statuses.get(name, GONE))]
        if gone:
            return Blocked(_not_completed("Nova", "image", [(names[name], statuses.get(name, GONE)) for name in gone]))
        asked = [*receipt["asked"], *(name for name in names if name not in statuses and _take(ctx, names[name], name))]
        unfinished = [name for name in names if statuses.get(name) not in ENDED_WELL]
        if not unfinished:
            return _volumes_outcome(
                ctx, {name: images[name] for name, vnfc in names.items() if vnfc["bootsFromVolume"]}
            )
        states = ", ".join(f"{names[name]['label']} {statuses.get(name, 'requested')}" for name in unfinished)
        return Waiting(f"Glance: {states}", {"asked": asked})

    def retry(self, ctx: Context, receipt: Receipt) -> Receipt:
        """Complete images stay; one without all of its volume snapshots goes, with those."""
        statuses = {one.id: one.status for one in volume_snapshots_of(ctx.cloud, snapshot_id_of(ctx))}
        for image in images_of(ctx.cloud, snapshot_id_of(ctx)):
            own = {ident: statuses.get(ident, GONE) for ident in snapshot_ids(image)}
            if not any(map(_has_failed, (image.status, *own.values()))):
                continue
            for ident, status in own.items():
                if status in DELETABLE:
                    ctx.cloud.volumes.delete_snapshot(ident)
            ctx.cloud.images.delete(image.id)
        return {"asked": []}

    def undo(self, ctx: Context, receipt: Receipt) -> Outcome:
        """It is done once the cloud lists nothing of it: a request without an answer may have had its effect since."""
        if images := images_of(ctx.cloud, snapshot_id_of(ctx)):
            delete_content(ctx.cloud, snapshot_id_of(ctx))
            return Waiting(f"Glance: {len(images)} images are being deleted")
        return delete_content(ctx.cloud, snapshot_id_of(ctx)).outcome("Its images are deleted")


def snapshot_ids(image: Image) -> list[str]:
    """The volume snapshots that Nova made for the image of a server that boots from a volume."""
    mapping = json.loads(image.properties.get("block_device_mapping") or "[]")
    return [one["snapshot_id"] for one in mapping if one.get("snapshot_id")]


def _has_failed(status: str) -> bool:
    return status not in (*UNFINISHED, *ENDED_WELL)


def _volumes_outcome(ctx: Context, images: Mapping[str, Image]) -> Outcome:
    """Return the state of the volume snapshots of these images, each by its name."""
    count = len(ctx.params["vnfcs"])
    if not images:
        return Done(f"{count} images are there")
    statuses = {one.id: one.status for one in ctx.cloud.volumes.snapshots()}
    vnfcs = by_image_name(ctx)
    found = [
        (vnfcs[name], statuses.get(ident, GONE)) for name, image in images.items() for ident in snapshot_ids(image)
    ]
    if failed := [(vnfc, status) for vnfc, status in found if _has_failed(status)]:
        return Blocked(_not_completed("Cinder", "volume snapshot", failed))
    if pending := [vnfc["label"] for vnfc, status in found if status in UNFINISHED]:
        return Waiting(f"Cinder: a volume of {', '.join(pending)} is still being copied")
    return Done(f"{count} images and their {len(found)} volume snapshots are there")


def _take(ctx: Context, vnfc: Vnfc, name: str) -> bool:
    """True if Nova has taken the request; a server that is busy takes it later."""
    try:
        ctx.cloud.servers.create_image(vnfc["serverId"], name)
    except Conflict:
        if ctx.elapsed > PATIENCE:
            raise
        return False
    return True


class TakeVolumeSnapshots(Step):
    """Have Cinder make a snapshot of each volume that is attached to a VNFC with a disk of its own."""

    kind = "take_volume_snapshots@1"

    def submit(self, ctx: Context) -> Receipt:
        return {}

    def observe(self, ctx: Context, receipt: Receipt) -> Outcome:
        found = {one.name: one.status for one in volume_snapshots_of(ctx.cloud, snapshot_id_of(ctx))}
        wanted = _volume_names(by_image_name(ctx))
        failed = [(vnfc, found[name]) for name, (vnfc, _) in wanted.items() if found.get(name) == "error"]
        if failed:
            return Blocked(_not_completed("Cinder", "volume snapshot", failed))
        for name, (_, volume_id) in wanted.items():
            if name not in found:
                ctx.cloud.volumes.create_snapshot(volume_id, name)
        pending = [name for name in wanted if found.get(name) not in ENDED_WELL]
        if not pending:
            return Done(f"{len(wanted)} volume snapshots are there")
        return Waiting(f"Cinder: {len(pending)} of {len(wanted)} volume snapshots are still being made")

    def retry(self, ctx: Context, receipt: Receipt) -> Receipt:
        """Delete those that failed: the next poll makes them again."""
        for one in volume_snapshots_of(ctx.cloud, snapshot_id_of(ctx)):
            if one.status == "error":
                ctx.cloud.volumes.delete_snapshot(one.id)
        return {}

    def undo(self, ctx: Context, receipt: Receipt) -> Outcome:
        return delete_volume_snapshots(ctx.cloud, snapshot_id_of(ctx)).outcome("The volume snapshots are deleted")


def _volume_names(vnfcs: Mapping[str, Vnfc]) -> dict[str, tuple[Vnfc, str]]:
    """Name of each volume snapshot to be made → the VNFC and its volume."""
    plain = {image: vnfc for image, vnfc in vnfcs.items() if not vnfc["bootsFromVolume"]}
    return {
        volume_snapshot_name(image, volume): (vnfc, volume)
        for image, vnfc in plain.items()
        for volume in vnfc["volumes"]
    }


def _not_completed(service: str, thing: str, failed: Sequence[tuple[Vnfc, str]]) -> Problem:
    states = [f"{vnfc['label']}: {status}" for vnfc, status in failed]
    return Problem(
        Failed.status,
        "NOT_SNAPSHOTTED",
        "A VNFC has no snapshot",
        f"{service} did not complete the {thing} of {', '.join(states)}.",
        "Retry makes it again; or roll back, which deletes what was made.",
        tuple(Cause("nova" if service == "Nova" else "openstack", state) for state in states),
    )


class RecordSnapshot(Step):
    """Record the ids of all that was made, and what a later revert compares."""

    kind = "record_snapshot@1"

    def submit(self, ctx: Context) -> Receipt:
        snapshot_id, cloud = snapshot_id_of(ctx), ctx.cloud
        images = {image.name: image for image in images_of(cloud, snapshot_id)}
        made = volume_snapshots_of(cloud, snapshot_id)
        vnfcs = by_image_name(ctx)
        lost = [vnfc["label"] for name, vnfc in vnfcs.items() if name not in images]
        if lost:
            raise NotFound(f"Glance no longer has the image of {', '.join(lost)}", service="glance")
        begun = ctx.op.start_time
        rows = [
            VnfcSnapshot(
                snapshot_id=snapshot_id,
                vnfc_id=UUID(vnfc["id"]),
                vdu_id=vnfc["vduId"],
                slot=vnfc["slot"],
                name=vnfc["name"],
                server_id=vnfc["serverId"],
                image_id=images[name].id,
                boots_from_volume=vnfc["bootsFromVolume"],
                volumes=_volumes(images[name], made),
                started_at=begun,
                finished_at=clock.now(),
            )
            for name, vnfc in vnfcs.items()
        ]
        snapshot_fill(snapshot_id=snapshot_id, instance=ctx.instance, vnfcs=rows)
        return {}

    def observe(self, ctx: Context, receipt: Receipt) -> Outcome:
        return Done(f"{len(ctx.params['vnfcs'])} VNFCs")

    def undo(self, ctx: Context, receipt: Receipt) -> Outcome:
        """The end of the rollback empties the record."""
        return Done()


def _volumes(image: Image, made: Sequence[VolumeSnapshot]) -> list[dict[str, Any]]:
    by_nova = snapshot_ids(image)
    own = [one for one in made if one.id in by_nova or one.name == volume_snapshot_name(image.name, one.volume_id)]
    return [{"volumeId": one.volume_id, "snapshotId": one.id, "sizeGib": one.size_gib} for one in own]
