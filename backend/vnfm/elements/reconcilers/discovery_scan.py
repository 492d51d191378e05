"""Scans the address ranges of discovery rules, and registers the elements that answer."""

import asyncio
import random
from collections.abc import Iterable
from dataclasses import asdict, replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import structlog
from django.db import transaction
from django.db.models import F

from vnfm.devices.errors import DeviceError, Refused, Unreachable
from vnfm.devices.ports import DeviceProvider
from vnfm.devices.types import SnmpTarget
from vnfm.elements.domain.addresses import addresses_in
from vnfm.elements.domain.discovery import Outcome, ScanResult, kind_for, name_for
from vnfm.elements.domain.drivers import driver_for
from vnfm.elements.domain.drivers.base import SYSTEM_NAMES
from vnfm.elements.domain.snapshot import SystemGroup
from vnfm.elements.models import DiscoveryRule, NetworkElement
from vnfm.elements.reconcilers.hosts import vnf_of
from vnfm.elements.reconcilers.polled_elements import shard_of
from vnfm.elements.selectors import snmp_target_of
from vnfm.elements.services.discovery_rules import check_destinations
from vnfm.elements.services.elements import element_register
from vnfm.elements.services.versioned_rows import publish_change
from vnfm.kit import clock
from vnfm.kit.durable.database_threads import DatabaseThreads
from vnfm.kit.problem import ProblemError

MAX_CONCURRENT = 100
"""Concurrent requests; each address gets one small request, repeated once."""

BATCH = 500
"""Addresses between two reports of progress."""

ANSWER_SECONDS = 1.0
"""Most addresses of a range are unused, and agents answer quickly."""

ScanState = DiscoveryRule.ScanState

log = structlog.get_logger(__name__)


class Scanner:
    """One scan of a rule at a time, in the process that holds the shard of the rule's id."""

    def __init__(self, devices: DeviceProvider, database: DatabaseThreads) -> None:
        self._devices = devices
        self._database = database
        self._scanning: set[UUID] = set()

    async def scan_due(self, shards: set[int]) -> list["asyncio.Task[None]"]:
        """Start the scans that are due; returns their tasks."""
        due = await self._database(_due, shards, frozenset(self._scanning), clock.now())
        self._scanning |= {rule.id for rule in due}
        return [asyncio.create_task(self._scan(rule)) for rule in due]

    async def _scan(self, rule: DiscoveryRule) -> None:
        try:
            addresses = list(addresses_in(rule.include, rule.exclude))
            random.shuffle(addresses)  # spreads the load over the subnets
            await self._database(_record_start, rule.id, len(addresses), clock.now())
            await self._database(check_destinations, rule)
            target = await self._database(snmp_target_of, rule.snmp_policy, "")
            results: list[ScanResult] = []
            for start in range(0, len(addresses), BATCH):
                results += await self._probe_all(target, addresses[start : start + BATCH])
                await self._database(_record_progress, rule.id, start + BATCH)
            await self._database(_record_results, rule, results, clock.now())
        except Exception as error:  # one failing scan must not end the polling
            log.exception("elements.scan_failed", rule=rule.name)
            await self._database(_record_failure, rule.id, str(error), clock.now())
        finally:
            self._scanning.discard(rule.id)

    async def _probe_all(self, target: SnmpTarget, addresses: Iterable[str]) -> list[ScanResult]:
        slots = asyncio.Semaphore(MAX_CONCURRENT)

        async def probe(address: str) -> ScanResult | None:
            async with slots:
                return await self._probe(replace(target, address=address, timeout=min(target.timeout, ANSWER_SECONDS)))

        found = await asyncio.gather(*map(probe, addresses))
        return [result for result in found if result is not None]

    async def _probe(self, target: SnmpTarget) -> ScanResult | None:
        """None when nothing answers."""
        try:
            async with self._devices.snmp(target) as snmp:
                scalars = await snmp.get(SYSTEM_NAMES)
        except Unreachable:
            return None
        except DeviceError as error:
            outcome: Outcome = "REFUSED" if isinstance(error, Refused) else "NOT_REGISTERED"
            return ScanResult(target.address, outcome, problem=error.message)
        system: SystemGroup = driver_for("").system(scalars)
        driver = driver_for(system.sys_object_id)
        return ScanResult(target.address, "NOT_REGISTERED", system.sys_name, system.sys_object_id, driver.name)


