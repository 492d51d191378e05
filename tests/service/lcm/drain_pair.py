"""Route reflectors that are drained, and the kinds of the steps that do it."""

import pytest

from tests.factories.catalog import onboarded
from tests.factories.deployed import make_vnfc
from tests.factories.elements import make_element, make_policy
from tests.factories.inventory import make_instance
from tests.factories.packages import SHIPPED, shipped_zip
from vnfm.elements.models import BgpPeer, NetworkElement
from vnfm.inventory.models import VnfInstance
from vnfm.kit import clock

REFLECTOR = SHIPPED.parents[1] / "vsr-rr" / "13.0.R6"

RESTORE = "restore_configuration@1"

DRAIN, UNDRAIN, VERIFY = "drain_routers@1", "undrain_routers@1", "verify_neighbours@1"


def session_of(element: NetworkElement, address: str, remote_as: int, state: str = "ESTABLISHED") -> BgpPeer:
    fields = {"admin_state": "UP", "state": state, "since": clock.now(), "vrf": ""}
    return BgpPeer.objects.create(element=element, peer_address=address, remote_as=remote_as, **fields)


@pytest.fixture
def pair_of_records() -> tuple[VnfInstance, list[NetworkElement]]:
    """Two managed route reflectors, as they are recorded."""
    instance = make_instance(package=onboarded(shipped_zip(REFLECTOR)))
    ssh, elements = make_policy(protocol="SSH"), []
    for slot in "12":
        row = make_vnfc(instance, f"rr-{slot}", vdu="router", slot=slot)
        fields = {"driver": "nokia-sros", "reachable": "True", "ssh_policy": ssh, "state": "MANAGED"}
        elements.append(make_element(name=f"rr-{slot}", kind="VIRTUAL", vnf_instance=instance, vnfc=row, **fields))
    return instance, elements
