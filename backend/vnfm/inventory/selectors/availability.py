"""Availability of all VNF instances and VMs, counted by the database: evaluating ten thousand VMs one by one takes
seconds. The rule is that of the condition Available (`inventory.domain.conditions`).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Count, F, Q
from django.db.models.functions import Greatest

from vnfm.inventory.domain.observation import ACTIVE
from vnfm.inventory.models import VimPollState, Vnfc, VnfInstance
from vnfm.inventory.selectors.vims import stale_after

RUNNING, DEGRADED, DOWN, UNKNOWN, ABSENT = "RUNNING", "DEGRADED", "DOWN", "UNKNOWN", "NOT_INSTANTIATED"
_WORST_LAST = (RUNNING, DEGRADED, DOWN, UNKNOWN)
AVAILABILITY = (*_WORST_LAST, ABSENT)


@dataclass(frozen=True, slots=True)
class Availability:
    instances: Mapping[UUID, str]
    """One of AVAILABILITY for each instance."""
    vms: Mapping[str, int]
    """The number of VMs of instances by status: ACTIVE, ERROR, OTHER, UNKNOWN (not polled lately)."""


def availability(now: datetime) -> Availability:
    worst: dict[UUID, str] = {}
    vms = {"ACTIVE": 0, "ERROR": 0, "OTHER": 0, UNKNOWN: 0}
    for instance, _, number, unknown, active, error in _vdus(now):
        of_vdu = UNKNOWN if unknown else DOWN if not active else RUNNING if active == number else DEGRADED
        worst[instance] = max(worst.get(instance, RUNNING), of_vdu, key=_WORST_LAST.index)
        vms["ACTIVE"] += active
        vms["ERROR"] += error
        vms[UNKNOWN] += unknown
        vms["OTHER"] += number - active - error - unknown
    rows = VnfInstance.objects.order_by().values_list("id", "instantiation_state", "vim_id")
    deployed = VnfInstance.InstantiationState.INSTANTIATED
    instances = {
        key: worst.get(key, DOWN) if state == deployed and vim is not None else ABSENT for key, state, vim in rows
    }
    return Availability(instances, vms)


def _vdus(now: datetime) -> Any:
    """Instance, VDU, and the numbers of all, unknown, active and failed VMs, for each VDU of the instances on a VIM."""
    lost = (
        Q(last_observed_at__isnull=True)
        | _is_stale(now)
        | Q(instance__vim__reachable="False", last_observed_at__lte=F("instance__vim__reachable_since"))
    )
    deployed = Q(instance__instantiation_state=VnfInstance.InstantiationState.INSTANTIATED, instance__vim__isnull=False)
    return (
        Vnfc.objects.filter(deployed)
        .annotate(last_observed_at=Greatest("observed_at", "instance__vim__poll_state__servers_at"))
        .order_by()
        .values_list("instance_id", "vdu_id")
        .annotate(
            number=Count("id"),
            lost=Count("id", filter=lost),
            active=Count("id", filter=Q(status=ACTIVE) & ~lost),
            error=Count("id", filter=Q(status="ERROR") & ~lost),
        )
    )


def _is_stale(now: datetime) -> Q:
    """Select rows whose `last_observed_at` is too old by the interval of the polls of their VIM."""
    usual = stale_after()
    slow = {state.vim_id: age for state in VimPollState.objects.all() if (age := stale_after(state)) > usual}
    found = Q(last_observed_at__lt=now - usual) & ~Q(instance__vim__in=list(slow))
    for vim_id, age in slow.items():
        found |= Q(instance__vim=vim_id, last_observed_at__lt=now - age)
    return found


def instances_by_state() -> dict[str, int]:
    """The number of instances by `instantiation_state`."""
    rows = VnfInstance.objects.order_by().values_list("instantiation_state").annotate(number=Count("id"))
    return dict(rows)
