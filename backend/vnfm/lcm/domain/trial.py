"""A stack that nobody makes: what a package's default size would give Heat, for Heat to judge."""

from collections.abc import Mapping, Sequence
from typing import Any

from vnfm.catalog.domain.vnfd import Vnfd
from vnfm.clouds.types import Flavor, Image, Network
from vnfm.lcm.domain.draft import Before, CloudView
from vnfm.lcm.domain.instantiation import instantiate
from vnfm.lcm.domain.layout import compute_plan
from vnfm.lcm.domain.plan import Plan
from vnfm.lcm.domain.states import Operation
from vnfm.lcm.domain.target import CREATE_FLAVORS, Asking, Refused, Standing, Target


def trial_plan(
    vnfd: Vnfd, flavors: Sequence[Flavor], images: Sequence[Image], networks: Sequence[Network]
) -> Plan | Refused:
    """The plan of the first flavour at its default level; or why there is none, such as settings without a default.

    Where a choice from the cloud is required, the first of its kind stands in. Quotas are not asked.
    """
    there: Mapping[str, Sequence[Flavor | Image | Network]] = {"flavor": flavors, "image": images, "network": networks}
    chosen: dict[str, Any] = {
        setting.name: there[setting.format][0].name
        for setting in vnfd.settings
        if setting.required and setting.default is None and there.get(setting.format)
    }
    request: Mapping[str, Any] = {
        "flavourId": vnfd.flavours[0].id,
        "additionalParams": {**chosen, CREATE_FLAVORS: True},
    }
    target = instantiate(Asking(Operation.INSTANTIATE, request, vnfd, Standing()))
    if isinstance(target, Refused):
        return target
    assert isinstance(target, Target), "the request adopts nothing"
    return compute_plan(vnfd, target, Before(), CloudView(flavors, networks, ()))
