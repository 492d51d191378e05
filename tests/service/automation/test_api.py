"""/api/v1/automation_policies from the outside."""

from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from rest_framework.test import APIClient

from tests.factories.catalog import onboarded
from tests.factories.deployed import make_deployed
from tests.factories.inventory import make_instance
from tests.factories.packages import shipped_zip
from tests.service.automation.policy_bodies import POLICIES, heal
from vnfm.automation.models import AutomationDecision, AutomationPolicy, AutomationStatus
from vnfm.automation.services.triggers import AUTOMATION_TRIGGER
from vnfm.catalog.models import VnfPackage
from vnfm.inventory.models import VnfInstance
from vnfm.kit import clock
from vnfm.kit.models import OutboxEvent
from vnfm.lcm.services.instances import vnf_instance_delete

pytestmark = pytest.mark.django_db
SCALE = {
    "aspectId": "data-path",
    "source": "CLOUD_ALARM",
    "metric": "cpu high",
    "out": {"above": 0.5, "forSeconds": 60},
    "in": None,
}


@pytest.fixture
def package() -> VnfPackage:
    return onboarded(shipped_zip())


@pytest.fixture
def instance(package: VnfPackage) -> VnfInstance:
    return make_instance(package=package, name="vsr-1")


def scale(**more: Any) -> dict[str, Any]:
    return {"name": "scale", "kind": "SCALE", "coolDownSeconds": 300, "actionsPerHour": 3, "scale": SCALE, **more}


def create(api: APIClient, body: dict[str, Any]) -> dict[str, Any]:
    answer = api.post(POLICIES, body, format="json")
    assert answer.status_code == 201, answer.json()
    return dict(answer.json())


def refused(api: APIClient, body: dict[str, Any], status: int = 422) -> dict[str, str]:
    """The errors by field."""
    answer = api.post(POLICIES, body, format="json")
    assert answer.status_code == status, answer.json()
    return {error["field"]: error["message"] for error in answer.json()["errors"]}


def test_a_policy_is_created_and_read_back(operator_api: APIClient, instance: VnfInstance) -> None:
    answer = operator_api.post(POLICIES, heal(vnfInstanceId=str(instance.id), description="Night shift"), format="json")
    assert answer.status_code == 201, answer.json()
    policy = answer.json()
    assert answer["Location"].endswith(f"{POLICIES}/{policy['id']}")
    assert answer["ETag"] == '"1"'
    assert {key: policy[key] for key in ("name", "kind", "state", "dryRun", "heal", "scale", "vnfInstanceName")} == {
        "name": "heal",
        "kind": "HEAL",
        "state": "ENABLED",
        "dryRun": False,
        "heal": {"forSeconds": 30},
        "scale": None,
        "vnfInstanceName": "vsr-1",
    }
    assert [(c["type"], c["status"], c["reason"]) for c in policy["conditions"]] == [("Watching", "True", "Watching")]
    assert operator_api.get(f"{POLICIES}/{policy['id']}").json() == policy
    assert operator_api.get(POLICIES).json() == [policy]
    assert operator_api.get(f"{POLICIES}?filter=(eq,kind,SCALE)").json() == []
    assert OutboxEvent.objects.filter(topic="automation_policy.changed", aggregate_id=policy["id"]).count() == 1


def test_a_policy_that_scales_says_that_nothing_is_known_yet(operator_api: APIClient, package: VnfPackage) -> None:
    policy = create(operator_api, scale(vnfPkgId=str(package.id)))
    assert policy["scale"] == SCALE
    assert policy["vnfProductName"] == package.product_name
    (condition,) = policy["conditions"]
    assert (condition["status"], condition["reason"]) == ("Unknown", "NotLookedYet")


