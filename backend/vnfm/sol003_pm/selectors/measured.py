"""Finds what is measured of VNF instances and network elements, and the counters that measure it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.conf import settings
from django.db.models import QuerySet

from vnfm.catalog import selectors as catalog
from vnfm.counters.domain.counters import SYSTEM, object_names
from vnfm.counters.selectors.series import counter_means
from vnfm.elements.models import Interface, NetworkElement
from vnfm.inventory.models import VnfcPort, VnfInstance
from vnfm.lcm.domain.chains import link_at
from vnfm.sol003_pm.domain.metrics import MeasuredType, PmMetric
from vnfm.sol003_pm.domain.values import period_value

Source = tuple[UUID, str]
"""Element, and the name of its object in the history of counters."""
Period = tuple[datetime, datetime]


@dataclass(frozen=True, slots=True)
class Measured:
    """A measured object, or one of its sub-objects; `sub_id` is "" without one."""

    object_id: UUID
    sub_id: str
    sources: tuple[Source, ...]


def shortest_period() -> timedelta:
    """A shorter collection period has no value of its own: counters are read no more often."""
    return timedelta(seconds=settings.COUNTER_SECONDS)


def settled_after() -> timedelta:
    """Return how long after a period all that began in it is stored: a reading, and its writing, may follow its end."""
    return timedelta(seconds=1.25 * settings.COUNTER_SECONDS + 5)


def measured_objects(
    object_type: MeasuredType, object_ids: Sequence[UUID], sub_ids: Sequence[str] | None = None
) -> list[Measured]:
    """Return what exists now, in a stable order; also what no counters measure, which has no `sources`."""
    found = [each for object_id in object_ids for each in _SUB_OBJECTS[object_type](object_id)]
    return found if sub_ids is None else [each for each in found if each.sub_id in sub_ids]


def as_one(measured: Sequence[Measured]) -> list[Measured]:
    """Each object as a whole, measured by all sources of its sub-objects (SOL003 2.6.1 has no sub-objects)."""
    whole: dict[UUID, tuple[Source, ...]] = {}
    for each in measured:
        whole[each.object_id] = whole.get(each.object_id, ()) + each.sources
    return [Measured(object_id, "", sources) for object_id, sources in whole.items()]


def measure(measured: Measured, metric: PmMetric, windows: Sequence[Period]) -> list[float | None]:
    """A value for each of the adjoining windows."""
    if not windows:
        return []
    begin, end = windows[0][0], windows[-1][1]
    sources = [
        counter_means(element_id=element, name=name, counter=metric.counter, begin=begin, end=end)
        for element, name in measured.sources
    ]
    return [period_value(metric.kind, sources, *window) for window in windows]


def _vnf(instance_id: UUID) -> Iterator[Measured]:
    elements = _managed().filter(vnf_instance=instance_id).order_by("name").values_list("id", flat=True)
    if VnfInstance.objects.filter(id=instance_id).exists():
        yield Measured(instance_id, "", tuple((element, SYSTEM) for element in elements))


def _vnfcs(instance_id: UUID) -> Iterator[Measured]:
    instance = VnfInstance.objects.filter(id=instance_id).first()
    of_vnfc: dict[UUID, list[Source]] = {}
    for element, of in _managed().filter(vnfc__instance=instance_id).order_by("name").values_list("id", "vnfc_id"):
        of_vnfc.setdefault(of, []).append((element, SYSTEM))
    for vnfc in instance.vnfcs.order_by("name") if instance else ():
        yield Measured(instance_id, str(vnfc.id), tuple(of_vnfc.get(vnfc.id, ())))


def _internal_cps(instance_id: UUID) -> Iterator[Measured]:
    return _cps(instance_id, external=False)


def _external_cps(instance_id: UUID) -> Iterator[Measured]:
    return _cps(instance_id, external=True)


def _cps(instance_id: UUID, *, external: bool) -> Iterator[Measured]:
    instance = VnfInstance.objects.select_related("package").filter(id=instance_id).first()
    if instance is None:
        return
    vnfd = catalog.vnfd_of(instance.package)
    networks = {vl.vl_id: vl.network_id for vl in instance.virtual_links.all()} if vnfd.chains else {}
    links = {vl.id for vl in vnfd.virtual_links if not vl.internal}
    interfaces = _interfaces(instance)
    for port in VnfcPort.objects.filter(vnfc__instance=instance).order_by("vnfc__name", "port_id"):
        if (link_at(vnfd, port.cp_id, port.network_id, networks) in links) == external:
            source = _interface_of(port, interfaces)
            yield Measured(instance_id, port.port_id, (source,) if source else ())


def _interface_of(port: VnfcPort, interfaces: Mapping[str, Source]) -> Source | None:
    """The interface with the port's MAC address, or else with one of its IP addresses."""
    keys = [port.mac_address.lower(), *port.ip_addresses]
    return next((interfaces[key] for key in keys if key and key in interfaces), None)


def _interfaces(instance: VnfInstance) -> dict[str, Source]:
    """Find it by MAC and IP address. Of several with one MAC address it is the port."""
    found: dict[str, Source] = {}
    for element in _managed().filter(vnf_instance=instance):
        rows = list(element.interfaces.order_by("port_if_index", "if_index"))
        rows.sort(key=lambda row: row.port_if_index is not None)
        names = object_names({row.if_index: row.name for row in rows})
        for row in rows:
            for key in (row.mac.lower(), *(address.partition("/")[0] for address in row.addresses)):
                found.setdefault(key, (element.id, names[row.if_index]))
    return found


def _element(element_id: UUID) -> Iterator[Measured]:
    if _managed().filter(id=element_id).exists():
        yield Measured(element_id, "", ((element_id, SYSTEM),))


def _element_interfaces(element_id: UUID) -> Iterator[Measured]:
    rows = Interface.objects.filter(element_id=element_id, element__state=NetworkElement.State.MANAGED)
    names = object_names(dict(rows.order_by("if_index").values_list("if_index", "name")))
    for name in names.values():
        yield Measured(element_id, name, ((element_id, name),))


def _managed() -> QuerySet[NetworkElement]:
    return NetworkElement.objects.filter(state=NetworkElement.State.MANAGED)


_SUB_OBJECTS = {
    MeasuredType.VNF: _vnf,
    MeasuredType.VNFC: _vnfcs,
    MeasuredType.INT_CP: _internal_cps,
    MeasuredType.EXT_CP: _external_cps,
    MeasuredType.ELEMENT: _element,
    MeasuredType.INTERFACE: _element_interfaces,
}
