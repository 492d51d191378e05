"""An operation as a row in a given state."""

from vnfm.inventory.models import VnfInstance
from vnfm.kit import clock
from vnfm.lcm.models import LcmOpOcc


def operation(instance: VnfInstance, state: str, **fields: object) -> LcmOpOcc:
    return LcmOpOcc.objects.create(
        **{
            "instance": instance,
            "instance_uuid": instance.id,
            "operation": "SCALE",
            "state": state,
            "params": {"aspectId": "iom"},
            "deadline": clock.now(),
        }
        | fields
    )
