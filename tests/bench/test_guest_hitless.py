"""Packets that customers lose when a router of a VNF is added, removed, healed or upgraded: with drain, and without.

As `test_guest_faults`: two routers, 2,000 packets a second in sixteen flows. BENCH_HITLESS_ROUNDS is how often each
operation is made both ways (3).
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.bench.guest_testbed import IMAGE, Testbed, guest_testbed
from tests.factories.packages import ROOT, edited, shipped_files, zipped

pytestmark = [pytest.mark.bench, pytest.mark.timeout(7200)]

ROUNDS = int(os.environ.get("BENCH_HITLESS_ROUNDS", "3"))
BUDGETS = json.loads((Path(__file__).parent / "budgets.json").read_text())["guest_hitless"]
PACKAGE = ROOT / "catalog" / "open" / "frr-router" / "8.4.4"
FIRST_VNFD, NEXT_VNFD = "6f1d6b5c-43c5-4c5e-9d0f-2f1a6c0f8442", "6f1d6b5c-43c5-4c5e-9d0f-2f1a6c0f8443"
NEXT_IMAGE = "frr-router-next"

Begin = Callable[[Testbed, Mapping[str, Any]], None]


def _task(testbed: Testbed, task: str, body: Mapping[str, Any]) -> None:
    path = f"/vnflcm/v2/vnf_instances/{testbed.instance_id}/{task}"
    op = testbed.product.over(testbed.product.post(path, body).headers["Location"], 600)
    assert op["operationState"] == "COMPLETED", json.dumps(op.get("error"))


def _scale(kind: str) -> Begin:
    def begin(testbed: Testbed, params: Mapping[str, Any]) -> None:
        body = {"type": kind, "aspectId": "routers", "numberOfSteps": 1}
        _task(testbed, "scale", {**body, "additionalParams": params} if params else body)

    return begin


def _heal(testbed: Testbed, params: Mapping[str, Any]) -> None:
    """A planned one: a reboot of a router that works."""
    _task(testbed, "heal", {"vnfcInstanceId": [testbed.vnfcs()[0]["id"]], "additionalParams": {**params}})


def _stop_and_start(testbed: Testbed, params: Mapping[str, Any]) -> None:
    named = {"vnfcInstanceId": [testbed.vnfcs()[0]["id"]]}
    _task(testbed, "operate", {"changeStateTo": "STOPPED", **named, "additionalParams": {**params}})
    _task(testbed, "operate", {"changeStateTo": "STARTED", **named})


def _upgrade(testbed: Testbed, params: Mapping[str, Any]) -> None:
    """The VNF is changed to the other of two packages, each with an image of its own: router by router."""
    now = testbed.api.get(f"/api/v1/vnf_instances/{testbed.instance_id}")["vnfdId"]
    other, image = (FIRST_VNFD, "frr-router") if now == NEXT_VNFD else (NEXT_VNFD, NEXT_IMAGE)
    _task(testbed, "change_vnfpkg", {"vnfdId": other, "additionalParams": {"image": image, **params}})


@pytest.fixture(scope="module")
def testbed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Testbed]:
    with guest_testbed(tmp_path_factory.mktemp("hitless"), "bench-0066") as made:
        made.flow.cloud.connection.create_image(
            NEXT_IMAGE,
            filename=IMAGE,
            disk_format="qcow2",
            container_format="bare",
            wait=True,
            os_shutdown_timeout="10",
        )
        successor = {"vnfdId": NEXT_VNFD, "vnfdVersion": "1.2", "productName": "FRR router"}
        made.product.onboard(zipped(edited("vnfd.yaml", lambda vnfd: vnfd.update(successor), shipped_files(PACKAGE))))
        yield made


OPERATIONS: Mapping[str, Begin] = {
    "scale out": _scale("SCALE_OUT"),
    "scale in": _scale("SCALE_IN"),
    "planned heal": _heal,
    "stop and start": _stop_and_start,
    "upgrade": _upgrade,
}
WAYS: Mapping[str, Mapping[str, Any]] = {"with drain": {}, "without": {"drain": False}}


def _measured(testbed: Testbed, begin: Begin, params: Mapping[str, Any]) -> dict[str, Any]:
    testbed.at_rest()
    mark = testbed.samples.mark()
    begin(testbed, params)
    testbed.at_rest()
    loss = testbed.loss(mark, set())
    return {"lost": loss.siblings, "sent": loss.sent, "gap": round(loss.gap, 3)}


def test_packets_lost(testbed: Testbed, record_property: pytest.RecordProperty) -> None:
    figures: dict[str, dict[str, list[dict[str, Any]]]] = {}
    for _ in range(ROUNDS):
        for way, params in WAYS.items():
            for name, begin in OPERATIONS.items():
                given = {} if name == "scale out" else params  # nothing goes
                found = _measured(testbed, begin, given)
                figures.setdefault(name, {}).setdefault(way, []).append(found)
                print(name, way, found, "load", round(os.getloadavg()[0]), flush=True)
    for name, ways in figures.items():
        per_million = {way: _per_million(rows) for way, rows in ways.items()}
        record_property(name, per_million)
        print(f"\n{name}: packets lost of 1,000,000: {json.dumps(per_million)}")
    lost = {name: _per_million(ways["with drain"]) for name, ways in figures.items()}
    assert max(lost.values()) <= BUDGETS["lost_of_a_million"], lost


def _per_million(rows: list[dict[str, Any]]) -> int:
    return round(1_000_000 * sum(row["lost"] for row in rows) / sum(row["sent"] for row in rows))