def test_a_value_that_the_vnfd_lacks_is_refused_at_its_field(operator_api: APIClient, instance: VnfInstance) -> None:
    (error,) = refused(operator_api, scale(vnfInstanceId=str(instance.id), scale={**SCALE, "aspectId": "legs"})).items()
    assert error == ("/scale/aspectId", "The VNFD has no scaling aspect 'legs' here; it has data-path.")


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"vnfInstanceId": None}, "/vnfInstanceId"),
        ({"vnfInstanceId": str(uuid4())}, "/vnfInstanceId"),
        ({"vnfInstanceId": None, "vnfPkgId": str(uuid4())}, "/vnfPkgId"),
        ({"scale": None}, "/scale"),
        ({"heal": {"forSeconds": 3}}, "/heal"),
        ({"scale": {**SCALE, "out": None}}, "/scale/out"),
        ({"scale": {**SCALE, "in": {"below": 0.5, "forSeconds": 5}}}, "/scale/in/below"),
    ],
)
def test_invalid_policies_are_refused_at_their_field(
    operator_api: APIClient, instance: VnfInstance, changes: dict[str, Any], field: str
) -> None:
    assert set(refused(operator_api, scale(vnfInstanceId=str(instance.id)) | changes)) == {field}
    assert not AutomationPolicy.objects.exists()


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"actionsPerHour": 0}, "/actionsPerHour"),
        ({"coolDownSeconds": -1}, "/coolDownSeconds"),
        ({"heal": {"forSeconds": 86_401}}, "/heal/forSeconds"),
        ({"kind": "PRAY"}, "/kind"),
        ({"coolDown": 5}, "/coolDown"),
    ],
)
def test_a_malformed_value_is_refused_at_its_field(
    operator_api: APIClient, instance: VnfInstance, changes: dict[str, Any], field: str
) -> None:
    assert set(refused(operator_api, heal(vnfInstanceId=str(instance.id)) | changes, 400)) == {field}


def test_a_threshold_is_a_number_that_one_can_compare_with(operator_api: APIClient, instance: VnfInstance) -> None:
    body = scale(vnfInstanceId=str(instance.id), scale={**SCALE, "out": {"above": "nan", "forSeconds": 5}})
    assert set(refused(operator_api, body, 400)) == {"/scale/out/above"}


@pytest.mark.parametrize(
    ("rule", "fields"),
    [
        ({"aspectId": "data-path"}, {"/scale/source", "/scale/metric", "/scale/out"}),
        ({**SCALE, "out": {"above": 3}}, {"/scale/out"}),
        ({**SCALE, "in": {"forSeconds": 3}}, {"/scale/in"}),
    ],
)
def test_a_change_gives_the_rule_whole(
    operator_api: APIClient, instance: VnfInstance, rule: dict[str, Any], fields: set[str]
) -> None:
    url = f"{POLICIES}/{create(operator_api, scale(vnfInstanceId=str(instance.id)))['id']}"
    answer = operator_api.patch(url, {"scale": rule}, format="json")
    assert answer.status_code == 422
    assert {error["field"] for error in answer.json()["errors"]} == fields
    assert operator_api.get(url).json()["scale"] == SCALE


def test_names_are_unique(operator_api: APIClient, instance: VnfInstance) -> None:
    create(operator_api, heal(vnfInstanceId=str(instance.id)))
    assert set(refused(operator_api, heal(vnfInstanceId=str(instance.id)), 409)) == {"/name"}


def test_a_change_needs_the_version_that_was_read(operator_api: APIClient, instance: VnfInstance) -> None:
    url = f"{POLICIES}/{create(operator_api, heal(vnfInstanceId=str(instance.id)))['id']}"
    changed = operator_api.patch(url, {"state": "PAUSED", "dryRun": True}, format="json", headers={"If-Match": '"1"'})
    assert (changed.status_code, changed["ETag"], changed.json()["state"]) == (200, '"2"', "PAUSED")
    assert changed.json()["conditions"][0]["reason"] == "Paused"
    assert changed.json()["heal"] == {"forSeconds": 30}, "what was not sent stays"
    stale = operator_api.patch(url, {"dryRun": False}, format="json", headers={"If-Match": '"1"'})
    assert stale.status_code == 412
    assert operator_api.delete(url, headers={"If-Match": '"1"'}).status_code == 412
    assert operator_api.delete(url, headers={"If-Match": '"2"'}).status_code == 204
    assert operator_api.get(url).status_code == 404


def test_kind_and_instance_of_a_policy_cannot_be_changed(operator_api: APIClient, instance: VnfInstance) -> None:
    policy = create(operator_api, heal(vnfInstanceId=str(instance.id)))
    url = f"{POLICIES}/{policy['id']}"
    answer = operator_api.patch(url, {"kind": "SCALE", "vnfInstanceId": str(uuid4())}, format="json")
    assert answer.status_code == 422
    assert {error["field"] for error in answer.json()["errors"]} == {"/kind", "/vnfInstanceId"}
    same = operator_api.patch(url, {"kind": "HEAL", "vnfInstanceId": str(instance.id)}, format="json")
    assert same.status_code == 200, "what GET gave may be sent back"


