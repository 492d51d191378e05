"""python-tackerclient from PyPI, unmodified: every command, in both API versions (backend/docs/NORTHBOUND.md)."""

import json
import re
from collections.abc import Callable, Iterator
from ipaddress import ip_network
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import openstack.config
import pytest
from openstack.connection import Connection

from tests.factories.accounts import make_user
from tests.factories.catalog import onboarded
from tests.factories.deployed import make_deployed, make_vnfc
from tests.factories.elements import make_element
from tests.factories.networks import make_network
from tests.factories.packages import vsr_next, vsr_zip
from tests.service.lcm.lifecycle import Lifecycle
from tests.support.subscriber import NotifiedEndpoint
from tests.support.tacker_shell import TackerShell, commands
from vnfm.accounts.roles import Role
from vnfm.accounts.tokens import token_issue
from vnfm.clouds.errors import Rejected
from vnfm.faults.reconcilers.evaluation import evaluate_all
from vnfm.inventory.models import Vnfc
from vnfm.kit import clock
from vnfm.lcm.models import LcmOpOcc
from vnfm.lcm.reconcilers.settle_failed import settle_failed
from vnfm.sol003_pm.models import PmJob, PmReport

pytestmark = pytest.mark.django_db(transaction=True)
DOCUMENT = Path(__file__).parents[3] / "backend/docs/NORTHBOUND.md"
SCALE_OUT = ("--type", "SCALE_OUT", "--aspect-id", "data-path", "--number-of-steps", "1")
_ROW = re.compile(r"^\| `((?:vnf|vnflcm|vnffm|vnfpm) [^`]+)` \| (\S+) \| (\S+) \|", re.MULTILINE)


class Tacker:
    """Runs commands in one API version; `works` are those that succeeded."""

    def __init__(self, shell: TackerShell, version: str, files: Path) -> None:
        self._shell, self.version, self._files = shell, version, files
        self.works: set[str] = set()

    def __call__(self, command: str, *arguments: str, shows: bool = True) -> Any:
        answer = self._shell.run(self.version, *command.split(), *arguments, shows=shows)
        self.works.add(command)
        return answer

    def file(self, body: Any) -> str:
        path = self._files / f"{uuid4()}.json"
        path.write_text(json.dumps(body))
        return str(path)


@pytest.fixture
def shell(live_server: Any, settings: Any) -> Iterator[TackerShell]:
    settings.SUBSCRIBERS_ALLOWED, settings.SUBSCRIBERS_HTTP = [ip_network("127.0.0.1/32")], True
    _, token = token_issue(user=make_user(username="nfvo", role=Role.ADMIN), name="tacker")
    running = TackerShell(live_server.url, token)
    yield running
    running.end()


@pytest.fixture(params=["1", "2"])
def tacker(request: pytest.FixtureRequest, shell: TackerShell, tmp_path: Path) -> Tacker:
    return Tacker(shell, request.param, tmp_path)


@pytest.fixture
def network(lifecycle: Lifecycle, cloudsim: Any) -> str:
    """Id of a network of another user with the management subnet."""
    config = openstack.config.OpenStackConfig(config_files=[str(cloudsim.clouds_yaml)])
    return make_network(Connection(config=config.get_one("cloudsim")), "outside", "10.10.0.0/24")


@pytest.fixture
def endpoint() -> Iterator[NotifiedEndpoint]:
    with NotifiedEndpoint() as server:
        yield server


def documented(version: int) -> dict[str, str]:
    """Command → works, or what else the document says."""
    return {row[1]: row[1 + version] for row in _ROW.finditer(DOCUMENT.read_text()) if row[1 + version] != "-"}


def latest() -> UUID:
    return LcmOpOcc.objects.latest("start_time").id


def ended(life: Lifecycle, state: str = "COMPLETED") -> str:
    """Drives the latest operation to its end."""
    op = life.run(latest())
    assert op.state == state, life.story(op)
    return str(op.id)


