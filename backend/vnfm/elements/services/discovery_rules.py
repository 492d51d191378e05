"""What changes discovery rules by request; the poller's process scans."""

from collections.abc import Mapping
from typing import Any

from vnfm.elements.domain.addresses import ranges_problem
from vnfm.elements.models import DiscoveryRule
from vnfm.elements.services.elements import check_policies, poller_wake
from vnfm.elements.services.versioned_rows import delete_row, insert_row, update_row
from vnfm.kit.problem import FieldError, conflict, unprocessable

ScanState = DiscoveryRule.ScanState


def rule_create(*, columns: Mapping[str, Any]) -> DiscoveryRule:
    """Raises 422 for ranges that are none, or too large. An enabled rule with an interval is scanned at once."""
    _check(columns)
    rule = insert_row(DiscoveryRule, columns)
    poller_wake()
    return rule


def rule_update(*, rule: DiscoveryRule, changes: Mapping[str, Any]) -> DiscoveryRule:
    """Raises as `rule_create`. What it found before stays shown until the next scan."""
    _check(changes)
    changed = update_row(rule, changes)
    poller_wake()
    return changed


def rule_delete(*, rule: DiscoveryRule) -> None:
    """The elements that it found stay."""
    delete_row(rule, "RULE_IN_USE")


def rule_scan(*, rule: DiscoveryRule) -> DiscoveryRule:
    """Have the poller's process scan now. Raises 409 while it does."""
    if rule.scan_state in (ScanState.WAITING, ScanState.RUNNING):
        raise conflict("SCAN_UNDER_WAY", f"{rule.name} is being scanned.", "Wait until it is over.")
    changed = update_row(rule, {"scan_state": ScanState.WAITING, "scan_asked": 0, "scan_problem": ""})
    poller_wake()
    return changed


def _check(columns: Mapping[str, Any]) -> None:
    check_policies(columns)
    faults = [
        FieldError(f"/{name}", words)
        for name in ("include", "exclude")
        if (words := ranges_problem(columns.get(name, ())))
    ]
    if faults:
        raise unprocessable("INVALID_RANGE", faults[0].message, faults, "Write 192.0.2.0/24 or 192.0.2.1-192.0.2.9.")
