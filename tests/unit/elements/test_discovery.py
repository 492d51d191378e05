import pytest

from vnfm.elements.domain.discovery import kind_for, name_for
from vnfm.elements.domain.drivers import driver_for


@pytest.mark.parametrize(
    ("sys_name", "in_use", "name"),
    [
        ("vsr-1", set(), "vsr-1"),
        ("vsr-1", {"vsr-1"}, "vsr-1@192.0.2.1"),
        ("", set(), "192.0.2.1"),
        ("core router #1", set(), "core-router-1"),
    ],
)
def test_the_name_of_a_discovered_element(sys_name: str, in_use: set[str], name: str) -> None:
    assert name_for(sys_name, "192.0.2.1", in_use) == name


@pytest.mark.parametrize(
    ("oid", "driver", "kind"),
    [
        ("1.3.6.1.4.1.6527.1.19.1", "nokia-sros", "VIRTUAL"),
        ("1.3.6.1.4.1.6527.1.3.3", "nokia-sros", "PHYSICAL"),
        ("1.3.6.1.4.1.6527.1.191", "nokia-sros", "PHYSICAL"),
        ("1.3.6.1.4.1.2011.2.62.2.9", "huawei-vrp", "PHYSICAL"),
        ("1.3.6.1.4.1.20110.1", "generic", "PHYSICAL"),
        ("", "generic", "PHYSICAL"),
        ("0.0", "generic", "PHYSICAL"),
        ("1.3.6.1.4.1.8072.3.2.10", "frr", "PHYSICAL"),
    ],
)
def test_the_product_decides_driver_and_kind(oid: str, driver: str, kind: str) -> None:
    assert (driver_for(oid).name, kind_for(oid)) == (driver, kind)
