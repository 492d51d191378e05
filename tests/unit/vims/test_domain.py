from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from vnfm.clouds import errors
from vnfm.clouds.types import Connection, Features, Flavor, Probe, Quota
from vnfm.vims.domain.clouds_yaml import CloudsYamlError, cacert_path, connection_named
from vnfm.vims.domain.findings import findings_of
from vnfm.vims.domain.reachability import STALE_AFTER, Reachability, reachability_of_error
from vnfm.vims.domain.registration import connection_errors, refusal

GOOD = Connection("https://cloud.example:5000/v3", "user", "secret", "project")
NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)

FULL = """
clouds:
  liberty:
    auth:
      auth_url: https://cloud.example:5000/v3
      username: vnfm
      project_name: vnf
      user_domain_name: Users
      project_domain_id: default
    region_name: R1
    endpoint_type: internalURL
    cacert: ca.pem
    verify: false
    compute_endpoint_override: https://nova.example/v2.1
"""
CREDENTIAL, SECRET = "v3applicationcredential", "application_credential_secret"
SECURE = "clouds: {liberty: {auth: {password: hidden}}}"


def test_an_entry_with_its_secrets() -> None:
    assert connection_named(FULL, "liberty", SECURE, "PEM") == Connection(
        auth_url="https://cloud.example:5000/v3",
        username="vnfm",
        password="hidden",
        project_name="vnf",
        user_domain_name="Users",
        project_domain_name="Default",
        region="R1",
        interface="internal",
        cacert="PEM",
        insecure=True,
        endpoint_overrides={"compute": "https://nova.example/v2.1"},
    )
    assert cacert_path(FULL, "liberty") == "ca.pem"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("clouds: {}", "there are: none"),
        ("[1, 2]", "there are: none"),
        ("clouds: {liberty: {auth: {auth_url: x}}}", "does not say its auth.username"),
        ("clouds: {liberty: {auth_type: v3token, auth: {auth_url: x}}}", "there are password and v3applicationcred"),
        (
            f"clouds: {{liberty: {{auth_type: {CREDENTIAL}, auth: {{auth_url: x}}}}}}",
            "does not say its auth.application_credential_secret",
        ),
        (
            f"clouds: {{liberty: {{auth_type: {CREDENTIAL}, auth: {{auth_url: x, {SECRET}: s}}}}}}",
            "does not say its auth.username",
        ),
        ("clouds: [unclosed", "not YAML"),
        (FULL.replace("internalURL", "backdoor"), "there are public, internal and admin"),
        (FULL.replace("project_domain_id: default", "project_domain_id: abc"), "give project_domain_name instead"),
    ],
)
def test_unusable_entries(text: str, words: str) -> None:
    with pytest.raises(CloudsYamlError, match=words):
        connection_named(text, "liberty", SECURE)


HORIZON = """
clouds:
  openstack:
    auth:
      auth_url: https://cloud.example:5000
      application_credential_id: "5c2b7f0d9a0e4b6f8f5b9e9f3a7c1d20"
      application_credential_secret: "hush"
    region_name: "RegionOne"
    interface: "public"
    identity_api_version: 3
    auth_type: "v3applicationcredential"
"""
BY_ID = """
clouds:
  openstack:
    auth:
      auth_url: https://cloud.example:5000
      username: "vnfm"
      password: "hush"
      project_id: 0b1c2d3e4f5061728394a5b6c7d8e9f0
      project_name: "vnf"
      user_domain_name: "Users"
"""


def test_an_application_credential_as_horizon_gives_it() -> None:
    assert connection_named(HORIZON, "openstack") == Connection(
        auth_url="https://cloud.example:5000",
        username="",
        password="hush",
        region="RegionOne",
        application_credential_id="5c2b7f0d9a0e4b6f8f5b9e9f3a7c1d20",
    )


def test_an_application_credential_by_name_is_one_of_a_user() -> None:
    text = HORIZON.replace('application_credential_id: "5c2b7f0d9a0e4b6f8f5b9e9f3a7c1d20"', "user_domain_name: Users")
    named = text.replace(
        "user_domain_name", "application_credential_name: nightly\n      username: vnfm\n      user_domain_name"
    )
    found = connection_named(named, "openstack")
    assert (found.application_credential_name, found.username, found.user_domain_name) == ("nightly", "vnfm", "Users")
    assert connection_errors(found) == []


def test_a_project_by_its_id_alone() -> None:
    found = connection_named(BY_ID, "openstack")
    assert (found.project_id, found.project_name) == ("0b1c2d3e4f5061728394a5b6c7d8e9f0", "vnf")
    alone = connection_named(BY_ID.replace('      project_name: "vnf"\n', ""), "openstack")
    assert (alone.project_id, alone.project_name, alone.user_domain_name) == (found.project_id, "", "Users")
    assert connection_errors(alone) == []


