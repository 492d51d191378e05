"""Completes an instantiation by the management profile of its cloud and package (ADR-0037)."""

from collections.abc import Iterator
from ipaddress import IPv4Network
from typing import Any

from django.db import connection

from vnfm.catalog import selectors as catalog
from vnfm.catalog.domain.vnfd import Vnfd
from vnfm.elements.domain.policies import ROLES
from vnfm.elements.models import ManagementProfile, NetworkElement
from vnfm.elements.selectors import profile_for
from vnfm.inventory import selectors as inventory
from vnfm.inventory.domain.instance_record import InstanceRecord
from vnfm.kit.problem import conflict
from vnfm.lcm.domain.instantiation import choose_external_networks
from vnfm.lcm.domain.management_subnet import (
    addresses_in_use,
    is_chosen,
    management_plan,
    management_subnet,
    subnet_settings,
)
from vnfm.lcm.domain.request_params import CONFIGURE_SNMP
from vnfm.lcm.domain.requests import InstantiateVnfRequest
from vnfm.lcm.models import LcmOpOcc
from vnfm.lcm.selectors.operations import UNDER_WAY

ALLOCATION_LOCK = 0x7E1E_0007
"""Held until the transaction ends, so that two operations do not get the same subnet."""


def with_management_defaults(request: InstantiateVnfRequest, instance: InstanceRecord) -> InstantiateVnfRequest:
    """The request with the policies of the profile, and a management subnet from its range.

    Unchanged where no profile fits, or where the request names a policy (null: none). The operator's own subnet,
    address or network stays. `instance` needs its package and its VIM. Raises 409 when the range has no free subnet.
    """
    params, vnfd = request.additional_params, catalog.vnfd_of(instance.package)
    if vnfd.element is None or params.names_policies:
        return request
    profile = profile_for(vim_id=instance.vim_id, provider=vnfd.provider, product_name=vnfd.product_name)
    if profile is None:
        return request
    added: dict[str, Any] = _subnet(request, vnfd, profile) if params.adopt_stack is None else {}
    policies = {role: getattr(profile, column) for role, column in ROLES.items()}
    added |= {role: str(policy.id) for role, policy in policies.items() if policy is not None}
    if profile.configures_snmp is not None and CONFIGURE_SNMP not in params:
        added[CONFIGURE_SNMP] = profile.configures_snmp
    return request.with_params(added)


def _subnet(request: InstantiateVnfRequest, vnfd: Vnfd, profile: ManagementProfile) -> dict[str, str]:
    plan = management_plan(vnfd)
    chosen = dict(request.settings)
    choose_external_networks(request.ext_virtual_links, vnfd, chosen, {})
    if not profile.address_range or plan is None or is_chosen(vnfd, plan, chosen):
        return {}
    within = IPv4Network(profile.address_range)
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [ALLOCATION_LOCK])
    settings = subnet_settings(vnfd, plan, within, addresses_in_use(_known_values(), within))
    if settings is None:
        raise conflict(
            "NO_FREE_SUBNET",
            f"The range {within} of the management profile {profile.name} has no free subnet.",
            "Terminate a VNF, give the profile a larger range, or choose the management subnet yourself.",
        )
    return settings


def _known_values() -> Iterator[Any]:
    """Management subnets of VNFs, settings of operations under way, and the addresses of all elements."""
    yield from inventory.management_subnets()
    for package_id, settings in inventory.settings_without_subnet():
        yield management_subnet(catalog.vnfd_of_package(package_id), settings)
    open_operations = LcmOpOcc.objects.filter(UNDER_WAY)
    for params in open_operations.values_list("params__additionalParams", flat=True).iterator():
        yield from (params or {}).values()
    yield from NetworkElement.objects.values_list("management_address", flat=True)
