"""`vnf snapshot`: snapshots of a VNF, with their images and volume snapshots in the cloud."""

from argparse import Namespace
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from cli.lookup import instance_of
from cli.operations import follow_to_end
from cli.output import show, show_json
from demo.api import SERVER_ERROR, Api, DemoError
from demo.operation import start

SNAPSHOTS = "/vnflcm/v2/vnf_snapshots"
ROW = {
    "TAKEN": "startedAt",
    "STATE": "state",
    "VNFCS": "vnfcCount",
    "VOLUMES": "volumeCount",
    "BY": "createdBy",
    "REVERTED": "bootedVnfcs",
    "ID": "id",
    "PROBLEM": "problem",
}


def snapshot_list(api: Api, options: Namespace) -> None:
    _show(_snapshots(api, instance_of(api, options.vnf)["id"]), as_json=options.json)


def snapshot_take(api: Api, options: Namespace) -> None:
    """Take a snapshot; it is deleted again if its operation is rejected."""
    instance_id = instance_of(api, options.vnf)["id"]
    snapshot_id = api.post(SNAPSHOTS, {}).json()["id"]
    try:
        op_id = start(api, instance_id, "create_snapshot", {"vnfSnapshotInfoId": snapshot_id})
    except DemoError as error:
        if 0 < error.status < SERVER_ERROR:
            with suppress(DemoError):
                api.delete(f"{SNAPSHOTS}/{snapshot_id}")
        raise
    follow_to_end(api, options, op_id, "create_snapshot")
    if not options.json and not options.no_wait:
        _show([row for row in _snapshots(api, instance_id) if row["id"] == snapshot_id], as_json=False)


def snapshot_revert(api: Api, options: Namespace) -> None:
    instance_id = instance_of(api, options.vnf)["id"]
    op_id = start(api, instance_id, "revert_to_snapshot", {"vnfSnapshotInfoId": options.snapshot})
    follow_to_end(api, options, op_id, "revert_to_snapshot")


def snapshot_delete(api: Api, options: Namespace) -> None:
    """Delete snapshots; the list shows one until the manager has removed its images and volume snapshots."""
    for each in options.snapshot:
        api.delete(f"{SNAPSHOTS}/{each}")
    if options.json:
        show_json([{"id": each} for each in options.snapshot])


def _snapshots(api: Api, instance_id: str) -> Sequence[Mapping[str, Any]]:
    return api.pages(f"/api/v1/vnf_instances/{instance_id}/snapshots")


def _show(rows: Sequence[Mapping[str, Any]], *, as_json: bool) -> None:
    show(rows if as_json else [_with_counts(row) for row in rows], ROW, as_json=as_json)


def _with_counts(row: Mapping[str, Any]) -> dict[str, Any]:
    problem: Mapping[str, Any] = row["removalProblem"] or {}
    volumes = sum(vnfc["volumes"] for vnfc in row["vnfcs"])
    return {**row, "vnfcCount": len(row["vnfcs"]), "volumeCount": volumes, "problem": problem.get("detail")}
