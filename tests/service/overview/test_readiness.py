"""Readiness: every part, with since when; without a login for monitoring."""

from datetime import timedelta
from typing import Any

import pytest
from django.db.models.functions import Now

from vnfm.kit.durable import heartbeat
from vnfm.kit.durable.heartbeat import PROCESSES
from vnfm.kit.models import ProcessHeartbeat
from vnfm.overview.selectors.readiness import _memory

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def all_beat(valkey: str) -> None:
    for name in PROCESSES:
        heartbeat.Heartbeat(name).beat("")


def _checks(client: Any, path: str = "/readyz") -> tuple[int, dict[str, Any]]:
    _memory.cache_clear()
    answer = client.get(path)
    return answer.status_code, {check["name"]: check for check in answer.json()["checks"]}


def test_all_parts_are_ready(client, settings) -> None:
    settings.DISK_LOW_PERCENT = settings.DISK_CRITICAL_PERCENT = 0.0
    status, checks = _checks(client)
    assert {"database", "schema", "broker", "disk artifacts", "quota packages", "quota uploads", *PROCESSES} == set(
        checks
    )
    assert all(check["ok"] and check["since"] for check in checks.values()), checks
    assert status == 200


def test_a_silent_worker_is_named_with_its_last_heartbeat(client, api) -> None:
    ProcessHeartbeat.objects.filter(name="worker").update(at=Now() - timedelta(minutes=5))
    status, checks = _checks(client)
    assert status == 503
    assert [name for name, check in checks.items() if not check["ok"]] == ["worker"]
    assert checks["worker"]["since"].startswith(
        ProcessHeartbeat.objects.get(name="worker").at.strftime("%Y-%m-%dT%H:%M")
    )
    status, same = _checks(api, "/api/v1/readiness")
    assert (status, same["worker"]["ok"]) == (200, False), "for the console, which shows it"


def test_a_process_that_never_ran_has_no_since(client) -> None:
    ProcessHeartbeat.objects.filter(name="traps").delete()
    _, checks = _checks(client)
    assert (checks["traps"]["ok"], checks["traps"]["since"]) == (False, None)


def test_a_broker_that_does_not_answer_is_named(client, settings) -> None:
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    status, checks = _checks(client)
    assert (status, checks["broker"]["ok"]) == (503, False)


def test_a_disk_that_is_nearly_full_is_named(client, settings) -> None:
    settings.DISK_LOW_PERCENT = 101.0
    _, checks = _checks(client)
    assert checks["disk artifacts"]["message"].endswith("% is free.")


def test_the_console_needs_a_login(client) -> None:
    assert client.get("/api/v1/readiness").status_code == 401
