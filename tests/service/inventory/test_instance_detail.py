"""/api/v1/vnf_instances: what the instance page shows."""

from datetime import timedelta
from typing import Any

import pytest
from rest_framework.test import APIClient

from tests.factories.catalog import onboarded
from tests.factories.deployed import make_deployed, make_reachable_vim, make_vnfc
from tests.factories.packages import VMG, shipped_zip
from vnfm.inventory.models import VimPollState, Vnfc, VnfInstance, VnfVirtualLink
from vnfm.kit import clock
from vnfm.lcm.models import LcmOpOcc
from vnfm.vims.models import Vim

pytestmark = [pytest.mark.django_db, pytest.mark.urls("vnfm.lcm.api.urls")]
INSTANCES = "/api/v1/vnf_instances"


@pytest.fixture
def instance() -> VnfInstance:
    """A small VSR-PE, looked at just now."""
    now = clock.now()
    vim = make_reachable_vim(reachable_observed_at=now)
    VimPollState.objects.create(vim=vim, servers_at=now, stacks_at=now)
    made = make_deployed(
        vim,
        package=onboarded(shipped_zip()),
        flavour_id="default",
        scale_levels={"data-path": 0},
        settings={"system_name": "pe-1"},
    )
    make_vnfc(made, "iom-1", vdu="data-path", slot="1", port="ACTIVE")
    make_vnfc(made, "cpm-B", vdu="control", slot="B")
    make_vnfc(made, "cpm-A", vdu="control", slot="A")
    VnfVirtualLink.objects.create(instance=made, vl_id="fabric", network_id="n", name="fabric", created_by_stack=True)
    return made


def detail_of(client: APIClient, instance: VnfInstance) -> Any:
    answer = client.get(f"{INSTANCES}/{instance.id}")
    assert answer.status_code == 200, answer.json()
    return answer.json()


def conditions(body: Any) -> dict[str, tuple[str, str]]:
    return {condition["type"]: (condition["status"], condition["reason"]) for condition in body["conditions"]}


def test_an_instance_that_is_well(viewer_api: APIClient, instance: VnfInstance) -> None:
    body = detail_of(viewer_api, instance)
    assert conditions(body) == {
        "Available": ("True", "AllRunning"),
        "Progressing": ("False", "Idle"),
        "InSync": ("True", "AsDesired"),
        "VimReachable": ("True", "Answers"),
    }
    assert [(vnfc["slot"], vnfc["status"]) for vnfc in body["vnfcs"]] == [
        ("A", "ACTIVE"),
        ("B", "ACTIVE"),
        ("1", "ACTIVE"),
    ]
    assert body["vnfcs"][2]["ports"][0]["cpId"] == "mgmt"
    assert body["vnfcs"][2]["title"] == "Slot 1 (Data path VM)"
    assert body["scale"] == [{"aspectId": "data-path", "name": "Data path", "level": 0, "maxLevel": 19}]
    assert body["settings"] == {"system_name": "pe-1"}
    assert body["networks"] == [{"id": "n", "vlId": "fabric", "name": "fabric", "external": False}]
    assert body["stack"]["status"] == "CREATE_COMPLETE"
    assert {a["action"] for a in body["actions"] if a["enabled"]} >= {"scale", "scale_to_level", "terminate"}
    assert (body["runningOpOccId"], body["drift"], body["version"]) == (None, [], 1)


def test_pairs_say_whose_mate_each_is(viewer_api: APIClient) -> None:
    made = make_deployed(
        package=onboarded(shipped_zip(VMG)),
        flavour_id="default",
        scale_levels={"lb": 0, "mg-groups": 0},
        member_slots={"mg": {"slots": {"0": "3", "1": "4"}, "nextIndex": 2}},
    )
    for name, vdu, slot in (("oam-A", "oam", "A"), ("mg-3", "mg", "3"), ("mg-4", "mg", "4")):
        make_vnfc(made, name, vdu=vdu, slot=slot)
    vnfcs = detail_of(viewer_api, made)["vnfcs"]
    pairs = {vnfc["slot"]: (vnfc["mateSlot"], vnfc["pairRole"]) for vnfc in vnfcs}
    assert pairs == {"A": ("", ""), "3": ("4", "working"), "4": ("3", "protect")}


def test_freshness_comes_from_the_vims_last_look(viewer_api: APIClient, instance: VnfInstance) -> None:
    body = detail_of(viewer_api, instance)
    looked = VimPollState.objects.get().servers_at
    assert looked is not None
    assert all(vnfc["observedAt"] == f"{looked:%Y-%m-%dT%H:%M:%S.%fZ}" for vnfc in body["vnfcs"])


def test_a_stopped_vm(viewer_api: APIClient, instance: VnfInstance) -> None:
    Vnfc.objects.filter(name="iom-1").update(status="SHUTOFF")
    body = detail_of(viewer_api, instance)
    assert conditions(body)["Available"] == ("False", "VduDown")
    assert [(item["kind"], item["subject"]) for item in body["drift"]] == [("stopped", "iom-1")]


def test_an_unreachable_vim_shows_unknown_and_keeps_the_last_observation(
    viewer_api: APIClient, instance: VnfInstance
) -> None:
    Vim.objects.update(reachable="False", reachable_reason="Unreachable", reachable_since=clock.now())
    body = detail_of(viewer_api, instance)
    assert {(vnfc["status"], vnfc["lastKnownStatus"]) for vnfc in body["vnfcs"]} == {("UNKNOWN", "ACTIVE")}
    assert conditions(body)["Available"] == ("Unknown", "NotObserved")
    assert conditions(body)["VimReachable"] == ("False", "Unreachable")


def test_without_polls_it_shows_unknown_too(viewer_api: APIClient, instance: VnfInstance) -> None:
    long_ago = clock.now() - timedelta(minutes=10)
    VimPollState.objects.update(servers_at=long_ago)
    Vim.objects.update(reachable_observed_at=long_ago)
    body = detail_of(viewer_api, instance)
    assert {vnfc["status"] for vnfc in body["vnfcs"]} == {"UNKNOWN"}
    assert conditions(body)["VimReachable"] == ("Unknown", "NotObserved")


def test_a_running_operation(viewer_api: APIClient, instance: VnfInstance) -> None:
    running = LcmOpOcc.objects.create(
        instance=instance,
        instance_uuid=instance.id,
        operation="SCALE",
        state="PROCESSING",
        params={},
        deadline=clock.now(),
    )
    body = detail_of(viewer_api, instance)
    assert body["runningOpOccId"] == str(running.id)
    assert conditions(body)["Progressing"] == ("True", "OperationRunning")
    assert not any(action["enabled"] for action in body["actions"])
    assert "Scaling is under way" in body["actions"][0]["disabledReason"]


def test_the_list_costs_the_same_for_many(
    viewer_api: APIClient, instance: VnfInstance, django_assert_max_num_queries: Any
) -> None:
    for number in range(12):
        more = make_deployed(instance.vim, package=instance.package, name=f"more-{number}", flavour_id="default")
        make_vnfc(more, "iom-1", vdu="data-path", slot="1")
    viewer_api.get(INSTANCES)
    with django_assert_max_num_queries(12):
        rows = viewer_api.get(INSTANCES).json()
    assert len(rows) == 13
    assert rows[0]["vnfcCount"] == 3
    only = viewer_api.get(INSTANCES, {"filter": "(eq,name,more-3)"}).json()
    assert [row["name"] for row in only] == ["more-3"]


def test_there_is_none(viewer_api: APIClient) -> None:
    assert viewer_api.get(f"{INSTANCES}/00000000-0000-0000-0000-000000000000").status_code == 404
