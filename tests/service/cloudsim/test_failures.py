"""Failures on demand, and what clients see of them."""

from __future__ import annotations

import http.client
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from openstack import exceptions

from tests.service.cloudsim.conftest import connect
from tests.support.installation import until


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


def test_a_lie_is_an_answer_without_the_action(cloud, user):
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


def test_a_hanging_call_goes_on_when_the_rules_are_cleared(cloud, background):
    inject(cloud, service="identity", path="/v3$", effect="hang")
    answer = background.submit(cloud.request, "GET", "/identity/v3")
    with pytest.raises(TimeoutError):
        answer.result(0.2)
    cloud.control("DELETE", "/failures")
    assert answer.result(5)[0] == 200


def blocked_call(cloud):
    """The call that a rule holds, as soon as there is one."""
    return until(lambda: next(iter(cloud.control("GET", "/held")["held"]), None), 5, "a call is held", every=0.01)


@pytest.fixture
def background() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(1) as pool:
        yield pool


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("verdict", ["release", "drop"])
def test_a_blocked_call_continues_or_is_dropped(cloud, user, background, when, verdict):
    inject(cloud, service="network", method="POST", path="/networks$", effect="hold", when=when)
    answer = background.submit(user.network.create_network, name="held")
    held = blocked_call(cloud)
    assert (held["when"], held["service"], held["method"]) == (when, "network", "POST")
    exists = [network["name"] for network in connect(cloud).network.networks(name="held")]
    assert exists == (["held"] if when == "after" else [])
    cloud.control("POST", f"/held/{held['id']}/{verdict}")
    assert (answer.exception(5) is None) is (verdict == "release")
    assert (user.network.find_network("held") is None) is ((when, verdict) == ("before", "drop"))
    assert cloud.control("GET", "/held") == {"held": []}


def test_clearing_the_rules_continues_blocked_calls(cloud, background):
    rule = inject(cloud, service="identity", path="/v3$", effect="hold")
    answer = background.submit(cloud.request, "GET", "/identity/v3")
    assert blocked_call(cloud)["rule"] == rule["id"]
    cloud.control("DELETE", "/failures")
    assert answer.result(5)[0] == 200
    assert cloud.request("POST", "/control/v1/held/unknown/release")[0] == 404


def test_an_answer_may_be_replaced_after_the_action(cloud, user):
    inject(cloud, service="network", method="POST", path="/networks$", effect="status", status=503, when="after")
    with pytest.raises(exceptions.HttpException):
        user.network.create_network(name="made")
    assert user.network.find_network("made")


def test_a_rule_may_let_calls_pass_and_look_into_the_body(cloud, user):
    refuse = {"service": "network", "method": "POST", "path": "/networks$", "effect": "status", "status": 400}
    inject(cloud, **refuse, sent='"name": ?"second"', skip=1)
    for name in ("first", "second"):
        assert user.network.create_network(name=name)
    with pytest.raises(exceptions.BadRequestException):
        user.network.create_network(name="second")


def test_nonsense_rules_are_refused(cloud):
    for rule in (
        {"service": "compute"},
        {"service": "nova", "effect": "drop"},
        {"service": "compute", "effect": "x"},
        {"service": "compute", "effect": "drop", "when": "never"},
        {"service": "compute", "effect": "lie200", "when": "after"},
        {"service": "compute", "effect": "drop", "sent": "("},
        {"service": "image", "effect": "cut", "when": "after"},
        {"service": "image", "effect": "cut", "after_bytes": -1},
    ):
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


def test_an_image_that_is_deleted_while_it_comes_in_stays_deleted(cloud, user, background):
    image = user.image.create_image("going", disk_format="raw", container_format="bare")
    inject(cloud, service="image", method="PUT", path="/file$", effect="stall")
    headers = {"Content-Type": "application/octet-stream"}
    answer = background.submit(connect(cloud).image.put, f"/images/{image.id}/file", data=b"x" * 100, headers=headers)
    until(lambda: user.image.get_image(image.id).status == "saving" or None, 5, "the upload", every=0.01)
    user.image.delete_image(image)
    cloud.control("DELETE", "/failures")
    assert answer.result(5).status_code == 410
    assert user.image.find_image("going") is None
    assert [path.name for path in (cloud.state_dir / "images").glob(f"{image.id}*")] == []


def test_images_change_behind_everyones_back(cloud, user):
    image = user.image.create_image("left", disk_format="raw", container_format="bare")
    cloud.control("POST", f"/images/{image.id}/killed")
    assert user.image.get_image(image.id).status == "killed"
    assert cloud.request("POST", f"/control/v1/images/{image.id}/lost")[0] == 404
