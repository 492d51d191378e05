"""One installation on two hosts: each dies whole in the middle of operations, and the other goes on.

The hosts are state directories with host names of their own; servers and cloud are neither's.
"""

import os
import shutil
import signal
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from launcher.postgres import EmbeddedPostgres
from launcher.record import Record
from launcher.valkey import EmbeddedValkey
from tests.cloudsim_process import CloudsimProcess
from tests.installation import Product, until
from tests.schema_template import copy_to

OPERATIONS = 8
SECONDS = 300.0
ROLES = "web,worker,beat,relay,watch,elements,counters"

pytestmark = [pytest.mark.chaos, pytest.mark.timeout(1800)]


@dataclass
class Site:
    """`first` began the installation; `second` joined it."""

    first: Product
    second: Product


def named(host: str) -> tuple[str, ...]:
    """Runs a command on a host of that name."""
    return ("unshare", "--uts", "sh", "-c", f'hostname {host} && exec "$@"', "-")


def kill_host(host: Product) -> int:
    """SIGKILL of all that runs there; how many processes that were."""
    record = Record.load(host.state_dir / "run" / "state.json")
    assert record is not None
    pids = [service.pid for service in record.services.values() if service.pid]
    os.kill(record.supervisor.pid, signal.SIGKILL)  # the kernel kills the others, as their parent is gone
    until(lambda: all(not Path(f"/proc/{pid}/exe").exists() for pid in pids) or None, 20, "all of the host is gone")
    return len(pids)


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
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
        with Product(
            tmp_path / "first", "--cloud", "cloudsim", from_nothing=True, env=env, prefix=named("first")
        ) as first:
            (tmp_path / "second").mkdir()
            shutil.copytree(tmp_path / "first" / "keys", tmp_path / "second" / "keys")
            (tmp_path / "second" / "artifacts").symlink_to(tmp_path / "first" / "artifacts")
            joined = Product(tmp_path / "second", "--roles", ROLES, from_nothing=True, env=env, prefix=named("second"))
            with joined as second:
                yield Site(first, second)


def states(product: Product, kind: str) -> Counter[str]:
    return Counter(op["operationState"] for op in product.operations(kind))


def all_over(product: Product, kind: str, count: int) -> Counter[str]:
    def look() -> Counter[str] | None:
        found = states(product, kind)
        return found if found.total() == count and not found["STARTING"] + found["PROCESSING"] else None

    return until(look, SECONDS, f"all {kind} end", every=0.5)


def test_either_host_dies_whole_and_no_operation_is_lost(site: Site) -> None:
    first, second = site.first, site.second
    vim, vnfd = first.vim_id(), first.vnfd_id()
    instances = [second.create(f"pe-{number}", vnfd) for number in range(OPERATIONS)]
    for instance in instances:
        second.instantiate(instance, vim)
    until(lambda: states(first, "INSTANTIATE")["PROCESSING"] or None, 60, "operations are under way")
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
