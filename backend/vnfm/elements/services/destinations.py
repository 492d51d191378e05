"""Checks before the secret of a mediation policy may be sent to an address; the poller and sessions send it later."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.conf import settings

from vnfm.elements.domain.destinations import (
    address_problem,
    contains,
    covers,
    covers_range,
    networks_problem,
    range_destination_problem,
)
from vnfm.elements.domain.policies import ROLES
from vnfm.elements.models import MediationPolicy, NetworkElement
from vnfm.kit.problem import FieldError, ProblemError, unprocessable

ADDRESS_REFUSED, POLICY_NETWORKS = "ADDRESS_REFUSED", "POLICY_NETWORKS"
"""Problem codes: no element may have the address; a policy does not allow it."""
ASK = "Have its network added to VNFM_ELEMENTS_ALLOWED, or give another address."
WIDEN = (
    "Let an administrator add the network to the policy's networks; or change them yourself, and enter the policy's "
    "secrets again with them; or choose another policy."
)
MAX_NAMED = 3
"""Networks and elements that a sentence names."""


def check_address(address: str, policies: Iterable[MediationPolicy | None], field: str = "/managementAddress") -> None:
    """Raises 422 at `field` for an address that no element may have, or that a policy's secret may not be sent to."""
    problem = address_problem(address, settings.ELEMENTS_ALLOWED)
    if problem:
        raise unprocessable(ADDRESS_REFUSED, problem, [FieldError(field, problem)], ASK)
    for policy in filter(None, policies):
        if not covers(policy.networks, address):
            raise _outside(policy, address, field)


def check_ranges(ranges: Iterable[str], policies: Iterable[MediationPolicy | None], field: str) -> None:
    """The same for all addresses of valid ranges."""
    named = list(filter(None, policies))
    for text in ranges:
        problem = range_destination_problem(text, settings.ELEMENTS_ALLOWED)
        if problem:
            raise unprocessable(ADDRESS_REFUSED, problem, [FieldError(field, problem)], ASK)
        for policy in named:
            if not covers_range(policy.networks, text):
                raise _outside(policy, text, field)


def check_networks(networks: Sequence[str]) -> None:
    """Raises 422 for a policy without networks, and for invalid ones."""
    problem = networks_problem(networks) if networks else "Name the networks that its secrets may be sent to."
    if problem:
        faults = [FieldError("/networks", problem)]
        raise unprocessable("INVALID_POLICY", problem, faults, "Write networks such as 10.1.0.0/16 or 192.0.2.7/32.")


def check_widening(policy: MediationPolicy, networks: Sequence[str], missing: Sequence[str]) -> None:
    """Raises 422 for networks that are more than those of the policy, while stored secrets, the pointers in `missing`,
    were not entered again; and for networks without the address of an element that uses the policy.
    """
    if missing and not contains(policy.networks, networks):
        faults = [FieldError(pointer, "Enter it again to add networks.") for pointer in missing]
        detail = f"The secrets of {policy.name} may be sent to {_listed(policy.networks)} only."
        step = "Enter the secrets in the same request, or let an administrator add the network."
        raise unprocessable("SECRET_NEEDED", detail, faults, step)
    left = [
        f"{element.name} at {element.management_address}"
        for element in elements_of(policy)
        if not covers(networks, element.management_address)
    ]
    if left:
        detail = f"{_listed(left)} would lose the policy {policy.name}."
        raise unprocessable("POLICY_IN_USE", detail, [FieldError("/networks", detail)], "Keep their networks.")


def elements_of(policy: MediationPolicy) -> list[NetworkElement]:
    """Elements that use the policy, in any role."""
    ids: set[Any] = set()
    for column in ROLES.values():
        ids.update(NetworkElement.objects.filter(**{column: policy}).values_list("id", flat=True))
    return list(NetworkElement.objects.filter(id__in=ids).order_by("name"))


def element_destination(element: NetworkElement | None, changes: Mapping[str, Any]) -> tuple[str, list[Any]]:
    """Address and policies of an element after these changes; `element` is None for a new one."""

    def value(column: str) -> Any:
        return changes[column] if column in changes else getattr(element, column, None)

    return value("management_address"), [value(column) for column in ROLES.values()]


def _outside(policy: MediationPolicy, where: str, field: str) -> ProblemError:
    detail = f"The secrets of the policy {policy.name} may be sent to {_listed(policy.networks)} only, not to {where}."
    return unprocessable(POLICY_NETWORKS, detail, [FieldError(field, detail)], WIDEN)


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - MAX_NAMED} more" if len(names) > MAX_NAMED else ""
    return f"{', '.join(names[:MAX_NAMED])}{more}" if names else "no network"
