"""Keystone, by openstacksdk and by hand."""

from __future__ import annotations

import pytest
from keystoneauth1 import exceptions as ksa
from keystoneauth1.identity import v3
from keystoneauth1.session import Session
from openstack.exceptions import ForbiddenException


def password(cloud, **changes):
    plugin = {
        "auth_url": cloud.auth_url,
        "username": "vnfm",
        "password": "vnfm",
        "project_name": "vnf",
        "user_domain_name": "Default",
        "project_domain_name": "Default",
        **changes,
    }
    return Session(auth=v3.Password(**plugin))


@pytest.mark.parametrize("changes", [{"password": "wrong"}, {"username": "unknown"}, {"project_name": "nothing"}])
def test_bad_credentials_in_keystones_words(cloud, changes):
    with pytest.raises(ksa.Unauthorized, match="The request you have made requires authentication"):
        password(cloud, **changes).get_token()


def test_application_credentials_are_unknown(cloud):
    plugin = v3.ApplicationCredential(
        auth_url=cloud.auth_url, application_credential_id="x", application_credential_secret="y"
    )
    with pytest.raises(ksa.Unauthorized, match="unsupported method"):
        Session(auth=plugin).get_token()


def test_version_documents(cloud):
    status, body = cloud.request("GET", "/identity/")
    assert status == 300
    assert [one["id"] for one in body["versions"]["values"]] == ["v3.4", "v2.0"]
    assert cloud.request("GET", "/identity/v3")[0] == 200
    assert cloud.request("GET", "/compute/")[1]["versions"][1]["version"] == "2.12"
    assert cloud.request("GET", "/compute/v2.1/")[0] == 401
    assert cloud.request("GET", "/image/")[0] == 300
    assert [one["id"] for one in cloud.request("GET", "/network/")[1]["versions"]] == ["v2.0"]


def test_the_catalog_follows_the_host_of_the_request(cloud):
    body = {
        "auth": {
            "identity": {
                "methods": ["password"],
                "password": {"user": {"name": "vnfm", "domain": {"id": "default"}, "password": "vnfm"}},
            },
            "scope": {"project": {"name": "vnf", "domain": {"id": "default"}}},
        }
    }
    status, answer = cloud.request("POST", "/identity/v3/auth/tokens", body, {"Host": "cloud.example:1234"})
    assert status == 201
    urls = {end["url"] for entry in answer["token"]["catalog"] for end in entry["endpoints"]}
    assert all(url.startswith("http://cloud.example:1234/") for url in urls)


def test_an_unscoped_token_has_no_catalog_and_can_be_rescoped(cloud):
    session = password(cloud, project_name=None, project_domain_name=None)
    access = session.auth.get_access(session)
    assert not access.has_service_catalog()
    rescoped = Session(
        auth=v3.Token(cloud.auth_url, session.get_token(), project_name="vnf", project_domain_name="Default")
    )
    assert rescoped.auth.get_access(rescoped).has_service_catalog()


def test_an_expired_token_is_renewed_by_the_client(cloud, user):
    assert user.authorize()
    before = user.auth_token
    assert cloud.control("POST", "/tokens/expire")["expired"] >= 1
    assert list(user.compute.flavors())
    assert user.auth_token != before


def test_a_revoked_token_is_worth_nothing(cloud):
    session = password(cloud)
    token = session.get_token()
    headers = {"X-Auth-Token": token, "X-Subject-Token": token}
    assert cloud.request("GET", "/identity/v3/auth/tokens", None, headers)[0] == 200
    assert cloud.request("DELETE", "/identity/v3/auth/tokens", None, headers)[0] == 204
    assert cloud.request("GET", "/network/v2.0/networks", None, headers) == (401, "Authentication required")


def test_projects_users_and_roles(admin, user):
    project = admin.identity.create_project(name="other", domain_id="default")
    person = admin.identity.create_user(name="eve", password="secret", domain_id="default")
    role = admin.identity.find_role("member")
    admin.identity.assign_project_role_to_user(project, person, role)
    assert admin.identity.validate_user_has_project_role(project, person, role)
    assert [one.name for one in admin.identity.user_projects(person)] == ["other"]
    with pytest.raises(ForbiddenException, match="identity:list_projects"):
        list(user.identity.projects())
    assert user.identity.get_project(user.current_project_id).name == "vnf"
