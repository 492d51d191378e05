from collections.abc import Iterator

import pytest

from tests.service.cloudsim_heat.conftest import connect
from tests.service.cloudsim_heat.orchestra import Orchestra
from tests.support.cloudsim_process import CloudsimProcess


@pytest.fixture
def own(tmp_path) -> Iterator[CloudsimProcess]:
    with CloudsimProcess(tmp_path, hosts=4) as process:
        yield process


def test_a_killed_engine_fails_its_action_and_continues(own):
    heat = Orchestra(connect(own))
    sound = heat.create(name="sound")
    servers = heat.servers(sound)
    own.control("PUT", "/settings", {"boot_seconds": 600})
    cut = heat.create(name="cut", parameters={"count": 1}, wait=False)
    heat.until(lambda: len([one for one in heat.servers(cut).values() if one]) == 2)
    own.kill()
    own.start()

    heat = Orchestra(connect(own))
    stack = heat.client.stacks.get(cut)
    assert (stack.stack_status, stack.stack_status_reason) == ("CREATE_FAILED", "Engine went down during stack CREATE")
    assert heat.resources(cut, 5)["0/server"].resource_status == "CREATE_FAILED"
    assert heat.client.stacks.get(sound).stack_status == "CREATE_COMPLETE"
    assert heat.servers(sound) == servers

    own.control("PUT", "/settings", {"boot_seconds": 0.1})
    stopping = heat.servers(cut)
    for server in stopping.values():
        heat.lose(server)
    assert heat.update(cut, parameters={"count": 1}).stack_status == "UPDATE_COMPLETE"
    assert heat.delete(cut).stack_status == "DELETE_COMPLETE"
    assert heat.update(sound, parameters={"count": 3}).stack_status == "UPDATE_COMPLETE"
    assert {place: heat.servers(sound)[place] for place in servers} == servers
    assert heat.delete(sound).stack_status == "DELETE_COMPLETE"
    assert list(heat.connection.compute.servers()) == []
