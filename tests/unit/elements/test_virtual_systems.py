"""The chassis of Virtual Systems, by their names."""

import pytest

from vnfm.elements.domain.virtual_systems import hosts_of


@pytest.mark.parametrize(
    ("names", "hosts"),
    [
        (["edge-1"], {}),
        (["edge-1", "edge-1-vs1", "edge-1-vs2"], {1: 0, 2: 0}),
        (["edge-1-vs10", "edge-1-vs1", "edge-1"], {0: 2, 1: 2}),
        (["edge-1", "customer", "edge-1-vs1"], {2: 0}),
        (["edge-1", "edge-1", "edge-1-vs1"], {}),
        (["", "edge-1"], {}),
    ],
    ids=str,
)
def test_the_chassis_is_the_element_whose_name_the_others_extend(names: list[str], hosts: dict[int, int]) -> None:
    assert hosts_of(dict(enumerate(names))) == hosts
