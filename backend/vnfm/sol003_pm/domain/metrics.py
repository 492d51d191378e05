"""Metrics of PM jobs and thresholds: ETSI GS NFV-IFA 027 clause 7.2, and the counters of our network elements."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum


class MeasuredType(StrEnum):
    """The types of measured objects.

    Sub-objects are VNFCs, connection points (by the id of their port) or interfaces (by name).
    """

    VNF = "Vnf"
    VNFC = "Vnfc"
    INT_CP = "VnfIntCp"
    EXT_CP = "VnfExtCp"
    ELEMENT = "NetworkElement"
    """Not of ETSI, as the next one."""
    INTERFACE = "NetworkElementInterface"


class Kind(StrEnum):
    """The ways in which the samples of a collection period become its value."""

    MEAN = "MEAN"
    PEAK = "PEAK"
    """The highest sample."""
    TOTAL = "TOTAL"
    """The count of the period; counters are rates a second."""


@dataclass(frozen=True, slots=True)
class PmMetric:
    """`counter`: a name of `counters.domain.counters.COUNTERS`."""

    name: str
    counter: str
    kind: Kind


_COMPUTE = (
    PmMetric("VCpuUsageMeanVnf", "cpu", Kind.MEAN),
    PmMetric("VCpuUsagePeakVnf", "cpu", Kind.PEAK),
    PmMetric("VMemoryUsageMeanVnf", "memory", Kind.MEAN),
    PmMetric("VMemoryUsagePeakVnf", "memory", Kind.PEAK),
)
_UNMEASURED = ("VDiskUsageMeanVnf", "VDiskUsagePeakVnf")
"""The metrics of IFA 027; no router tells how full its disks are."""


def _of_cp(suffix: str) -> tuple[PmMetric, ...]:
    counters = {
        "ByteIncoming": "octetsIn",
        "ByteOutgoing": "octetsOut",
        "PacketIncoming": "packetsIn",
        "PacketOutgoing": "packetsOut",
    }
    return tuple(PmMetric(f"{name}{suffix}", counter, Kind.TOTAL) for name, counter in counters.items())


def _own(*names: str) -> tuple[PmMetric, ...]:
    return tuple(PmMetric(name, name, Kind.MEAN) for name in names)


METRICS: Mapping[MeasuredType, tuple[PmMetric, ...]] = {
    MeasuredType.VNF: _COMPUTE,
    MeasuredType.VNFC: _COMPUTE,
    MeasuredType.INT_CP: _of_cp("VnfIntCp"),
    MeasuredType.EXT_CP: _of_cp("VnfExtCp"),
    MeasuredType.ELEMENT: _own("cpu", "memory"),
    MeasuredType.INTERFACE: _own(
        "octetsIn", "octetsOut", "packetsIn", "packetsOut", "errorsIn", "errorsOut", "discardsIn", "discardsOut",
        "utilisationIn", "utilisationOut",
    ),
}  # fmt: skip
GROUPS: Mapping[MeasuredType, str] = {
    MeasuredType.VNF: "VirtualisedComputeResource",
    MeasuredType.VNFC: "VirtualisedComputeResource",
    MeasuredType.INT_CP: "VnfInternalCp",
    MeasuredType.EXT_CP: "VnfExternalCp",
    MeasuredType.ELEMENT: "NetworkElement",
    MeasuredType.INTERFACE: "NetworkElementInterface",
}
"""The measurement group of each type; it stands for all metrics of the type."""
WITHOUT_SUB_OBJECTS = frozenset({MeasuredType.VNF, MeasuredType.ELEMENT})
_IN_261 = (MeasuredType.VNF, MeasuredType.INT_CP, MeasuredType.EXT_CP)
"""Bodies of SOL003 2.6.1 name no type: the metric tells which of these. VNFs are measured as a whole."""

Metrics = Mapping[MeasuredType, Mapping[str, PmMetric]]
"""By type, then by the name under which they are reported."""


class UnknownMetricError(ValueError):
    """The metric or group does not exist for the type, or nothing measures it; the message says which."""


def selected(names: Sequence[str], groups: Sequence[str], object_type: str) -> Metrics:
    """The metrics of the names and groups; `object_type` is "" in SOL003 2.6.1.

    A name may have a sub-counter after a full stop (IFA 027 clause 6.2). Raises UnknownMetricError.
    """
    types = [MeasuredType(object_type)] if object_type else list(_IN_261)
    found: dict[MeasuredType, dict[str, PmMetric]] = {each: {} for each in types}
    for name in names:
        matching = {each: metric for each in types for metric in METRICS[each] if metric.name == name.partition(".")[0]}
        if not matching:
            raise UnknownMetricError(_unknown_metric(name.partition(".")[0], types))
        for each, metric in matching.items():
            found[each][name] = metric
    for group in groups:
        members = {each: METRICS[each] for each in types if GROUPS[each] == group}
        if not members:
            raise UnknownMetricError(
                f"There is no group {group} here; there is {_list(GROUPS[each] for each in types)}."
            )
        for each, metrics in members.items():
            found[each] = {metric.name: metric for metric in metrics} | found[each]
    return {each: metrics for each, metrics in found.items() if metrics}


def _unknown_metric(name: str, types: Sequence[MeasuredType]) -> str:
    if name in _UNMEASURED:
        return f"{name} is not measured here: network elements do not report how full their disks are."
    return f"There is no metric {name} here; there is {_list(each.name for kind in types for each in METRICS[kind])}."


def _list(names: Iterable[str]) -> str:
    return ", ".join(dict.fromkeys(names))
