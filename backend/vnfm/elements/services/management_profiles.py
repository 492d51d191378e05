"""Management profiles: create, change, delete."""

from collections.abc import Mapping
from typing import Any

from vnfm.elements.domain.addresses import range_problem
from vnfm.elements.domain.policies import ROLES
from vnfm.elements.models import ManagementProfile
from vnfm.elements.services.destinations import check_ranges
from vnfm.elements.services.mediation_policies import check_policies
from vnfm.elements.services.versioned_rows import delete_row, insert_row, update_row
from vnfm.kit.problem import FieldError, unprocessable


def profile_create(*, columns: Mapping[str, Any]) -> ManagementProfile:
    """Raises 409 for a name in use, 422 for a policy of another protocol, and for a range that is invalid or
    not in the networks of the policies.
    """
    _check(columns)
    return insert_row(ManagementProfile, columns)


def profile_update(*, profile: ManagementProfile, changes: Mapping[str, Any]) -> ManagementProfile:
    """Raises as `profile_create`. VNFs that are deployed stay as they are."""
    _check({**{name: getattr(profile, name) for name in ("address_range", *ROLES.values())}, **changes})
    return update_row(profile, changes)


def profile_delete(*, profile: ManagementProfile) -> None:
    """VNFs that are deployed stay as they are."""
    delete_row(profile, "PROFILE_IN_USE")


def _check(columns: Mapping[str, Any]) -> None:
    check_policies(columns)
    text = columns.get("address_range", "")
    problem = range_problem(text) if text else ""
    if problem:
        fault = FieldError("/addressRange", problem)
        raise unprocessable("INVALID_RANGE", problem, [fault], "Write a network such as 10.20.0.0/16.")
    if text:
        check_ranges([text], [columns.get(role) for role in ROLES.values()], "/addressRange")
