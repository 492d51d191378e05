"""The answers of a router neither hangs a worker nor becomes a configuration: simulated routers over the real SSH
stack."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connections

from tests.service.configuration.jobs import TEXTS, Router, backup, complete, run_once, running, start_push, versions
from tests.support.routersim_process import RoutersimProcess
from vnfm.configuration.models import ConfigurationJob, ConfigurationVersion
from vnfm.configuration.reconcilers.jobs import run_job
from vnfm.configuration.services.jobs import backup_start
from vnfm.configuration.services.push import push_start, rollback_start
from vnfm.elements.models import NetworkElement
from vnfm.kit import clock

pytestmark = pytest.mark.django_db
SECONDS_PER_MB = 1.0
"""Seconds of processor, SSH included, on a machine that does much else; the aim is 0.1."""


def _backup(element: NetworkElement) -> ConfigurationJob:
    return run_once(backup_start(element=element, by="ann", wake_at=clock.now()))


HOSTILE: dict[str, tuple[str, dict[str, object], float]] = {
    "300 KB of empty lines": ("cli-answer", {"command": "environment no more", "text": "\n", "times": 300_000}, 0.3),
    "1 MB of empty lines": ("cli-answer", {"command": "/admin display-config", "text": "\n", "times": 1_000_000}, 1),
    "1 MB of errors": ("cli-answer", {"command": "/admin display-config", "text": "Error: a\n", "times": 110_000}, 1),
    "one line of 1 MB": ("cli-answer", {"command": "environment no more", "text": "a", "times": 1_000_000}, 1),
    "1 MB of dashes": ("cli-answer", {"command": "/admin display-config", "text": "-", "times": 1_000_000}, 1),
    "a greeting of 1 MB": ("login", {"text": "a", "times": 1_000_000}, 1),
    "a greeting of prompts": ("login", {"text": "A:pe1# ", "times": 140_000}, 1),
    "a greeting of lines": ("login", {"text": "######\n", "times": 140_000}, 1),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_hostile_output_takes_little_processor_time(router: Router, routersim: RoutersimProcess, case: str) -> None:
    element = router()
    _backup(element)  # imports, database connection, host key
    fault, body, megabytes = HOSTILE[case]
    routersim.fault(element.name, fault, **body)
    started = time.process_time()
    _backup(element)
    seconds = time.process_time() - started
    assert seconds / megabytes < SECONDS_PER_MB + 0.5 / megabytes
    assert len(versions(element)) == 1, "nothing of it is a configuration"


@pytest.mark.parametrize("text", ["a", ":", " ", "a:", "&lt;"])
def test_a_leaf_of_1_mb_takes_little_processor_time(
    netconf_router: Router, routersim: RoutersimProcess, text: str
) -> None:
    element = netconf_router()
    system = "<system><location>near here</location></system>"
    complete(start_push(element, f'<configure xmlns="urn:nokia.com:sros:ns:yang:sr:conf">{system}</configure>'))
    routersim.fault(element.name, "netconf-text", text="near here", instead=text, times=1_000_000 // len(text))
    started = time.process_time()
    job = _backup(element)
    seconds = time.process_time() - started
    assert job.state == "DONE"
    assert seconds < SECONDS_PER_MB + 0.5


@pytest.mark.django_db(transaction=True)
def test_another_elements_job_ends_meanwhile(router: Router, routersim: RoutersimProcess) -> None:
    hostile, other = router(), router("NE9000")
    routersim.fault(hostile.name, "cli-answer", command="/admin display-config", text="\n", times=1_000_000)
    slow = backup_start(element=hostile, by="ann", wake_at=clock.now())
    with ThreadPoolExecutor(1) as pool:
        hanging = pool.submit(_run_apart, slow)
        backup(other)
        hanging.result(120)
    slow.refresh_from_db()
    assert (slow.state, slow.problem["code"]) == ("FAILED", "GARBLED")
    assert "does not stop printing" in slow.problem["detail"]


def _run_apart(job: ConfigurationJob) -> None:
    try:
        run_job(job.id)
    finally:
        connections.close_all()


SHOW = {"7750-SR-12": "/admin display-config", "NE9000": "display current-configuration"}
REFUSALS = {
    "no right": ("7750-SR-12", "MINOR: CLI Command not allowed for this user.", "not allowed for this user"),
    "a module with underscores": ("7750-SR-12", "CRITICAL: SVC_MGR2 #12: No", "SVC_MGR2 #12"),
    "authorization": ("7750-SR-12", "Command authorization failed.", "authorization failed"),
    "nothing": ("7750-SR-12", "", "it printed nothing"),
    "words": ("7750-SR-12", "Session locked by administrator", "Session locked"),
    "cut short": ("7750-SR-12", "# TiMOS-C\nexit all\nconfigure\n    system\n        name x", "cut short"),
    "vrp, no right": ("NE9000", "Error: You do not have permission to run the command.", "do not have permission"),
    "vrp, no blank": ("NE9000", "Error:Failed to pass the authorization.", "Failed to pass"),
    "vrp, caret": ("NE9000", "             ^\nError[1]: Too many parameters.", "Too many parameters"),
    "vrp, cut short": ("NE9000", "!Software Version V8\n#\nsysname pe7\n#\ninterface", "cut short"),
    "a page": ("NE9000", "#\nsysname pe7\n  ---- More ----", "cut short"),
}


@pytest.mark.parametrize("case", REFUSALS)
def test_what_is_no_whole_configuration_is_no_version(router: Router, routersim: RoutersimProcess, case: str) -> None:
    kind, answer, words = REFUSALS[case]
    element = router(kind)
    good = running(element)
    routersim.fault(element.name, "cli-answer", command=SHOW[kind], text=answer)
    job = _backup(element)
    assert job.state == "FAILED"
    assert words in job.problem["detail"]
    assert [one.clear_text for one in ConfigurationVersion.objects.filter(element=element)] == [good]
    assert run_once(start_push(element, TEXTS[kind])).state == "FAILED", "it cannot be read, so nothing is changed"


def test_a_model_driven_router_is_recognised_and_configured(router: Router, routersim: RoutersimProcess) -> None:
    element = router()
    routersim.fault(element.name, "command-line", kind="md-cli")
    assert "configure {" in running(element)
    refused = run_once(start_push(element, "/configure port 1/1/1 no shutdown"))
    assert refused.state == "FAILED"
    assert "MGMT_CORE #2201: Unknown element - 'no'" in refused.problem["detail"]
    job = complete(start_push(element, '/configure port 1/1/1 description "to the core"'))
    assert job.changed
    before = ConfigurationVersion.objects.get(element=element, number=1)
    assert 'description "to the core"' in running(element)
    complete(rollback_start(element=element, version=before, dry_run=False, by="ann", now=clock.now()))
    assert "to the core" not in running(element)


def test_vrp_5_is_configured_line_by_line_and_says_so(router: Router, routersim: RoutersimProcess) -> None:
    element = router("NE9000")
    routersim.fault(element.name, "command-line", kind="vrp5")
    foreseen = complete(start_push(element, TEXTS["NE9000"], dry_run=True))
    assert (foreseen.changed, foreseen.takes_back) == (True, False)
    assert complete(start_push(element, TEXTS["NE9000"])).changed
    refused = run_once(start_push(element, "interface 100GE1/0/0\n description half\ninterface 100GE9/9/9\n"))
    assert refused.state == "FAILED"
    assert "The 2 lines before it are in force: VRP 5 cannot take lines back as a whole" in refused.problem["detail"]


QUESTION = "Warning: The password will expire in 5 days. Do you want to change it now? [Y/N]:"


def test_questions_of_a_login_are_answered_no(router: Router, routersim: RoutersimProcess) -> None:
    element = router("NE9000")
    banner = "\r\n######## authorised users only ########\r\n"
    routersim.fault(element.name, "login", text=banner, question=QUESTION)
    assert element.name in running(element)
    element.refresh_from_db()
    assert element.login_warning == "The password of our login expires in 5 days."
    routersim.fault(element.name, "login")
    running(element)
    element.refresh_from_db()
    assert element.login_warning == ""


def test_a_login_that_demands_a_new_password_says_so(router: Router, routersim: RoutersimProcess) -> None:
    element = router("NE9000")
    routersim.fault(element.name, "login", text="The password has expired.\r\n", question="Old password:")
    job = _backup(element)
    assert (job.state, job.problem["code"]) == ("FAILED", "REFUSED")
    assert "only with a new password" in job.problem["detail"]


@pytest.mark.parametrize("octets", ["\x08\x07", "&#8;&#x7;", "\xff\xfe", "\x1b"])
def test_octets_that_no_xml_may_have_are_replaced_and_never_written_back(
    netconf_router: Router, routersim: RoutersimProcess, octets: str
) -> None:
    element = netconf_router()
    xml = (
        '<configure xmlns="urn:nokia.com:sros:ns:yang:sr:conf"><port><port-id>1/1/1</port-id>'
        "<description>core link ## to p1</description></port></configure>"
    )
    complete(start_push(element, xml))
    routersim.fault(element.name, "netconf-text", text="##", instead=octets)
    text = running(element)
    count = 1 if octets == "\x1b" else 2
    assert f"{count} octet" in text.splitlines()[0]
    assert "replaced by U+FFFD, in configure/port[1/1/1]/description" in text.splitlines()[0]
    assert f"core link {chr(0xFFFD) * count} to p1" in text
    version = ConfigurationVersion.objects.filter(element=element).order_by("-number").first()
    assert version is not None
    other = xml.replace("core link ## to p1", "another")
    complete(start_push(element, other))
    refused = run_once(rollback_start(element=element, version=version, dry_run=False, by="ann", now=clock.now()))
    assert refused.state == "FAILED"
    assert "octet" in refused.problem["detail"]
    assert "another" in running(element)


@pytest.mark.parametrize("dry_run", [True, False])
@pytest.mark.parametrize(
    ("kind", "line"),
    [
        ("7750-SR-12", "ping 127.20.0.1"),
        ("7750-SR-12", "oam lsp-ping x"),
        ("7750-SR-12", "show router"),
        ("7750-SR-12", "configure\nport 1/1/1\ntraceroute 10.0.0.1"),
        ("7750-SR-12", "router interface x"),
        ("NE9000", "display version"),
        ("NE9000", "interface 100GE1/0/0\nreset counters"),
        ("NE9000", "stelnet 10.0.0.1"),
    ],
)
def test_operational_words_are_refused_with_their_line(router: Router, kind: str, line: str, *, dry_run: bool) -> None:
    element = router(kind)
    job = run_once(push_start(element=element, text=line, dry_run=dry_run, by="ann", now=clock.now()))
    assert job.state == "FAILED"
    assert f"refuses line {len(line.splitlines())}" in job.problem["detail"]
