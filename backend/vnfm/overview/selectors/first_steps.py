"""The first steps of a user, each done or not by what the database shows."""

from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from vnfm.catalog.models import VnfPackage
from vnfm.elements.models import NetworkElement
from vnfm.faults.models import Alarm
from vnfm.inventory.models import VnfInstance
from vnfm.lcm.domain.states import Operation, OperationState, StepState
from vnfm.lcm.models import LcmOpOcc, Step
from vnfm.lcm.router_steps.verify_service import VerifyService
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
    physical = _first(NetworkElement.objects.filter(kind=NetworkElement.Kind.PHYSICAL, host_element=None))
    virtual = _first(NetworkElement.objects.filter(vnf_instance__isnull=False))
    deployed = VnfInstance.InstantiationState.INSTANTIATED
    instance = _first(VnfInstance.objects.filter(instantiation_state=deployed, package__product_name=PRODUCT))
    package = VnfPackage.objects.filter(product_name=PRODUCT, vnfd_id__isnull=False).order_by("created_at").first()
    operations = LcmOpOcc.objects.filter(state=OperationState.COMPLETED)
    instantiated = operations.filter(operation=Operation.INSTANTIATE)
    scaled_out = operations.filter(operation=Operation.SCALE, params__type="SCALE_OUT")
    served = Step.objects.filter(op__in=instantiated, kind=VerifyService.kind, state=StepState.DONE)
    routers = NetworkElement.objects.filter(kind=NetworkElement.Kind.PHYSICAL).values("id")
    cleared = Alarm.objects.filter(managed_object_id__in=routers, fault_type__in=ALARMS, cleared_at__isnull=False)
    return [
        FirstStep(StepName.VIEW_ELEMENT, progress.element_viewed_at, *physical),
        FirstStep(
            StepName.INSTANTIATE,
            _earliest(instantiated, "start_time", "state_entered_time"),
            *((str(package.vnfd_id), package.product_name) if package else ()),
        ),
        FirstStep(StepName.MANAGE_VNF, _earliest(served, "id", "op__state_entered_time"), *virtual),
        FirstStep(StepName.SCALE_OUT, _earliest(scaled_out, "start_time", "state_entered_time"), *instance),
        FirstStep(StepName.CLEAR_ALARM, _earliest(cleared, "cleared_at", "cleared_at"), *physical),
    ]


def _first(rows: QuerySet[Any]) -> tuple[str, ...]:
    """Id and name of the oldest; empty for none."""
    found = rows.order_by("created_at", "id").values_list("id", "name").first()
    return (str(found[0]), found[1]) if found else ()


def _earliest(rows: QuerySet[Any], order: str, column: str) -> datetime | None:
    """The column of the first row in an order that an index has: the query ends there."""
    found: datetime | None = rows.order_by(order).values_list(column, flat=True).first()
    return found
