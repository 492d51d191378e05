"""ChangeCurrentVnfPackage (SOL003 5.4.11a): the new package's templates and images, VNFC by VNFC, standby first."""

from dataclasses import replace

from vnfm.catalog import selectors as catalog
from vnfm.lcm.domain.operation_request import Target
from vnfm.lcm.sagas.planning import Planned, Planning, plan_layout
from vnfm.lcm.sagas.stack_update import stack_update_steps
from vnfm.lcm.services.request_reader import target_package


def plan(planning: Planning) -> Planned:
    package = target_package(planning.request, planning.instance.package)
    vnfd = catalog.vnfd_of(package)
    plan = replace(plan_layout(planning, planning.validated(Target), vnfd), package_id=str(package.id))
    title = f"Bring the Heat stack to {vnfd.product_name} {vnfd.software_version}"
    return Planned(plan, stack_update_steps(plan, title))
