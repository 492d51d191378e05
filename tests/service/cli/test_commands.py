"""`./vnfm vnf|alarm|package` over HTTP, against the product's own API."""

import json
from collections.abc import Callable
from pathlib import Path
from uuid import uuid4

import pytest
from pytest_django.live_server_helper import LiveServer

from cli.__main__ import main
from tests.factories.accounts import make_user
from tests.factories.alarms import make_alarm
from tests.factories.catalog import onboarded
from tests.factories.deployed import make_deployed, make_vnfc
from tests.factories.packages import shipped_zip, vsr_zip
from vnfm.accounts.tokens import token_issue
from vnfm.catalog.models import VnfPackage
from vnfm.faults.models import Alarm
from vnfm.inventory.models import VnfInstance
from vnfm.lcm.models import LcmOpOcc, VnfSnapshot

pytestmark = pytest.mark.django_db(transaction=True)
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(live_server: LiveServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """Exit code, output and errors of a command of an operator, whose token is in a file."""
    _, secret = token_issue(user=make_user(role="operator"), name="test")
    (tmp_path / "token").write_text(f"{secret}\n")
    environment = {"VNFM_URL": live_server.url, "VNFM_TOKEN_FILE": str(tmp_path / "token")}

    def command(*arguments: str, **more: str) -> tuple[int, str, str]:
        code = main(arguments, environment | more)
        return code, *capsys.readouterr()

    return command


@pytest.fixture
def instance(transactional_db: None) -> VnfInstance:
    made = make_deployed(name="pe-1", package=onboarded(shipped_zip()), flavour_id="default")
    make_vnfc(made, "pe-1-control", vdu="control", slot="A")
    return made


def test_vnfs_as_a_table_and_as_json(run: Run, instance: VnfInstance) -> None:
    code, table, _ = run("vnf", "list")
    heading, row = table.splitlines()
    assert (code, heading.split()) == (0, ["NAME", "STATE", "AVAILABLE", "VNFCS", "ID"])
    assert row.split()[:2] == ["pe-1", "INSTANTIATED"]
    assert row.split()[-1] == str(instance.id)
    assert json.loads(run("vnf", "list", "--json")[1])[0]["conditions"]
    code, detail, _ = run("vnf", "show", "pe-1")
    assert code == 0
    assert f"ID         {instance.id}" in detail
    make_deployed(name="pe-1", package=instance.package, vim=instance.vim)
    code, _, words = run("vnf", "show", "pe-1")
    assert (code, "2 have the name pe-1: use one of the ids" in words) == (1, True)
    assert run("vnf", "show", str(instance.id))[0] == 0
    assert "use one of pe-1." in run("vnf", "show", "pe-9")[2]
    assert "No VNF instance" in run("vnf", "show", str(uuid4()))[2]


def test_names_are_looked_up_by_the_server(run: Run, instance: VnfInstance) -> None:
    odd = "O'Hare, (east); 'x'"
    named_by_nfvo = str(uuid4())
    for name in (odd, named_by_nfvo, *(f"pe-1{number:03}" for number in range(100))):
        make_deployed(name=name, package=instance.package, vim=instance.vim)
    for name in (odd, named_by_nfvo):
        code, shown, words = run("vnf", "show", name, "--json")
        assert (code, json.loads(shown)["name"]) == (0, name), words
    _, _, words = run("vnf", "show", "pe-9")
    assert words.partition("use one of ")[2].count("pe-1") in range(8, 11)
    assert words.endswith(" and others.\n")


def test_operations_are_started(run: Run, instance: VnfInstance) -> None:
    code, op_id, words = run("vnf", "scale", "pe-1", "out", "data-path", "--steps", "2", "--no-wait")
    assert code == 0, words
    op = LcmOpOcc.objects.get(id=op_id.strip())
    assert op.params["aspectId"] == "data-path"
    assert (op.operation, op.params["numberOfSteps"]) == ("SCALE", 2)
    code, _, words = run("vnf", "heal", "pe-1", "--no-wait")
    assert code == 1
    assert "409" in words
    new = ("--vnfd", "VSR-PE", "--param", "x=1", "--no-wait")
    code, _, words = run("vnf", "instantiate", "pe-2", *new)
    assert (code, "at /additionalParams/x" in words) == (1, True), words
    assert run("vnf", "instantiate", "pe-2", "--vnfd", "VSR-PE", "--param", "x")[0] == 2
    assert not VnfInstance.objects.filter(name="pe-2").exists()
    assert run("vnf", "terminate", "pe-1", "--no-wait", "--delete")[0] == 2
    code, answer, words = run("vnf", "instantiate", "pe-3", "--vnfd", "VSR-PE", "--no-wait", "--json")
    assert code == 0, words
    assert json.loads(answer)["operation"] == "INSTANTIATE"


def test_snapshots_of_a_vnf(run: Run, instance: VnfInstance) -> None:
    code, op_id, words = run("vnf", "snapshot", "take", "pe-1", "--no-wait")
    assert code == 0, words
    op = LcmOpOcc.objects.get(id=op_id.strip())
    snapshot = VnfSnapshot.objects.get()
    assert (op.operation, op.params["vnfSnapshotInfoId"]) == ("CREATE_SNAPSHOT", str(snapshot.id))
    heading, row = run("vnf", "snapshot", "list", "pe-1")[1].splitlines()
    assert heading.split() == ["TAKEN", "STATE", "VNFCS", "VOLUMES", "BY", "REVERTED", "ID", "PROBLEM"]
    assert (row.split()[1], row.split()[-2]) == ("CREATING", str(snapshot.id))
    assert json.loads(run("vnf", "snapshot", "list", "pe-1", "--json")[1])[0]["vnfcs"] == []
    assert run("vnf", "snapshot", "take", "pe-1", "--no-wait")[0] == 1, "an operation is under way"
    assert VnfSnapshot.objects.count() == 1, "a refused one leaves no record"
    assert run("vnf", "snapshot", "delete", str(snapshot.id))[0] == 1, "it is being taken"
    LcmOpOcc.objects.update(state="COMPLETED")
    snapshot.state, snapshot.finished_at = "AVAILABLE", snapshot.started_at
    snapshot.save()
    code, op_id, words = run("vnf", "snapshot", "revert", "pe-1", str(snapshot.id), "--no-wait")
    assert code == 0, words
    assert LcmOpOcc.objects.get(id=op_id.strip()).operation == "REVERT_TO_SNAPSHOT"
    LcmOpOcc.objects.update(state="COMPLETED")
    code, deleted, words = run("vnf", "snapshot", "delete", str(snapshot.id), "--json")
    assert (code, json.loads(deleted)) == (0, [{"id": str(snapshot.id)}]), words
    assert " DELETING " in run("vnf", "snapshot", "list", "pe-1")[1]


def test_alarms_are_listed_and_acknowledged(run: Run) -> None:
    alarm, other = make_alarm(perceived_severity="MAJOR"), make_alarm(perceived_severity="MINOR")
    assert len(run("alarm", "list")[1].splitlines()) == 3
    (found,) = json.loads(run("alarm", "list", "--severity", "MAJOR", "--json")[1])
    assert found["id"] == str(alarm.id)
    code, table, _ = run("alarm", "ack", str(alarm.id), str(other.id))
    assert (code, table.count(" ACKNOWLEDGED ")) == (0, 2)
    assert not Alarm.objects.filter(ack_state="UNACKNOWLEDGED").exists()
    assert run("alarm", "ack", str(uuid4()))[0] == 1


def test_packages_are_uploaded_or_refused(run: Run, tmp_path: Path) -> None:
    (tmp_path / "vsr.zip").write_bytes(vsr_zip())
    code, table, words = run("package", "upload", str(tmp_path / "vsr.zip"))
    assert code == 0, words
    assert table == run("package", "list")[1]
    assert " ONBOARDED " in table
    (tmp_path / "bad.zip").write_bytes(b"no zip")
    code, _, words = run("package", "upload", str(tmp_path / "bad.zip"))
    assert (code, VnfPackage.objects.count()) == (1, 1), words
    code, _, words = run("package", "upload", str(tmp_path / "none.zip"))
    assert (code, words) == (1, f"{tmp_path / 'none.zip'}: No such file or directory\n")


def test_exit_codes_of_access_and_usage(run: Run) -> None:
    assert run("vnf", "list", VNFM_TOKEN="wrong")[0] == 4
    assert run("vnf", "list", VNFM_URL="http://127.0.0.1:9")[0] == 4
    assert run("vnf", "list", VNFM_URL="")[0] == 2
    with pytest.raises(SystemExit, match="2"):
        run("vnf", "fly")


def test_an_ended_token_is_removed_for_the_next_command(run: Run, tmp_path: Path) -> None:
    kept = tmp_path / "client-token"
    kept.write_text("vnfm_ended\n")
    code, _, errors = run("vnf", "list", VNFM_TOKEN_FILE=str(kept), VNFM_TOKEN_RENEWABLE="1")
    assert code == 4
    assert "Run the command again" in errors
    assert not kept.exists()
