"""Accepts drift: what was found becomes what is expected."""

from collections.abc import Callable, Collection

from django.db.models import F

from vnfm.inventory.domain.drift import Difference, DriftKind
from vnfm.inventory.domain.instance_record import InstanceRecord
from vnfm.inventory.domain.observation import MISSING
from vnfm.inventory.models import Vnfc, VnfcPort, VnfInstance
from vnfm.inventory.services.instances import instance_changed

Desired = Vnfc.Desired


def differences_accept(*, instance: InstanceRecord, differences: Collection[Difference]) -> None:
    """Call it with the instance's row locked, for differences that were computed since then and can be accepted."""
    for difference in differences:
        assert difference.acceptable, difference.kind
        _ACCEPT[difference.kind](instance, difference)
    if differences:
        instance_changed(instance)


def _of_vnfc(**values: object) -> Callable[[InstanceRecord, Difference], None]:
    def accept(instance: InstanceRecord, difference: Difference) -> None:
        Vnfc.objects.filter(instance=instance.id, id=difference.vnfc_id).update(**values)

    return accept


def _lost_ports(instance: InstanceRecord, difference: Difference) -> None:
    VnfcPort.objects.filter(vnfc__instance=instance.id, vnfc_id=difference.vnfc_id, status=MISSING).delete()


def _stack(instance: InstanceRecord, difference: Difference) -> None:
    VnfInstance.objects.filter(id=instance.id).update(stack_left_at=F("stack_updated_at"))


_ACCEPT: dict[DriftKind, Callable[[InstanceRecord, Difference], None]] = {
    "stopped": _of_vnfc(desired=Desired.STOPPED),
    "started": _of_vnfc(desired=Desired.STARTED),
    "renamed": _of_vnfc(name=F("server_name")),
    "resized": _of_vnfc(expected_flavor_id=F("flavor_id")),
    "moved": _of_vnfc(expected_host=F("host")),
    "port_removed": _lost_ports,
    "stack_updated": _stack,
}
