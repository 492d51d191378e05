"""/api/v1/environments from the outside: what is saved of an instantiation's settings, and what never is."""

import json
from typing import Any
from uuid import uuid4

import pytest
from rest_framework.test import APIClient

from tests.factories.catalog import onboarded
from tests.factories.packages import XRV, shipped_zip
from tests.factories.vims import make_vim
from tests.support.yaml_text import load_yaml
from vnfm.accounts.models import AuditEntry
from vnfm.catalog.models import VnfPackage
from vnfm.kit.models import OutboxEvent
from vnfm.lcm.models import Environment

pytestmark = pytest.mark.django_db
ENVIRONMENTS = "/api/v1/environments"
SETTINGS = {"management_network": "oam", "management_ip_active": "10.10.0.30", "fabric_mtu": 1500}


@pytest.fixture
def package() -> VnfPackage:
    """It has no secret."""
    return onboarded(shipped_zip())


@pytest.fixture
def router() -> VnfPackage:
    """Its `day0_lines` are hidden."""
    return onboarded(shipped_zip(XRV))


def environment_body(package: VnfPackage, **more: Any) -> dict[str, Any]:
    return {
        "name": "site A",
        "vnfdId": str(package.vnfd_id),
        "flavourId": "default",
        "instantiationLevelId": "medium",
        "additionalParams": SETTINGS,
        **more,
    }


def create(api: APIClient, body: dict[str, Any]) -> dict[str, Any]:
    answer = api.post(ENVIRONMENTS, body, format="json")
    assert answer.status_code == 201, answer.json()
    return dict(answer.json())


def refused(api: APIClient, body: dict[str, Any], status: int = 422) -> dict[str, str]:
    """The errors by field."""
    answer = api.post(ENVIRONMENTS, body, format="json")
    assert answer.status_code == status, answer.json()
    return {error["field"]: error["message"] for error in answer.json()["errors"]}


def derive(api: APIClient, package: VnfPackage, document: str) -> Any:
    body = {"vnfdId": str(package.vnfd_id), "document": document}
    return api.post(f"{ENVIRONMENTS}/derive", body, format="json")


def test_an_environment_is_saved_and_read_back(operator_api: APIClient, package: VnfPackage) -> None:
    vim = make_vim()
    scale = [{"aspectId": "data-path", "scaleLevel": 5}]
    body = environment_body(package, vimId=str(vim.id), description="Of the lab", targetScaleLevelInfo=scale)
    answer = operator_api.post(ENVIRONMENTS, body, format="json")
    assert answer.status_code == 201, answer.json()
    environment = answer.json()
    assert answer["Location"].endswith(f"{ENVIRONMENTS}/{environment['id']}")
    assert answer["ETag"] == '"1"'
    assert {name: environment[name] for name in body} == body
    assert environment["vimName"] == vim.name
    assert environment["vnfProductName"] == package.product_name
    assert environment["vnfdVersion"] == package.vnfd_version
    assert operator_api.get(f"{ENVIRONMENTS}/{environment['id']}").json() == environment
    assert operator_api.get(f"{ENVIRONMENTS}?filter=(eq,vnfdId,{package.vnfd_id})").json() == [environment]
    assert operator_api.get(f"{ENVIRONMENTS}?filter=(eq,vnfdId,{uuid4()})").json() == []
    assert OutboxEvent.objects.filter(topic="environment.changed", aggregate_id=environment["id"]).count() == 1
    assert AuditEntry.objects.filter(action="POST 201", object=ENVIRONMENTS).count() == 1


