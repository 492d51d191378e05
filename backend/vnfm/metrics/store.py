"""Adds what a process counted to the totals in PostgreSQL, from its heartbeat (ADR-0048)."""

import os
import resource
import socket
import time
from datetime import timedelta
from pathlib import Path
from threading import Lock

import structlog
from django.db import DatabaseError, connection, transaction
from django.db.models.functions import Now

from vnfm.metrics import recorder
from vnfm.metrics.catalogue import PROCESS_CPU, PROCESS_MEMORY
from vnfm.metrics.models import MetricGauge, MetricTotal

FLUSH_SECONDS = 10.0
FRESH = timedelta(seconds=60)
"""A gauge that is older belongs to a process that is gone."""
KEEP_GAUGES = timedelta(days=1)

_ADD = """
INSERT INTO metrics_metrictotal (name, labels, value, buckets) VALUES (%s, %s, %s, %s)
ON CONFLICT (name, labels) DO UPDATE SET
    value = metrics_metrictotal.value + excluded.value,
    buckets = COALESCE((
        SELECT array_agg(COALESCE(had, 0) + COALESCE(more, 0) ORDER BY place)
        FROM unnest(metrics_metrictotal.buckets, excluded.buckets) WITH ORDINALITY AS bucket (had, more, place)
    ), '{}')
"""

log = structlog.get_logger(__name__)


class _Flusher:
    """Add the counts of one process."""

    def __init__(self) -> None:
        self._at = float("-inf")
        self._cpu = 0.0
        self._lock = Lock()
        self._source = f"{socket.gethostname()}:{os.getpid()}"

    def flush(self, process: str) -> None:
        with self._lock:
            if time.monotonic() - self._at < FLUSH_SECONDS:
                return
            self._at = time.monotonic()
            self._count_cpu(process)
        counted = recorder.take()
        try:
            with transaction.atomic():
                _add(counted)
                self._set_gauges(process)
        except DatabaseError as error:
            recorder.give_back(counted)
            log.warning("metrics.not_stored", error=str(error).strip())

    def _count_cpu(self, process: str) -> None:
        used = sum(resource.getrusage(resource.RUSAGE_SELF)[:2])
        PROCESS_CPU.add(process, amount=used - self._cpu)
        self._cpu = used

    def _set_gauges(self, process: str) -> None:
        values = recorder.gauges() | {(PROCESS_MEMORY.name, (process,)): _resident_bytes()}
        MetricGauge.objects.bulk_create(
            [
                MetricGauge(name=name, labels=list(labels), source=self._source, value=value, at=Now())
                for (name, labels), value in sorted(values.items())
            ],
            update_conflicts=True,
            unique_fields=["name", "labels", "source"],
            update_fields=["value", "at"],
        )


def _add(counted: dict[recorder.Key, recorder.Increment]) -> None:
    """In the order of their keys: processes that lock rows in the same order never wait for each other in a ring."""
    rows = [
        (name, list(labels), found.value, found.buckets)
        for (name, labels), found in sorted(counted.items(), key=lambda item: item[0])
    ]
    with connection.cursor() as cursor:
        cursor.executemany(_ADD, rows)


def _resident_bytes() -> float:
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()


def prune() -> int:
    """Delete gauges of processes that are gone; returns how many."""
    deleted, _ = MetricGauge.objects.filter(at__lt=Now() - KEEP_GAUGES).delete()
    return deleted


def totals() -> dict[recorder.Key, recorder.Increment]:
    """Everything that was counted, by metric and label values."""
    rows = MetricTotal.objects.order_by("name", "labels").values_list("name", "labels", "value", "buckets")
    return {(name, tuple(labels)): recorder.Increment(value, buckets) for name, labels, value, buckets in rows}


def present() -> dict[recorder.Key, float]:
    """Gauges, each summed up over the processes that live."""
    sums: dict[recorder.Key, float] = {}
    rows = MetricGauge.objects.filter(at__gt=Now() - FRESH).values_list("name", "labels", "value")
    for name, labels, value in rows:
        sums[name, tuple(labels)] = sums.get((name, tuple(labels)), 0.0) + value
    return sums


_flusher: list[_Flusher] = []


def flush(process: str) -> None:
    """Store what this process, named as in `heartbeat.PROCESSES`, has counted; at most every FLUSH_SECONDS."""
    if not _flusher:
        _flusher.append(_Flusher())
    _flusher[0].flush(process)
