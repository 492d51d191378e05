"""An operator reads why a router is useless although its VM runs: docs/runbooks/bad-guests.md has the table."""

import socket
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from launcher.ports import free_port
from tests.factories.catalog import onboarded
from tests.factories.elements import make_element, make_policy
from tests.factories.packages import ROOT, shipped_files, with_manifest, zipped
from tests.service.lcm.lifecycle import Lifecycle
from tests.support.cloudsim_process import CloudsimProcess
from tests.support.routersim_process import RoutersimProcess
from vnfm.elements.models import MediationPolicy, NetworkElement
from vnfm.kit import clock, seal
from vnfm.kit.problem import Problem
from vnfm.lcm.domain.steps import Blocked, Waiting
from vnfm.lcm.models import LcmOpOcc
from vnfm.lcm.router_steps.configuration import LoadConfiguration
from vnfm.lcm.router_steps.verify_service import VerifyService
from vnfm.lcm.sagas import step_kinds
from vnfm.lcm.sagas.planning import unchanged_plan
from vnfm.lcm.steps.base import Context
from vnfm.vims.models import Vim

pytestmark = pytest.mark.django_db(transaction=True)
FRR = ROOT / "catalog" / "open" / "frr-router" / "8.4.4"
TOO_LONG = 10_000.0
"""Seconds after which every step gives up."""
BOOTED = "[    0.000000] Linux version 6.1.0\r\n\r\nfrr-router login: \n"
CONSOLE = "frr-1: the serial console of its VM"
ADDRESS, PORT = "127.66.1.1", "100GE1/0/0"
"""The address of a simulated router, which is managed through this port."""
UNREACHABLE = "224.0.0.1"
"""No TCP connection leads to a multicast address."""


@pytest.fixture
def day_one(request: pytest.FixtureRequest) -> str:
    """The package loads this first, where a test is parametrised with it."""
    return str(getattr(request, "param", "sysname bench\n"))


@pytest.fixture
def context(vim: Vim, provider: object, day_one: str) -> Context:
    """In front of the steps at the first router of a VNF that runs in the simulated cloud, which has not answered."""
    files = {**shipped_files(FRR), "day1/router.cfg": day_one.encode()}
    instance = Lifecycle(vim, onboarded(zipped(with_manifest(files)))).instantiated()
    row = instance.vnfcs.get(slot="1")
    fields: dict[str, Any] = {"reachable": "False", "reachable_message": "No SNMP answer.", "state": "MANAGED"}
    make_element(name="frr-1", kind="VIRTUAL", driver="frr", vnf_instance=instance, vnfc=row, **fields)
    op = LcmOpOcc(instance=instance, state="PROCESSING", plan=unchanged_plan(instance).as_json())
    return Context(op, instance, {"existing": []}, step_kinds.STEP_KINDS, elapsed=TOO_LONG)


