"""Stacks that were created by hand from a package's HOT, and their adoption."""

from typing import Any

from tests.service.lcm.lifecycle import Lifecycle
from tests.support.waiting import until
from vnfm.catalog import selectors as catalog
from vnfm.catalog.models import VnfPackage
from vnfm.clouds.types import StackInput
from vnfm.lcm.domain.states import Operation
from vnfm.lcm.models import LcmOpOcc

SCALE_OUT = {"type": "SCALE_OUT", "aspectId": "data-path", "numberOfSteps": 1}

SCALE_IN = {"type": "SCALE_IN", "aspectId": "data-path", "numberOfSteps": 1}


def by_hand(life: Lifecycle, name: str, *, package: VnfPackage | None = None, **parameters: Any) -> str:
    """The package's own HOT, created with Heat's CLI; data path VMs in slots 3 and 4."""
    bundle = catalog.hot_bundle(package=package or life.package)
    registry = {
        **bundle.environment["resource_registry"],
        "VSR::ControlPlacement": "fragments/placement_any.yaml",
    }
    image = life.cloud.images.find("tiny")
    assert image is not None
    given = {
        "image": image.id,
        "control_flavor": "m1.tiny",
        "data_path_flavor": "m1.tiny",
        "vnf_name": "handmade",
        "anti_affinity": False,
        "data_path_count": 2,
        "data_path_slots": {"0": "3", "1": "4"},
        "data_vnic_type": "normal",
        "fabric_mtu": 1500,
        **parameters,
    }
    stack_id = life.cloud.stacks.create(
        name, StackInput(bundle.template, {"resource_registry": registry}, given, bundle.files)
    )

    def created() -> bool:
        found = life.cloud.stacks.status(stack_id)
        assert not found.failed, found.status_reason
        return found.status == "CREATE_COMPLETE"

    until(created, "the stack", seconds=300)
    return stack_id


def direct(life: Lifecycle, stack_id: str, **more: Any) -> LcmOpOcc:
    """By SOL003's own instantiate, with the reserved name in additionalParams."""
    request = life.instantiate_request(adoptStack=stack_id, **more)
    return life.run(life.start(life.create(), Operation.INSTANTIATE, request).id)
