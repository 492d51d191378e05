import sys
from pathlib import Path

import pytest
import yaml

from demo import __main__ as command
from demo.api import DemoError
from demo.cloud import check_same_cloud, registration

AUTH = {"auth_url": "https://cloud:5000/v3", "project_name": "vnf", "username": "ann", "password": "hush"}


@pytest.fixture
def registered(tmp_path: Path):
    def run(**auth):
        path = tmp_path / "clouds.yaml"
        path.write_text(yaml.safe_dump({"clouds": {"mine": {"auth": {**AUTH, **auth}}}}))
        return registration("mine", str(path))

    return run


@pytest.mark.parametrize(
    ("auth", "names"),
    [
        ({}, ("Default", "Default")),
        ({"user_domain_id": "default", "project_domain_id": "default"}, ("Default", "Default")),
        ({"user_domain_name": "people", "project_domain_name": "work"}, ("people", "work")),
    ],
)
def test_domains_are_sent_by_name(registered, auth, names):
    body = registered(**auth)
    assert (body["userDomainName"], body["projectDomainName"]) == names


@pytest.mark.parametrize("whose", ["user", "project"])
def test_a_domain_id_is_not_used_as_its_name(registered, whose):
    with pytest.raises(DemoError, match=f"gives {whose}_domain_id '0f'; give {whose}_domain_name instead"):
        registered(**{f"{whose}_domain_id": "0f"})


def test_an_entry_without_a_password(registered):
    with pytest.raises(DemoError, match=r"has no auth\.password"):
        registered(password="")


def test_a_vim_of_the_same_name_must_be_the_same_cloud():
    vim = {"name": "mine", "authUrl": "https://cloud:5000"}
    check_same_cloud(vim, "https://cloud:5000/v3/")
    with pytest.raises(DemoError, match=r"registered with https://cloud:5000, but clouds\.yaml has https://other"):
        check_same_cloud(vim, "https://other:5000/v3")


def test_leftovers_of_a_failed_run_are_named(monkeypatch, capsys):
    class Broken:
        def __init__(self, *_, name, **__):
            self.name, self.instance_id = name, ""

        def run(self, **_):
            self.instance_id = "0f0f"
            raise DemoError("scale ended in FAILED_TEMP")

    monkeypatch.setattr(command, "Flow", Broken)
    monkeypatch.setattr(command, "CloudSide", lambda *_: None)
    monkeypatch.setattr(sys, "argv", ["demo"])
    monkeypatch.setenv("VNFM_URL", "http://127.0.0.1:1")
    monkeypatch.setenv("VNFM_TOKEN", "x")
    assert command.main() == 1
    said = "".join(capsys.readouterr())
    assert "scale ended in FAILED_TEMP" in said
    assert "VNF instance 0f0f" in said