def lifecycle_of(tacker: Tacker, life: Lifecycle, break_cloud: Callable[..., Any], network: str) -> None:
    created = tacker("vnflcm create", str(life.package.vnfd_id), "--name", "vgw")
    instance = created["ID"]
    assert instance in [row["ID"] for row in tacker("vnflcm list")]
    assert tacker("vnflcm show", instance)["Instantiation State"] == "NOT_INSTANTIATED"
    tacker("vnflcm update", instance, "--I", tacker.file({"vnfInstanceDescription": "edge"}), shows=False)
    ended(life)
    tacker("vnflcm versions", shows=True)
    tacker("vnflcm instantiate", instance, instantiation(tacker, life), shows=False)
    ended(life)
    tacker("vnflcm scale", instance, *SCALE_OUT, shows=False)
    ended(life)
    tacker("vnflcm heal", instance, "--cause", "test", shows=False)
    ended(life)
    assert len(tacker("vnflcm op list")) >= 3
    assert tacker("vnflcm op show", ended(life))["Operation State"] == "COMPLETED"
    link = {"id": "link", "resourceId": network, "extCps": [{"cpdId": "control-management"}]}
    tacker("vnflcm change-ext-conn", instance, tacker.file({"extVirtualLinks": [link]}), shows=False)
    ended(life)
    if tacker.version == "2":
        body = {"vnfdId": str(onboarded(vsr_next()).vnfd_id)}
        tacker("vnflcm change-vnfpkg", instance, tacker.file(body), shows=False)
        ended(life)
    failing(tacker, life, instance, break_cloud)
    settle_failed(latest())
    tacker("vnflcm terminate", instance, "--termination-type", "FORCEFUL", shows=False)
    ended(life)
    tacker("vnflcm delete", instance, shows=False)


def instantiation(tacker: Tacker, life: Lifecycle) -> str:
    body = life.instantiate_request()
    if tacker.version == "1":
        body["vimConnectionInfo"] = [{"id": key, **value} for key, value in body["vimConnectionInfo"].items()]
    return tacker.file(body)


def failing(tacker: Tacker, life: Lifecycle, instance: str, break_cloud: Callable[..., Any]) -> None:
    for task in ("rollback", "retry", "fail"):
        break_cloud("stacks.update", Rejected("sabotage", service="heat", http_status=400), after=False)
        tacker("vnflcm scale", instance, *SCALE_OUT, shows=False)
        op = ended(life, "FAILED_TEMP")
        tacker(f"vnflcm op {task}", op, shows=task == "fail")
        if task != "fail":
            ended(life, "ROLLED_BACK" if task == "rollback" else "COMPLETED")


def subscriptions_of(tacker: Tacker, endpoint: NotifiedEndpoint) -> None:
    made = tacker("vnflcm subsc create", tacker.file({"callbackUri": endpoint.url}))
    assert [row["ID"] for row in tacker("vnflcm subsc list")] == [made["ID"]]
    assert tacker("vnflcm subsc show", made["ID"])["Callback URI"] == endpoint.url
    tacker("vnflcm subsc delete", made["ID"], shows=False)


def packages_of(tacker: Tacker, files: Path) -> None:
    content = files / "vsr.zip"
    content.write_bytes(vsr_zip(str(uuid4())))
    made = tacker("vnf package create", "--user-data", "site=lab")["ID"]
    tacker("vnf package upload", made, "--path", str(content), shows=False)
    assert made in [row["Id"] for row in tacker("vnf package list", "--all_fields")]
    shown = tacker("vnf package show", made)
    assert shown["Onboarding State"] == "ONBOARDED"
    tacker("vnf package download", made, "--file", str(files / "all.zip"), shows=False)
    assert (files / "all.zip").read_bytes() == content.read_bytes()
    tacker("vnf package download", made, "--vnfd", "--type", "text/plain", "--file", str(files / "vnfd"), shows=False)
    tacker("vnf package artifact download", made, "vnfd.yaml", "--file", str(files / "artifact"), shows=False)
    assert (files / "artifact").read_bytes()
    tacker("vnf package update", made, "--operational-state", "DISABLED")
    tacker("vnf package delete", made, shows=False)


def alarms_of(tacker: Tacker, endpoint: NotifiedEndpoint) -> None:
    instance = make_deployed()
    make_vnfc(instance, "iom-1")
    Vnfc.objects.filter(instance=instance).update(status="SHUTOFF", status_since=clock.now())
    evaluate_all(now=clock.now())
    (alarm,) = [row for row in tacker("vnffm alarm list") if row["Managed Object Id"] == str(instance.id)]
    assert tacker("vnffm alarm show", alarm["ID"])["Perceived Severity"] == "CRITICAL"
    assert tacker("vnffm alarm update", alarm["ID"], "--ack-state", "ACKNOWLEDGED")["Ack State"] == "ACKNOWLEDGED"
    made = tacker("vnffm sub create", tacker.file({"callbackUri": endpoint.url}))["ID"]
    assert [row["ID"] for row in tacker("vnffm sub list")] == [made]
    tacker("vnffm sub show", made)
    tacker("vnffm sub delete", made, shows=False)


