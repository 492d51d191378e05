"""The objects that have the worst and oldest alarms."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from vnfm.faults.domain.evaluation_result import ObjectType
from vnfm.faults.domain.fault_type import Severity


@dataclass(frozen=True, slots=True)
class ObjectProblem:
    """An object with open alarms."""

    managed_object_type: ObjectType
    managed_object_id: UUID
    managed_object_name: str
    severity: Severity
    """The worst."""
    since: datetime
    """When the oldest alarm of that severity was raised."""
    alarm_id: UUID
    """The oldest alarm of that severity."""
    cause: str
    """Its probable cause."""
    counts: Mapping[str, int]
    """Open alarms by severity."""
