"""Finds where elements are: the chassis of a Virtual System, and the VNF instance of a virtual router."""

from uuid import UUID

from django.db import transaction

from vnfm.catalog.selectors import vnfd_of
from vnfm.elements.domain.virtual_systems import DRIVERS, hosts_of
from vnfm.elements.models import Equipment, NetworkElement
from vnfm.elements.services.versioned_rows import publish_change
from vnfm.inventory.models import Vnfc, VnfcPort, VnfInstance


@transaction.atomic
def link_virtual_systems(element_id: UUID) -> None:
    """Set the host of the element, and of those on its chassis, where they have none and no user has changed it."""
    shelves = Equipment.objects.filter(equipment_class=Equipment.Class.CHASSIS, element__driver__in=DRIVERS)
    serials = shelves.filter(element=element_id).exclude(serial_number="").values_list("serial_number", flat=True)
    for serial in list(serials):
        sharing = shelves.filter(serial_number=serial).values("element")
        rows = NetworkElement.objects.select_for_update(no_key=True).filter(id__in=sharing).order_by("id")
        elements = {row.id: row for row in rows}
        for system, host in hosts_of({key: row.sys_name for key, row in elements.items()}).items():
            row = elements[system]
            free = row.host_element_id is None and not row.host_set_by_user
            if free and elements[host].host_element_id is None:
                row.version += 1
                NetworkElement.objects.filter(id=system).update(host_element=host, version=row.version)
                publish_change(row)


def vnf_of(address: str, driver: str) -> tuple[VnfInstance | None, Vnfc | None]:
    """The VNF instance whose router has that management address, and the VNFC where each VNFC is a router.

    (None, None) unless exactly one VNF without such an element has the address at a port, and is to be managed.
    """
    ports = VnfcPort.objects.filter(ip_addresses__contains=[address]).select_related("vnfc__instance__package")
    vnfcs = {port.vnfc.instance_id: port.vnfc for port in ports}
    if len(vnfcs) != 1:
        return None, None
    (vnfc,) = vnfcs.values()
    if vnfc.instance.management_declined:
        return None, None
    spec = vnfd_of(vnfc.instance.package).element
    if spec is None or spec.driver != driver:
        return None, None
    own = vnfc if spec.per_component else None
    if NetworkElement.objects.filter(vnf_instance=vnfc.instance, vnfc=own).exists():
        return None, None
    return vnfc.instance, own
