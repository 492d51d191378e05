"""ChangeCurrentVnfPackage (SOL003 5.4.11a): the new package's templates and images, VNFC by VNFC, standby first."""

from dataclasses import replace

from vnfm.catalog import selectors as catalog
from vnfm.lcm.domain.target import Target
from vnfm.lcm.sagas.planning import Planned, Planning, layout
from vnfm.lcm.sagas.staged import staged
from vnfm.lcm.services.request_reader import successor_package


def plan(planning: Planning) -> Planned:
    package = successor_package(planning.request)
    vnfd = catalog.vnfd_of(package)
    computed = replace(layout(planning, planning.asked(Target), vnfd), package_id=str(package.id))
    return Planned(computed, staged(computed, f"Bring the Heat stack to {vnfd.product_name} {vnfd.software_version}"))
