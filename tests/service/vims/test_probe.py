"""The worker's side: tasks called in this process, against the simulated cloud."""

from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
import yaml
from django.core.management import call_command
from django.db import transaction

from tests.factories.tls import self_signed
from tests.factories.vims import make_vim
from tests.support.cloudsim_process import CloudsimProcess
from tests.support.yaml_text import load_yaml
from vnfm.clouds import registry
from vnfm.clouds.openstack import OpenStackProvider
from vnfm.kit import clock, seal
from vnfm.kit.durable import lease
from vnfm.kit.models import Lease, OutboxEvent, WorkerRequest
from vnfm.vims import services, tasks
from vnfm.vims.domain.clouds_yaml import CloudsYamlError
from vnfm.vims.domain.reachability import PROBE_PERIOD, STALE_AFTER
from vnfm.vims.models import Vim
from vnfm.vims.reconcilers.probe import probe_vim, sweep
from vnfm.vims.selectors import connection_of, reachability, vim_of_same_user

pytestmark = pytest.mark.django_db(transaction=True)  # a lease is taken in a transaction of its own


@pytest.fixture(autouse=True)
def provider() -> None:
    registry.install(OpenStackProvider())


@pytest.fixture
def vim(cloudsim: CloudsimProcess) -> Vim:
    return services.vim_register_from_clouds_yaml(path=cloudsim.clouds_yaml, name="cloudsim")


def probed(vim: Vim) -> Vim:
    tasks.probe(str(vim.id))
    return Vim.objects.get(id=vim.id)


def test_registering_from_clouds_yaml_needs_no_worker_and_is_repeatable(vim: Vim, cloudsim: CloudsimProcess) -> None:
    assert reachability(vim).status == "Unknown"
    again = services.vim_register_from_clouds_yaml(path=cloudsim.clouds_yaml, name="cloudsim")
    assert (again.id, again.version) == (vim.id, vim.version)
    assert Vim.objects.count() == 1


def test_a_changed_file_changes_the_vim(vim: Vim, cloudsim: CloudsimProcess, tmp_path: Path) -> None:
    document = load_yaml(cloudsim.clouds_yaml.read_text())
    entry = document["clouds"]["cloudsim"]
    password = entry["auth"].pop("password")
    pem = self_signed(tmp_path)[1]
    (tmp_path / "ca.pem").write_text(pem)
    (tmp_path / "clouds.yaml").write_text(
        yaml.safe_dump({"clouds": {"cloudsim": entry | {"cacert": "ca.pem", "verify": False}}})
    )
    secure = {"clouds": {"cloudsim": {"auth": {"password": f"{password}2"}}}}
    (tmp_path / "secure.yaml").write_text(yaml.safe_dump(secure))
    changed = services.vim_register_from_clouds_yaml(path=tmp_path / "clouds.yaml", name="cloudsim")
    assert changed.id == vim.id
    assert changed.version == vim.version + 1
    connection = connection_of(changed)
    assert (connection.password, connection.cacert, connection.insecure) == (f"{password}2", pem, True)


def test_a_file_with_another_project_makes_it_unknown_until_it_is_probed(
    vim: Vim, cloudsim: CloudsimProcess, tmp_path: Path
) -> None:
    before = probed(vim)
    assert (before.scoped_project_name, reachability(before).status) == ("vnf", "True")
    document = yaml.safe_load(cloudsim.clouds_yaml.read_text())
    document["clouds"]["cloudsim"]["verify"] = False
    (tmp_path / "clouds.yaml").write_text(yaml.safe_dump(document))
    same = services.vim_register_from_clouds_yaml(path=tmp_path / "clouds.yaml", name="cloudsim")
    assert same.scoped_project_id == before.scoped_project_id, "the login is the same"
    document["clouds"]["cloudsim"]["auth"]["project_name"] = "other"
    (tmp_path / "clouds.yaml").write_text(yaml.safe_dump(document))
    other = services.vim_register_from_clouds_yaml(path=tmp_path / "clouds.yaml", name="cloudsim")
    assert (other.scoped_project_id, other.scoped_project_name, other.scoped_project_domain_name) == ("", "", "")
    assert reachability(other).status == "Unknown"
    assert other.reachable_since > before.reachable_since


def test_a_file_without_the_cloud(cloudsim: CloudsimProcess) -> None:
    with pytest.raises(CloudsYamlError, match="no cloud 'elsewhere'; there are: cloudsim"):
        services.vim_register_from_clouds_yaml(path=cloudsim.clouds_yaml, name="elsewhere")


def test_a_probe_fills_the_vim_and_publishes_it_once(vim: Vim) -> None:
    first = probed(vim)
    assert first.version > vim.version
    assert first.probed_at is not None
    assert first.capabilities["admin"] is False
    assert first.quotas["cores"]["limit"] is not None
    assert {flavor["name"] for flavor in first.resources["flavors"]}
    assert reachability(first).status == "True"
    published = OutboxEvent.objects.count()

    second = probed(vim)
    assert second.version == first.version
    assert second.probed_at > first.probed_at
    assert OutboxEvent.objects.count() == published


