"""Four hosts, two of the product and two of PostgreSQL, and one of the broker: what happens when a server's is lost.

The servers' hosts lose their power: no connection is closed. The new primary is promoted as Patroni would do it; the
broker that comes instead of the old one knows nothing.
"""

import logging
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest

from tests.chaos.hosts import BrokerHost, PostgresHost, Switch, replicated, require_hosts
from tests.chaos.two_hosts import OPERATIONS, RECOVERY_SECONDS, TwoHosts, all_over, answers, states, two_hosts, writing
from tests.support.cloudsim_process import CloudsimProcess
from tests.support.installation import until

log = logging.getLogger(__name__)

pytestmark = [pytest.mark.chaos, pytest.mark.timeout(1800)]


@dataclass
class Site:
    product: TwoHosts
    primary: PostgresHost
    standby: PostgresHost
    broker: BrokerHost


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    require_hosts()
    folder = tmp_path_factory.mktemp("site")
    with (
        Switch() as switch,
        CloudsimProcess(folder / "cloud", boot_seconds=2, flavor_create_role="member") as cloud,
    ):
        primary, standby = replicated(switch, folder)
        broker = BrokerHost(switch.host(), folder / "broker")
        broker.start()
        env = {
            "DATABASE_URL": primary.url.replace(primary.at, f"{primary.at},{standby.at}"),
            "REDIS_URL": broker.url,
            "OS_CLIENT_CONFIG_FILE": str(cloud.clouds_yaml),
        }
        with two_hosts(folder, env) as product:
            yield Site(product, primary, standby, broker)


def test_the_primary_is_lost_and_nothing_that_was_accepted(
    site: Site, record_property: Callable[[str, object], None]
) -> None:
    product, first, second = site.product, site.product.first, site.product.second
    vim, instances = first.vim_id(), product.created("primary")
    with writing(second, first.vnfd_id()) as writer:
        product.begin("INSTANTIATE", lambda: [second.instantiate(instance, vim) for instance in instances])
        before, lost_at = len(writer.times), time.monotonic()
        site.primary.host.power_off()
        site.standby.promote()
        promoted = time.monotonic() - lost_at
        until(lambda: len(writer.times) > before + 1 or None, RECOVERY_SECONDS, "changes are accepted again")
        until(lambda: answers(first), RECOVERY_SECONDS, "the other web answers, too")
        assert all_over(first, "INSTANTIATE", OPERATIONS) == {"COMPLETED": OPERATIONS}
        ended = time.monotonic() - lost_at
    figures = {"promoted": promoted, "no change accepted": writer.longest, "all completed": ended}
    record_property("figures", figures)
    log.info("primary lost: %s; %d accepted, %d refused", figures, len(writer.accepted), len(writer.refused))
    assert writer.unexpected == []
    assert writer.lost() == set()
    product.instances += writer.accepted
    assert product.findings() == []


def test_the_broker_is_lost_for_good_and_an_empty_one_takes_its_place(
    site: Site, record_property: Callable[[str, object], None]
) -> None:
    product, first, second = site.product, site.product.first, site.product.second
    vim, instances = first.vim_id(), product.created("broker")
    before = states(first, "INSTANTIATE").total()
    product.begin("INSTANTIATE", lambda: [second.instantiate(instance, vim) for instance in instances])
    lost_at = time.monotonic()
    site.broker.host.power_off()
    site.broker.host.power_on()
    site.broker.start()
    assert set(all_over(first, "INSTANTIATE", before + OPERATIONS)) == {"COMPLETED"}
    figures = {"all completed": time.monotonic() - lost_at}
    record_property("figures", figures)
    log.info("broker lost: %s", figures)
    for instance in instances:
        second.terminate(instance)
    assert set(all_over(first, "TERMINATE", OPERATIONS)) == {"COMPLETED"}
    assert product.findings() == []
