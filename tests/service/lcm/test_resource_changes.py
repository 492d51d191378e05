"""resourceChanges of op occs (SOL003 5.5.2.13), on operations that really changed something."""

from typing import TYPE_CHECKING, Any

import pytest

from tests.support.etsi_schema import errors
from vnfm.clouds.errors import Rejected
from vnfm.lcm.domain.states import Operation

if TYPE_CHECKING:
    from collections.abc import Callable

    from rest_framework.test import APIClient

    from tests.service.lcm.lifecycle import Lifecycle
    from vnfm.lcm.models import LcmOpOcc

pytestmark = pytest.mark.django_db(transaction=True)

OUT = {"type": "SCALE_OUT", "aspectId": "data-path", "numberOfSteps": 1}
RECREATE = {"vnfcInstanceId": ["data-path/1"], "additionalParams": {"method": "recreate"}}
FORCEFUL = {"terminationType": "FORCEFUL"}


def resource_changes(api: "APIClient", op: "LcmOpOcc") -> dict[str, Any]:
    """The same in both editions, but for the ports that the older one does not know."""
    views = {edition: api.get(f"/vnflcm/{edition}/vnf_lcm_op_occs/{op.id}").json() for edition in ("v1", "v2")}
    for edition, view in views.items():
        assert errors("VnfLcmOpOcc", view, edition) == []
    found: dict[str, Any] = views["v2"].get("resourceChanges", {})
    older = {name: rows for name, rows in found.items() if name != "affectedExtLinkPorts"}
    if links := older.pop("affectedVirtualLinks", None):
        older["affectedVirtualLinks"] = [
            {"virtualLinkDescId" if name == "vnfVirtualLinkDescId" else name: value for name, value in row.items()}
            for row in links
        ]
    assert views["v1"].get("resourceChanges", {}) == older
    return found


def kinds(found: dict[str, Any]) -> dict[str, list[tuple[str, str]]]:
    vnfcs = [(row["metadata"]["slot"], row["changeType"]) for row in found.get("affectedVnfcs", ())]
    links = [(row["vnfVirtualLinkDescId"], row["changeType"]) for row in found.get("affectedVirtualLinks", ())]
    return {"vnfcs": sorted(vnfcs), "links": links}


def test_from_instantiation_to_termination(api: "APIClient", lifecycle: "Lifecycle") -> None:
    instance = lifecycle.create()
    done = lifecycle.done(instance, Operation.INSTANTIATE, lifecycle.instantiate_request())
    every = [(slot, "ADDED") for slot in ("1", "A", "B")]
    found = resource_changes(api, done)
    assert kinds(found) == {"vnfcs": every, "links": [("fabric", "ADDED")]}
    servers = {v.slot: v.server_id for v in instance.vnfcs.all()}
    rows = {row["metadata"]["slot"]: row["computeResource"]["resourceId"] for row in found["affectedVnfcs"]}
    assert rows == servers

    found = resource_changes(api, lifecycle.done(instance, Operation.SCALE, OUT))
    assert kinds(found) == {"vnfcs": [("2", "ADDED")], "links": []}
    (vnfc,) = found["affectedVnfcs"]
    ports = {row["id"]: row["changeType"] for row in found["affectedExtLinkPorts"]}
    assert ports == dict.fromkeys(vnfc["affectedVnfcCpIds"], "ADDED")
    assert len(ports) == 3, "management and two data ports face outwards"

    found = resource_changes(api, lifecycle.done(instance, Operation.HEAL, RECREATE))
    assert kinds(found) == {"vnfcs": [("1", "MODIFIED")], "links": []}
    assert found["affectedVnfcs"][0]["computeResource"]["resourceId"] != servers["1"]

    ended = lifecycle.done(instance, Operation.TERMINATE, FORCEFUL)
    every = [(slot, "REMOVED") for slot in ("1", "2", "A", "B")]
    assert kinds(resource_changes(api, ended)) == {"vnfcs": every, "links": [("fabric", "REMOVED")]}
    assert ended.record_before is None


def test_changes_of_a_failed_operation_and_of_its_rollback(
    api: "APIClient", lifecycle: "Lifecycle", break_cloud: "Callable[..., Any]"
) -> None:
    instance = lifecycle.instantiated()
    op = lifecycle.start(instance, Operation.SCALE, OUT)
    break_cloud("networks.ports", Rejected("sabotage", service="neutron", http_status=400), after=False)
    op = lifecycle.run(op.id)
    assert op.state == "FAILED_TEMP"
    assert resource_changes(api, op) == {}, "nothing of it is on record yet"
    op = lifecycle.handle(op, "rollback")
    assert op.state == "ROLLED_BACK"
    assert resource_changes(api, op) == {}


def test_changes_of_an_operation_marked_failed(
    api: "APIClient", lifecycle: "Lifecycle", break_cloud: "Callable[..., Any]"
) -> None:
    from vnfm.lcm.reconcilers.settle_failed import settle_failed

    instance = lifecycle.instantiated()
    op = lifecycle.start(instance, Operation.SCALE, OUT)
    break_cloud("networks.ports", Rejected("sabotage", service="neutron", http_status=400), after=False)
    op = lifecycle.handle(lifecycle.run(op.id), "fail")
    settle_failed(op.id)
    op.refresh_from_db()
    assert kinds(resource_changes(api, op)) == {"vnfcs": [("2", "ADDED")], "links": []}
