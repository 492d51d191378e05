"""One installation on two hosts: each dies whole in the middle of operations, and the other goes on."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from launcher.postgres import EmbeddedPostgres
from launcher.record import Record
from launcher.valkey import EmbeddedValkey
from tests.chaos.two_hosts import OPERATIONS, ROLES, TwoHosts, all_over, states, two_hosts
from tests.support.cloudsim_process import CloudsimProcess
from tests.support.installation import Product, until
from tests.support.schema_template import copy_to

pytestmark = [pytest.mark.chaos, pytest.mark.timeout(1800)]


def kill_host(host: Product) -> int:
    """SIGKILL of all that runs there; how many processes that were."""
    record = Record.load(host.state_dir / "run" / "state.json")
    assert record is not None
    pids = [service.pid for service in record.services.values() if service.pid]
    os.kill(record.supervisor.pid, signal.SIGKILL)  # the kernel kills the others, as their parent is gone
    until(lambda: all(not Path(f"/proc/{pid}/exe").exists() for pid in pids) or None, 20, "all of the host is gone")
    return len(pids)


@pytest.fixture
def site(tmp_path: Path) -> Iterator[TwoHosts]:
    copy_to(tmp_path / "postgres")
    with (
        EmbeddedPostgres(tmp_path / "postgres", fsync=False) as postgres,
        EmbeddedValkey(tmp_path / "valkey") as valkey,
        CloudsimProcess(tmp_path / "cloud", seed="operator", boot_seconds=2, flavor_create_role="member") as cloud,
    ):
        env = {
            "DATABASE_URL": postgres.url,
            "REDIS_URL": valkey.url,
            "OS_CLIENT_CONFIG_FILE": str(cloud.clouds_yaml),
        }
        with two_hosts(tmp_path, env) as product:
            yield product


def test_either_host_dies_whole_and_no_operation_is_lost(site: TwoHosts) -> None:
    first, second = site.first, site.second
    vim, instances = first.vim_id(), site.created("pe")
    site.begin("INSTANTIATE", lambda: [second.instantiate(instance, vim) for instance in instances])
    assert kill_host(second) > len(ROLES.split(","))
    assert all_over(first, "INSTANTIATE", OPERATIONS) == {"COMPLETED": OPERATIONS}
    assert len(first.cloud().list_servers()) == len({server.name for server in first.cloud().list_servers()})

    with second:  # it is started again
        cloud = first.cloud()
        for instance in instances:
            first.terminate(instance)
        until(lambda: states(second, "TERMINATE")["PROCESSING"] or None, 60, "operations are under way")
        kill_host(first)
        assert all_over(second, "TERMINATE", OPERATIONS) == {"COMPLETED": OPERATIONS}
        assert list(cloud.orchestration.stacks()) == []