def test_no_secret_is_ever_stored(operator_api: APIClient, router: VnfPackage) -> None:
    body = environment_body(
        router, flavourId="ovs", instantiationLevelId="one", additionalParams={"day0_lines": "secret 7"}
    )
    (error,) = refused(operator_api, body).items()
    assert error[0] == "/additionalParams/day0_lines"
    assert "secret" in error[1]
    assert not Environment.objects.exists()
    fitting = derive(operator_api, router, "parameters: {day0_lines: secret 7, hostname: edge-1}").json()
    assert fitting["additionalParams"] == {"hostname": "edge-1"}
    assert [left["name"] for left in fitting["leftOut"]] == ["day0_lines"]


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"vnfdId": str(uuid4())}, "/vnfdId"),
        ({"vimId": str(uuid4())}, "/vimId"),
        ({"flavourId": "huge"}, "/flavourId"),
        ({"instantiationLevelId": "huge"}, "/instantiationLevelId"),
        ({"targetScaleLevelInfo": [{"aspectId": "legs", "scaleLevel": 1}]}, "/targetScaleLevelInfo/0/aspectId"),
        ({"additionalParams": {"fabric_mtu": 9}}, "/additionalParams/fabric_mtu"),
        ({"additionalParams": {"fabric_mtux": 9000}}, "/additionalParams/fabric_mtux"),
        ({"additionalParams": {"createFlavors": True}}, "/additionalParams/createFlavors"),
        ({"additionalParams": {"license_file": "x" * 300_000}}, "/additionalParams"),
        ({"additionalParams": {"sshPolicy": "operators"}}, "/additionalParams/snmpPolicy"),
    ],
)
def test_a_value_that_the_vnfd_forbids_is_refused_at_its_field(
    operator_api: APIClient, package: VnfPackage, changes: dict[str, Any], field: str
) -> None:
    assert field in refused(operator_api, environment_body(package) | changes)


def test_a_name_is_unique_for_a_vnfd(operator_api: APIClient, package: VnfPackage, router: VnfPackage) -> None:
    first = create(operator_api, environment_body(package))
    assert list(refused(operator_api, environment_body(package), 409)) == ["/name"]
    other = create(
        operator_api, environment_body(router, flavourId="ovs", instantiationLevelId="one", additionalParams={})
    )
    assert other["name"] == first["name"]


def test_it_is_renamed_and_described_and_nothing_else(operator_api: APIClient, package: VnfPackage) -> None:
    environment = create(operator_api, environment_body(package))
    url = f"{ENVIRONMENTS}/{environment['id']}"
    changed = operator_api.patch(url, {"name": "site B", "description": "d"}, format="json", HTTP_IF_MATCH='"1"')
    assert changed.status_code == 200
    assert changed["ETag"] == '"2"'
    assert (changed.json()["name"], changed.json()["description"]) == ("site B", "d")
    assert operator_api.patch(url, {"name": "x"}, format="json", HTTP_IF_MATCH='"1"').status_code == 412
    assert operator_api.patch(url, {"additionalParams": {}}, format="json").status_code == 400
    assert operator_api.delete(url, HTTP_IF_MATCH='"1"').status_code == 412
    assert operator_api.delete(url, HTTP_IF_MATCH='"2"').status_code == 204
    assert operator_api.get(url).status_code == 404


def test_a_viewer_reads_and_does_not_write(viewer_api: APIClient, operator_api: APIClient, package: VnfPackage) -> None:
    environment = create(operator_api, environment_body(package))
    url = f"{ENVIRONMENTS}/{environment['id']}"
    assert viewer_api.get(url).status_code == 200
    assert viewer_api.get(f"{url}/hot").status_code == 200
    assert viewer_api.post(ENVIRONMENTS, environment_body(package, name="mine"), format="json").status_code == 403
    assert viewer_api.patch(url, {"name": "mine"}, format="json").status_code == 403
    assert viewer_api.delete(url).status_code == 403
    assert derive(viewer_api, package, "parameters: {}").status_code == 403


def test_it_outlives_its_package(operator_api: APIClient, package: VnfPackage) -> None:
    environment = create(operator_api, environment_body(package))
    VnfPackage.objects.filter(id=package.id).delete()
    url = f"{ENVIRONMENTS}/{environment['id']}"
    assert operator_api.get(url).json()["vnfProductName"] == package.product_name
    assert operator_api.get(f"{url}/hot").status_code == 200


