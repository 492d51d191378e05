from datetime import UTC, datetime
from uuid import uuid4

from vnfm.faults.domain.dictionary import DICTIONARY
from vnfm.faults.models import Alarm

RAISED_AT = datetime(2016, 2, 9, 14, 5, tzinfo=UTC)


def alarm_row(**fields: object) -> Alarm:
    """An open, unacknowledged alarm, not saved; by default VmDown of a server of some VNF instance."""
    entry = DICTIONARY[str(fields.get("fault_type", "VmDown"))]
    severity = fields.get("perceived_severity", entry.severity.value)
    number = uuid4()
    values: dict[str, object] = {
        "managed_object_id": number,
        "managed_object_name": f"vnf-{number}",
        "faulty_resource": f"server-{number}",
        "faulty_resource_name": f"iom-{number}",
        "faulty_resource_type": entry.faulty_resource_type,
        "fault_type": entry.fault_type,
        "event_type": entry.event_type,
        "probable_cause": entry.probable_cause,
        "perceived_severity": severity,
        "evaluated_severity": severity,
        "original_severity": severity,
        "highest_severity": severity,
        "raised_at": RAISED_AT,
    }
    values |= fields
    values.setdefault("first_raised_at", values["raised_at"])
    values.setdefault("event_time", values["raised_at"])
    return Alarm(**values)


def make_alarm(**fields: object) -> Alarm:
    alarm = alarm_row(**fields)
    alarm.save(force_insert=True)
    return alarm
