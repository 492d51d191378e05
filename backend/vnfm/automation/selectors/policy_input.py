"""Loads the facts for a decision: alarms, operations, the VIM, the load and past actions."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from vnfm.automation.domain.evaluate import DecisionOutcome, clock_words
from vnfm.automation.domain.heal_methods import why_no_method
from vnfm.automation.domain.load import Load, Sample
from vnfm.automation.domain.policy import LoadSourceKind, PolicyKind
from vnfm.automation.domain.policy_input import Blocker, DownVnfc, PastAction, PolicyInput, Reason
from vnfm.automation.models import AutomationDecision, AutomationPolicy, AutomationStatus
from vnfm.automation.selectors.load_sources import source
from vnfm.automation.selectors.policies import vnfc_down_alarms, windows_open
from vnfm.faults.domain.dictionary import vm_fault_type
from vnfm.faults.models import Alarm
from vnfm.inventory.models import Vnfc, VnfInstance
from vnfm.inventory.selectors import poll_state_of
from vnfm.lcm.domain.vnfc_names import label
from vnfm.lcm.selectors.instance_status import InstanceStatus
from vnfm.lcm.selectors.operation_counts import end_times
from vnfm.lcm.selectors.operations import describe_running

LOOKBACK = timedelta(hours=26)
"""Actions count so far back: the longest cool-down and the limit's hour, with room for a long operation."""


def policy_input(
    policy: AutomationPolicy, item: InstanceStatus, status: AutomationStatus | None, now: datetime
) -> PolicyInput:
    instantiated = item.instance.instantiation_state == VnfInstance.InstantiationState.INSTANTIATED
    heals = policy.kind == PolicyKind.HEAL
    flavour = item.flavour
    aspect = flavour.aspect(policy.aspect_id) if flavour is not None else None
    return PolicyInput(
        vnfcs_down=tuple(_down_vnfcs(item)) if heals and instantiated else (),
        load=_load(policy, item.instance, now) if instantiated and not heals else None,
        level=item.instance.scale_levels.get(policy.aspect_id, 0),
        max_level=aspect.max_scale_level if aspect is not None else 0,
        no_aspect="" if aspect is not None else f"Its flavour has no scaling aspect {policy.aspect_id!r}.",
        blockers=tuple(_blockers(item, now)),
        past_actions=tuple(_past_actions(policy, item.instance, _lookback_start(status, now))),
        stopped_since=status.stopped_at if status is not None else None,
    )


def _down_vnfcs(item: InstanceStatus) -> Iterator[DownVnfc]:
    """One for each outstanding alarm of a VNFC that its record shows as down, too."""
    vnfcs = {str(row.id): row for row in item.instance.vnfcs.all()}
    for alarm in vnfc_down_alarms().filter(managed_object_id=item.instance.id):
        for vnfc_id in alarm.vnfc_ids:
            row = vnfcs.get(vnfc_id)
            if row is not None and vm_fault_type(row.status) is not None:
                yield _down_vnfc(alarm, row, item)


def _down_vnfc(alarm: Alarm, row: Vnfc, item: InstanceStatus) -> DownVnfc:
    return DownVnfc(
        alarm_id=str(alarm.id),
        vnfc_id=str(row.id),
        label=label(row),
        since=alarm.raised_at,
        words=f"{alarm.fault_type}, Nova says {row.status}",
        stopped_by_operator=row.desired == Vnfc.Desired.STOPPED,
        not_allowed=why_no_method(item.vnfd.vdu(row.vdu_id), alarm.fault_type),
    )


def _load(policy: AutomationPolicy, instance: VnfInstance, now: datetime) -> Load:
    kind = LoadSourceKind(policy.source)
    delivers = source(kind)
    if delivers is None:
        words = f"No source delivers values of {kind} in this installation."
        return Load((Sample(policy.created_at, None),), words)
    longest = max(policy.out_after_seconds or 0, policy.in_after_seconds or 0)
    since = now - timedelta(seconds=longest)
    found = delivers.load(instance=instance, metric=policy.metric, since=since, now=now)
    return found if found.samples else Load((Sample(policy.created_at, None),), found.words)


def _blockers(item: InstanceStatus, now: datetime) -> Iterator[Blocker]:
    covered = [each for each in (item.instance.id, item.instance.vim_id) if each is not None]
    window = windows_open(now=now).filter(managed_object_id__in=covered).first()
    if window is not None:
        words = f"{window.managed_object_name} is in maintenance until {clock_words(window.ends_at)}: {window.reason}"
        yield Blocker(Reason.MAINTENANCE, words)
    if item.running is not None:
        yield Blocker(Reason.OPERATION_RUNNING, f"{describe_running(item.running)}.")
    vim = item.view.vim
    if vim is None:
        return
    state = poll_state_of(item.instance.vim)
    reachability = vim.reachability.at(now)
    lost = vim.lost_since(None, now)
    if reachability.status != "True":
        yield Blocker(Reason.VIM_UNKNOWN, f"{vim.name} is not known to be reachable: {reachability.message}")
    elif state is not None and state.failures:
        yield Blocker(Reason.VIM_UNKNOWN, f"The last poll of {vim.name} has failed.")
    elif lost is not None:
        yield Blocker(Reason.VIM_UNKNOWN, f"What {vim.name} runs is unknown since {clock_words(lost)}.")


def _lookback_start(status: AutomationStatus | None, now: datetime) -> datetime:
    resumed = status.resumed_at if status is not None else None
    return max(now - LOOKBACK, resumed) if resumed is not None else now - LOOKBACK


def _past_actions(policy: AutomationPolicy, instance: VnfInstance, since: datetime) -> Iterator[PastAction]:
    rows = AutomationDecision.objects.filter(
        policy=policy, instance=instance, at__gt=since, outcome__in=(DecisionOutcome.ACTED, DecisionOutcome.WOULD_ACT)
    )
    found = list(rows)
    ended = end_times([row.op_id for row in found if row.op_id is not None])
    for row in found:
        dry = row.outcome == DecisionOutcome.WOULD_ACT
        yield PastAction(
            at=row.at,
            subjects=frozenset(item["subject"] for item in row.evidence),
            causes=frozenset(item["cause"] for item in row.evidence),
            dry=dry,
            ended_at=row.at if dry or row.op_id is None else ended.get(row.op_id),
        )
