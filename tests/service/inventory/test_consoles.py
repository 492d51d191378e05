"""The console and the log of a VNFC from the outside; the cloud is the simulated one, the worker a thread."""

from collections.abc import Iterator
from uuid import uuid4

import pytest
from openstack.connection import Connection as Sdk
from rest_framework.test import APIClient

from tests.factories.deployed import make_deployed, make_vnfc
from tests.service.cloudsim.conftest import connect
from tests.service.watching import vim_of
from tests.support.cloudsim_process import CloudsimProcess
from tests.support.worker import serving
from vnfm.accounts.models import AuditEntry
from vnfm.inventory.api.consoles import MOST_CONSOLES, MOST_LOGS
from vnfm.inventory.models import Vnfc
from vnfm.kit.models import IdempotentAnswer, WorkerRequest

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def worker() -> Iterator[None]:
    """Asks Nova as the Celery worker would."""
    from vnfm.clouds import registry
    from vnfm.clouds.openstack import OpenStackProvider
    from vnfm.inventory.tasks import fetch_console

    registry.install(OpenStackProvider())
    with serving(fetch_console):
        yield


@pytest.fixture
def nova(cloudsim: CloudsimProcess) -> Sdk:
    cloudsim.control("POST", "/reset")
    return connect(cloudsim)


@pytest.fixture
def vnfc(cloudsim: CloudsimProcess, nova: Sdk) -> Vnfc:
    """One whose server runs in the simulated cloud."""
    server = nova.compute.create_server(
        name="pe-1-cpm-a",
        image_id=nova.image.find_image("tiny").id,
        flavor_id=nova.compute.find_flavor("m1.tiny").id,
        networks=[{"uuid": nova.network.find_network("public").id}],
    )
    nova.compute.wait_for_server(server, interval=0.05)
    return make_vnfc(make_deployed(vim_of(cloudsim)), "cpm-A", server_id=server.id)


def where(vnfc: Vnfc, what: str) -> str:
    return f"/api/v1/vnf_instances/{vnfc.instance_id}/vnfcs/{vnfc.id}/{what}"


@pytest.mark.usefixtures("worker")
def test_an_operator_gets_a_link_that_is_stored_nowhere(
    operator_api: APIClient, vnfc: Vnfc, capfd: pytest.CaptureFixture[str]
) -> None:
    answer = operator_api.post(where(vnfc, "console"), headers={"Idempotency-Key": str(uuid4())})
    assert answer.status_code == 200, answer.json()
    assert not IdempotentAnswer.objects.exists()
    url = answer.json()["url"]
    assert answer["Cache-Control"] == "no-store"
    token = url.split("token=")[1]
    assert token
    assert not WorkerRequest.objects.exists()
    said = capfd.readouterr()
    assert token not in said.out + said.err
    entry = AuditEntry.objects.get(object=where(vnfc, "console"))
    assert entry.action == "POST 200"
    assert token not in str(entry.detail)


@pytest.mark.usefixtures("worker")
def test_a_log_has_the_requested_lines(operator_api: APIClient, vnfc: Vnfc) -> None:
    whole = operator_api.get(where(vnfc, "console_log"))
    assert whole.status_code == 200, whole.json()
    assert "Linux version" in whole.json()["text"]
    assert whole["Cache-Control"] == "no-store"
    last = operator_api.get(where(vnfc, "console_log"), {"lines": 1}).json()
    assert (last["text"], last["lines"]) == ("login: ", 1)
    assert AuditEntry.objects.filter(action="GET console log", object=where(vnfc, "console_log")).count() == 2
    assert operator_api.get(where(vnfc, "console_log"), {"lines": 0}).status_code == 400


@pytest.mark.usefixtures("worker")
def test_a_stopped_vm_has_no_console_and_novas_words_say_so(operator_api: APIClient, vnfc: Vnfc, nova: Sdk) -> None:
    nova.compute.stop_server(vnfc.server_id)
    nova.compute.wait_for_server(nova.compute.get_server(vnfc.server_id), status="SHUTOFF", interval=0.05)
    answer = operator_api.post(where(vnfc, "console"))
    assert answer.status_code == 409
    problem = answer.json()
    assert problem["causes"][0]["source"] == "nova"
    assert "is not ready" in problem["causes"][0]["message"]
    assert "start the VNFC" in problem["nextStep"]


@pytest.mark.usefixtures("worker")
def test_a_cloud_that_is_down_is_reported(
    operator_api: APIClient, vnfc: Vnfc, cloudsim: CloudsimProcess, request: pytest.FixtureRequest
) -> None:
    rule = {"service": "compute", "path": "/servers/", "times": 5, "effect": "status", "status": 503}
    cloudsim.control("POST", "/failures", rule)
    request.addfinalizer(lambda: cloudsim.control("DELETE", "/failures"))
    answer = operator_api.get(where(vnfc, "console_log"))
    assert answer.status_code == 503
    assert "try again" in answer.json()["nextStep"]


def test_only_operators(viewer_api: APIClient, vnfc: Vnfc) -> None:
    assert viewer_api.post(where(vnfc, "console")).status_code == 403
    assert viewer_api.get(where(vnfc, "console_log")).status_code == 403
    assert not WorkerRequest.objects.exists()


def test_a_vnfc_of_another_instance(operator_api: APIClient, vnfc: Vnfc) -> None:
    other = make_vnfc(make_deployed(), "cpm-A")
    strange = where(vnfc, "console").replace(str(vnfc.instance_id), str(other.instance_id))
    assert operator_api.post(strange).status_code == 404


def test_without_a_worker_it_says_so(operator_api: APIClient, vnfc: Vnfc, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vnfm.kit.durable.worker_request.WAIT_SECONDS", 0.2)  # no worker runs
    answer = operator_api.get(where(vnfc, "console_log"))
    assert (answer.status_code, answer.json()["code"]) == (503, "NO_WORKER")
    assert not WorkerRequest.objects.exists()


def test_the_limit_of_a_user_with_retry_after(operator_api: APIClient, api: APIClient) -> None:
    missing = f"/api/v1/vnf_instances/{uuid4()}/vnfcs/{uuid4()}"
    for what, most in (("console", MOST_CONSOLES), ("console_log", MOST_LOGS)):
        ask = operator_api.post if what == "console" else operator_api.get
        allowed = int(most.partition("/")[0])
        assert {ask(f"{missing}/{what}").status_code for _ in range(allowed)} == {404}
        refused = ask(f"{missing}/{what}")
        assert refused.status_code == 429
        problem = refused.json()
        assert problem["code"] == "TOO_MANY_CONSOLES"
        assert 1 <= int(refused["Retry-After"]) == problem["retryAfter"] <= 60
        assert "too many" in problem["detail"]
        assert f"{problem['retryAfter']} second" in problem["nextStep"]
    assert api.post(f"{missing}/console").status_code == 404, "another user has asked for none"
    assert not WorkerRequest.objects.exists()
