"""The series of /metrics: what processes counted, and the present state by PostgreSQL.

State is read at each scrape: it is right whichever web process answers, and also while another process hangs.
"""

import platform
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import datetime
from itertools import accumulate

from django.conf import settings
from prometheus_client import Metric
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily

from vnfm.catalog.selectors import onboarding_backlog
from vnfm.configuration.selectors import job_backlog
from vnfm.elements.selectors import receiver_list
from vnfm.faults.selectors import alarm_summary
from vnfm.inventory.selectors.availability import instances_by_state
from vnfm.inventory.selectors.vims import polls_of_vims
from vnfm.kit import clock
from vnfm.kit.disk import watched_disks
from vnfm.kit.durable import lease, outbox, worker_request
from vnfm.kit.durable.heartbeat import latest_heartbeats, machine_clocks
from vnfm.lcm.selectors.operation_counts import operation_backlog, operation_counts
from vnfm.metrics import store
from vnfm.metrics.catalogue import CATALOGUE
from vnfm.metrics.recorder import Histogram, Key
from vnfm.notifications.selectors.subscriptions import delivery_backlog, subscription_counts

TRAP_COUNTS = (
    *("received", "stored", "sampled_out", "repeated", "refused", "garbled", "unknown", "overflowed", "dropped"),
)


def manager_series() -> Iterator[Metric]:
    """All families, the cost of reading them last."""
    began = time.process_time()
    yield _one("vnfm_build_info", "The running release.", {"version": _version(), "python": platform.python_version()})
    yield from _counted()
    for read in (_operations, _queues, _leases, _vims, _alarms, _instances, _traps, _processes, _disks, _subscriptions):
        yield from read()
    spent = time.process_time() - began
    yield _one("vnfm_scrape_cpu_seconds", "Processor time of this scrape, without its text.", {}, spent)


def _version() -> str:
    return str(settings.SPECTACULAR_SETTINGS["VERSION"])


def _one(name: str, words: str, labels: Mapping[str, str], value: float = 1.0) -> Metric:
    family = GaugeMetricFamily(name, words, labels=list(labels))
    family.add_metric(list(labels.values()), value)
    return family


def _counted() -> Iterator[Metric]:
    totals, present = store.totals(), store.present()
    by_name: dict[str, list[Key]] = {}
    for key in [*totals, *present]:
        by_name.setdefault(key[0], []).append(key)
    for metric in CATALOGUE:
        keys, labels = by_name.get(metric.name, []), list(metric.labels)
        if isinstance(metric, Histogram):
            histogram = HistogramMetricFamily(metric.name, metric.help, labels=labels)
            for key in keys:
                counts = list(accumulate(totals[key].buckets))
                bounds = [*(f"{bound:g}" for bound in metric.bounds), "+Inf"]
                histogram.add_metric(key[1], list(zip(bounds, counts, strict=False)), totals[key].value)
            yield histogram
        elif metric.kind == "counter":
            counter = CounterMetricFamily(metric.name, metric.help, labels=labels)
            for key in keys:
                counter.add_metric(key[1], totals[key].value)
            yield counter
        else:
            gauge = GaugeMetricFamily(metric.name, metric.help, labels=labels)
            for key in keys:
                gauge.add_metric(key[1], present[key])
            yield gauge


def _operations() -> Iterator[Metric]:
    family = GaugeMetricFamily("vnfm_operations", "LCM operations by verb and state.", labels=["operation", "state"])
    for operation, state, number in operation_counts():
        family.add_metric([operation, state], number)
    yield family


