"""A policy reports its own condition."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from vnfm.automation.domain.heal_methods import why_no_method
from vnfm.automation.domain.policy_condition import InstanceIssue, PolicyStatus, watching
from vnfm.catalog.domain.vnfd import HealMethod, ResourceNeeds, Vdu

NOW = datetime(2016, 2, 9, 14, 0, tzinfo=UTC)
WELL = PolicyStatus(paused=False, dry_run=False, changed_at=NOW, evaluated=True)
STUCK = InstanceIssue("vsr-1", NOW - timedelta(minutes=5), "It has acted 3 times within an hour.")
EARLIER = InstanceIssue("vsr-2", NOW - timedelta(minutes=9), "It has acted 4 times within an hour.")


@pytest.mark.parametrize(
    ("standing", "status", "reason", "since"),
    [
        (WELL, "True", "Watching", NOW),
        (replace(WELL, dry_run=True), "True", "DryRun", NOW),
        (replace(WELL, evaluated=False), "Unknown", "NotLookedYet", NOW),
        (replace(WELL, unknown=[STUCK]), "Unknown", "SourceUnknown", STUCK.since),
        (replace(WELL, stopped=[STUCK, EARLIER], unknown=[STUCK]), "False", "LimitReached", EARLIER.since),
        (replace(WELL, stopped=[STUCK], paused=True), "False", "Paused", NOW),
    ],
)
def test_the_most_severe_state_decides(standing: PolicyStatus, status: str, reason: str, since: datetime) -> None:
    condition = watching(standing)
    assert (condition.status, condition.reason, condition.last_transition_time) == (status, reason, since)


def test_it_names_a_few_of_many() -> None:
    many = [InstanceIssue(f"vsr-{n}", NOW, "Why.") for n in range(1, 8)]
    assert "vsr-1, vsr-2, vsr-3, vsr-4, vsr-5 and 2 more." in watching(replace(WELL, stopped=many)).message


@pytest.mark.parametrize(
    ("healing", "fault", "helps"),
    [
        (("start",), "VmDown", True),
        (("start",), "VmError", False),
        (("start", "reboot"), "VmError", True),
        (("start", "reboot", "rebuild", "evacuate"), "VmMissing", False),
        (("recreate",), "VmMissing", True),
    ],
)
def test_only_means_that_help_are_means(healing: tuple[HealMethod, ...], fault: str, helps: bool) -> None:
    vdu = Vdu(
        "cpm", "CPM", "", ResourceNeeds(2, 4096, 10), "image", "flavor", "image", 1, 1, ("A",), (), healing=healing
    )
    assert (why_no_method(vdu, fault) == "") == helps