def test_a_valid_connection_has_no_errors() -> None:
    assert connection_errors(GOOD) == []


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"auth_url": ""}, "/authUrl"),
        ({"auth_url": "cloud:5000"}, "/authUrl"),
        ({"auth_url": "http://[::1/v3"}, "/authUrl"),
        ({"auth_url": "http://user:pass@cloud:5000/v3"}, "/authUrl"),
        ({"auth_url": "http://user@cloud:5000/v3"}, "/authUrl"),
        ({"endpoint_overrides": {"compute": "http://user:pass@cloud:8774"}}, "/endpointOverrides/compute"),
        ({"project_name": ""}, "/projectName"),
        ({"project_name": "", "project_id": "1", "username": ""}, "/username"),
        ({"application_credential_id": "1", "project_name": "", "username": "", "password": ""}, "/password"),
        ({"application_credential_name": "n", "project_name": "", "username": ""}, "/username"),
        ({"cacert": "x"}, "/cacert"),
        ({"endpoint_overrides": {"compute": "x"}}, "/endpointOverrides/compute"),
    ],
)
def test_errors_of_form(change: dict[str, Any], field: str) -> None:
    assert [fault.field for fault in connection_errors(replace(GOOD, **change))] == [field]


def test_a_password_in_a_url_is_not_repeated() -> None:
    faults = connection_errors(replace(GOOD, auth_url="http://user:hush@cloud:5000/v3"))
    assert "hush" not in faults[0].message


@pytest.mark.parametrize(
    ("error", "code", "fields", "words"),
    [
        (
            errors.Denied("401", service="keystone", offending_fields=("username", "password")),
            "VIM_DENIED",
            ["/username", "/password"],
            "does not accept this user and password",
        ),
        (
            errors.Denied("401", service="keystone", offending_fields=("project_name",)),
            "VIM_DENIED",
            ["/projectName"],
            "not in the project project",
        ),
        (
            errors.Transient("refused", service="keystone", offending_fields=("auth_url",)),
            "VIM_UNREACHABLE",
            ["/authUrl"],
            "cannot",
        ),
        (errors.Transient("tls", offending_fields=("cacert",)), "VIM_TLS_FAILED", ["/cacert"], "No trusted TLS"),
        (
            errors.Transient("refused", service="heat", offending_fields=("endpoint_overrides",)),
            "VIM_UNREACHABLE",
            ["/endpointOverrides"],
            "endpoint of heat does not answer",
        ),
        (errors.NotFound("no region", offending_fields=("region",)), "VIM_NOT_IN_CATALOG", ["/region"], "no region"),
        (errors.Unknown("odd"), "CLOUD_ERROR", ["/authUrl"], "odd"),
    ],
)
def test_a_refusal_has_place_reason_and_remedy(
    error: errors.CloudError, code: str, fields: list[str], words: str
) -> None:
    problem = refusal(error, GOOD)
    assert (problem.status, problem.code) == (422, code)
    assert [fault.field for fault in problem.errors] == fields
    assert words in problem.detail
    assert problem.next_step
    assert problem.causes[0].message == error.message
    assert GOOD.password not in str(problem.as_json())


@pytest.mark.parametrize(
    ("error", "status", "reason"),
    [
        (errors.Denied("no"), "False", "CredentialsRefused"),
        (errors.Transient("away"), "False", "Unreachable"),
        (errors.Transient("tls", offending_fields=("cacert",)), "False", "CertificateRefused"),
        (errors.RateLimited("slow"), "True", "RateLimited"),
        (errors.Unknown("odd"), "False", "Failing"),
    ],
)
def test_reachability_of_errors(error: errors.CloudError, status: str, reason: str) -> None:
    assert reachability_of_error(error) == (status, reason)


def test_an_old_observation_is_unknown() -> None:
    seen = Reachability("True", "Answers", "sim answers.", NOON - timedelta(days=1), NOON)
    assert seen.at(NOON + STALE_AFTER) is seen
    old = seen.at(NOON + STALE_AFTER + timedelta(seconds=1))
    assert (old.status, old.last_transition_time, old.observed_at) == ("Unknown", NOON + STALE_AFTER, NOON)
    never = replace(seen, status="Unknown", observed_at=None)
    assert never.at(NOON) is never


def test_findings_survive_json() -> None:
    import json
    from dataclasses import asdict

    flavors = (Flavor("2", "b", 1, 2, 3, {"hw:x": "1"}), Flavor("1", "a", 1, 2, 3))
    features = Features({"2015-10-15": ("get_param",)}, ("OS::Nova::Server",), None)
    probe = Probe({"compute": "2.12"}, {"admin": None}, features, (Quota("cores", -1, 4),), flavors, (), (), ("nova",))
    found = asdict(findings_of(probe))
    assert json.loads(json.dumps(found)) == found
    assert [flavor["name"] for flavor in found["resources"]["flavors"]] == ["a", "b"]
    assert (found["resources"]["zones"], found["resources"]["key_pairs"]) == (["nova"], None)
    assert found["quotas"] == {"cores": {"limit": -1, "used": 4}}
