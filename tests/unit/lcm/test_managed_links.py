"""Some internal virtual links can be the NFVO's; others cannot, and it is said why."""

from dataclasses import replace
from typing import Any

import pytest

from vnfm.catalog.domain.vnfd import Vnfd
from vnfm.lcm.domain.managed_links import choose_managed_networks
from vnfm.lcm.domain.request_types import ExtManagedVirtualLink

FABRIC = ExtManagedVirtualLink("m", "fabric", "net-1")


def test_a_template_with_a_parameter_takes_it(vsr: Vnfd) -> None:
    chosen, fields = dict[str, Any](), dict[str, str]()
    assert choose_managed_networks([FABRIC], vsr, chosen, fields) == []
    assert chosen == {"fabric_network": "net-1"}
    assert fields == {"fabric_network": "/extManagedVirtualLinks/0/resourceId"}


@pytest.mark.parametrize(
    ("attribute", "value", "words"),
    [
        ("network_parameter", "", "no parameter for an existing one"),
        ("fixed_network", "lab", "names the network of Fabric itself: lab"),
        ("internal", False, "external virtual link"),
        ("id", "other", "no virtual link 'fabric'; other may be managed by others"),
    ],
)
def test_other_templates_do_not(vsr: Vnfd, attribute: str, value: Any, words: str) -> None:
    links = [replace(one, **{attribute: value}) if one.id == "fabric" else one for one in vsr.virtual_links]
    chosen = dict[str, Any]()
    (error,) = choose_managed_networks([FABRIC], replace(vsr, virtual_links=tuple(links)), chosen, {})
    assert words in error.message
    assert chosen == {}


def test_two_networks_for_one_link_are_refused(vsr: Vnfd) -> None:
    (error,) = choose_managed_networks([FABRIC, replace(FABRIC, resource_id="net-2")], vsr, {}, {})
    assert error.field == "/extManagedVirtualLinks/1/resourceId"
    assert "'net-1' already" in error.message
