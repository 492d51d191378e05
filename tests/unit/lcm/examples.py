"""Small descriptors and VNFCs for tests of pure rules."""

from typing import get_args
from uuid import uuid4

from vnfm.catalog.domain.vnfd import HealMethod, ResourceNeeds, Vdu, Vnfd
from vnfm.lcm.domain.operation_request import Rejection, VnfcState
from vnfm.lcm.domain.requests import Power

ALL_METHODS: tuple[HealMethod, ...] = get_args(HealMethod)


def vdu(vdu_id: str, healing: tuple[HealMethod, ...] = ALL_METHODS) -> Vdu:
    return Vdu(
        id=vdu_id,
        name=vdu_id.upper(),
        description="",
        needs=ResourceNeeds(vcpus=1, memory_mib=1, disk_gib=1),
        software_image="vsr",
        flavor_parameter="flavor",
        image_parameter="image",
        minimum=1,
        maximum=2,
        slots=("A", "B"),
        connection_points=(),
        healing=healing,
    )


def vnfd(*vdus: Vdu) -> Vnfd:
    texts = dict.fromkeys(
        ("provider", "product_name", "software_version", "vnfd_version", "description", "hot_template"), ""
    )
    return Vnfd(
        vnfd_id=uuid4(),
        **texts,
        notes=(),
        hot_environment="",
        hot_files={},
        vdus=vdus,
        virtual_links=(),
        software_images=(),
        flavours=(),
        settings=(),
    )


def vnfc(slot: str, vdu_id: str = "cpm", desired: Power = "STARTED") -> VnfcState:
    return VnfcState(uuid4(), vdu_id, slot, f"vsr-{vdu_id}-{slot}", f"server-{slot}", "ACTIVE", desired)


def fields(rejection: object) -> list[str]:
    """The fields of the rejection's errors."""
    assert isinstance(rejection, Rejection)
    return [error.field for error in rejection.errors]
