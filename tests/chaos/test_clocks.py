"""A host whose clock is wrong by a minute has an alarm, and does the same work as all others, as soon and only once."""

import logging
import re
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from launcher.postgres import EmbeddedPostgres
from launcher.valkey import EmbeddedValkey
from tests.chaos.clock import Clock
from tests.chaos.two_hosts import TwoHosts, two_hosts
from tests.support.cloudsim_process import CloudsimProcess
from tests.support.installation import Product, until
from tests.support.schema_template import copy_to

WRONG = (60, -60)
"""Seconds ahead of the database's clock."""
EXTRA = 30.0
"""Seconds that the same work may take longer, beside twice as long: a message is late by the clocks of its sender and
its receiver, and the sweeper finds what that makes late."""
_BACKWARDS = """
SELECT count(*) FROM lcm_step WHERE finished_at < started_at
UNION ALL SELECT count(*) FROM lcm_lcmopocc WHERE state_entered_time < start_time
"""

log = logging.getLogger(__name__)

pytestmark = [pytest.mark.chaos, pytest.mark.timeout(1800)]


@pytest.fixture
def clock(tmp_path: Path) -> Clock:
    """Return the clock of the second host."""
    clock = Clock(tmp_path)
    if not clock.is_real:
        pytest.skip("no C compiler")
    return clock


@pytest.fixture
def postgres(tmp_path: Path) -> Iterator[EmbeddedPostgres]:
    copy_to(tmp_path / "postgres")
    with EmbeddedPostgres(tmp_path / "postgres", fsync=False) as server:
        yield server


@pytest.fixture
def site(tmp_path: Path, postgres: EmbeddedPostgres, clock: Clock) -> Iterator[TwoHosts]:
    with (
        EmbeddedValkey(tmp_path / "valkey") as valkey,
        CloudsimProcess(tmp_path / "cloud", seed="operator", boot_seconds=2, flavor_create_role="member") as cloud,
    ):
        env = {
            "DATABASE_URL": postgres.url,
            "REDIS_URL": valkey.url,
            "OS_CLIENT_CONFIG_FILE": str(cloud.clouds_yaml),
        }
        with two_hosts(tmp_path, env, env | clock.environment) as product:
            yield product


def _alarm(product: Product) -> dict[str, str] | None:
    rows = product.get("/api/v1/alarms?filter=(eq,faultType,ManagerClockDiffers)")
    return next((row for row in rows if not row["alarmClearedTime"]), None)


def _ahead(product: Product) -> float:
    text = product.session.get(f"{product.url}/metrics", timeout=60).text
    found = re.search(r'^vnfm_host_clock_ahead_seconds\{host="second"\} (\S+)$', text, re.MULTILINE)
    assert found is not None, text
    return float(found[1])


def _work(site: TwoHosts, by: Product) -> float:
    """Seconds of instances that one host is asked to instantiate and to terminate."""
    vim, instances = site.first.vim_id(), site.created(f"pe{len(site.instances)}")
    began = time.monotonic()
    for begin in (lambda instance: by.instantiate(instance, vim), by.terminate):
        ends = [site.first.over(location)["operationState"] for location in [begin(one) for one in instances]]
        assert ends == ["COMPLETED"] * len(instances)
    seconds = time.monotonic() - began
    assert site.findings() == []
    return seconds


def test_a_wrong_clock_has_an_alarm_and_costs_nothing_else(
    site: TwoHosts, clock: Clock, postgres: EmbeddedPostgres
) -> None:
    undisturbed = max(_work(site, host) for host in (site.first, site.second))
    for ahead in WRONG:
        clock.set(ahead)
        until(lambda ahead=ahead: abs(_ahead(site.first) - ahead) < 1 or None, 60, "the metric shows it")
        alarm = until(lambda: _alarm(site.first), 60, "the alarm is raised")
        assert alarm["faultyResource"] == "clock of second"
        for host in (site.first, site.second):
            seconds = _work(site, host)
            log.info("%+d s: %.1f s, undisturbed %.1f s", ahead, seconds, undisturbed)
            assert seconds < 2 * undisturbed + EXTRA
        with psycopg.connect(postgres.url) as connection:
            assert connection.execute(_BACKWARDS).fetchall() == [(0,), (0,)], "nothing ends before it begins"
        clock.set(0)
        until(lambda: _alarm(site.first) is None or None, 60, "the alarm clears")