def _due(shards: set[int], scanning: frozenset[UUID], now: datetime) -> list[DiscoveryRule]:
    """Rules whose scan was requested or interrupted, or whose interval is over."""
    rules = DiscoveryRule.objects.exclude(id__in=scanning).select_related("snmp_policy", "ssh_policy", "netconf_policy")
    return [rule for rule in rules if shard_of(rule.id) in shards and _is_due(rule, now)]


def _is_due(rule: DiscoveryRule, now: datetime) -> bool:
    if rule.scan_state in (ScanState.WAITING, ScanState.RUNNING):
        return True
    if not rule.enabled or rule.scan_interval is None:
        return False
    return rule.scan_ended_at is None or rule.scan_ended_at + timedelta(seconds=rule.scan_interval) <= now


def _update_rule(rule_id: UUID, columns: dict[str, Any]) -> None:
    with transaction.atomic():
        DiscoveryRule.objects.filter(id=rule_id).update(**columns, version=F("version") + 1)
        rule = DiscoveryRule.objects.filter(id=rule_id).first()
        if rule is not None:  # else it was deleted during the scan
            publish_change(rule)


def _record_start(rule_id: UUID, total: int, now: datetime) -> None:
    running = {"scan_state": ScanState.RUNNING, "scan_probed": 0, "scan_total": total, "scan_problem": ""}
    _update_rule(rule_id, {**running, "scan_started_at": now})


def _record_progress(rule_id: UUID, probed: int) -> None:
    rule = DiscoveryRule.objects.filter(id=rule_id).first()
    if rule is not None:
        _update_rule(rule_id, {"scan_probed": min(probed, rule.scan_total)})


def _record_results(rule: DiscoveryRule, found: list[ScanResult], now: datetime) -> None:
    results = [_register(rule, result) for result in sorted(found, key=lambda result: result.address)]
    _update_rule(rule.id, {"scan_state": ScanState.DONE, "scan_ended_at": now, "results": [asdict(r) for r in results]})


def _record_failure(rule_id: UUID, problem: str, now: datetime) -> None:
    _update_rule(rule_id, {"scan_state": ScanState.FAILED, "scan_ended_at": now, "scan_problem": problem})


def _register(rule: DiscoveryRule, result: ScanResult) -> ScanResult:
    """Leaves an element that is registered at the address as it is, whatever its state: an operator chose that."""
    known = NetworkElement.objects.filter(management_address=result.address).first()
    if known is not None:
        return replace(result, outcome="KNOWN", element_id=str(known.id), problem="")
    if result.problem:
        return result
    taken = set(NetworkElement.objects.filter(name=result.sys_name).values_list("name", flat=True))
    kind = kind_for(result.sys_object_id)
    virtual = kind == NetworkElement.Kind.VIRTUAL
    instance, vnfc = vnf_of(result.address, result.driver) if virtual else (None, None)
    columns = {
        "name": name_for(result.sys_name, result.address, taken),
        "kind": kind,
        "vnf_instance_id": instance.id if instance else None,
        "vnfc_id": vnfc.id if vnfc else None,
        "management_address": result.address,
        "site": rule.site,
        "snmp_policy": rule.snmp_policy,
        "ssh_policy": rule.ssh_policy,
        "netconf_policy": rule.netconf_policy,
    }
    try:
        element = element_register(columns=columns)
    except ProblemError as error:
        return replace(result, problem=error.problem.detail)
    return replace(result, outcome="REGISTERED", element_id=str(element.id))
