"""Ways not to get in, and ways to stay in."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from launcher.ports import free_port
from vnfm.clouds.errors import CloudError, Denied, NotFound, Transient
from vnfm.clouds.openstack import OpenStackProvider
from vnfm.clouds.openstack.cloud import OpenStackCloud
from vnfm.clouds.openstack.session import identity_url
from vnfm.clouds.ports import Cloud
from vnfm.clouds.types import Connection


def refused(provider: OpenStackProvider, connection: Connection) -> CloudError:
    with pytest.raises(CloudError) as caught:
        provider.connect(connection).probe()
    return caught.value


@pytest.fixture
def closed_port() -> int:
    return free_port()


@pytest.mark.parametrize("change", [{"password": "wrong"}, {"username": "unknown"}, {"user_domain_name": "Nowhere"}])
def test_wrong_credentials(provider: OpenStackProvider, connection: Connection, change: dict[str, str]) -> None:
    error = refused(provider, replace(connection, **change))
    assert isinstance(error, Denied)
    assert (error.source, error.http_status) == ("keystone", 401)
    assert error.offending_fields == ("username", "password")
    assert "authentication" in error.message


def test_wrong_credentials_are_denied_on_every_call(provider: OpenStackProvider, connection: Connection) -> None:
    cloud = provider.connect(replace(connection, password="wrong"))
    looks: list[Callable[[], object]] = [
        lambda: cloud.stacks,
        lambda: cloud.servers,
        lambda: cloud.flavors,
        lambda: cloud.images,
        lambda: cloud.networks,
        cloud.quotas,
    ]
    for look in looks:
        with pytest.raises(Denied) as caught:
            look()
        assert caught.value.source == "keystone"


def test_a_project_that_is_not_ours(provider: OpenStackProvider, connection: Connection) -> None:
    error = refused(provider, replace(connection, project_name="no-such-project"))
    assert isinstance(error, Denied)
    assert error.offending_fields == ("project_name",)


def test_a_project_by_its_id(provider: OpenStackProvider, connection: Connection, cloud: Cloud) -> None:
    by_id = replace(connection, project_id=cloud.project_id(), project_name="")
    found = provider.connect(by_id).probe()
    assert (found.project_id, found.project_name) == (cloud.project_id(), connection.project_name)
    error = refused(provider, replace(by_id, project_id="f" * 32))
    assert isinstance(error, Denied)
    assert error.offending_fields == ("project_id",)


def test_an_application_credential_logs_in_where_keystone_has_them(
    provider: OpenStackProvider, connection: Connection, cloud: OpenStackCloud, is_real: bool
) -> None:
    """They came with Queens: Liberty's Keystone refuses the method."""
    secret, url = "contract-secret-0123456789", f"{identity_url(connection.auth_url)}/users"
    named = replace(connection, application_credential_name="contract-login", password=secret, project_name="")
    if not is_real:
        error = refused(provider, named)
        assert isinstance(error, Denied)
        assert error.offending_fields == ("application_credential_name",)
        return
    user_id = cloud.account.access(cloud.session).user_id
    body = {"application_credential": {"name": "contract-login", "secret": secret}}
    made = cloud.session.post(f"{url}/{user_id}/application_credentials", json=body).json()["application_credential"]
    try:
        by_id = Connection(connection.auth_url, "", secret, application_credential_id=made["id"])
        for login in (replace(by_id, region=connection.region), named):
            assert provider.connect(login).project_id() == cloud.project_id()
        error = refused(provider, replace(by_id, password="wrong"))
        assert isinstance(error, Denied)
        assert error.offending_fields == ("application_credential_id",)
    finally:
        cloud.session.delete(f"{url}/{user_id}/application_credentials/{made['id']}")


def test_an_unknown_region(provider: OpenStackProvider, connection: Connection) -> None:
    error = refused(provider, replace(connection, region="Atlantis"))
    assert isinstance(error, NotFound)
    assert error.offending_fields == ("region",)
    assert "Atlantis" in error.message
    assert "RegionOne" in error.message


