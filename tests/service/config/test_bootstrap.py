import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from vnfm.accounts.models import User
from vnfm.catalog.models import VnfPackage
from vnfm.elements.models import ManagementProfile, MediationPolicy, NetworkElement, Site
from vnfm.elements.selectors import profile_for, secrets_of
from vnfm.elements.services.elements import element_delete
from vnfm.elements.services.management_profiles import profile_delete
from vnfm.vims.models import Vim

pytestmark = pytest.mark.django_db(transaction=True)
ROOT = Path(__file__).parents[3]
CATALOG = ROOT / "catalog"
SCENE, TRIAL = (ROOT / "backend" / "routersim" / name for name in ("scene.json", "trial.json"))
PORTS = {"network_port": 10161, "network_netconf_port": 10830}
PASSWORD = "first password of all"


@pytest.fixture
def arguments(tmp_path: Path) -> dict[str, Any]:
    (tmp_path / "password").write_text(PASSWORD + "\n")
    (tmp_path / "clouds.yaml").write_text(
        "clouds:\n  lab:\n    region_name: RegionOne\n    auth:\n      auth_url: http://127.0.0.1:1/identity/v3\n"
        "      username: vnf\n      password: secret\n      project_name: vnf\n"
        "      user_domain_name: Default\n      project_domain_name: Default\n"
    )
    return {
        "admin_username": "admin",
        "admin_password_file": tmp_path / "password",
        "catalog": CATALOG,
        "clouds_yaml": tmp_path / "clouds.yaml",
        "cloud": "lab",
    }


def state() -> tuple[set[str], set[object], set[str]]:
    return (
        set(User.objects.values_list("username", flat=True)),
        set(VnfPackage.objects.values_list("vnfd_id", "onboarding_state")),
        set(Vim.objects.values_list("name", flat=True)),
    )


def test_an_empty_installation_becomes_usable_and_a_second_run_changes_nothing(arguments: dict[str, Any]) -> None:
    call_command("bootstrap", **arguments)
    users, packages, vims = first = state()
    assert (users, vims) == ({"admin"}, {"lab"})
    assert packages
    assert all(onboarded == "ONBOARDED" for _, onboarded in packages)
    admin = User.objects.get()
    assert admin.role == "admin"
    assert admin.check_password(PASSWORD)

    arguments["admin_password_file"].write_text("another password")
    call_command("bootstrap", **arguments)
    assert state() == first
    assert User.objects.get().check_password(PASSWORD), "a password that was changed since must stay"
    assert arguments["admin_password_file"].read_text() == "", "the first one opens nothing: it is not printed"


@pytest.fixture
def with_network(arguments: dict[str, Any], tmp_path: Path) -> dict[str, Any]:
    """Without packages, which take their time and do not matter to the network."""
    (tmp_path / "catalog").mkdir()
    return {**arguments, "catalog": tmp_path / "catalog", "network": SCENE, **PORTS}


V3_SECRETS = {"auth_password": "simulated-auth", "priv_password": "simulated-priv"}
"""These are of the NE9000 and its Virtual Systems."""


def network() -> tuple[set[str], ...]:
    models = (Site, MediationPolicy, NetworkElement, ManagementProfile)
    return tuple(set(model.objects.values_list("name", flat=True)) for model in models)


def test_the_registered_network_is_the_simulated_one(with_network: dict[str, Any]) -> None:
    call_command("bootstrap", **with_network)
    simulated = json.loads(TRIAL.read_text())["elements"]
    systems = {
        f"{one['name']}-{vs['name']}": vs["address"] for one in simulated for vs in one.get("virtualSystems", ())
    }
    addresses = {one["name"]: one["address"] for one in simulated} | systems
    elements = NetworkElement.objects.select_related(
        "host_element", "snmp_policy", "ssh_policy", "netconf_policy", "site"
    )
    assert {one.name: one.management_address for one in elements} == addresses
    assert {one.name for one in elements if one.host_element} == set(systems), "each Virtual System has its chassis"
    for one in elements:
        assert one.site is not None
        assert one.snmp_policy is not None
        assert one.ssh_policy is not None
        assert (one.state, one.resync_state, one.snmp_policy.port) == ("MANAGED", "WAITING", 10161)
        assert (one.netconf_policy.port if one.netconf_policy else 0) == (0 if one.name == "core-1" else 10830)
        assert secrets_of(one.snmp_policy) == ({"community": "public"} if one.name == "core-1" else V3_SECRETS)
    profile = profile_for(vim_id=Vim.objects.get().id, provider="Nokia", product_name="VSR-PE")
    assert profile is not None
    assert profile.address_range == "127.30.0.0/16"
    assert profile_for(vim_id=Vim.objects.get().id, provider="Cisco", product_name="IOS XRv 9000") is None


def test_a_network_is_registered_once_and_a_deleted_one_stays_deleted(with_network: dict[str, Any]) -> None:
    call_command("bootstrap", **with_network)
    everything = network()
    call_command("bootstrap", **with_network)
    assert network() == everything
    element_delete(element=NetworkElement.objects.get(name="edge-1-vs2"))
    profile_delete(profile=ManagementProfile.objects.get())
    call_command("bootstrap", **with_network)
    assert network() == (*everything[:2], everything[2] - {"edge-1-vs2"}, set())


def test_without_a_network_there_is_none_and_a_later_start_may_register_it(with_network: dict[str, Any]) -> None:
    empty = {name: value for name, value in with_network.items() if not name.startswith("network")}
    call_command("bootstrap", **empty)
    assert not any(network())
    call_command("bootstrap", **with_network)
    assert all(network())


def test_a_users_registration_stays_unchanged(with_network: dict[str, Any]) -> None:
    mine = NetworkElement.objects.create(name="mine", kind="PHYSICAL", management_address="127.20.0.1")
    Site.objects.create(name="Berlin", description="ours")
    call_command("bootstrap", **with_network)
    mine.refresh_from_db()
    assert (mine.name, mine.site, mine.version) == ("mine", None, 1)
    assert not NetworkElement.objects.filter(name="core-1").exists(), "its address is another element's"
    assert Site.objects.get(name="Berlin").description == "ours"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"cloud": None}, "belong together"),
        ({"cloud": "elsewhere"}, "elsewhere"),
        ({"clouds_yaml": Path("/nowhere/clouds.yaml")}, "No such file"),
        ({"admin_password_file": Path("/nowhere/password")}, "No such file"),
        ({"network": SCENE}, "--network needs"),
        ({"network": SCENE, "network_port": 1}, "--network-netconf-port"),
        ({"network": Path("/nowhere/scene.json"), **PORTS}, "No such file"),
        ({"network": CATALOG / "README.md", **PORTS}, "Expecting value"),
    ],
    ids=str,
)
def test_a_missing_setting_is_reported_in_a_sentence(arguments: dict[str, Any], change: dict, words: str) -> None:
    with pytest.raises(CommandError, match=words):
        call_command("bootstrap", **arguments | change)


def test_a_weak_first_password_is_refused(arguments: dict[str, Any]) -> None:
    arguments["admin_password_file"].write_text("short")
    with pytest.raises(CommandError, match="too short"):
        call_command("bootstrap", **arguments)
    assert not User.objects.exists()