def test_a_round_trip_as_a_file_for_heat(operator_api: APIClient, package: VnfPackage) -> None:
    name = 'a "b"\n\N{BELL} c/ü'
    params = {**SETTINGS, "control_az_a": "no", "anti_affinity": False}
    environment = create(
        operator_api, environment_body(package, name=name, additionalParams={**params, "snmpPolicy": "core"})
    )
    answer = operator_api.get(f"{ENVIRONMENTS}/{environment['id']}/hot")
    assert answer["Content-Type"].startswith("text/yaml")
    assert "attachment" in answer["Content-Disposition"]
    text = answer.content.decode()
    assert load_yaml(text) == {"parameters": params}
    assert "# snmpPolicy: core" in text.splitlines()
    fitting = derive(operator_api, package, text)
    assert fitting.status_code == 200, fitting.json()
    assert fitting.json() == {"additionalParams": params, "leftOut": []}


def test_settings_of_a_file_that_fit_are_derived_and_the_rest_is_named(
    operator_api: APIClient, package: VnfPackage
) -> None:
    document = """
parameters:
  fabric_mtu: "1500"          # Heat takes text for numbers
  license_file: 7             # and numbers for text
  anti_affinity: "no"
  data_path_count: 4
  management_cidr: 10.0.0.1/24
resource_registry: {}
"""
    answer = derive(operator_api, package, document).json()
    assert answer["additionalParams"] == {"fabric_mtu": 1500, "license_file": "7", "anti_affinity": False}
    reasons = {left["name"]: left["reason"] for left in answer["leftOut"]}
    assert set(reasons) == {"resource_registry", "data_path_count", "management_cidr"}
    assert "has no setting" in reasons["data_path_count"]
    assert "names a host" in reasons["management_cidr"]
    assert not Environment.objects.exists()


@pytest.mark.parametrize(
    "document",
    [
        "",
        "just text",
        "parameters: [a, b]",
        "parameters: {a: !!python/object/apply:os.system [id]}",
        "parameters: " + "[" * 100,
        "a: &a [x, x]\nb: &b [*a, *a]\n" + "\n".join(f"k{n}: &k{n} [{', '.join(['*b'] * 9)}]" for n in range(3)) + "\n",
        "parameters: {a: \x1b}",
        "a: &a " + "A" * 500_000 + "\nparameters:\n  x: [" + "*a, " * 80_000 + "]\n",
    ],
    ids=["empty", "text", "list", "object", "deep", "no parameters", "control character", "40 GB"],
)
def test_other_files_are_refused_with_a_reason(operator_api: APIClient, package: VnfPackage, document: str) -> None:
    answer = derive(operator_api, package, document)
    assert answer.status_code in (400, 422), answer.json()
    (error,) = answer.json()["errors"]
    assert error["field"] == "/document"
    assert error["message"]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("fabric_mtu", ".nan"),
        ("license_file", "!!binary aGk="),
        ("license_file", "[cf3]"),
        ("license_file", r'"\0"'),
    ],
)
def test_values_that_cannot_be_stored_are_left_out(
    operator_api: APIClient, package: VnfPackage, name: str, value: str
) -> None:
    answer = derive(operator_api, package, f"parameters: {{{name}: {value}}}")
    assert answer.status_code == 200, answer.json()
    assert answer.json()["additionalParams"] == {}
    assert [left["name"] for left in answer.json()["leftOut"]] == [name]


@pytest.mark.parametrize("value", ["\ud800", "a\0b"])
def test_a_file_setting_that_is_no_text_is_refused(operator_api: APIClient, package: VnfPackage, value: str) -> None:
    body = json.dumps(environment_body(package) | {"additionalParams": {"license_file": value}})
    answer = operator_api.post(ENVIRONMENTS, body, content_type="application/json")
    assert answer.status_code == 400, answer.json()
    assert [error["field"] for error in answer.json()["errors"]] == ["/additionalParams/license_file"]


def test_a_file_beyond_the_limit_is_refused(operator_api: APIClient, package: VnfPackage) -> None:
    answer = derive(operator_api, package, "#" * (1024 * 1024 + 1))
    assert answer.status_code == 400
    assert [error["field"] for error in answer.json()["errors"]] == ["/document"]