def _queues() -> Iterator[Metric]:
    """Yield for each queue the rows that wait, and for how long the oldest has."""
    now = clock.now()
    queues = {
        "outbox": outbox.backlog(),
        "operations": operation_backlog(now),
        "notifications": delivery_backlog(),
        "packages": onboarding_backlog(),
        "configuration": job_backlog(),
        "requests": worker_request.backlog(),
    }
    length = GaugeMetricFamily("vnfm_queue_length", "Rows that wait to be worked on.", labels=["queue"])
    age = GaugeMetricFamily("vnfm_queue_oldest_seconds", "How long the oldest of them waits.", labels=["queue"])
    for name, backlog in queues.items():
        length.add_metric([name], backlog.length)
        age.add_metric([name], _seconds(backlog.oldest or now, now))
    yield from (length, age)


def _seconds(since: datetime, now: datetime) -> float:
    return max(0.0, (now - since).total_seconds())


def _leases() -> Iterator[Metric]:
    """Yield leases by the first word of their keys: "op:…", "watch:…", "notify slot 0"."""
    family = GaugeMetricFamily("vnfm_leases", "Leases that are held, by kind.", labels=["kind"])
    numbers = Counter(key.partition(":")[0].partition(" ")[0] for key in lease.current_keys())
    for kind, number in sorted(numbers.items()):
        family.add_metric([kind], number)
    yield family


def _vims() -> Iterator[Metric]:
    now = clock.now()
    age = GaugeMetricFamily("vnfm_vim_poll_age_seconds", "Since the last good poll of a cloud.", labels=["vim"])
    reachable = GaugeMetricFamily("vnfm_vim_reachable", "1, 0, or -1 where unknown.", labels=["vim"])
    for poll in polls_of_vims():
        age.add_metric([poll.vim], _seconds(poll.at, now))
        reachable.add_metric([poll.vim], {"True": 1.0, "False": 0.0}.get(poll.reachable, -1.0))
    yield from (age, reachable)


def _alarms() -> Iterator[Metric]:
    family = GaugeMetricFamily("vnfm_alarms", "Open alarms that are not suppressed.", labels=["severity"])
    for severity, number in alarm_summary().items():
        family.add_metric([severity], number)
    yield family


def _instances() -> Iterator[Metric]:
    family = GaugeMetricFamily("vnfm_vnf_instances", "VNF instances.", labels=["state"])
    for state, number in instances_by_state().items():
        family.add_metric([state], number)
    yield family


def _traps() -> Iterator[Metric]:
    family = CounterMetricFamily("vnfm_traps", "SNMP notifications by outcome.", labels=["host", "result"])
    for row in receiver_list():
        for name in TRAP_COUNTS:
            family.add_metric([row.host, name], getattr(row, name))
    yield family


def _processes() -> Iterator[Metric]:
    family = GaugeMetricFamily(
        "vnfm_process_heartbeat_age_seconds", "Since a process last did its work.", labels=["process"]
    )
    for beat in latest_heartbeats():
        family.add_metric([beat.name], beat.silent_seconds)
    ahead = GaugeMetricFamily(
        "vnfm_host_clock_ahead_seconds", "By how much a host's clock is ahead of the database's.", labels=["host"]
    )
    for machine in machine_clocks(settings.PROCESS_SILENT_SECONDS):
        ahead.add_metric([machine.host], machine.ahead_seconds)
    yield from (family, ahead)


def _disks() -> Iterator[Metric]:
    free = GaugeMetricFamily("vnfm_disk_free_bytes", "Free space where our files are.", labels=["disk"])
    size = GaugeMetricFamily("vnfm_disk_size_bytes", "Size of these file systems.", labels=["disk"])
    for name, space in watched_disks().items():
        free.add_metric([name], space.free)
        size.add_metric([name], space.total)
    yield from (free, size)


def _subscriptions() -> Iterator[Metric]:
    family = GaugeMetricFamily(
        "vnfm_subscriptions",
        "Subscriptions, by whether the last delivery succeeded.",
        labels=["interface", "delivering"],
    )
    for counts in subscription_counts():
        family.add_metric([counts.interface, "true"], counts.delivering)
        family.add_metric([counts.interface, "false"], counts.failing)
        family.add_metric([counts.interface, "unknown"], counts.unknown)
    yield family