def test_a_capability_has_the_time_since_when_it_holds(vim: Vim, cloudsim: CloudsimProcess) -> None:
    cloudsim.control("POST", "/reset")
    first = probed(vim)
    assert first.capabilities["flavor_create"] is False
    assert first.capabilities_since.keys() == first.capabilities.keys() | first.features.keys()
    cloudsim.control("PUT", "/settings", {"flavor_create_role": "member"})
    later = clock.now() + timedelta(minutes=5)
    probe_vim(vim.id, registry.provider(), later)
    vim.refresh_from_db()
    assert vim.capabilities["flavor_create"] is True
    assert vim.capabilities_since["flavor_create"] == later.isoformat(timespec="seconds")
    assert vim.capabilities_since["admin"] == first.capabilities_since["admin"]
    cloudsim.control("POST", "/reset")


def test_a_probe_calls_heat_again_only_for_new_versions(vim: Vim, cloudsim: CloudsimProcess) -> None:
    def heat_calls() -> dict[str, int]:
        """Calls to Heat of one probe, by route."""
        cloudsim.control("DELETE", "/stats")
        probed(vim)
        routes = cloudsim.control("GET", "/stats")["routes"]
        return {row["route"]: row["count"] for row in routes if row["service"] == "orchestration"}

    first, second = heat_calls(), heat_calls()
    assert sum(first.values()) == 3 + len(Vim.objects.get(id=vim.id).features["hot_functions"])
    assert second == {route: 1 for route in first if route.endswith(("/stacks", "/template_versions"))}


@pytest.mark.parametrize(
    ("status", "words", "passes"),
    [(503, "busy", True), (500, "'NoneType' object has no attribute 'split'", False), (403, "not for you", False)],
)
def test_functions_that_heat_could_not_list_are_requested_again(
    vim: Vim, cloudsim: CloudsimProcess, status: int, words: str, *, passes: bool
) -> None:
    failure = {"method": "GET", "path": "/template_versions/.*2015-10-15/functions", "effect": "status", "times": 1}
    cloudsim.control("POST", "/failures", {**failure, "service": "orchestration", "status": status, "message": words})
    first, second = (probed(vim).features["hot_functions"]["2015-10-15"] for _ in range(2))
    cloudsim.control("DELETE", "/failures")
    assert (first, "str_split" in second) == ([], passes)


def test_refused_credentials_show_as_a_condition_and_heal(vim: Vim) -> None:
    right = probed(vim)
    wrong = seal.seal({"password": "wrong"})
    Vim.objects.filter(id=vim.id).update(sealed_credentials=wrong)
    after = probed(vim)
    assert (after.reachable, after.reachable_reason) == ("False", "CredentialsRefused")
    assert after.reachable_message.startswith("keystone: ")
    assert after.reachable_since > right.reachable_since
    assert after.resources == right.resources
    event = OutboxEvent.objects.filter(topic="vim.changed").latest("id")
    assert event.payload["reachable"] == "False"
    assert event.payload["at"]
    Vim.objects.filter(id=vim.id).update(sealed_credentials=right.sealed_credentials)
    assert probed(vim).reachable == "True"


def test_a_cloud_without_an_answer_is_unreachable() -> None:
    away = probed(make_vim())
    assert (away.reachable, away.reachable_reason) == ("False", "Unreachable")
    assert away.probed_at is None


def test_a_failing_service_does_not_make_the_vim_unreachable_while_polls_succeed(vim: Vim) -> None:
    probed(vim)
    Vim.objects.filter(id=vim.id).update(endpoint_overrides={"image": "http://127.0.0.1:1/v2"})
    assert probed(vim).reachable == "True"
    Vim.objects.filter(id=vim.id).update(reachable_observed_at=clock.now() - 2 * STALE_AFTER)
    assert probed(vim).reachable == "False"


def test_an_unobserved_vim_is_unknown(vim: Vim) -> None:
    seen = probed(vim)
    assert seen.reachable_observed_at is not None
    later = seen.reachable_observed_at + STALE_AFTER + timedelta(seconds=1)
    condition = reachability(seen).at(later)
    assert (condition.status, condition.reason) == ("Unknown", "NotObserved")
    assert condition.last_transition_time == seen.reachable_observed_at + STALE_AFTER
    assert "answers" in condition.message


def test_a_probe_leaves_a_vim_to_the_worker_that_has_it(vim: Vim) -> None:
    with lease.hold(f"vim-probe:{vim.id}"):
        assert probed(vim).probed_at is None