def test_no_region_means_the_only_one(provider: OpenStackProvider, connection: Connection) -> None:
    assert provider.connect(replace(connection, region="")).probe().flavors


def test_nothing_listens_at_the_auth_url(provider: OpenStackProvider, connection: Connection, closed_port: int) -> None:
    error = refused(provider, replace(connection, auth_url=f"http://127.0.0.1:{closed_port}/v3"))
    assert isinstance(error, Transient)
    assert (error.source, error.offending_fields) == ("keystone", ("auth_url",))
    assert str(closed_port) in error.message


def test_the_auth_url_of_another_service(provider: OpenStackProvider, connection: Connection, cloud: Cloud) -> None:
    heat = cloud.account.url(cloud.session, "orchestration")
    error = refused(provider, replace(connection, auth_url=heat.rpartition("/v1")[0]))
    assert not isinstance(error, Transient)
    assert error.offending_fields == ("auth_url",)


def test_tls_where_there_is_none(provider: OpenStackProvider, connection: Connection) -> None:
    error = refused(provider, replace(connection, auth_url=connection.auth_url.replace("http://", "https://")))
    assert error.offending_fields in {("cacert",), ("auth_url",)}


def test_the_auth_url_with_and_without_its_version(provider: OpenStackProvider, connection: Connection) -> None:
    bare = connection.auth_url.removesuffix("/").removesuffix("/v3")
    for url in (bare, f"{bare}/", f"{bare}/v3", f"{bare}/v3/", f"{bare}/v2.0"):
        assert provider.connect(replace(connection, auth_url=url)).networks.list()


def test_an_endpoint_override_leads_elsewhere(
    provider: OpenStackProvider, connection: Connection, closed_port: int
) -> None:
    nowhere = {"orchestration": f"http://127.0.0.1:{closed_port}/v1/%(project_id)s"}
    error = refused(provider, replace(connection, endpoint_overrides=nowhere))
    assert isinstance(error, Transient)
    assert (error.source, error.offending_fields) == ("heat", ("endpoint_overrides",))


def test_an_endpoint_override_may_name_the_same_place(
    provider: OpenStackProvider, connection: Connection, cloud: Cloud
) -> None:
    urls = {name: cloud.account.url(cloud.session, name) for name in ("compute", "network", "image", "orchestration")}
    assert provider.connect(replace(connection, endpoint_overrides=urls)).probe().versions == cloud.probe().versions


def test_a_legacy_compute_endpoint_gives_way_to_the_one_with_microversions(
    provider: OpenStackProvider, connection: Connection, cloud: Cloud
) -> None:
    url = cloud.account.url(cloud.session, "compute")
    legacy = {"compute": url.replace("/v2.1", "/v2")}
    other = provider.connect(replace(connection, endpoint_overrides=legacy))
    assert other.account.compute(other.session) == (url, "2.12")
    assert other.flavors.list() == cloud.flavors.list()


def test_a_revoked_token_is_replaced_transparently(provider: OpenStackProvider, connection: Connection) -> None:
    cloud = OpenStackProvider().connect(connection)
    first = cloud.session.get_token()
    url = f"{cloud.account.url(cloud.session, 'identity')}/auth/tokens"
    cloud.session.delete(url, headers={"X-Subject-Token": first})
    assert cloud.networks.list()
    assert cloud.flavors.list()
    assert cloud.session.get_token() != first


def test_the_token_is_shared_by_threads_and_the_cloud_is_not(
    provider: OpenStackProvider, connection: Connection, cloud: Cloud
) -> None:
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(1) as pool:
        other = pool.submit(provider.connect, connection).result()
    assert provider.connect(connection) is cloud
    assert other is not cloud
    assert other.session.get_token() == cloud.session.get_token()
