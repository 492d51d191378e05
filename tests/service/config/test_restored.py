"""The first start after a restore: what was under way is stopped, nothing acts by itself until it is released."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from rest_framework.test import APIClient

from tests.factories.catalog import onboarded
from tests.factories.deployed import make_deployed, make_vnfc
from tests.factories.elements import make_element
from tests.factories.inventory import make_instance
from tests.factories.packages import shipped_zip
from tests.service.automation.policy_bodies import POLICIES, heal
from tests.service.overview.operation_rows import operation
from vnfm.automation.models import AutomationStatus
from vnfm.automation.reconcilers.evaluation import evaluate_instance
from vnfm.config.restored import begin_hold_if_restored
from vnfm.configuration.models import ConfigurationJob
from vnfm.configuration.services.versions import version_record
from vnfm.elements.models import NetworkElement
from vnfm.inventory.models import UnclaimedResource, VimPollState
from vnfm.kit import clock
from vnfm.lcm.models import LcmOpOcc, Step
from vnfm.lcm.reconcilers.image_gc import collect_images
from vnfm.lcm.selectors.operations import op_actions
from vnfm.notifications.domain.retry import GIVE_UP_AFTER
from vnfm.notifications.models import Delivery, Subscription
from vnfm.notifications.reconcilers import delivery

pytestmark = pytest.mark.django_db(transaction=True)
BACKUP_AT = "2026-11-25 14:02:00+00"


def restore() -> str:
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE restored_from_backup (taken_at timestamptz, source text)")
        cursor.execute("INSERT INTO restored_from_backup VALUES (%s, 'night.backup')", [BACKUP_AT])
    return begin_hold_if_restored()


def waiting_delivery() -> Delivery:
    subscription = Subscription.objects.create(
        interface="VNFFM", callback_uri="http://127.0.0.1:1/", filter={}, settled_at=clock.now()
    )
    return Delivery.objects.create(
        subscription=subscription,
        event_id=1,
        notification_id=uuid4(),
        notification_type="AlarmNotification",
        subject_id=uuid4(),
        body={},
        created_at=clock.now() - timedelta(days=30),
    )


def get(api: APIClient, path: str = "/api/v1/restoration") -> dict[str, Any]:
    answer = api.get(path)
    assert answer.status_code == 200, answer.content
    return dict(answer.json())


def test_a_start_without_a_restore_holds_nothing(api: APIClient) -> None:
    assert begin_hold_if_restored() == ""
    assert get(api, "/api/v1/readiness")["onHoldFrom"] is None
    assert api.get("/api/v1/restoration").status_code == 404


def test_operations_under_way_are_stopped_after_a_restore() -> None:
    scaling, planned = make_deployed(), make_instance()
    op = operation(scaling, "PROCESSING", wake_at=clock.now())
    Step.objects.create(op=op, seq=1, kind="update_stack@1", title="Update", state="WAITING", receipt={"stack": "s"})
    start = operation(planned, "STARTING", operation="INSTANTIATE", params={}, wake_at=clock.now())
    unwinding = operation(make_deployed(), "ROLLING_BACK", wake_at=clock.now())
    element = make_element()
    kinds = ("PUSH", "BACKUP")
    jobs = [ConfigurationJob.objects.create(element=element, kind=kind, reason=kind[:5], by="ann") for kind in kinds]
    assert "3 operations and 1 changes of configurations were stopped" in restore()
    for row, state in ((op, "FAILED_TEMP"), (start, "ROLLED_BACK"), (unwinding, "FAILED_TEMP")):
        row.refresh_from_db()
        assert (row.state, row.problem["code"], row.wake_at) == (state, "RESTORED_FROM_BACKUP", None)
    assert "backup of 2026-11-25 14:02 UTC" in op.problem["detail"]
    assert [action.action for action in op_actions(op) if action.enabled] == ["retry", "rollback", "fail"]
    step = op.steps.get()
    assert (step.state, step.receipt) == ("FAILED", {"stack": "s"}), "retry finds what it had submitted"
    assert [ConfigurationJob.objects.get(id=job.id).state for job in jobs] == ["FAILED", "WAITING"]
    assert begin_hold_if_restored() == "", "once for each restore"


def test_nothing_acts_by_itself_until_an_administrator_releases_it(api: APIClient, operator_api: APIClient) -> None:
    instance = make_deployed(package=onboarded(shipped_zip()))
    assert api.post(POLICIES, heal(vnfInstanceId=str(instance.id)), format="json").status_code == 201
    row = waiting_delivery()
    restore()
    evaluate_instance(instance.id, clock.now())
    assert not AutomationStatus.objects.exists(), "no policy was evaluated"
    delivery.deliver(row.subscription_id)
    assert (delivery.sweep(clock.now()), collect_images()) == (0, 0)
    row.refresh_from_db()
    assert (row.state, row.attempts) == ("WAITING", 0)
    assert get(operator_api, "/api/v1/readiness")["onHoldFrom"] == "2026-11-25T14:02:00Z"
    assert operator_api.post("/api/v1/restoration/release").status_code == 403
    released = api.post("/api/v1/restoration/release")
    assert released.status_code == 200
    assert released.json()["releasedAt"] is not None
    assert api.post("/api/v1/restoration/release").status_code == 409
    evaluate_instance(instance.id, clock.now())
    assert AutomationStatus.objects.count() == 1
    assert delivery.sweep(clock.now()) == 1, "its subscriber is due"
    row.refresh_from_db()
    assert row.state == "WAITING", "its 24 hours begin with the release"
    delivery.sweep(clock.now() + GIVE_UP_AFTER + timedelta(minutes=1))
    row.refresh_from_db()
    assert row.state == "GIVEN_UP"


def test_it_shows_differences_and_its_progress(viewer_api: APIClient) -> None:
    drifted, gone = make_deployed(name="drifted"), make_deployed(name="gone")
    make_vnfc(drifted, "iom/1")
    restore()
    found = get(viewer_api)
    assert (found["takenAt"], found["backup"]) == ("2026-11-25T14:02:00Z", "night.backup")
    assert (found["clouds"], found["cloudsCompared"]) == (2, 0)
    now = clock.now()
    for instance in (drifted, gone):
        assert instance.vim is not None
        VimPollState.objects.update_or_create(vim=instance.vim, defaults={"full_at": now, "servers_at": now})
    gone.stack_status = "MISSING"
    gone.save()
    UnclaimedResource.objects.create(
        vim=drifted.vim,
        kind="stack",
        resource_id="s1",
        name="later",
        ours=True,
        first_seen_at=now - timedelta(minutes=2),
        last_seen_at=now,
    )
    make_element(name="r1", reachable="False", reachable_message="No answer by SNMP.")
    found = get(viewer_api)
    assert found["cloudsCompared"] == 2
    kinds = {(each["kind"], each["name"]) for each in found["differences"]}
    assert {("STACK_UNCLAIMED", "later"), ("INSTANCE_DRIFTED", "gone"), ("ELEMENT_UNREACHABLE", "r1")} <= kinds
    assert found["differenceCount"] == len(found["differences"])


def record(element: NetworkElement, text: str, reason: str = "SCHEDULE") -> None:
    version_record(element=element, text=text, reason=reason, by="test", now=clock.now())


def backup_ended(element: NetworkElement, state: str, problem: dict[str, str] | None = None) -> None:
    columns = {"state": state, "problem": problem, "ended_at": clock.now()}
    ConfigurationJob.objects.create(element=element, kind="BACKUP", reason="SCHEDULE", by="restore", **columns)


def test_a_router_is_compared_when_its_configuration_was_read_again(viewer_api: APIClient) -> None:
    names = ("same", "changed", "refuses", "no-login", "waits")
    routers = {name: make_element(name=name) for name in names}
    for router in routers.values():
        record(router, "of the backup")
    make_element(name="never-backed-up")
    restore()
    NetworkElement.objects.update(observed_at=clock.now(), reachable="True")
    record(routers["same"], "of the backup")
    record(routers["changed"], "of the evening")
    for name in ("same", "changed"):
        backup_ended(routers[name], "DONE")
    backup_ended(routers["refuses"], "FAILED", {"detail": "It refuses the password."})
    ConfigurationJob.objects.create(element=routers["waits"], kind="BACKUP", reason="SCHEDULE", by="restore")
    record(routers["same"], "pushed by ann", "PUSH")
    record(routers["same"], "changed by bob, two days later", "CHANGE")
    record(routers["waits"], "pushed by ann", "PUSH")
    found = get(viewer_api)
    assert (found["elements"], found["elementsCompared"]) == (6, 3), "same, changed, never-backed-up"
    differences = [(each["kind"], each["name"]) for each in found["differences"]]
    assert differences == [
        ("CONFIGURATION_CHANGED", "changed"),
        ("CONFIGURATION_UNKNOWN", "no-login"),
        ("CONFIGURATION_UNKNOWN", "refuses"),
    ]
    assert "there was no login" in found["differences"][1]["message"]
    assert found["differences"][2]["message"].endswith(": It refuses the password.")


def test_an_interrupted_operation_is_listed_until_it_is_decided(viewer_api: APIClient) -> None:
    op = operation(make_deployed(name="scaled"), "PROCESSING")
    restore()
    [found] = [each for each in get(viewer_api)["differences"] if each["kind"] == "OPERATION_INTERRUPTED"]
    assert found["name"] == "scaled"
    LcmOpOcc.objects.filter(id=op.id).update(state="COMPLETED")
    assert "OPERATION_INTERRUPTED" not in {each["kind"] for each in get(viewer_api)["differences"]}
