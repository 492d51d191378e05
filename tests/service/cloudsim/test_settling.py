"""Waiting for the end of all work in the simulated cloud."""

from __future__ import annotations


def settle(cloud, seconds):
    answer = cloud.control("POST", "/settle", {"seconds": seconds})
    return answer["worked"], answer["settled"]


def test_an_idle_cloud_has_settled(cloud):
    assert settle(cloud, 10) == (False, True)


def test_a_boot_is_waited_for(cloud, user, boot):
    server = boot(metadata={"cloudsim:boot_seconds": "0.3"}, wait=False)
    assert settle(cloud, 30) == (True, True)
    assert user.compute.get_server(server).status == "ACTIVE"


def test_a_boot_that_takes_longer_is_not_waited_for(cloud, user, boot):
    server = boot(metadata={"cloudsim:boot_seconds": "3600"}, wait=False)
    assert settle(cloud, 0.1) == (False, True)
    assert user.compute.get_server(server).status == "BUILD"


def test_a_stack_operation_is_waited_for(cloud, user):
    template = {"heat_template_version": "2015-10-15", "resources": {"wait": {"type": "OS::Heat::RandomString"}}}
    stack = user.orchestration.create_stack(name="settling", template=template)
    settle(cloud, 30)
    assert user.orchestration.get_stack(stack.id).status == "CREATE_COMPLETE"
    assert settle(cloud, 10) == (False, True)
