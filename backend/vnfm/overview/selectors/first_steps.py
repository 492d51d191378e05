"""The first steps of a user, each done or not by what the database shows."""

from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from vnfm.catalog.selectors import packages_onboarded
from vnfm.elements.selectors import element_list
from vnfm.faults.selectors import alarms_cleared
from vnfm.inventory.domain.views import INSTANTIATED
from vnfm.inventory.selectors import instance_list
from vnfm.lcm.domain.states import Operation
from vnfm.lcm.router_steps.verify_service import VerifyService
from vnfm.lcm.selectors.operation_counts import first_completed, first_instantiated_with
from vnfm.overview.domain.first_steps import FirstStep, StepName
from vnfm.overview.models import FirstStepsProgress

PRODUCT = "VSR-PE"
"""The shipped package to begin with."""
ALARMS = ("PortDown", "CardDown", "BgpPeerDown")
"""Fault types that a user can raise and clear at a router; an alarm of a router that starts does not count."""


def progress_of(*, user_id: UUID) -> FirstStepsProgress:
    """Return the user's progress; a new row, not stored, when there is none."""
    return FirstStepsProgress.objects.filter(user=user_id).first() or FirstStepsProgress(user_id=user_id)


def first_steps(progress: FirstStepsProgress) -> list[FirstStep]:
    """Return them in the order in which they are suggested. Done steps stay done when their objects are deleted."""
    elements = element_list()
    physical = _first(elements.filter(kind="PHYSICAL", host_element=None))
    virtual = _first(elements.filter(vnf_instance__isnull=False))
    instance = _first(instance_list().filter(instantiation_state=INSTANTIATED, package__product_name=PRODUCT))
    package = packages_onboarded().filter(product_name=PRODUCT).order_by("created_at").first()
    cleared = alarms_cleared(ALARMS).filter(managed_object_id__in=elements.filter(kind="PHYSICAL").values("id"))
    return [
        FirstStep(StepName.VIEW_ELEMENT, progress.element_viewed_at, *physical),
        FirstStep(
            StepName.INSTANTIATE,
            first_completed(Operation.INSTANTIATE),
            *((str(package.vnfd_id), package.product_name) if package else ()),
        ),
        FirstStep(StepName.MANAGE_VNF, first_instantiated_with(VerifyService.kind), *virtual),
        FirstStep(StepName.SCALE_OUT, first_completed(Operation.SCALE, type="SCALE_OUT"), *instance),
        FirstStep(StepName.CLEAR_ALARM, cleared.values_list("cleared_at", flat=True).first(), *physical),
    ]


def _first(rows: QuerySet[Any]) -> tuple[str, ...]:
    """Id and name of the oldest; empty for none."""
    found = rows.prefetch_related(None).order_by("created_at", "id").values_list("id", "name").first()
    return (str(found[0]), found[1]) if found else ()