def measurements_of(tacker: Tacker, endpoint: NotifiedEndpoint) -> None:
    instance = make_deployed()
    make_element(name="vsr-1", vnf_instance=instance)
    periods = {"collectionPeriod": 60, "reportingPeriod": 120}
    metric = f"VCpuUsageMeanVnf.{instance.id}"
    job = {"objectType": "Vnf", "objectInstanceIds": [str(instance.id)], "callbackUri": endpoint.url}
    made = tacker("vnfpm job create", tacker.file(job | {"criteria": {"performanceMetric": [metric], **periods}}))["ID"]
    assert [row["Id"] for row in tacker("vnfpm job list")] == [made]
    assert tacker("vnfpm job show", made)["ID"] == made
    tacker("vnfpm job update", made, tacker.file({"callbackUri": f"{endpoint.base}/other"}))
    now = clock.now()
    values = [{"timeStamp": now.isoformat(), "value": 12.5}]
    entry = {"objectType": "Vnf", "objectInstanceId": str(instance.id), "performanceMetric": metric}
    report = PmReport.objects.create(
        job=PmJob.objects.get(), ready_at=now, expires_at=now, entries=[entry | {"performanceValues": values}]
    )
    assert "12.5" in json.dumps(tacker("vnfpm report show", made, str(report.id)))
    tacker("vnfpm job delete", made, shows=False)
    details = {"thresholdValue": 80, "hysteresis": 5}
    criteria = {"performanceMetric": metric, "thresholdType": "SIMPLE", "simpleThresholdDetails": details}
    limit = {"objectType": "Vnf", "objectInstanceId": str(instance.id), "callbackUri": endpoint.url}
    made = tacker("vnfpm threshold create", tacker.file(limit | {"criteria": criteria}))["ID"]
    assert [row["ID"] for row in tacker("vnfpm threshold list")] == [made]
    tacker("vnfpm threshold show", made)
    tacker("vnfpm threshold update", made, tacker.file({"callbackUri": f"{endpoint.base}/other"}))
    tacker("vnfpm threshold delete", made, shows=False)


def cancelled(tacker: Tacker, life: Lifecycle) -> None:
    """The client shows the answer of a request that has none, and fails after the operation is cancelled."""
    instance = life.create()
    tacker("vnflcm instantiate", str(instance.id), instantiation(tacker, life), shows=False)
    with pytest.raises(AssertionError, match="cannot unpack"):
        tacker("vnflcm op cancel", str(latest()))
    assert life.run(latest()).state == "ROLLED_BACK"


def assert_documented(tacker: Tacker, belongs: Callable[[str], bool]) -> None:
    """All commands of a kind that the document says work were seen to work."""
    said = documented(int(tacker.version))
    assert tacker.works == {command for command in said if belongs(command) and said[command] == "works"}


def test_packages(shell: TackerShell, tmp_path: Path) -> None:
    tacker = Tacker(shell, "1", tmp_path)
    packages_of(tacker, tmp_path)
    assert_documented(tacker, lambda command: command.startswith("vnf package"))


def test_alarms(shell: TackerShell, endpoint: NotifiedEndpoint, tmp_path: Path) -> None:
    tacker = Tacker(shell, "2", tmp_path)
    alarms_of(tacker, endpoint)
    assert_documented(tacker, lambda command: command.startswith("vnffm"))


def test_measurements(shell: TackerShell, endpoint: NotifiedEndpoint, tmp_path: Path) -> None:
    tacker = Tacker(shell, "2", tmp_path)
    measurements_of(tacker, endpoint)
    assert_documented(tacker, lambda command: command.startswith("vnfpm"))


def test_subscriptions(tacker: Tacker, endpoint: NotifiedEndpoint) -> None:
    subscriptions_of(tacker, endpoint)
    assert_documented(tacker, lambda command: command.startswith("vnflcm subsc"))


def test_lifecycle(tacker: Tacker, lifecycle: Lifecycle, break_cloud: Callable[..., Any], network: str) -> None:
    lifecycle_of(tacker, lifecycle, break_cloud, network)
    assert_documented(tacker, lambda command: command.startswith("vnflcm") and " subsc " not in command)


def test_cancel(shell: TackerShell, lifecycle: Lifecycle, tmp_path: Path) -> None:
    cancelled(Tacker(shell, "1", tmp_path), lifecycle)


@pytest.mark.parametrize("version", [1, 2])
def test_the_document_has_every_command(version: int) -> None:
    assert documented(version).keys() == commands(str(version))
