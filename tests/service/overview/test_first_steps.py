"""/api/v1/first_steps: what a new user can try, ticked off by what the database shows."""

from datetime import timedelta
from typing import Any

import pytest
from rest_framework.test import APIClient

from tests.factories.alarms import make_alarm
from tests.factories.deployed import make_deployed
from tests.factories.elements import make_element
from tests.service.overview.operation_rows import operation
from vnfm.kit import clock
from vnfm.lcm.models import Step
from vnfm.overview.domain.first_steps import FirstStep, StepName, is_visible

pytestmark = pytest.mark.django_db

STEPS = ["VIEW_ELEMENT", "INSTANTIATE", "MANAGE_VNF", "SCALE_OUT", "CLEAR_ALARM"]


def get(api: APIClient) -> Any:
    answer = api.get("/api/v1/first_steps")
    assert answer.status_code == 200, answer.json()
    return answer.json()


def patch(api: APIClient, **body: bool) -> Any:
    answer = api.patch("/api/v1/first_steps", body, format="json")
    assert answer.status_code == 200, answer.json()
    return answer.json()


def done(found: Any) -> list[str]:
    return [step["name"] for step in found["steps"] if step["doneAt"]]


def test_a_new_user_gets_five_steps_that_are_not_done(viewer_api: APIClient) -> None:
    found = get(viewer_api)
    assert found["shown"]
    assert [step["name"] for step in found["steps"]] == STEPS
    assert not done(found)
    assert {step["objectId"] for step in found["steps"]} == {""}


def test_each_step_is_ticked_off_by_the_real_state(viewer_api: APIClient) -> None:
    instance = make_deployed()
    router, virtual = make_element(), make_element(kind="VIRTUAL", vnf_instance=instance)
    assert not done(get(viewer_api))
    assert done(patch(viewer_api, elementViewed=True)) == STEPS[:1]
    first = operation(instance, "COMPLETED", operation="INSTANTIATE")
    assert done(get(viewer_api)) == STEPS[:2]
    step = Step.objects.create(op=first, seq=1, kind="verify_service@1", title="t", state="RUNNING")
    assert done(get(viewer_api)) == STEPS[:2], "its router does not serve yet"
    Step.objects.filter(pk=step.pk).update(state="DONE")
    assert done(get(viewer_api)) == STEPS[:3]
    operation(instance, "COMPLETED", params={"type": "SCALE_IN"})
    operation(instance, "FAILED", params={"type": "SCALE_OUT"})
    assert done(get(viewer_api)) == STEPS[:3]
    operation(instance, "COMPLETED", params={"type": "SCALE_OUT"})
    assert done(get(viewer_api)) == STEPS[:4]
    of_router = {"managed_object_type": "NETWORK_ELEMENT", "managed_object_id": router.id, "fault_type": "PortDown"}
    alarm = make_alarm(**of_router)
    make_alarm(**{**of_router, "managed_object_id": virtual.id, "cleared_at": clock.now()})
    assert done(get(viewer_api)) == STEPS[:4], "it is raised and not cleared; that of a VNF that starts is no user's"
    alarm.cleared_at = clock.now()
    alarm.save()
    found = get(viewer_api)
    assert done(found) == STEPS
    assert found["shown"]
    named = {step["name"]: step["objectName"] for step in found["steps"]}
    assert (named["VIEW_ELEMENT"], named["MANAGE_VNF"]) == (router.name, virtual.name)


def test_each_user_dismisses_them_alone(viewer_api: APIClient, operator_api: APIClient) -> None:
    assert not patch(viewer_api, dismissed=True)["shown"]
    assert not get(viewer_api)["shown"]
    assert get(operator_api)["shown"]
    assert patch(viewer_api, dismissed=False)["shown"]


def test_looking_twice_changes_nothing(viewer_api: APIClient) -> None:
    first = patch(viewer_api, elementViewed=True)
    assert patch(viewer_api, elementViewed=True) == first


def test_steps_that_are_done_go_after_an_hour() -> None:
    now = clock.now()
    steps = [FirstStep(name, now - timedelta(minutes=59)) for name in StepName]
    assert is_visible(steps, dismissed=False, now=now)
    assert not is_visible(steps, dismissed=True, now=now)
    assert not is_visible(steps, dismissed=False, now=now + timedelta(minutes=2))
    assert is_visible(
        [*steps[1:], FirstStep(StepName.VIEW_ELEMENT, None)], dismissed=False, now=now + timedelta(days=9)
    )
