"""Jobs at simulated routers over SSH, and the versions that they record."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest

from tests.factories.elements import make_policy
from tests.service.configuration.jobs import (
    BAD,
    KINDS,
    TEXTS,
    Router,
    backup,
    complete,
    part,
    run_once,
    running,
    set_admin_state,
    start_admin_state,
    start_push,
    versions,
)
from tests.support.routersim_process import RoutersimProcess
from tests.support.waiting import until
from vnfm.accounts.models import AuditEntry
from vnfm.configuration.domain.jobs import MAX_ATTEMPTS
from vnfm.configuration.models import ConfigurationContent, ConfigurationJob, ConfigurationVersion
from vnfm.configuration.reconcilers import push
from vnfm.configuration.selectors import job_diff
from vnfm.configuration.services.jobs import backup_start
from vnfm.configuration.services.push import rollback_start
from vnfm.elements.models import Interface
from vnfm.kit import clock
from vnfm.kit.durable import lease
from vnfm.kit.models import Lease
from vnfm.kit.problem import ProblemError

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("kind", KINDS)
def test_a_backup_is_stored_once_and_sealed(router: Router, kind: str) -> None:
    element = router(kind)
    first, second = backup(element), backup(element)
    assert (first.changed, second.changed) == (True, False)
    assert first.after == second.after
    assert versions(element) == [(1, "REQUEST", "ann")]
    (content,) = ConfigurationContent.objects.filter(element=element)
    assert element.name in ConfigurationVersion.objects.get(element=element).clear_text
    assert element.name.encode() not in bytes(content.sealed_text)
    element.refresh_from_db()
    assert element.ssh_host_key.startswith("ssh-ed25519 ")


@pytest.mark.parametrize("kind", KINDS)
def test_a_push_records_the_versions_before_and_after(router: Router, kind: str) -> None:
    element = router(kind)
    job = complete(start_push(element, TEXTS[kind]))
    assert job.changed
    assert [reason for _, reason, _ in versions(element)] == ["BEFORE_PUSH", "PUSH"]
    assert job.before is not None
    assert job.after is not None
    assert "hush" in job.after.clear_text
    assert "hush" not in job.before.clear_text
    masked = job_diff(job, element, secrets=False)
    assert "to the core" in masked
    assert "hush" not in masked
    assert "hush" in job_diff(job, element, secrets=True)
    again = complete(start_push(element, TEXTS[kind]))
    assert (again.changed, again.after) == (False, job.after)
    (entry, *_) = AuditEntry.objects.filter(object=element.name)
    assert (entry.actor, entry.action) == ("ann", "configuration PUSH DONE")
    assert entry.detail == entry.detail | {"element": str(element.id), "job": str(job.id), "changed": True}
    assert entry.detail["linesAdded"] > 0
    assert "hush" not in str(entry.detail)
    element.refresh_from_db()
    assert element.resync_state == "WAITING", "the element is polled again"


@pytest.mark.parametrize("kind", KINDS)
def test_a_dry_run_changes_nothing(router: Router, kind: str) -> None:
    element = router(kind)
    before = running(element)
    job = complete(start_push(element, TEXTS[kind], dry_run=True))
    assert (job.changed, job.after, job.before) == (True, None, None)
    assert "to the core" in job_diff(job, element, secrets=False)
    assert running(element) == before


@pytest.mark.parametrize("kind", KINDS)
def test_a_rejected_line_fails_the_job_with_the_words_of_the_element(router: Router, kind: str) -> None:
    element = router(kind)
    before = running(element)
    job = run_once(start_push(element, BAD[kind]))
    assert job.state == "FAILED"
    assert job.problem["code"] == "REJECTED"
    assert f"line {len(BAD[kind].splitlines())}" in job.problem["detail"]
    assert job.problem["causes"][0]["source"] == "element"
    assert job.problem["causes"][0]["message"].startswith("Error:")
    assert running(element) == before
    dry_run = run_once(start_push(element, BAD[kind], dry_run=True))
    assert dry_run.problem["detail"].startswith(f"The dry run of the push to {element.name} failed: ")


@pytest.mark.parametrize("kind", KINDS)
def test_a_rollback_restores_the_version(router: Router, kind: str) -> None:
    element = router(kind)
    first = backup(element).after
    assert first is not None
    complete(start_push(element, TEXTS[kind]))
    tried = complete(rollback_start(element=element, version=first, dry_run=True, by="ann", now=clock.now()))
    assert "to the core" in job_diff(tried, element, secrets=False)
    assert "to the core" in running(element)
    job = complete(rollback_start(element=element, version=first, dry_run=False, by="ann", now=clock.now()))
    assert job.changed
    assert running(element) == first.clear_text
    assert ConfigurationContent.objects.filter(element=element).count() == 2, "the restored text is not stored again"
    assert [number for number, _, _ in versions(element)] == [1, 2, 3]
    again = complete(rollback_start(element=element, version=first, dry_run=False, by="ann", now=clock.now()))
    assert not again.changed


def test_a_restored_configuration_is_wholly_the_former_one(router: Router) -> None:
    """A server beside which another may stand is taken away by a second pass only."""
    element, ntp = router("7750-SR-12"), "/configure system time ntp"
    push.load(element, f"{ntp} server 10.0.0.1")
    before = running(element)
    push.load(element, f"{ntp} no server 10.0.0.1\n{ntp} server 10.0.0.2")
    assert "server 10.0.0.1" not in running(element)
    push.restore(element, before)
    assert running(element) == before


def test_the_admin_state_of_a_port(router: Router, routersim: RoutersimProcess) -> None:
    for kind, name in (("7750-SR-12", "1/1/1"), ("NE9000", "100GE1/0/0")):
        element = router(kind, resync_state="DONE")
        port = part(element, "PORT", name)
        for state in ("DOWN", "DOWN", "UP"):
            set_admin_state(element, port.fdn, state)
            admin_up = {p["name"]: p["adminUp"] for p in routersim.element(element.name)["ports"]}
            assert admin_up[name] == (state == "UP")
        element.refresh_from_db()
        assert element.resync_scope == ["EQUIPMENT", "INTERFACES"]


def test_the_admin_state_of_a_card(router: Router) -> None:
    element = router()
    card = part(element, "CARD", "Slot 1")
    set_admin_state(element, card.fdn, "DOWN")
    lines = [line.strip() for line in running(element).splitlines()]
    assert lines[lines.index("card 1") :].index("shutdown") < lines[lines.index("card 1") :].index("card 2")


def test_the_element_reverts_a_push_that_cuts_us_off(router: Router, routersim: RoutersimProcess) -> None:
    element = router("NE9000", managementPort="100GE1/0/0")
    before = running(element)
    text = "interface 100GE1/0/0\n shutdown"
    assert complete(start_push(element, text, dry_run=True)).takes_back is True
    routersim.fault(element.name, "confirm-timeout", seconds=2)
    job = run_once(start_push(element, text))
    assert (job.state, job.problem["code"], job.takes_back) == ("FAILED", "CUT_OFF", None), "and is not retried"
    assert "has taken the change back by itself" in job.problem["detail"]
    assert running(element) == before
    assert [number for number, _, _ in versions(element)] == [1]


def test_a_dry_run_reports_that_an_element_cannot_revert(router: Router) -> None:
    assert complete(start_push(router("7750-SR-12"), TEXTS["7750-SR-12"], dry_run=True)).takes_back is False


def test_the_management_path_is_not_cut(router: Router) -> None:
    element = router()
    card = part(element, "CARD", "Slot 1")
    port = part(element, "PORT", "1/1/1", if_index=7)
    Interface.objects.create(
        element=element, if_index=7, name="1/1/1", admin="UP", oper="UP", since=clock.now(),
        addresses=[f"{element.management_address}/24"],
    )  # fmt: skip
    for fdn in (port.fdn, card.fdn):
        with pytest.raises(ProblemError) as refusal:
            start_admin_state(element, fdn, "DOWN", even_if_path_unknown=True)
        assert (refusal.value.problem.status, refusal.value.problem.code) == (409, "MANAGEMENT_PATH")
    set_admin_state(element, port.fdn, "UP")


def test_a_management_path_that_is_found_later_is_not_cut(router: Router) -> None:
    element = router()
    port = part(element, "PORT", "1/1/1", if_index=7)
    job = start_admin_state(element, port.fdn, "DOWN", even_if_path_unknown=True)
    Interface.objects.create(
        element=element, if_index=7, name="1/1/1", admin="UP", oper="UP", since=clock.now(),
        addresses=[f"{element.management_address}/24"],
    )  # fmt: skip
    assert run_once(job).state == "FAILED"
    assert job.problem["code"] == "MANAGEMENT_PATH"


def test_a_retry_after_a_crash_does_not_push_twice(router: Router) -> None:
    element = router()
    before = backup(element).after
    job = start_push(element, TEXTS["7750-SR-12"])
    ConfigurationJob.objects.filter(id=job.id).update(
        state="RUNNING", attempts=1, before=before, wake_at=clock.now() - timedelta(seconds=1)
    )
    push.load(element, TEXTS["7750-SR-12"])  # the first attempt came as far as this
    complete(job)
    assert job.changed
    assert "to the core" in job_diff(job, element, secrets=False)
    assert (job.attempts, job.before) == (2, before)


_WORKER = """
import sys, uuid, django
django.setup()
from vnfm.configuration.reconcilers.jobs import run_job
run_job(uuid.UUID(sys.argv[1]))
"""


@pytest.mark.django_db(transaction=True)
def test_a_worker_that_is_killed_in_the_middle(
    router: Router, routersim: RoutersimProcess, product_env: dict[str, str]
) -> None:
    """Its candidate is lost with its session; the job is run again, and done once."""
    element = router()
    text = "\n".join(f"/configure router interface if{n} address 10.0.{n}.1/30" for n in range(30))
    routersim.fault(element.name, "slow", seconds=1)
    job = start_push(element, text)
    ConfigurationJob.objects.filter(id=job.id).update(problem={"title": "of an attempt before"})
    backend = Path(__file__).resolve().parents[3] / "backend"
    worker = subprocess.Popen([sys.executable, "-c", _WORKER, str(job.id)], env=product_env, cwd=backend)
    try:
        until(lambda: ConfigurationJob.objects.filter(id=job.id, before__isnull=False).exists(), "the push")
        os.kill(worker.pid, signal.SIGKILL)
    finally:
        worker.kill()
        worker.wait(timeout=120)
    routersim.fault(element.name, "slow", seconds=0)
    job.refresh_from_db()
    assert (job.state, job.problem) == ("RUNNING", None)
    assert "10.0.0.1" not in str(routersim.control("GET", f"/elements/{element.name}/config"))
    Lease.objects.update(expires_at=clock.now() - timedelta(seconds=1))  # as 15 s later
    complete(job)
    assert (job.attempts, job.changed) == (2, True)
    assert "10.0.29.1" in running(element)


def test_another_host_key_is_refused(router: Router) -> None:
    element = router(ssh_host_key="ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGDvLhYpsQd4Zr1vIO0QzWPDqEQbHsMoVCTgcBgQNjeq")
    job = run_once(backup_start(element=element, by="ann", wake_at=clock.now()))
    assert (job.state, job.problem["code"]) == ("FAILED", "REFUSED")


def test_jobs_of_an_element_run_in_order(router: Router) -> None:
    element = router()
    first, second = start_push(element, TEXTS["7750-SR-12"]), start_push(element, "/configure system location there")
    assert run_once(second).state == "WAITING"
    complete(first)
    assert second.version == 1, "waiting is no change of the job"
    ConfigurationJob.objects.filter(id=second.id).update(wake_at=clock.now())
    complete(second)


def test_a_job_waits_while_another_session_is_open(router: Router) -> None:
    element = router()
    job = start_push(element, TEXTS["7750-SR-12"])
    with lease.hold(f"configuration:{element.id}"):
        assert run_once(job).state == "WAITING"
        assert job.problem["code"] == "BUSY"
    assert job.attempts == 0
    ConfigurationJob.objects.filter(id=job.id).update(wake_at=clock.now())
    complete(job)
    assert job.problem is None


def test_an_unreachable_element_is_retried_and_then_fails(router: Router, routersim: RoutersimProcess) -> None:
    element = router()
    routersim.fault(element.name, "silent")
    job = backup_start(element=element, by="ann", wake_at=clock.now())
    for attempt in range(1, MAX_ATTEMPTS + 1):
        run_once(job)
        assert job.attempts == attempt
        assert job.problem["code"] == "UNREACHABLE"
        assert job.state == ("FAILED" if attempt == MAX_ATTEMPTS else "WAITING")
        ConfigurationJob.objects.filter(id=job.id, wake_at__isnull=False).update(wake_at=clock.now())


@pytest.mark.parametrize(("deaths", "state"), [(1, "DONE"), (2, "FAILED")])
def test_a_job_that_kills_two_workers_is_set_aside(router: Router, deaths: int, state: str) -> None:
    job = backup_start(element=router(), by="ann", wake_at=clock.now())
    ConfigurationJob.objects.filter(id=job.id).update(state="RUNNING", attempts=deaths, wake_at=clock.now())
    Lease.objects.create(
        key=f"configuration-job:{job.id}", owner="died", fence=deaths, deaths=deaths - 1, expires_at=clock.now()
    )
    assert run_once(job).state == state
    if state == "FAILED":
        assert job.problem["code"] == "GIVEN_UP"
        assert job.problem["detail"].startswith(f"The backup of {job.element.name} was taken up twice")


def test_configurations_are_deleted_with_their_element(router: Router) -> None:
    element = router()
    complete(start_push(element, TEXTS["7750-SR-12"]))
    element.refresh_from_db()
    element.delete()
    assert not ConfigurationContent.objects.exists()


def test_an_snmp_policy_is_not_enough(router: Router) -> None:
    with pytest.raises(ProblemError) as refusal:
        start_push(router(ssh_policy=None, snmp_policy=make_policy()), "x")
    assert refusal.value.problem.code == "NO_SSH_POLICY"
