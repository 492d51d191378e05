from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from vnfm.accounts.models import User
from vnfm.catalog.models import VnfPackage
from vnfm.vims.models import Vim

pytestmark = pytest.mark.django_db(transaction=True)
CATALOG = Path(__file__).parents[3] / "catalog"
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


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"cloud": None}, "belong together"),
        ({"cloud": "elsewhere"}, "elsewhere"),
        ({"clouds_yaml": Path("/nowhere/clouds.yaml")}, "No such file"),
        ({"admin_password_file": Path("/nowhere/password")}, "No such file"),
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
