"""Consoles by the action (to 2.5) and by the resource (from 2.6 on), and our adapter at either."""

from __future__ import annotations

import pytest

from tests.support.cloudsim_process import CloudsimProcess
from vnfm.clouds.errors import Conflict, Unknown
from vnfm.clouds.openstack import OpenStackProvider
from vnfm.clouds.openstack.compute import NovaServers
from vnfm.vims.domain.clouds_yaml import connection_named

ACTION = {"os-getVNCConsole": {"type": "novnc"}}
RESOURCE = {"remote_console": {"protocol": "vnc", "type": "novnc"}}


def test_the_action_went_where_the_resource_came(user, boot):
    server = boot()

    def status(path, body, version):
        return user.compute.post(f"/servers/{server.id}/{path}", json=body, microversion=version).status_code

    assert [status("action", ACTION, version) for version in ("2.1", "2.5", "2.6", "2.12")] == [200, 200, 404, 404]
    found = [status("remote-consoles", RESOURCE, version) for version in ("2.1", "2.5", "2.6", "2.12")]
    assert found == [404, 404, 200, 200]
    other = {"remote_console": {"protocol": "vnc", "type": "xvpvnc"}}
    assert status("remote-consoles", other, "2.6") == 400


@pytest.fixture
def servers(cloud: CloudsimProcess) -> NovaServers:
    found = OpenStackProvider().connect(connection_named(cloud.clouds_yaml.read_text(), "cloudsim")).servers
    assert isinstance(found, NovaServers)
    return found


@pytest.mark.parametrize("version", ["", "2.1", "2.5", "2.6", "2.12"])
def test_the_adapter_follows_the_microversion(servers, boot, version):
    server = boot()
    servers._nova.default_microversion = version or None
    assert "token=" in servers.console_url(server.id)
    assert servers.console_log(server.id, 1) == "login: "


def test_a_stopped_server_has_no_console(servers, user, boot):
    server = boot()
    user.compute.stop_server(server)
    user.compute.wait_for_server(server, status="SHUTOFF", interval=0.05)
    with pytest.raises(Conflict, match="not ready"):
        servers.console_url(server.id)


def test_a_server_that_boots_has_written_nothing(servers, boot):
    server = boot("slow-boot-60", wait=False)
    with pytest.raises(Conflict, match="not ready"):
        servers.console_log(server.id, 10)


def test_an_url_that_is_not_of_the_web_is_not_passed_on(cloud, servers, boot):
    server = boot()
    body = {"remote_console": {"protocol": "vnc", "type": "novnc", "url": "javascript:alert(1)"}}
    rule = {"service": "compute", "method": "POST", "path": "/remote-consoles$", "effect": "lie200", "body": body}
    cloud.control("POST", "/failures", rule)
    with pytest.raises(Unknown):
        servers.console_url(server.id)
