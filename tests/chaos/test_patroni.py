"""The product on servers that Patroni, etcd, Sentinel and HAProxy keep up, set up by the files of the documentation.

A host loses its power, or its primary is switched over on purpose, with operations under way. PostgreSQL is reached
either by the names of all its hosts, or by HAProxy's one address.
"""

import logging
import os
import signal
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from launcher.ports import LOOPBACK
from tests.chaos.ha import PASSWORD, PROGRAMS, HaCluster, Haproxy, require_ha
from tests.chaos.hosts import Switch, require_hosts
from tests.chaos.two_hosts import OPERATIONS, RECOVERY_SECONDS, TwoHosts, all_over, answers, two_hosts, writing
from tests.support.cloudsim_process import CloudsimProcess
from tests.support.installation import until

BOOT_SECONDS, LONGER = 15, 40
"""A server in the cloud boots in this time: operations are under way until a fault is over, also one that Patroni waits
`ttl` for."""

log = logging.getLogger(__name__)

pytestmark = [pytest.mark.long, pytest.mark.timeout(1800)]


@dataclass
class Site:
    product: TwoHosts
    cluster: HaCluster
    cloud: CloudsimProcess
    proxy: Haproxy
    """HAProxy on the second host of the product."""
    access: str


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HaCluster]:
    require_hosts()
    require_ha()
    with Switch() as switch:
        cluster = HaCluster(switch, tmp_path_factory.mktemp("cluster"))
        cluster.start()
        yield cluster


