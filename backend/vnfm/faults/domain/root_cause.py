"""The correlation of alarms: which fault is the root cause of another, and how severe it is then. Pure.

Alarms are correlated by what depends on what, never by their times. The evaluation of an object names for each fault
those that may cause it (`Fault.roots`): a VM's host, a card's VM, the chassis of a Virtual System, the interface of a
BGP peer. They may belong to another object, whose alarm must then be open.
"""

from collections.abc import Collection, Iterable, Mapping
from uuid import UUID

from vnfm.faults.domain.evaluation_result import Fault, FaultKey
from vnfm.faults.domain.fault_type import Severity
from vnfm.faults.domain.policy import worst


def root_cause(fault: Fault, own: Collection[FaultKey], external: Collection[FaultKey]) -> FaultKey | None:
    """Return the likeliest cause that is present, among the object's own faults or open alarms of other objects."""
    return next((key for key in fault.roots if key in (own if key.owner is None else external)), None)


def severities_of_roots(caused: Iterable[tuple[UUID, Severity]]) -> Mapping[UUID, Severity]:
    """Return for each root cause the highest severity of what it causes, from pairs of root cause and severity."""
    found: dict[UUID, Severity] = {}
    for root_id, severity in caused:
        found[root_id] = worst(severity, found.get(root_id))
    return found
