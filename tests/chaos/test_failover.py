"""Four hosts, two of the product and two of PostgreSQL, and one of the broker: what happens when a server's is lost.

The servers' hosts lose their power: no connection is closed. The new primary is promoted as Patroni would do it; the
broker that comes instead of the old one knows nothing.
"""

import logging
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import pytest
import requests

from tests.chaos.hosts import BrokerHost, PostgresHost, Switch, replicated, require_hosts
from tests.chaos.reconcile import compare
from tests.chaos.test_hosts import ROLES, all_over, named, states
from tests.cloudsim_process import CloudsimProcess
from tests.installation import Product, until

OPERATIONS = 8
RECOVERY_SECONDS = 60.0
"""From the loss of the primary, with its standby promoted at once, to the first change that is accepted again."""
SETTLE = 20.0

log = logging.getLogger(__name__)

pytestmark = [pytest.mark.chaos, pytest.mark.timeout(1800)]


@dataclass
class Site:
    first: Product
    second: Product
    primary: PostgresHost
    standby: PostgresHost
    broker: BrokerHost
    instances: list[str] = field(default_factory=list)
    """All that there ever were."""

    def created(self, prefix: str) -> list[str]:
        """Some instances, by the second host."""
        vnfd = self.first.vnfd_id()
        new = [self.second.create(f"{prefix}-{number}", vnfd) for number in range(OPERATIONS)]
        self.instances += new
        return new

    def findings(self) -> list[str]:
        """Orphans, duplicates and what was lost, once there has been time to settle."""
        deadline = time.monotonic() + SETTLE
        while found := compare(self.first.get, self.first.cloud(), self.instances):
            if time.monotonic() > deadline:
                break
            time.sleep(0.5)
        return [str(finding) for finding in found]

    def begin(self, kind: str, start: Callable[[], object]) -> None:
        """Until one of these operations is under way."""
        start()
        until(lambda: states(self.first, kind)["PROCESSING"] or None, 60, f"{kind} is under way")


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
        began = Product(folder / "first", "--cloud", "cloudsim", from_nothing=True, env=env, prefix=named("first"))
        with began as first:
            (folder / "second").mkdir()
            shutil.copytree(folder / "first" / "keys", folder / "second" / "keys")
            (folder / "second" / "artifacts").symlink_to(folder / "first" / "artifacts")
            joined = Product(folder / "second", "--roles", ROLES, from_nothing=True, env=env, prefix=named("second"))
            with joined as second:
                yield Site(first, second, primary, standby, broker)


@dataclass
class Writer:
    """Creates instances all the time, as a client that does not repeat what was not accepted."""

    product: Product
    vnfd: str
    accepted: list[str] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    refused: int = 0
    unexpected: list[str] = field(default_factory=list)
    """Answers that are neither; an assertion in this thread would not fail the test."""

    def run(self, stop: threading.Event) -> None:
        while not stop.wait(0.2):
            body = {"vnfdId": self.vnfd, "vnfInstanceName": f"written-{len(self.times)}-{self.refused}"}
            try:
                answer = requests.post(
                    f"{self.product.url}/vnflcm/v2/vnf_instances",
                    json=body,
                    headers={"Authorization": str(self.product.session.headers["Authorization"])},
                    timeout=30,
                )
            except requests.RequestException:
                self.refused += 1
                continue
            if answer.status_code == requests.codes.created:
                self.accepted.append(answer.json()["id"])
                self.times.append(time.monotonic())
            elif answer.status_code == requests.codes.unavailable:
                self.refused += 1
            else:
                self.unexpected.append(f"{answer.status_code} {answer.text}")

    @property
    def longest(self) -> float:
        """The longest time from one that was accepted to the next."""
        return max(later - earlier for earlier, later in zip(self.times, self.times[1:], strict=False))


@contextmanager
def writing(product: Product, vnfd: str) -> Iterator[Writer]:
    writer, stop = Writer(product, vnfd), threading.Event()
    thread = threading.Thread(target=writer.run, args=(stop,), daemon=True)
    thread.start()
    try:
        yield writer
    finally:
        stop.set()
        thread.join(60)


def test_the_primary_is_lost_and_nothing_that_was_accepted(
    site: Site, record_property: Callable[[str, object], None]
) -> None:
    vim, instances = site.first.vim_id(), site.created("primary")
    with writing(site.second, site.first.vnfd_id()) as writer:
        until(lambda: writer.accepted or None, 30, "a change is accepted")
        site.begin("INSTANTIATE", lambda: [site.second.instantiate(instance, vim) for instance in instances])
        before, lost_at = len(writer.times), time.monotonic()
        site.primary.host.power_off()
        site.standby.promote()
        promoted = time.monotonic() - lost_at
        until(lambda: len(writer.times) > before + 1 or None, RECOVERY_SECONDS, "changes are accepted again")
        until(lambda: _answers(site.first), RECOVERY_SECONDS, "the other web answers, too")
        assert all_over(site.first, "INSTANTIATE", OPERATIONS) == {"COMPLETED": OPERATIONS}
        ended = time.monotonic() - lost_at
    figures = {"promoted": promoted, "no change accepted": writer.longest, "all completed": ended}
    record_property("figures", figures)
    log.info("primary lost: %s; %d accepted, %d refused", figures, len(writer.accepted), writer.refused)
    assert writer.unexpected == []
    there = {row["id"] for row in _all(site.second, "/vnflcm/v2/vnf_instances")}
    assert set(writer.accepted) - there == set(), "accepted changes that are gone"
    site.instances += writer.accepted
    assert site.findings() == []


def test_the_broker_is_lost_for_good_and_an_empty_one_takes_its_place(
    site: Site, record_property: Callable[[str, object], None]
) -> None:
    vim, instances = site.first.vim_id(), site.created("broker")
    before = states(site.first, "INSTANTIATE").total()
    site.begin("INSTANTIATE", lambda: [site.second.instantiate(instance, vim) for instance in instances])
    lost_at = time.monotonic()
    site.broker.host.power_off()
    site.broker.host.power_on()
    site.broker.start()
    assert set(all_over(site.first, "INSTANTIATE", before + OPERATIONS)) == {"COMPLETED"}
    figures = {"all completed": time.monotonic() - lost_at}
    record_property("figures", figures)
    log.info("broker lost: %s", figures)
    for instance in instances:
        site.second.terminate(instance)
    assert set(all_over(site.first, "TERMINATE", OPERATIONS)) == {"COMPLETED"}
    assert site.findings() == []


def _answers(product: Product) -> bool | None:
    return product.session.get(f"{product.url}/vnflcm/v2/vnf_lcm_op_occs", timeout=60).ok or None


def _all(product: Product, path: str) -> Iterator[dict[str, str]]:
    url = product.url + path
    while url:
        answer = product.session.get(url, timeout=60)
        assert answer.ok, answer.text
        yield from answer.json()
        url = answer.links.get("next", {}).get("url", "")
