"""The series of /metrics: what processes counted, and the present state by PostgreSQL.

State is read at each scrape: it is right whichever web process answers, and also while another process hangs.
"""

import platform
import time
from collections.abc import Iterator, Mapping
from datetime import datetime
from itertools import accumulate
from typing import Any

from django.conf import settings
from django.db.models import Count, Min, Q, QuerySet
from django.db.models.functions import Now
from prometheus_client import Metric
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily

from vnfm.catalog.models import VnfPackage
from vnfm.configuration.models import ConfigurationJob
from vnfm.elements.models import TrapReceiver
from vnfm.faults.selectors import alarm_summary
from vnfm.inventory.models import VimPollState, VnfInstance
from vnfm.kit import clock
from vnfm.kit.disk import watched_disks
from vnfm.kit.durable.heartbeat import latest_heartbeats, machine_clocks
from vnfm.kit.models import Lease, OutboxEvent, WorkerRequest
from vnfm.lcm.domain.states import DRIVEN_STATES
from vnfm.lcm.models import LcmOpOcc
from vnfm.metrics import store
from vnfm.metrics.catalogue import CATALOGUE
from vnfm.metrics.recorder import Histogram, Key
from vnfm.notifications.models import Delivery, Subscription
from vnfm.vims.models import Vim

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
    rows = (
        LcmOpOcc.objects.values_list("operation", "state").annotate(number=Count("id")).order_by("operation", "state")
    )
    for operation, state, number in rows:
        family.add_metric([operation, state], number)
    yield family


def _queues() -> Iterator[Metric]:
    """Yield for each queue the rows that wait, and for how long the oldest has."""
    now = clock.now()
    due = Q(wake_at__lte=now, state__in=[*DRIVEN_STATES])
    queues: tuple[tuple[str, QuerySet[Any], str], ...] = (
        ("outbox", OutboxEvent.objects.filter(delivered_at__isnull=True), "created_at"),
        ("operations", LcmOpOcc.objects.filter(due), "wake_at"),
        ("notifications", Delivery.objects.filter(state=Delivery.State.WAITING), "created_at"),
        ("packages", VnfPackage.objects.filter(onboarding_state="PROCESSING"), "created_at"),
        ("configuration", ConfigurationJob.objects.filter(state=ConfigurationJob.State.WAITING), "created_at"),
        ("requests", WorkerRequest.objects.filter(state=WorkerRequest.State.WAITING), "created_at"),
    )
    length = GaugeMetricFamily("vnfm_queue_length", "Rows that wait to be worked on.", labels=["queue"])
    age = GaugeMetricFamily("vnfm_queue_oldest_seconds", "How long the oldest of them waits.", labels=["queue"])
    for name, rows, column in queues:
        found = rows.aggregate(number=Count("pk"), oldest=Min(column))
        length.add_metric([name], found["number"])
        age.add_metric([name], _seconds(found["oldest"], now) or 0.0)
    yield from (length, age)


def _seconds(since: datetime | None, now: datetime) -> float | None:
    return None if since is None else max(0.0, (now - since).total_seconds())


def _leases() -> Iterator[Metric]:
    """Yield leases by the first word of their keys: "op:…", "watch:…", "notify slot 0"."""
    family = GaugeMetricFamily("vnfm_leases", "Leases that are held, by kind.", labels=["kind"])
    numbers: dict[str, int] = {}
    for key in Lease.objects.filter(expires_at__gt=Now()).values_list("key", flat=True):
        kind = key.partition(":")[0].partition(" ")[0]
        numbers[kind] = numbers.get(kind, 0) + 1
    for kind, number in sorted(numbers.items()):
        family.add_metric([kind], number)
    yield family


def _vims() -> Iterator[Metric]:
    now = clock.now()
    age = GaugeMetricFamily("vnfm_vim_poll_age_seconds", "Since the last good poll of a cloud.", labels=["vim"])
    reachable = GaugeMetricFamily("vnfm_vim_reachable", "1, 0, or -1 where unknown.", labels=["vim"])
    polled = dict(VimPollState.objects.values_list("vim_id", "servers_at"))
    for vim_id, name, state, created_at in Vim.objects.order_by("name").values_list(
        "id", "name", "reachable", "created_at"
    ):
        age.add_metric([name], _seconds(polled.get(vim_id) or created_at, now) or 0.0)
        reachable.add_metric([name], {"True": 1.0, "False": 0.0}.get(state, -1.0))
    yield from (age, reachable)


def _alarms() -> Iterator[Metric]:
    family = GaugeMetricFamily("vnfm_alarms", "Open alarms that are not suppressed.", labels=["severity"])
    for severity, number in alarm_summary().items():
        family.add_metric([severity], number)
    yield family


def _instances() -> Iterator[Metric]:
    family = GaugeMetricFamily("vnfm_vnf_instances", "VNF instances.", labels=["state"])
    for state, number in VnfInstance.objects.values_list("instantiation_state").annotate(number=Count("id")).order_by():
        family.add_metric([state], number)
    yield family


def _traps() -> Iterator[Metric]:
    family = CounterMetricFamily("vnfm_traps", "SNMP notifications by outcome.", labels=["host", "result"])
    for row in TrapReceiver.objects.order_by("host"):
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
    failing = GaugeMetricFamily(
        "vnfm_subscriptions",
        "Subscriptions, by whether the last delivery succeeded.",
        labels=["interface", "delivering"],
    )
    rows = Subscription.objects.values("interface").annotate(
        number=Count("id"),
        failing=Count("id", filter=Q(failures__gt=0)),
        unknown=Count("id", filter=Q(failures=0, never_answered=True)),
    )
    for row in rows.order_by("interface"):
        failing.add_metric([row["interface"], "true"], row["number"] - row["failing"] - row["unknown"])
        failing.add_metric([row["interface"], "false"], row["failing"])
        failing.add_metric([row["interface"], "unknown"], row["unknown"])
    yield failing