@pytest.fixture(scope="module", params=["hosts", "haproxy"])
def site(
    cluster: HaCluster, request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("site")
    url = cluster.make_database(f"vnfm_{request.param}")
    with (
        CloudsimProcess(folder / "cloud", boot_seconds=BOOT_SECONDS, flavor_create_role="member") as cloud,
        cluster.haproxy(folder / "haproxy-1") as one,
        cluster.haproxy(folder / "haproxy-2") as two,
    ):
        envs = [_env(url, request.param, proxy, cloud.clouds_yaml) for proxy in (one, two)]
        with two_hosts(folder, *envs) as product:
            yield Site(product, cluster, cloud, two, request.param)


def _env(url: str, access: str, proxy: Haproxy, clouds_yaml: Path) -> dict[str, str]:
    parts = urlsplit(url)
    by_proxy = parts._replace(netloc=f"{parts.netloc.rpartition('@')[0]}@{LOOPBACK}:{proxy.database}").geturl()
    return {
        "DATABASE_URL": url if access == "hosts" else by_proxy,
        "REDIS_URL": f"redis://:{PASSWORD}@{LOOPBACK}:{proxy.broker}/0",
        "OS_CLIENT_CONFIG_FILE": str(clouds_yaml),
    }


def _under_load(
    site: Site, prefix: str, fault: Callable[[], object], mend: Callable[[], object] = lambda: None
) -> dict[str, float]:
    """`fault` with operations under way, which returns when there is a primary again; what it cost, in seconds.

    What was lost shows at last when `mend` has brought back what went away, and the cluster is whole.
    """
    product, first, second = site.product, site.product.first, site.product.second
    vim, instances = first.vim_id(), product.created(prefix)
    done = sum(1 for _ in first.operations("INSTANTIATE"))
    with writing(second, first.vnfd_id()) as writer:
        product.begin("INSTANTIATE", lambda: [second.instantiate(instance, vim) for instance in instances])
        began_at = time.monotonic()
        fault()
        before, over, primary = len(writer.times), datetime.now(UTC), time.monotonic() - began_at
        until(lambda: len(writer.times) > before + 1 or None, RECOVERY_SECONDS, "changes are accepted again")
        until(lambda: answers(first), RECOVERY_SECONDS, "the other web answers, too")
        assert all_over(first, "INSTANTIATE", done + OPERATIONS) == {"COMPLETED": done + OPERATIONS}
        ended = time.monotonic() - began_at
        mend()
        site.cluster.wait_until_whole()
    product.instances += writer.accepted
    assert writer.unexpected == []
    assert writer.lost() == set()
    assert product.findings() == []
    ends = [datetime.fromisoformat(op["stateEnteredTime"]) for op in first.operations("INSTANTIATE")]
    assert sum(end > over for end in ends) == OPERATIONS, "all were under way"
    return {
        "a primary": primary,
        "no change accepted": writer.longest,
        "all completed": ended,
        "accepted": len(writer.accepted),
        "refused": len(writer.refused),
        "longest refused request": max(writer.refused, default=0),
    }


def _record(what: str, site: Site, figures: dict[str, float], record_property: Callable[[str, object], None]) -> None:
    record_property("figures", figures)
    rounded = {name: round(value, 1) for name, value in figures.items()}
    log.info("%s, by %s, at a load of %.0f: %s", what, site.access, os.getloadavg()[0], rounded)


def test_a_switchover_fails_no_operation(site: Site, record_property: Callable[[str, object], None]) -> None:
    cluster, standby = site.cluster, site.cluster.member("sync_standby")

    def switch() -> None:
        cluster.switchover(standby)
        until(lambda: cluster.primary() == standby or None, RECOVERY_SECONDS, "the standby is primary")

    _record("switched over", site, _under_load(site, "switchover", switch), record_property)


@pytest.mark.parametrize("role", ["leader", "sync_standby"])
def test_a_host_loses_its_power(site: Site, role: str, record_property: Callable[[str, object], None]) -> None:
    """The broker runs on it. Without the primary Patroni promotes, without the synchronous standby commits wait."""
    cluster, lost = site.cluster, site.cluster.member(role)
    cluster.move_broker(lost)

    def cut() -> None:
        cluster.hosts[lost].power_off()
        until(lambda: cluster.primary() not in {None, lost} or None, RECOVERY_SECONDS, "another is the primary")

    def start_again() -> None:
        until(lambda: cluster.broker() not in {None, lost} or None, RECOVERY_SECONDS, "Sentinel has promoted another")
        cluster.hosts[lost].power_on()
        cluster.start_host(lost)

    figures = _under_load(site, f"power-{role}", cut, start_again)
    _record(f"power of the {role}'s host lost", site, figures, record_property)
    assert cluster.primary() != lost, "it comes back as a standby"


@pytest.mark.parametrize("site", ["haproxy"], indirect=True)
@pytest.mark.parametrize("program", [*PROGRAMS, "postgres", "haproxy"])
def test_a_killed_server_costs_seconds(
    site: Site, program: str, record_property: Callable[[str, object], None]
) -> None:
    """Each at the place where it matters most, and started again as its service does it."""
    cluster = site.cluster
    host = cluster.broker() if program.startswith("redis") else cluster.member("leader")
    assert host is not None

    def kill() -> None:
        if program == "haproxy":
            site.proxy.kill()
        else:
            cluster.kill(host, program)
        until(cluster.primary, RECOVERY_SECONDS, "there is a primary")

    _record(f"{program} killed", site, _under_load(site, f"killed-{program}", kill), record_property)


@pytest.mark.parametrize("site", ["haproxy"], indirect=True)
def test_a_primary_whose_patroni_hangs_is_replaced(site: Site, record_property: Callable[[str, object], None]) -> None:
    """Its PostgreSQL goes on, and believes that it is the primary: HAProxy has no session there."""
    cluster, hung = site.cluster, site.cluster.member("leader")
    site.cloud.control("PUT", "/settings", {"boot_seconds": LONGER})

    def hang() -> None:
        cluster.signal(hung, "patroni", signal.SIGSTOP)
        until(lambda: cluster.primary() not in {None, hung} or None, RECOVERY_SECONDS, "Patroni has promoted another")

    def go_on() -> None:
        cluster.signal(hung, "patroni", signal.SIGCONT)

    _record("Patroni of the primary hung", site, _under_load(site, "hung", hang, go_on), record_property)
    assert cluster.primary() != hung, "it comes back as a standby"
