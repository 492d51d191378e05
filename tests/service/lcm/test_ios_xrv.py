"""IOS XRv 9000: its day-0 configuration lies on the config drive, and the flavour is its attachment."""

import base64
from typing import Any

import pytest

from tests.factories.catalog import onboarded
from tests.factories.packages import XRV, shipped_zip
from tests.service.lcm.cloud_snapshot import cloud_snapshot
from tests.service.lcm.lifecycle import Lifecycle
from vnfm.inventory.models import StackSnapshot, VnfInstance
from vnfm.lcm.domain.states import Operation
from vnfm.lcm.models import LcmOpOcc

pytestmark = pytest.mark.django_db(transaction=True)

FIRST_USER = "username first\n group root-lr\n secret 5 $1$abc\n!"


@pytest.fixture
def life(lifecycle: Lifecycle, cloudsim: Any) -> Lifecycle:
    """On a cloud where flavors may be made: it has none of 16 GiB."""
    cloudsim.control("PUT", "/settings", {"flavor_create_role": "member"})
    lifecycle.package = onboarded(shipped_zip(XRV))
    return lifecycle


def instantiated(life: Lifecycle, flavour: str, **params: Any) -> tuple[VnfInstance, LcmOpOcc]:
    instance = life.create()
    request = {**life.instantiate_request(createFlavors=True, **params), "flavourId": flavour}
    return instance, life.done(instance, Operation.INSTANTIATE, request)


def server(life: Lifecycle, instance: VnfInstance, cloudsim: Any) -> dict[str, Any]:
    """Return it as the cloud holds it."""
    found: dict[str, Any] = cloudsim.control("GET", f"/servers/{life.servers_of(instance)['1']}")["server"]
    return found


def test_day_0_is_a_file_on_the_config_drive_when_chosen(life: Lifecycle, cloudsim: Any) -> None:
    given = {"hostname": "edge-7", "management_ip": "10.30.0.77", "day0_lines": FIRST_USER, "day0_delivery": "file"}
    instance, op = instantiated(life, "ovs", **given)
    doc = server(life, instance, cloudsim)
    assert doc["config_drive"] == "True"
    (file,) = doc["personality"]
    assert file["path"] == "iosxr_config.txt"
    text = base64.b64decode(file["contents"]).decode()
    assert "hostname edge-7\n" in text
    assert " ipv4 address 10.30.0.77/24\n" in text
    assert "  10.0.0.0/8 10.30.0.1\n" in text
    assert FIRST_USER in text
    assert "$hostname" not in text
    assert text.endswith("end\n")
    kept = [StackSnapshot.objects.get(instance=instance).parameters, op.plan, instance.settings]
    assert "group root-lr" not in str(kept), "it may hold secrets"


def test_day_0_is_user_data(life: Lifecycle, cloudsim: Any) -> None:
    instance, _ = instantiated(life, "ovs", hostname="edge-7")
    doc = server(life, instance, cloudsim)
    assert (doc["config_drive"], doc["personality"]) == ("True", [])
    assert "hostname edge-7\n" in base64.b64decode(doc["user_data"]).decode()


def test_the_order_of_nics_is_the_routers(life: Lifecycle, cloudsim: Any) -> None:
    instance, _ = instantiated(life, "ovs")
    names = {port.id: port.name for port in life.cloud.networks.ports(list(life.servers_of(instance).values()))}
    order = [names[port].removeprefix(f"{instance.name}-") for port in server(life, instance, cloudsim)["ports"]]
    assert order == ["management", "control", "host", "data1", "data2"]


@pytest.mark.parametrize(
    ("flavour", "pages", "warning_text"),
    [("ovs-dpdk", "large", "fell from 20 to about 4 Gbit/s"), ("vpp", "large", "lost 23%")],
)
def test_the_flavour_is_the_attachment_and_the_plan_warns(
    life: Lifecycle, flavour: str, pages: str | None, warning_text: str
) -> None:
    """Light Reading and EANTC, 12 October 2015: virtual switch FIB scalability."""
    instance, op = instantiated(life, flavour)
    flavors = {flavor.name: flavor for flavor in life.cloud.flavors.list()}
    chosen = flavors[cloud_snapshot(life, instance)["1"].flavor]
    assert (chosen.vcpus, chosen.memory_mib) == (4, 16384)
    assert chosen.extra_specs.get("hw:mem_page_size") == pages
    assert op.plan is not None
    assert any(warning_text in warning for warning in op.plan["warnings"])
