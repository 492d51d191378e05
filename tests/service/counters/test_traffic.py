"""Reports of traffic probes of a VNF are stored, shown over time, and written into the stories of its operations."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from psycopg_pool import ConnectionPool
from rest_framework.test import APIClient

from tests.factories.inventory import make_instance
from vnfm.inventory.models import VnfInstance
from vnfm.kit import clock
from vnfm.lcm.models import LcmOpOcc

pytestmark = pytest.mark.django_db(transaction=True)
PATH, BACK = "customer-1 → customer-2", "customer-2 → customer-1"


@pytest.fixture
def instance(telemetry: ConnectionPool) -> VnfInstance:
    return make_instance()


def sample(at: datetime, **more: Any) -> dict[str, Any]:
    return {"path": PATH, "at": at.isoformat(), "seconds": 1.0, "sent": 1000, "lost": 0, "gap": 0.001, **more}


def where(instance: VnfInstance) -> str:
    return f"/api/v1/vnf_instances/{instance.id}/traffic"


def report(api: APIClient, instance: VnfInstance, *samples: dict[str, Any]) -> Any:
    return api.post(where(instance), {"samples": [*samples]}, format="json")


def test_losses_show_in_their_step_and_in_the_totals(operator_api: APIClient, instance: VnfInstance) -> None:
    begin = clock.now().replace(microsecond=0) - timedelta(seconds=10)
    lossy = sample(begin + timedelta(seconds=3), lost=41, gap=0.042)
    assert report(operator_api, instance, sample(begin), lossy, sample(begin, path=BACK)).status_code == 204
    query = {"from": begin.isoformat(), "to": (begin + timedelta(seconds=4)).isoformat(), "step": 2}
    answer = operator_api.get(where(instance), query).json()
    paths = {each["path"]: each for each in answer["paths"]}
    assert (paths[PATH]["sent"], paths[PATH]["lost"], paths[PATH]["gap"]) == (2000, 41, 0.042)
    assert [(step["seconds"], step["lost"], step["gap"]) for step in paths[PATH]["steps"]] == [
        (1.0, 0.0, 0.001), (1.0, 41.0, 0.042),
    ]  # fmt: skip
    assert paths[BACK]["lost"] == 0


def test_a_report_that_is_sent_again_changes_nothing(operator_api: APIClient, instance: VnfInstance) -> None:
    one = sample(clock.now() - timedelta(seconds=5), lost=7)
    for _ in range(2):
        assert report(operator_api, instance, one).status_code == 204
    (path,) = operator_api.get(where(instance)).json()["paths"]
    assert path["lost"] == 7


@pytest.mark.parametrize(
    ("change", "status", "words"),
    [
        ({"lost": 1001}, 400, "More were lost than sent."),
        ({"seconds": 61}, 400, "less than or equal to 60"),
        ({"at": "2015-01-01T00:00:00Z"}, 422, "is no time of the last day"),
    ],
)
def test_impossible_values_are_refused(
    operator_api: APIClient, instance: VnfInstance, change: dict[str, Any], status: int, words: str
) -> None:
    answer = report(operator_api, instance, sample(clock.now()) | change)
    assert answer.status_code == status
    assert words in str(answer.json())


def test_an_instance_that_is_not_there_is_404(operator_api: APIClient, telemetry: ConnectionPool) -> None:
    answer = operator_api.post(
        f"/api/v1/vnf_instances/{uuid4()}/traffic", {"samples": [sample(clock.now())]}, format="json"
    )
    assert answer.status_code == 404


def test_the_story_of_an_operation_has_the_losses_while_it_ran(operator_api: APIClient, instance: VnfInstance) -> None:
    now = clock.now()
    begun, ended = now - timedelta(seconds=20), now - timedelta(seconds=10)
    op = LcmOpOcc.objects.create(
        instance=instance, instance_uuid=instance.id, operation="SCALE", state="COMPLETED", params={},
        deadline=now, start_time=begun, state_entered_time=ended,
    )  # fmt: skip
    during, after = sample(now - timedelta(seconds=15), lost=41, gap=0.0414), sample(now - timedelta(seconds=5), lost=9)
    report(operator_api, instance, during, after, sample(now - timedelta(seconds=15), path=BACK))
    sentences = operator_api.get(f"/api/v1/vnf_lcm_op_occs/{op.id}/story").json()["sentences"]
    losses = [each["text"] for each in sentences if each["text"].startswith("Traffic")]
    assert losses == [
        f"Traffic {PATH}: 41 packets lost of 1,000, 41 ms at the longest.",
        f"Traffic {BACK}: no packet lost of 1,000.",
    ]
