"""Failures on demand, and what clients see of them."""

from __future__ import annotations

import http.client
import threading
import time

import pytest
from openstack import exceptions


def inject(cloud, **rule):
    return cloud.control("POST", "/failures", rule)["failure"]


def test_the_next_two_calls_fail_in_openstacks_shape(cloud, user):
    inject(cloud, service="compute", method="GET", path="/servers", effect="status", status=503, times=2)
    token = {"X-Auth-Token": user.auth_token}
    path = f"/compute/v2.1/{user.current_project_id}/servers"
    bodies = [cloud.request("GET", path, None, token) for _ in range(3)]
    assert [status for status, _ in bodies] == [503, 503, 200]
    assert bodies[0][1] == {"serviceUnavailable": {"code": 503, "message": "Service Unavailable"}}


def test_other_methods_paths_and_services_go_on(cloud, user):
    inject(cloud, service="network", method="POST", path="/ports$", effect="status", status=500)
    assert user.network.create_network(name="n")
    assert list(user.network.ports()) == []
    assert len(cloud.control("GET", "/failures")["failures"]) == 1


def test_a_lie_is_an_answer_without_the_deed(cloud, user):
    inject(cloud, service="network", method="POST", path="/networks$", effect="lie200")
    network = user.network.create_network(name="ghost")
    assert network.name == "ghost"
    assert user.network.find_network("ghost") is None


def test_a_delay_delays(cloud, user):
    token = {"X-Auth-Token": user.auth_token}
    inject(cloud, service="image", effect="delay", seconds=0.3)
    began = time.monotonic()
    assert cloud.request("GET", "/image/v2/images", None, token)[0] == 200
    assert time.monotonic() - began >= 0.3


def test_a_dropped_connection_has_no_answer(cloud):
    inject(cloud, service="identity", path="/v3$", effect="drop")
    with pytest.raises((http.client.RemoteDisconnected, ConnectionError)):
        cloud.request("GET", "/identity/v3")
    assert cloud.request("GET", "/identity/v3")[0] == 200


def test_a_hanging_call_goes_on_when_the_rules_are_cleared(cloud):
    inject(cloud, service="identity", path="/v3$", effect="hang")
    answers = []
    caller = threading.Thread(target=lambda: answers.append(cloud.request("GET", "/identity/v3")[0]))
    caller.start()
    caller.join(0.2)
    assert answers == []
    cloud.control("DELETE", "/failures")
    caller.join(5)
    assert answers == [200]


def test_nonsense_rules_are_refused(cloud):
    for rule in ({"service": "compute"}, {"service": "nova", "effect": "drop"}, {"service": "compute", "effect": "x"}):
        assert cloud.request("POST", "/control/v1/failures", rule)[0] == 400


@pytest.mark.parametrize(("action", "status"), [("stop", "SHUTOFF"), ("pause", "PAUSED"), ("error", "ERROR")])
def test_servers_change_behind_everyones_back(cloud, user, boot, action, status):
    server = boot()
    cloud.control("POST", f"/servers/{server.id}/{action}")
    assert user.compute.get_server(server.id).status == status
    assert [one.action for one in user.compute.server_actions(server)] == ["create"]


def test_a_server_deleted_behind_everyones_back_is_gone(cloud, user, boot):
    server = boot()
    cloud.control("POST", f"/servers/{server.id}/delete")
    with pytest.raises(exceptions.NotFoundException, match=f"Instance {server.id} could not be found"):
        user.compute.get_server(server.id)


def test_a_dead_host_takes_no_servers_and_its_guests_are_off_when_it_is_back(cloud, user, admin, boot):
    server = boot()
    host = admin.compute.get_server(server.id).hypervisor_hostname
    cloud.control("POST", f"/hosts/{host}/kill")
    assert user.compute.get_server(server.id).status == "ACTIVE", "Nova does not know better"
    down = [one.host for one in admin.compute.services() if one.state == "down"]
    assert down == [host]
    for name in [one["id"] for one in cloud.control("GET", "/hosts")["hosts"]]:
        cloud.control("POST", f"/hosts/{name}/disable")
    with pytest.raises(exceptions.ResourceFailure):
        boot()
    failed = next(one for one in user.compute.servers() if one.status == "ERROR")
    assert failed.fault["message"] == "No valid host was found. There are not enough hosts available."
    cloud.control("POST", f"/hosts/{host}/revive")
    assert user.compute.get_server(server.id).status == "SHUTOFF"


def test_settings_are_checked(cloud):
    assert cloud.control("PUT", "/settings", {"boot_seconds": 7})["settings"]["boot_seconds"] == 7
    assert cloud.request("PUT", "/control/v1/settings", {"boot_seconds": -1})[0] == 400
    assert cloud.request("PUT", "/control/v1/settings", {"password": "x"})[0] == 400


def test_statistics_count_by_route(cloud, user):
    cloud.control("DELETE", "/stats")
    list(user.network.networks())
    routes = cloud.control("GET", "/stats")["routes"]
    counted = {(one["service"], one["method"], one["route"]): one["statuses"] for one in routes}
    assert counted["network", "GET", "/v2.0/networks"] == {"200": 1}
