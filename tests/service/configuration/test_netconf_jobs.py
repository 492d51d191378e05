"""Jobs by NETCONF at simulated routers, and the versions that they record."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import asynccontextmanager
from typing import Any, NoReturn, cast

import pytest

from tests.service.configuration.jobs import BAD as BAD_LINES
from tests.service.configuration.jobs import (
    backup,
    complete,
    part,
    run_once,
    running,
    set_admin_state,
    start_push,
    versions,
)
from tests.service.configuration.netconf_texts import NOKIA, TEXTS
from tests.support.routersim_process import RoutersimProcess
from vnfm.configuration.domain.jobs import MAX_ATTEMPTS
from vnfm.configuration.domain.xml import XmlEdit
from vnfm.configuration.models import ConfigurationJob, ConfigurationVersion
from vnfm.configuration.reconcilers import push
from vnfm.configuration.selectors import job_diff, job_text, version_text
from vnfm.configuration.services.push import rollback_start
from vnfm.configuration.session.ping import PingTarget, unreachable_from
from vnfm.configuration.session.session import Session
from vnfm.devices import registry
from vnfm.devices.errors import CutOff, DeviceRejected, NotSupported
from vnfm.devices.provider import Devices
from vnfm.devices.types import SshTarget
from vnfm.elements.models import NetworkElement
from vnfm.elements.services.elements import element_forget_host_key
from vnfm.kit import clock
from vnfm.kit.problem import ProblemError
from vnfm.kit.seal import seal

pytestmark = pytest.mark.django_db
Router = Callable[..., NetworkElement]

FAR = PingTarget("192.0.2.77")
KINDS = tuple(TEXTS)
BAD = NOKIA.format("<port><port-id>9/9/9</port-id><admin-state>disable</admin-state></port>")
DOWN = NOKIA.format("<port><port-id>1/1/1</port-id><admin-state>disable</admin-state></port>")


@pytest.mark.parametrize("kind", KINDS)
def test_a_backup_is_stored_once_and_the_host_key_is_pinned(netconf_router: Router, kind: str) -> None:
    element = netconf_router(kind)
    first, second = backup(element), backup(element)
    assert (first.changed, second.changed) == (True, False)
    assert versions(element) == [(1, "REQUEST", "ann")]
    assert first.after is not None
    assert element.name in first.after.clear_text
    assert first.after.clear_text.startswith('<config xmlns="urn:ietf:params:xml:ns:netconf:base:1.0">\n  <')
    element.refresh_from_db()
    assert element.netconf_host_key.startswith("ssh-ed25519 ")
    assert element.ssh_host_key == "", "another port may be another server"


@pytest.mark.parametrize("kind", KINDS)
def test_a_push_records_the_versions_before_and_after_and_masks_secrets(
    netconf_router: Router, routersim: RoutersimProcess, kind: str
) -> None:
    element = netconf_router(kind)
    job = complete(start_push(element, TEXTS[kind]))
    assert job.changed
    assert [reason for _, reason, _ in versions(element)] == ["BEFORE_PUSH", "PUSH"]
    assert job.after is not None
    assert "hush" in job.after.clear_text
    masked = (
        job_diff(job, element, secrets=False),
        job_text(job, element, secrets=False),
        version_text(job.after, element, secrets=False),
    )
    assert ["to the core" in text for text in masked] == [True] * 3
    assert ["hush" in text for text in masked] == [False] * 3
    assert "hush" in job_diff(job, element, secrets=True)
    assert "to the core" in str(routersim.control("GET", f"/elements/{element.name}/config"))
    again = complete(start_push(element, TEXTS[kind]))
    assert (again.changed, again.after) == (False, job.after)


@pytest.mark.parametrize("kind", KINDS)
def test_a_dry_run_changes_nothing(netconf_router: Router, kind: str) -> None:
    element = netconf_router(kind)
    before = running(element)
    job = complete(start_push(element, TEXTS[kind], dry_run=True))
    assert (job.changed, job.after, job.before, job.takes_back) == (True, None, None, True)
    assert "to the core" in job_diff(job, element, secrets=False)
    assert running(element) == before


@pytest.mark.parametrize("kind", KINDS)
def test_a_rollback_restores_the_version(netconf_router: Router, kind: str) -> None:
    element = netconf_router(kind)
    first = backup(element).after
    assert first is not None
    complete(start_push(element, TEXTS[kind]))
    tried = complete(rollback_start(element=element, version=first, dry_run=True, by="ann", now=clock.now()))
    assert "to the core" in job_diff(tried, element, secrets=False)
    assert "to the core" in running(element)
    job = complete(rollback_start(element=element, version=first, dry_run=False, by="ann", now=clock.now()))
    assert job.changed
    assert running(element) == first.clear_text
    again = complete(rollback_start(element=element, version=first, dry_run=False, by="ann", now=clock.now()))
    assert not again.changed


def test_a_rejected_edit_fails_the_job_with_the_words_of_the_element(netconf_router: Router) -> None:
    element = netconf_router()
    before = running(element)
    job = run_once(start_push(element, BAD))
    assert (job.state, job.problem["code"]) == ("FAILED", "REJECTED")
    assert job.problem["causes"][0]["message"] == 'MINOR: CLI Could not find port "9/9/9". (operation-failed)'
    assert running(element) == before


def test_the_element_reverts_a_push_that_cuts_us_off(netconf_router: Router, routersim: RoutersimProcess) -> None:
    element = netconf_router(managementPort="1/1/1")
    before = running(element)
    routersim.fault(element.name, "confirm-timeout", seconds=2)
    job = run_once(start_push(element, DOWN))
    assert (job.state, job.problem["code"]) == ("FAILED", "CUT_OFF"), "and is not retried"
    assert "has taken the change back by itself" in job.problem["detail"]
    (port, *_) = routersim.element(element.name)["ports"]
    assert (port["name"], port["adminUp"]) == ("1/1/1", True)
    assert running(element) == before
    assert [number for number, _, _ in versions(element)] == [1]


def test_a_change_that_cannot_be_saved_is_recorded(netconf_router: Router, routersim: RoutersimProcess) -> None:
    element = netconf_router()
    routersim.fault(element.name, "rpc-error", operation="copy-config", tag="access-denied", message="not you")
    job = run_once(start_push(element, TEXTS["7750-SR-12"]))
    assert (job.state, job.problem["code"]) == ("FAILED", "REJECTED")
    assert "in force, but would be lost at a restart" in job.problem["detail"]
    assert [reason for _, reason, _ in versions(element)] == ["BEFORE_PUSH", "PUSH"]
    element.refresh_from_db()
    assert element.resync_state == "WAITING", "the element is polled again"
    assert "to the core" in running(element)
    assert len(versions(element)) == 2


def test_a_change_that_cuts_us_off_and_is_not_reverted_is_recorded(netconf_router: Router) -> None:
    """With a stub, as all simulated routers revert."""
    left = '<config xmlns="urn:ietf:params:xml:ns:netconf:base:1.0"/>\n'

    class NotReverting:
        def load(self, before: str, change: object, *, dry_run: bool) -> NoReturn:
            raise CutOff("It was to take the change back, and has not.", running=left)

    element, session = netconf_router(), cast("Session", NotReverting())
    with pytest.raises(CutOff):
        push.apply_change(element, session, XmlEdit(()), "what ran", dry_run=False, why=("PUSH", "ann"))
    (version,) = ConfigurationVersion.objects.filter(element=element)
    assert (version.clear_text, version.reason) == (left, "PUSH")


def test_the_candidate_is_locked_before_the_running_configuration_is_read(
    netconf_router: Router, request: pytest.FixtureRequest
) -> None:
    """Then the diff has no change of another session."""
    calls: list[str] = []

    class Recorded:
        def __init__(self, netconf: Any) -> None:
            self._netconf = netconf

        def __getattr__(self, name: str) -> Any:
            calls.append(name)
            return getattr(self._netconf, name)

    class Recording(Devices):
        @asynccontextmanager
        async def _netconf(self, target: SshTarget) -> Any:
            async with super().netconf(target) as netconf:
                yield Recorded(netconf)

        def netconf(self, target: SshTarget) -> Any:
            return self._netconf(target)

    request.addfinalizer(lambda: registry.install(Devices()))
    registry.install(Recording())
    element = netconf_router()
    for operation in (
        lambda: complete(start_push(element, TEXTS["7750-SR-12"])),
        lambda: push.load(element, TEXTS["7750-SR-12"]),
        lambda: push.unload(element, [TEXTS["7750-SR-12"]], begin=lambda: None),
    ):
        calls.clear()
        operation()
        assert calls.index("lock") < calls.index("get_config"), calls
        assert calls.count("lock") == calls.count("unlock") == 1


def test_a_locked_candidate_does_not_block_the_next_job(netconf_router: Router, routersim: RoutersimProcess) -> None:
    element = netconf_router()
    routersim.fault(element.name, "rpc-error", operation="lock", tag="lock-denied", message="bob has it")
    job, next_job = start_push(element, TEXTS["7750-SR-12"]), start_push(element, TEXTS["7750-SR-12"])
    for attempt in range(1, MAX_ATTEMPTS + 1):
        assert run_once(job).attempts == attempt
        assert (job.problem["code"], "bob has it" in job.problem["detail"]) == ("LOCKED", True)
        assert job.state == ("FAILED" if attempt == MAX_ATTEMPTS else "WAITING")
        ConfigurationJob.objects.filter(id=job.id, wake_at__isnull=False).update(wake_at=clock.now())
    routersim.fault(element.name, "rpc-error", operation="lock")
    complete(next_job)


def test_a_reconnect_at_first_contact_requires_the_same_host_key(
    netconf_router: Router, request: pytest.FixtureRequest
) -> None:
    """The commit is confirmed after a second login, before which the key of the first was pinned."""
    logins: list[SshTarget] = []

    class RecordingLogins(Devices):
        def netconf(self, target: SshTarget) -> Any:
            logins.append(target)
            return super().netconf(target)

    request.addfinalizer(lambda: registry.install(Devices()))
    registry.install(RecordingLogins())
    element = netconf_router()
    complete(start_push(element, TEXTS["7750-SR-12"]))
    element.refresh_from_db()
    assert [login.host_key for login in logins] == ["", element.netconf_host_key]


@pytest.mark.parametrize(("kind", "name"), [("7750-SR-12", "1/1/1"), ("NE9000", "100GE1/0/0")])
def test_the_admin_state_of_a_port(netconf_router: Router, routersim: RoutersimProcess, kind: str, name: str) -> None:
    element = netconf_router(kind, resync_state="DONE")
    port = part(element, "PORT", f"Port {name}")
    for state in ("DOWN", "DOWN", "UP"):
        set_admin_state(element, port.fdn, state)
        admin_up = {p["name"]: p["adminUp"] for p in routersim.element(element.name)["ports"]}
        assert admin_up[name] == (state == "UP")


def test_loading_for_a_deployment(netconf_router: Router) -> None:
    element = netconf_router()
    loaded = push.load(element, TEXTS["7750-SR-12"])
    assert loaded.changed
    assert "to the core" in loaded.diff
    assert "hush" not in loaded.diff
    assert versions(element) == [(1, "BEFORE_PUSH", "deployment"), (2, "PUSH", "deployment")]
    again = push.load(element, TEXTS["7750-SR-12"])
    assert (again.changed, again.version_id) == (False, loaded.version_id)
    with pytest.raises(DeviceRejected, match="give XML"):
        push.load(element, "/configure port 1/1/1 shutdown")


def test_another_host_key_is_refused_until_the_pinned_one_is_forgotten(netconf_router: Router) -> None:
    key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGDvLhYpsQd4Zr1vIO0QzWPDqEQbHsMoVCTgcBgQNjeq"
    element = netconf_router(netconf_host_key=key)
    job = run_once(start_push(element, DOWN))
    assert (job.state, job.problem["code"]) == ("FAILED", "REFUSED")
    element.refresh_from_db()
    element_forget_host_key(element=element)
    backup(NetworkElement.objects.get(id=element.id))


def test_a_wrong_password_fails_the_job(netconf_router: Router) -> None:
    element = netconf_router()
    policy = element.netconf_policy
    assert policy is not None
    policy.sealed_secrets = seal({"password": "wrong"})
    policy.version += 1
    policy.save()
    job = run_once(start_push(element, DOWN))
    assert (job.state, job.problem["code"]) == ("FAILED", "REFUSED")
    assert "user admin" in job.problem["detail"]


def test_an_old_router_needs_old_algorithms(netconf_router: Router) -> None:
    element = netconf_router(oldSsh=True)
    job = run_once(start_push(element, DOWN))
    assert (job.state, job.problem["code"]) == ("FAILED", "NOT_SUPPORTED")
    policy = element.netconf_policy
    assert policy is not None
    policy.settings |= {"old_algorithms": True}
    policy.save()
    complete(start_push(element, TEXTS["7750-SR-12"]))


def test_an_invalid_text_is_rejected_at_once(netconf_router: Router, router: Router) -> None:
    by_netconf, by_lines = netconf_router(), router()
    for element, text, code in (
        (by_netconf, BAD_LINES["7750-SR-12"], "BAD_XML"),
        (by_netconf, "<configure>", "BAD_XML"),
        (by_netconf, '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a xmlns="urn:x">&b;</a>', "BAD_XML"),
        (by_lines, DOWN, "NO_NETCONF_POLICY"),
    ):
        with pytest.raises(ProblemError) as refusal:
            start_push(element, text)
        assert (refusal.value.problem.status, refusal.value.problem.code) == (422, code)


def test_no_rollback_to_a_version_of_the_other_language(netconf_router: Router) -> None:
    element = netconf_router()
    policy, version = element.netconf_policy, backup(element).after
    assert version is not None
    NetworkElement.objects.filter(id=element.id).update(netconf_policy=None)
    element = NetworkElement.objects.get(id=element.id)
    with pytest.raises(ProblemError) as refusal:
        rollback_start(element=element, version=version, dry_run=False, by="ann", now=clock.now())
    assert refusal.value.problem.code == "OTHER_LANGUAGE"
    lines = backup(element).after
    assert lines is not None
    assert "hush" not in version_text(version, element, secrets=False)
    NetworkElement.objects.filter(id=element.id).update(netconf_policy=policy)
    with pytest.raises(ProblemError):
        rollback_start(
            element=NetworkElement.objects.get(id=element.id), version=lines, dry_run=True, by="ann", now=clock.now()
        )


def test_a_netconf_element_pings_at_its_command_line(netconf_router: Router) -> None:
    element = netconf_router()
    assert unreachable_from(element, [FAR]) == [FAR]
    with pytest.raises(NotSupported, match="SSH policy"):
        unreachable_from(netconf_router(ssh_policy=None), [FAR])


def test_an_element_that_was_never_polled_can_be_configured_by_netconf(netconf_router: Router) -> None:
    element = netconf_router(driver="", ssh_policy=None)
    complete(start_push(element, TEXTS["7750-SR-12"]))