def test_viewers_read_and_operators_write(
    viewer_api: APIClient, operator_api: APIClient, instance: VnfInstance
) -> None:
    body = heal(vnfInstanceId=str(instance.id))
    assert viewer_api.post(POLICIES, body, format="json").status_code == 403
    url = f"{POLICIES}/{create(operator_api, body)['id']}"
    assert viewer_api.get(f"{url}/decisions").status_code == 200
    assert viewer_api.patch(url, {}, format="json").status_code == 403
    assert viewer_api.post(f"{url}/resume").status_code == 403
    assert viewer_api.delete(url).status_code == 403


def test_resuming_an_active_policy_is_refused(operator_api: APIClient, instance: VnfInstance) -> None:
    url = f"{POLICIES}/{create(operator_api, heal(vnfInstanceId=str(instance.id)))['id']}"
    assert operator_api.post(f"{url}/resume").status_code == 409
    now = clock.now()
    AutomationStatus.objects.create(
        policy=AutomationPolicy.objects.get(),
        instance=instance,
        outcome="HELD_BACK",
        reason="LIMIT_REACHED",
        since=now,
        stopped_at=now,
        message="It has acted 3 times within an hour.",
    )
    before = operator_api.get(url).json()["conditions"][0]
    assert (before["status"], before["reason"]) == ("False", "LimitReached")
    after = operator_api.post(f"{url}/resume")
    assert (after.status_code, after.json()["conditions"][0]["reason"]) == (200, "Watching")


def test_the_trail_is_listed_latest_first_and_filtered(operator_api: APIClient, instance: VnfInstance) -> None:
    url = f"{POLICIES}/{create(operator_api, heal(vnfInstanceId=str(instance.id)))['id']}/decisions"
    policy, op_id = AutomationPolicy.objects.get(), uuid4()
    for outcome, reason, op in (("HELD_BACK", "NOT_YET", None), ("ACTED", "DUE", op_id)):
        AutomationDecision.objects.create(
            policy=policy,
            instance=instance,
            at=clock.now(),
            outcome=outcome,
            reason=reason,
            message="Why.",
            rule="A rule.",
            evidence=[{"cause": "c", "subject": "s", "words": "w", "since": "2016-02-09T14:05:00+00:00"}],
            op_id=op,
        )
    rows = operator_api.get(url).json()
    assert [(row["outcome"], row["vnfLcmOpOccId"]) for row in rows] == [("ACTED", str(op_id)), ("HELD_BACK", None)]
    assert rows[0]["vnfInstanceName"] == "vsr-1"
    assert rows[0]["seen"][0]["words"] == "w"
    assert len(operator_api.get(f"{url}?filter=(eq,outcome,ACTED)").json()) == 1
    assert operator_api.get(f"{POLICIES}/{uuid4()}/decisions").status_code == 404


def test_lists_cost_the_same_number_of_queries_however_long(
    operator_api: APIClient, package: VnfPackage, django_assert_max_num_queries: Any
) -> None:
    for number in range(8):
        create(operator_api, heal(name=f"heal-{number}", vnfInstanceId=str(make_instance(package=package).id)))
    with django_assert_max_num_queries(6):
        assert len(operator_api.get(POLICIES).json()) == 8


def test_a_deleted_instance_takes_its_policies_with_it(operator_api: APIClient, instance: VnfInstance) -> None:
    url = f"{POLICIES}/{create(operator_api, heal(vnfInstanceId=str(instance.id)))['id']}"
    vnf_instance_delete(instance_id=instance.id)
    assert operator_api.get(url).status_code == 404


def test_only_events_that_a_policy_may_hold_for_enqueue_a_task(
    operator_api: APIClient, package: VnfPackage, django_capture_on_commit_callbacks: Any
) -> None:
    create(operator_api, heal(vnfPkgId=str(package.id)))
    concerned, stranger = make_instance(package=package), make_deployed()

    def rings(topic: str, payload: dict[str, Any]) -> int:
        event = OutboxEvent.objects.create(topic=topic, aggregate_id=uuid4(), version=1, payload=payload)
        connection.run_on_commit.clear()  # each event has a transaction of its own
        with django_capture_on_commit_callbacks() as calls:
            AUTOMATION_TRIGGER.handle(event)  # type: ignore[arg-type]  # the row has what an event has
        return len(calls)

    assert rings("alarm.changed", {"managedObjectId": str(concerned.id)}) == 1
    assert rings("op_occ.changed", {"instanceId": str(concerned.id)}) == 1
    assert rings("op_occ.changed", {}) == 0
    assert rings("alarm.changed", {"managedObjectId": str(stranger.id)}) == 0
