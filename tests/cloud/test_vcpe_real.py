"""On a real OpenStack: a chain of vRouters grows and shrinks by one re-plugged port, under VMs that stay."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.factories.catalog import onboarded
from tests.factories.packages import VCPE, shipped_zip
from tests.service.lcm.full_lifecycle import small, swept
from tests.service.lcm.heals import took
from tests.service.lcm.lifecycle import Lifecycle
from tests.service.lcm.vcpe_links import CHAINS, links, plugged, recorded, replugged
from vnfm.catalog.selectors import vnfd_of
from vnfm.inventory.models import VnfInstance
from vnfm.lcm.domain.states import Operation

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.real_cloud,
    pytest.mark.long,
    pytest.mark.timeout(900),
]


@pytest.fixture
def instance(life: Lifecycle) -> Iterator[VnfInstance]:
    """The ECE alone; whatever is left of it and its chain in the end goes."""
    life.package = onboarded(shipped_zip(VCPE))
    vnfd, image = vnfd_of(life.package), life.cloud.images.find("tiny")
    assert image is not None
    images = {vdu.image_parameter: image.id for vdu in vnfd.vdus}
    instance = life.create()
    with swept(life):
        request = {**life.instantiate_request(**small(vnfd), **images), "instantiationLevelId": "ece-only"}
        life.done(instance, Operation.INSTANTIATE, request)
        yield instance


def test_neighbours_alone_are_linked_at_every_length(
    life: Lifecycle, instance: VnfInstance, record_property: Callable[[str, Any], None]
) -> None:
    assert links(life, instance) == CHAINS["ece-only"]
    for level, moved in (
        ("one-router", "ece-network"),
        ("two-routers", "router-1-outward"),
        ("one-router", "router-1-outward"),
        ("ece-only", "ece-network"),
    ):
        servers, before = life.servers_of(instance), plugged(life, instance)
        op = life.done(instance, Operation.SCALE_TO_LEVEL, {"instantiationLevelId": level})
        record_property(f"to {level}", took(op))
        assert links(life, instance) == recorded(life, instance) == CHAINS[level]
        assert replugged(before, plugged(life, instance)) == {moved}
        after = life.servers_of(instance)
        assert all(after[slot] == servers[slot] for slot in servers.keys() & after.keys()), "a VM was replaced"