@pytest.fixture
def printing(context: Context, cloudsim: CloudsimProcess) -> Callable[[str], None]:
    """Has the router's VM write that, and nothing else, to its serial console."""
    server_id = context.instance.vnfcs.get(slot="1").server_id
    return lambda text: cloudsim.control("PUT", f"/servers/{server_id}/console", {"text": text})


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    """An SSH port that takes connections."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server


def reached_at(address: str, port: int) -> None:
    policy = make_policy(protocol="SSH", port=port, settings={"username": "vnfm"})
    NetworkElement.objects.update(ssh_policy=policy, management_address=address)


def not_serving(context: Context) -> Problem:
    outcome = VerifyService().observe(context, {"since": clock.now().isoformat()})
    assert isinstance(outcome, Blocked)
    assert outcome.problem.code == "NOT_SERVING"
    return outcome.problem


def not_loaded(context: Context) -> Problem:
    """After as many tries as the step makes."""
    step = LoadConfiguration()
    outcome, receipt = None, step.submit(context)
    for elapsed in (TOO_LONG, TOO_LONG + 60):
        context.elapsed = elapsed
        outcome = step.observe(context, receipt)
        if isinstance(outcome, Waiting) and outcome.receipt is not None:
            receipt = outcome.receipt
    assert isinstance(outcome, Blocked)
    return outcome.problem


def words(problem: Problem) -> list[str]:
    return [cause.message for cause in problem.causes]


def test_an_image_that_does_not_boot(context: Context, printing: Callable[[str], None]) -> None:
    printing("")
    problem = not_serving(context)
    assert f"{CONSOLE} is empty: its guest has written nothing" in words(problem)
    assert "the image does not boot" in problem.next_step
    assert "choose another image" in problem.next_step


def test_an_image_that_stops_in_the_boot_loader(context: Context, printing: Callable[[str], None]) -> None:
    printing("Booting from Hard Disk...\nerror: no such partition.\n\ngrub rescue> ")
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    reached_at("127.0.0.1", port)
    problem = not_serving(context)
    assert "frr-1: the SSH port of 127.0.0.1 refuses connections" in words(problem)
    assert any(text.endswith("no such partition. / grub rescue>") for text in words(problem))


def test_snmp_that_never_answers(context: Context, listener: socket.socket, printing: Callable[[str], None]) -> None:
    reached_at("127.0.0.1", listener.getsockname()[1])
    printing(BOOTED)
    problem = not_serving(context)
    assert "frr-1: the SSH port of 127.0.0.1 takes connections" in words(problem)
    assert (
        "frr-1: the serial console of its VM ends with: [    0.000000] Linux version 6.1.0 / frr-router login:"
        in words(problem)
    )
    assert "compare the community or user of the SNMP policy" in problem.next_step


def test_a_password_that_day_zero_prints_is_not_quoted(context: Context, printing: Callable[[str], None]) -> None:
    context.op.sealed_secrets = seal.seal({"snmp_community": "s3cret-word"})
    printing("rocommunity s3cret-word\nfrr-router login: ")
    assert any("rocommunity" in text for text in words(not_serving(context)))
    assert not any("s3cret-word" in text for text in words(not_serving(context)))


def test_without_a_console_the_port_alone_is_a_cause(
    context: Context, listener: socket.socket, cloudsim: CloudsimProcess
) -> None:
    reached_at("127.0.0.1", listener.getsockname()[1])
    refusal = {"service": "compute", "path": "/action$", "sent": "os-getConsoleOutput", "effect": "status"}
    cloudsim.control("POST", "/failures", {**refusal, "status": 409, "message": "Instance is not ready", "times": 9})
    assert [text for text in words(not_serving(context)) if "console" in text] == []


def test_nothing_that_answers_at_the_address_of_a_guest_that_boots(
    context: Context, printing: Callable[[str], None]
) -> None:
    """Day 0 has given it no address, or another one."""
    printing(BOOTED)
    reached_at(UNREACHABLE, 22)
    problem = not_loaded(context)
    assert problem.code == "CONFIGURATION_NOT_LOADED"
    assert "see in the console whether the guest has booted, has this address" in problem.next_step
    assert any("login:" in text for text in words(problem))


@pytest.fixture
def router(context: Context, routersim: RoutersimProcess) -> Iterator[str]:
    """The VNF's router answers by SSH: a simulated one of Huawei, which takes back what is not confirmed in 2 s."""
    name, port = "bad-guest", free_port()
    routersim.add(name=name, kind="NE9000", address=ADDRESS, cards=2, ports=4, sshPort=port, managementPort=PORT)
    routersim.fault(name, "confirm-timeout", seconds=2)
    reached_at(ADDRESS, port)
    NetworkElement.objects.update(driver="huawei-vrp")
    login("admin")
    yield name
    routersim.control("DELETE", f"/elements/{name}")


def login(password: str) -> None:
    settings = {"username": "admin"}
    MediationPolicy.objects.filter(protocol="SSH").update(
        settings=settings, sealed_secrets=seal.seal({"password": password})
    )


@pytest.mark.usefixtures("router")
@pytest.mark.parametrize("day_one", ["sysname bench\nrouts bgp 1\n"], indirect=True)
def test_a_wrong_day_1(context: Context) -> None:
    problem = not_loaded(context)
    assert problem.code == "CONFIGURATION_REFUSED"
    assert "line 2" in problem.detail
    assert any("routs bgp 1" in text for text in words(problem))
    assert "rejects a line" in problem.next_step


@pytest.mark.usefixtures("router")
def test_a_router_that_refuses_the_login(context: Context) -> None:
    login("another")
    problem = not_loaded(context)
    assert problem.code == "CONFIGURATION_NOT_LOADED"
    assert words(problem)[0] in problem.detail
    assert "compare user and password or key" in problem.next_step


@pytest.mark.usefixtures("router")
@pytest.mark.parametrize("day_one", [f"interface {PORT}\n shutdown\n"], indirect=True)
def test_a_router_that_drops_us(context: Context) -> None:
    """Day 1 shuts the port that it is managed through."""
    problem = not_loaded(context)
    assert problem.code == "CONFIGURATION_NOT_LOADED"
    assert any("taken the change back by itself" in text for text in words(problem))
    assert "takes the manager's way" in problem.next_step
