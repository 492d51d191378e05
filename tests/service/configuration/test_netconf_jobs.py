"""Jobs by NETCONF against simulated routers: what the element's policy says, and what is kept of it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import asynccontextmanager
from typing import Any, NoReturn, cast

import pytest

from tests.routersim_process import RoutersimProcess
from tests.service.configuration.test_jobs import BAD as BAD_LINES
from tests.service.configuration.test_jobs import backup, done, part, pushing, ran, running, switched, versions
from vnfm.configuration import push
from vnfm.configuration.contact import Session
from vnfm.configuration.domain.jobs import TRIES
from vnfm.configuration.domain.xml import Edit
from vnfm.configuration.models import ConfigurationJob, ConfigurationVersion
from vnfm.configuration.ping import unreached
from vnfm.configuration.selectors import shown_job_diff, shown_job_text, shown_text
from vnfm.configuration.services import rollback_start
from vnfm.configuration.versions import text_of
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

NOKIA = '<configure xmlns="urn:nokia.com:sros:ns:yang:sr:conf">{0}</configure>'
HUAWEI = "http://www.huawei.com/netconf/vrp/"
TEXTS = {
    "7750-SR-12": NOKIA.format(
        "<port><port-id>1/1/1</port-id><description>to the core</description></port><system><security><snmp><community>"
        "<community-string>hush</community-string><access-permissions>r</access-permissions></community></snmp>"
        "</security></system>"
    ),
    "NE9000": f'<config><ifm xmlns="{HUAWEI}huawei-ifm"><interfaces><interface><ifName>100GE1/0/0</ifName><ifDescr>'
    f'to the core</ifDescr></interface></interfaces></ifm><snmp xmlns="{HUAWEI}huawei-snmp"><communitys><community>'
    "<communityName>hush</communityName><accessRight>read</accessRight></community></communitys></snmp></config>",
}
KINDS = tuple(TEXTS)
BAD = NOKIA.format("<port><port-id>9/9/9</port-id><admin-state>disable</admin-state></port>")
DOWN = NOKIA.format("<port><port-id>1/1/1</port-id><admin-state>disable</admin-state></port>")


@pytest.mark.parametrize("kind", KINDS)
def test_a_backup_is_kept_once_and_its_key_is_pinned(netconf_router: Router, kind: str) -> None:
    element = netconf_router(kind)
    first, second = backup(element), backup(element)
    assert (first.changed, second.changed) == (True, False)
    assert versions(element) == [(1, "REQUEST", "ann")]
    assert first.after is not None
    assert element.name in text_of(first.after)
    assert text_of(first.after).startswith('<config xmlns="urn:ietf:params:xml:ns:netconf:base:1.0">\n  <')
    element.refresh_from_db()
    assert element.netconf_host_key.startswith("ssh-ed25519 ")
    assert element.ssh_host_key == "", "at another port there may be another server"


@pytest.mark.parametrize("kind", KINDS)
def test_a_push_keeps_what_was_and_what_is_and_shows_no_secret(
    netconf_router: Router, routersim: RoutersimProcess, kind: str
) -> None:
    element = netconf_router(kind)
    job = done(pushing(element, TEXTS[kind]))
    assert job.changed
    assert [reason for _, reason, _ in versions(element)] == ["BEFORE_PUSH", "PUSH"]
    assert job.after is not None
    assert "hush" in text_of(job.after)
    shown = (
        shown_job_diff(job, element, secrets=False),
        shown_job_text(job, element, secrets=False),
        shown_text(job.after, element, secrets=False),
    )
    assert ["to the core" in text for text in shown] == [True] * 3
    assert ["hush" in text for text in shown] == [False] * 3
    assert "hush" in shown_job_diff(job, element, secrets=True)
    assert "to the core" in str(routersim.control("GET", f"/elements/{element.name}/config"))
    again = done(pushing(element, TEXTS[kind]))
    assert (again.changed, again.after) == (False, job.after)


@pytest.mark.parametrize("kind", KINDS)
def test_a_dry_run_leaves_everything_as_it_is(netconf_router: Router, kind: str) -> None:
    element = netconf_router(kind)
    before = running(element)
    job = done(pushing(element, TEXTS[kind], dry_run=True))
    assert (job.changed, job.after, job.before, job.takes_back) == (True, None, None, True)
    assert "to the core" in shown_job_diff(job, element, secrets=False)
    assert running(element) == before


@pytest.mark.parametrize("kind", KINDS)
def test_a_rollback_leads_back(netconf_router: Router, kind: str) -> None:
    element = netconf_router(kind)
    first = backup(element).after
    assert first is not None
    done(pushing(element, TEXTS[kind]))
    tried = done(rollback_start(element=element, version=first, dry_run=True, by="ann", now=clock.now()))
    assert "to the core" in shown_job_diff(tried, element, secrets=False)
    assert "to the core" in running(element)
    job = done(rollback_start(element=element, version=first, dry_run=False, by="ann", now=clock.now()))
    assert job.changed
    assert running(element) == text_of(first)
    again = done(rollback_start(element=element, version=first, dry_run=False, by="ann", now=clock.now()))
    assert not again.changed


def test_what_is_refused_fails_the_job_in_the_elements_words(netconf_router: Router) -> None:
    element = netconf_router()
    before = running(element)
    job = ran(pushing(element, BAD))
    assert (job.state, job.problem["code"]) == ("FAILED", "REJECTED")
    assert job.problem["causes"][0]["message"] == 'MINOR: CLI Could not find port "9/9/9". (operation-failed)'
    assert running(element) == before


def test_a_push_that_cuts_us_off_is_taken_back_by_the_element(
    netconf_router: Router, routersim: RoutersimProcess
) -> None:
    element = netconf_router(managementPort="1/1/1")
    before = running(element)
    routersim.fault(element.name, "confirm-timeout", seconds=2)
    job = ran(pushing(element, DOWN))
    assert (job.state, job.problem["code"]) == ("FAILED", "CUT_OFF"), "and is not tried again"
    assert "has taken the change back by itself" in job.problem["detail"]
    (port, *_) = routersim.element(element.name)["ports"]
    assert (port["name"], port["adminUp"]) == ("1/1/1", True)
    assert running(element) == before
    assert [number for number, _, _ in versions(element)] == [1]


def test_a_change_that_cannot_be_saved_is_in_force_and_on_record(
    netconf_router: Router, routersim: RoutersimProcess
) -> None:
    element = netconf_router()
    routersim.fault(element.name, "rpc-error", operation="copy-config", tag="access-denied", message="not you")
    job = ran(pushing(element, TEXTS["7750-SR-12"]))
    assert (job.state, job.problem["code"]) == ("FAILED", "REJECTED")
    assert "in force, but would be lost at a restart" in job.problem["detail"]
    assert [reason for _, reason, _ in versions(element)] == ["BEFORE_PUSH", "PUSH"]
    element.refresh_from_db()
    assert element.resync_state == "WAITING", "what was configured is read back"
    assert "to the core" in running(element)
    assert len(versions(element)) == 2


def test_what_cuts_us_off_and_is_not_taken_back_is_on_record(netconf_router: Router) -> None:
    """No simulated router breaks its word, so this is one that says so."""
    kept = '<config xmlns="urn:ietf:params:xml:ns:netconf:base:1.0"/>\n'

    class Keeping:
        def load(self, before: str, change: object, *, dry_run: bool) -> NoReturn:
            raise CutOff("It was to take the change back, and has not.", running=kept)

    element, session = netconf_router(), cast("Session", Keeping())
    with pytest.raises(CutOff):
        push.put(element, session, Edit(()), "what ran", dry_run=False, why=("PUSH", "ann"))
    (version,) = ConfigurationVersion.objects.filter(element=element)
    assert (text_of(version), version.reason) == (kept, "PUSH")


def test_the_candidate_is_locked_before_what_runs_is_read(
    netconf_router: Router, request: pytest.FixtureRequest
) -> None:
    """What is shown as changed is what was changed, and not what somebody else did in between."""
    said: list[str] = []

    class Overheard:
        def __init__(self, netconf: Any) -> None:
            self._netconf = netconf

        def __getattr__(self, name: str) -> Any:
            said.append(name)
            return getattr(self._netconf, name)

    class Listening(Devices):
        @asynccontextmanager
        async def _netconf(self, target: SshTarget) -> Any:
            async with super().netconf(target) as netconf:
                yield Overheard(netconf)

        def netconf(self, target: SshTarget) -> Any:
            return self._netconf(target)

    request.addfinalizer(lambda: registry.install(Devices()))
    registry.install(Listening())
    element = netconf_router()
    for ask in (
        lambda: done(pushing(element, TEXTS["7750-SR-12"])),
        lambda: push.load(element, TEXTS["7750-SR-12"]),
        lambda: push.unload(element, [TEXTS["7750-SR-12"]], begin=lambda: None),
    ):
        said.clear()
        ask()
        assert said.index("lock") < said.index("get_config"), said
        assert said.count("lock") == said.count("unlock") == 1


def test_a_candidate_that_somebody_keeps_locked_does_not_stop_the_next_job(
    netconf_router: Router, routersim: RoutersimProcess
) -> None:
    element = netconf_router()
    routersim.fault(element.name, "rpc-error", operation="lock", tag="lock-denied", message="bob has it")
    job, following = pushing(element, TEXTS["7750-SR-12"]), pushing(element, TEXTS["7750-SR-12"])
    for attempt in range(1, TRIES + 1):
        assert ran(job).attempts == attempt
        assert (job.problem["code"], "bob has it" in job.problem["detail"]) == ("LOCKED", True)
        assert job.state == ("FAILED" if attempt == TRIES else "WAITING")
        ConfigurationJob.objects.filter(id=job.id, wake_at__isnull=False).update(wake_at=clock.now())
    routersim.fault(element.name, "rpc-error", operation="lock")
    done(following)


def test_who_connects_again_at_the_first_contact_wants_the_same_host_key(
    netconf_router: Router, request: pytest.FixtureRequest
) -> None:
    """The commit is confirmed after a second login, before which the key of the first was pinned."""
    logins: list[SshTarget] = []

    class Watched(Devices):
        def netconf(self, target: SshTarget) -> Any:
            logins.append(target)
            return super().netconf(target)

    request.addfinalizer(lambda: registry.install(Devices()))
    registry.install(Watched())
    element = netconf_router()
    done(pushing(element, TEXTS["7750-SR-12"]))
    element.refresh_from_db()
    assert [login.host_key for login in logins] == ["", element.netconf_host_key]


@pytest.mark.parametrize(("kind", "name"), [("7750-SR-12", "1/1/1"), ("NE9000", "100GE1/0/0")])
def test_a_port_is_brought_down_and_up(
    netconf_router: Router, routersim: RoutersimProcess, kind: str, name: str
) -> None:
    element = netconf_router(kind, resync_state="DONE")
    port = part(element, "PORT", f"Port {name}")
    for state in ("DOWN", "DOWN", "UP"):
        switched(element, port.fdn, state)
        shown = {p["name"]: p["adminUp"] for p in routersim.element(element.name)["ports"]}
        assert shown[name] == (state == "UP")


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


def test_another_host_key_is_refused_until_it_is_forgotten(netconf_router: Router) -> None:
    key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGDvLhYpsQd4Zr1vIO0QzWPDqEQbHsMoVCTgcBgQNjeq"
    element = netconf_router(netconf_host_key=key)
    job = ran(pushing(element, DOWN))
    assert (job.state, job.problem["code"]) == ("FAILED", "REFUSED")
    element.refresh_from_db()
    element_forget_host_key(element=element)
    backup(NetworkElement.objects.get(id=element.id))


def test_a_wrong_password_is_told(netconf_router: Router) -> None:
    element = netconf_router()
    policy = element.netconf_policy
    assert policy is not None
    policy.sealed_secrets = seal({"password": "wrong"})
    policy.version += 1
    policy.save()
    job = ran(pushing(element, DOWN))
    assert (job.state, job.problem["code"]) == ("FAILED", "REFUSED")
    assert "user admin" in job.problem["detail"]


def test_an_old_router_wants_old_algorithms(netconf_router: Router) -> None:
    element = netconf_router(oldSsh=True)
    job = ran(pushing(element, DOWN))
    assert (job.state, job.problem["code"]) == ("FAILED", "NOT_SUPPORTED")
    policy = element.netconf_policy
    assert policy is not None
    policy.settings |= {"old_algorithms": True}
    policy.save()
    done(pushing(element, TEXTS["7750-SR-12"]))


def test_what_cannot_be_pushed_is_told_at_once(netconf_router: Router, router: Router) -> None:
    by_netconf, by_lines = netconf_router(), router()
    for element, text, code in (
        (by_netconf, BAD_LINES["7750-SR-12"], "BAD_XML"),
        (by_netconf, "<configure>", "BAD_XML"),
        (by_netconf, '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a xmlns="urn:x">&b;</a>', "BAD_XML"),
        (by_lines, DOWN, "NO_NETCONF_POLICY"),
    ):
        with pytest.raises(ProblemError) as refusal:
            pushing(element, text)
        assert (refusal.value.problem.status, refusal.value.problem.code) == (422, code)


def test_a_version_of_the_other_language_leads_nowhere(netconf_router: Router) -> None:
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
    assert "hush" not in shown_text(version, element, secrets=False)
    NetworkElement.objects.filter(id=element.id).update(netconf_policy=policy)
    with pytest.raises(ProblemError):
        rollback_start(
            element=NetworkElement.objects.get(id=element.id), version=lines, dry_run=True, by="ann", now=clock.now()
        )


def test_it_pings_at_its_command_line_all_the_same(netconf_router: Router) -> None:
    element = netconf_router()
    assert unreached(element, ["192.0.2.77"]) == ["192.0.2.77"]
    with pytest.raises(NotSupported, match="SSH policy"):
        unreached(netconf_router(ssh_policy=None), ["192.0.2.77"])


def test_an_element_that_nobody_has_read_is_configured_all_the_same(netconf_router: Router) -> None:
    element = netconf_router(driver="", ssh_policy=None)
    done(pushing(element, TEXTS["7750-SR-12"]))
