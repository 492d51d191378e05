from vnfm.inventory.services.instances import instance_changed, instances_lock, lock_batches
from vnfm.inventory.services.polling import poll_request
from vnfm.inventory.services.records import (
    NO_STACK,
    RecordedLink,
    RecordedPort,
    RecordedVnfc,
    forget_resources,
    record_vnfcs,
    stack_record,
    vnfcs_power_record,
)

__all__ = [
    "NO_STACK",
    "RecordedLink",
    "RecordedPort",
    "RecordedVnfc",
    "forget_resources",
    "instance_changed",
    "instances_lock",
    "lock_batches",
    "poll_request",
    "record_vnfcs",
    "stack_record",
    "vnfcs_power_record",
]
