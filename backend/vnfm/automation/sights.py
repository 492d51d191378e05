"""Loads all that a decision rests on: alarms, operations, the VIM, the load, and what was done before."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from uuid import UUID

from vnfm.automation.domain.decide import Outcome, clock_words
from vnfm.automation.domain.load import Load, Sample
from vnfm.automation.domain.means import why_no_means
from vnfm.automation.domain.policy import Kind, Source
from vnfm.automation.domain.sight import Act, Cause, Hindrance, Reason, Sight
from vnfm.automation.models import AutomationCourse, AutomationDecision, AutomationPolicy
from vnfm.automation.selectors import alarms_down, windows_open
from vnfm.automation.sources import source
from vnfm.faults.domain.dictionary import vm_fault_type
from vnfm.faults.models import Alarm
from vnfm.inventory.models import VimPollState, Vnfc, VnfInstance
from vnfm.lcm.domain.naming import label
from vnfm.lcm.domain.states import FINAL_STATES
from vnfm.lcm.models import LcmOpOcc
from vnfm.lcm.selectors.instance_status import InstanceStatus
from vnfm.lcm.selectors.operations import describe_running

REMEMBERED = timedelta(hours=26)
"""How far back its acts count: the longest cool-down and the hour of the limit, with room for a long operation."""


def sight_of(policy: AutomationPolicy, item: InstanceStatus, course: AutomationCourse | None, now: datetime) -> Sight:
    """What the policy sees of the instance."""
    instantiated = item.instance.instantiation_state == VnfInstance.InstantiationState.INSTANTIATED
    heals = policy.kind == Kind.HEAL
    flavour = item.flavour
    aspect = flavour.aspect(policy.aspect_id) if flavour is not None else None
    return Sight(
        causes=tuple(_causes(item)) if heals and instantiated else (),
        load=_load(policy, item.instance, now) if instantiated and not heals else None,
        level=item.instance.scale_levels.get(policy.aspect_id, 0),
        highest_level=aspect.max_scale_level if aspect is not None else 0,
        no_aspect="" if aspect is not None else f"Its flavour has no scaling aspect {policy.aspect_id!r}.",
        hindrances=tuple(_hindrances(item, now)),
        acts=tuple(_acts(policy, item.instance, _remembered_from(course, now))),
        stopped_since=course.stopped_at if course is not None else None,
    )


def _causes(item: InstanceStatus) -> Iterator[Cause]:
    """One for each outstanding alarm of a VNFC of the instance that is down by the record as well."""
    vnfcs = {str(row.id): row for row in item.instance.vnfcs.all()}
    for alarm in alarms_down().filter(managed_object_id=item.instance.id):
        for vnfc_id in alarm.vnfc_ids:
            row = vnfcs.get(vnfc_id)
            if row is not None and vm_fault_type(row.status) is not None:
                yield _cause(alarm, row, item)


def _cause(alarm: Alarm, row: Vnfc, item: InstanceStatus) -> Cause:
    return Cause(
        key=str(alarm.id),
        vnfc_id=str(row.id),
        label=label(row),
        since=alarm.raised_at,
        words=f"{alarm.fault_type}, Nova says {row.status}",
        on_purpose=row.desired == Vnfc.Desired.STOPPED,
        forbidden=why_no_means(item.vnfd.vdu(row.vdu_id), alarm.fault_type),
    )


def _load(policy: AutomationPolicy, instance: VnfInstance, now: datetime) -> Load:
    kind = Source(policy.source)
    delivers = source(kind)
    if delivers is None:
        words = f"Nothing delivers values of {kind} in this installation."
        return Load((Sample(policy.created_at, None),), words)
    longest = max(policy.out_after_seconds or 0, policy.in_after_seconds or 0)
    since = now - timedelta(seconds=longest)
    found = delivers.load(instance=instance, metric=policy.metric, since=since, now=now)
    return found if found.samples else Load((Sample(policy.created_at, None),), found.words)


def _hindrances(item: InstanceStatus, now: datetime) -> Iterator[Hindrance]:
    covered = [each for each in (item.instance.id, item.instance.vim_id) if each is not None]
    window = windows_open(now=now).filter(managed_object_id__in=covered).first()
    if window is not None:
        words = f"{window.managed_object_name} is in maintenance until {clock_words(window.ends_at)}: {window.reason}"
        yield Hindrance(Reason.MAINTENANCE, words)
    if item.running is not None:
        yield Hindrance(Reason.OPERATION_RUNNING, f"{describe_running(item.running)}.")
    vim = item.view.vim
    if vim is None:
        return
    look = getattr(item.instance.vim, "poll_state", None)
    failed = look.failures if isinstance(look, VimPollState) else 0
    seen = vim.reachability.at(now)
    lost = vim.lost_since(None, now)
    if seen.status != "True":
        yield Hindrance(Reason.VIM_UNKNOWN, f"{vim.name} is not known to be reachable: {seen.message}")
    elif failed:
        yield Hindrance(Reason.VIM_UNKNOWN, f"The last look at {vim.name} has failed, which may pass.")
    elif lost is not None:
        yield Hindrance(Reason.VIM_UNKNOWN, f"What {vim.name} runs has not been seen since {clock_words(lost)}.")


def _remembered_from(course: AutomationCourse | None, now: datetime) -> datetime:
    resumed = course.resumed_at if course is not None else None
    return max(now - REMEMBERED, resumed) if resumed is not None else now - REMEMBERED


def _acts(policy: AutomationPolicy, instance: VnfInstance, since: datetime) -> Iterator[Act]:
    rows = AutomationDecision.objects.filter(
        policy=policy, instance=instance, at__gt=since, outcome__in=(Outcome.ACTED, Outcome.WOULD_ACT)
    )
    found = list(rows)
    ended = _ended([row.op_id for row in found if row.op_id is not None])
    for row in found:
        dry = row.outcome == Outcome.WOULD_ACT
        yield Act(
            at=row.at,
            subjects=frozenset(item["subject"] for item in row.seen),
            causes=frozenset(item["cause"] for item in row.seen),
            dry=dry,
            ended_at=row.at if dry or row.op_id is None else ended.get(row.op_id),
        )


def _ended(op_ids: Sequence[UUID]) -> dict[UUID, datetime]:
    over = LcmOpOcc.objects.filter(id__in=op_ids, state__in=FINAL_STATES)
    return dict(over.values_list("id", "state_entered_time"))
