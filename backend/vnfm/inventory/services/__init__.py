from vnfm.inventory.domain.resources import RecordedLink, RecordedPort, RecordedVnfc
from vnfm.inventory.services.instances import (
    instance_changed,
    instance_create,
    instance_delete,
    instance_lock,
    instances_lock,
    lock_batches,
)
from vnfm.inventory.services.polling import poll_request
from vnfm.inventory.services.records import (
    NO_STACK,
    forget_resources,
    instance_record,
    record_vnfcs,
    stack_assign,
    stack_input_forget,
    stack_input_record,
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
    "instance_create",
    "instance_delete",
    "instance_lock",
    "instance_record",
    "instances_lock",
    "lock_batches",
    "poll_request",
    "record_vnfcs",
    "stack_assign",
    "stack_input_forget",
    "stack_input_record",
    "stack_record",
    "vnfcs_power_record",
]