def test_a_probe_that_killed_its_workers_finds_nothing_and_waits(vim: Vim) -> None:
    before, now = probed(vim), clock.now()
    Lease.objects.filter(key=f"vim-probe:{vim.id}").update(owner="dead", deaths=1, expires_at=now)
    probe_vim(vim.id, registry.provider(), now)
    after = Vim.objects.get(id=vim.id)
    assert (after.reachable, after.reachable_reason) == ("Unknown", "WorkerDied")
    assert (after.probed_at, after.resources) == (before.probed_at, before.resources)
    Vim.objects.filter(id=vim.id).update(probed_at=now - timedelta(hours=1))
    services.vim_answering_record(vim=after, now=now)
    assert sweep(clock.now()) == 0, "whatever the polls say"
    Lease.objects.filter(key=f"vim-probe:{vim.id}").update(expires_at=now - PROBE_PERIOD)
    assert sweep(clock.now()) == 1
    assert probed(vim).probed_at > now, "it is tried again"
    Vim.objects.filter(id=vim.id).update(probed_at=now - timedelta(hours=1))
    assert sweep(clock.now()) == 1


def test_a_probe_of_a_vim_that_is_gone() -> None:
    tasks.probe(str(uuid4()))


def test_abandoned_worker_requests_are_pruned() -> None:
    fresh = WorkerRequest.objects.create(sealed_arguments=b"x")
    old = WorkerRequest.objects.create(sealed_arguments=b"x")
    WorkerRequest.objects.filter(id=old.id).update(created_at=clock.now() - timedelta(hours=1))
    tasks.probe_due()
    assert list(WorkerRequest.objects.all()) == [fresh]


def test_a_request_that_no_longer_waits_is_ignored() -> None:
    tasks.probe_connection(str(uuid4()))


def test_full_credentials_find_the_vim_they_belong_to(vim: Vim, cloudsim: CloudsimProcess) -> None:
    assert services.vim_for_connection(connection=connection_of(vim)).id == vim.id


def test_the_same_project_by_its_id_is_the_same_vim(vim: Vim) -> None:
    from dataclasses import replace

    probed(vim)
    vim.refresh_from_db()
    named = connection_of(vim)
    by_id = replace(named, project_id=vim.scoped_project_id, project_name="", project_domain_name="Default")
    assert vim.scoped_project_name == named.project_name
    assert services.vim_for_connection(connection=by_id).id == vim.id
    assert vim_of_same_user(connection=by_id) == vim
    assert vim_of_same_user(connection=replace(by_id, project_id="f" * 32)) is None


def test_the_same_project_by_its_name_is_the_vim_that_is_registered_by_id(vim: Vim) -> None:
    from dataclasses import replace

    probed(vim)
    vim.refresh_from_db()
    named = connection_of(vim)
    Vim.objects.filter(id=vim.id).update(project_id=vim.scoped_project_id, project_name="", project_domain_name="-")
    assert services.vim_for_connection(connection=named).id == vim.id
    assert vim_of_same_user(connection=replace(named, project_id=named.project_name, project_name="")) == vim
    assert vim_of_same_user(connection=replace(named, project_domain_name="Other")) is None
    assert vim_of_same_user(connection=replace(named, project_name="other")) is None


@pytest.mark.usefixtures("worker")
def test_full_credentials_of_an_unknown_cloud_register_it(cloudsim: CloudsimProcess) -> None:
    from dataclasses import replace

    known = services.vim_register_from_clouds_yaml(path=cloudsim.clouds_yaml, name="cloudsim")
    elsewhere = replace(connection_of(known), region="")
    made = services.vim_for_connection(connection=elsewhere)
    assert made.id != known.id
    assert made.name == f"{elsewhere.project_name}@127.0.0.1"
    assert services.vim_for_connection(connection=elsewhere).id == made.id
    with transaction.atomic():  # as when an operation is accepted
        other = services.vim_for_connection(connection=replace(elsewhere, insecure=True))
    assert other.name == f"{elsewhere.project_name}@127.0.0.1-2"


def test_seal_keys_rotate(
    vim: Vim, settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    from cryptography.fernet import Fernet, InvalidToken

    password = connection_of(vim).password
    old, new = Path(settings.SEAL_KEYS_FILE).read_text().strip(), Fernet.generate_key().decode()
    settings.SEAL_KEYS_FILE = str(tmp_path / "both")
    Path(settings.SEAL_KEYS_FILE).write_text(f"{new}\n{old}\n")
    call_command("rotate_seal_keys")
    rotated = bytes(Vim.objects.get(id=vim.id).sealed_credentials)
    call_command("rotate_seal_keys")
    assert bytes(Vim.objects.get(id=vim.id).sealed_credentials) == rotated

    settings.SEAL_KEYS_FILE = str(tmp_path / "new")
    Path(settings.SEAL_KEYS_FILE).write_text(new)
    assert connection_of(Vim.objects.get(id=vim.id)).password == password
    with pytest.raises(InvalidToken):
        Fernet(old).decrypt(rotated)
