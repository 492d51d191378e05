"""Discovery rules by request; the poller's process scans."""

from collections.abc import Mapping
from typing import Any

from vnfm.elements.domain.addresses import ranges_problem
from vnfm.elements.domain.policies import ROLES
from vnfm.elements.models import DiscoveryRule
from vnfm.elements.services.destinations import check_ranges
from vnfm.elements.services.mediation_policies import check_policies
from vnfm.elements.services.poller import poller_wake
from vnfm.elements.services.versioned_rows import delete_row, insert_row, update_row
from vnfm.kit.problem import FieldError, conflict, unprocessable

ScanState = DiscoveryRule.ScanState


def rule_create(*, columns: Mapping[str, Any]) -> DiscoveryRule:
    """Raises 422 for ranges that are invalid or too large, have addresses that no element may have, or are not in the
    networks of the policies. An enabled rule with an interval is scanned at once.
    """
    _check(columns)
    _check_destinations(columns)
    rule = insert_row(DiscoveryRule, columns)
    poller_wake()
    return rule


def rule_update(*, rule: DiscoveryRule, changes: Mapping[str, Any]) -> DiscoveryRule:
    """Raises as `rule_create`. The results of the last scan stay until the next one."""
    _check(changes)
    _check_destinations({**_destinations(rule), **changes})
    changed = update_row(rule, changes)
    poller_wake()
    return changed


def rule_delete(*, rule: DiscoveryRule) -> None:
    """Elements that it registered stay."""
    delete_row(rule, "RULE_IN_USE")


def rule_scan(*, rule: DiscoveryRule) -> DiscoveryRule:
    """Have the poller's process scan now. Raises 409 while it scans."""
    if rule.scan_state in (ScanState.WAITING, ScanState.RUNNING):
        raise conflict("SCAN_UNDER_WAY", f"{rule.name} is being scanned.", "Wait until it is over.")
    changed = update_row(rule, {"scan_state": ScanState.WAITING, "scan_probed": 0, "scan_problem": ""})
    poller_wake()
    return changed


def check_destinations(rule: DiscoveryRule) -> None:
    """Raises 422 for a rule whose addresses are refused, or are not in the networks of its policies any more."""
    _check_destinations(_destinations(rule))


def _destinations(rule: DiscoveryRule) -> dict[str, Any]:
    return {name: getattr(rule, name) for name in ("include", *ROLES.values())}


def _check_destinations(columns: Mapping[str, Any]) -> None:
    check_ranges(columns.get("include", ()), [columns.get(role) for role in ROLES.values()], "/include")


def _check(columns: Mapping[str, Any]) -> None:
    check_policies(columns)
    faults = [
        FieldError(f"/{name}", message)
        for name in ("include", "exclude")
        if (message := ranges_problem(columns.get(name, ())))
    ]
    if faults:
        raise unprocessable("INVALID_RANGE", faults[0].message, faults, "Write 192.0.2.0/24 or 192.0.2.1-192.0.2.9.")
