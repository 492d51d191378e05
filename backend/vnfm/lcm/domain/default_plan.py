"""The plan of a package's default size, for validation by Heat; no stack is created from it."""

from collections.abc import Mapping, Sequence
from typing import Any

from vnfm.catalog.domain.vnfd import Vnfd
from vnfm.clouds.types import Flavor, Image, Network
from vnfm.lcm.domain.instantiation import validate_instantiate
from vnfm.lcm.domain.layout import compute_plan
from vnfm.lcm.domain.operation_request import InstanceState, OperationRequest, Rejection, Target
from vnfm.lcm.domain.plan import Plan
from vnfm.lcm.domain.plan_builder import CloudSnapshot, CurrentStack
from vnfm.lcm.domain.request_params import CREATE_FLAVORS, InstantiateParams
from vnfm.lcm.domain.requests import InstantiateVnfRequest


def default_plan(
    vnfd: Vnfd, flavors: Sequence[Flavor], images: Sequence[Image], networks: Sequence[Network]
) -> Plan | Rejection:
    """The plan of the first flavour at its default level; or why there is none, such as settings without a default.

    A required setting with a choice from the cloud gets the first of its kind. Quotas are ignored.
    """
    resources: Mapping[str, Sequence[Flavor | Image | Network]] = {
        "flavor": flavors,
        "image": images,
        "network": networks,
    }
    chosen: dict[str, Any] = {
        setting.name: resources[setting.format][0].name
        for setting in vnfd.settings
        if setting.required and setting.default is None and resources.get(setting.format)
    }
    request = InstantiateVnfRequest(
        flavour_id=vnfd.flavours[0].id, additional_params=InstantiateParams({**chosen, CREATE_FLAVORS: True})
    )
    target = validate_instantiate(OperationRequest(request, vnfd, InstanceState()))
    if isinstance(target, Rejection):
        return target
    assert isinstance(target, Target), "the request adopts nothing"
    return compute_plan(vnfd, target, CurrentStack(), CloudSnapshot(flavors, networks, ()))
