"""A cloud as the target of templates: all that its probe found counts, whether its Heat tells its release or not."""

from typing import Any

import pytest

from hot.language import CURRENT, LIBERTY
from vnfm.catalog.domain.hot.templates import OLDEST
from vnfm.lcm.selectors.heat_target import heat_target
from vnfm.vims.models import Vim

LISTS = {"resource_types": ["OS::Nova::Server"], "network_extensions": ["trunk"]}


@pytest.mark.parametrize(
    ("newest", "features", "release"),
    [
        ("2015-10-15", {}, LIBERTY),
        ("2018-08-31", LISTS, 15),
        ("2021-04-16", LISTS, CURRENT),
        ("2031-04-16", LISTS, CURRENT),
        ("", LISTS, CURRENT),
        ("", {"network_extensions": ["trunk"]}, CURRENT),
    ],
)
def test_target_by_probed_version_and_features(newest: str, features: dict[str, Any], release: int) -> None:
    target = heat_target(Vim(name="north", versions={"hot": newest} if newest else {}, features=features))
    assert (target.name, target.release, target.chosen) == ("cloud north", release, True)
    assert target.types == set(features.get("resource_types", ()))
    assert target.extensions == set(features.get("network_extensions", ()))


def test_without_a_probe_it_is_the_oldest() -> None:
    assert heat_target(None) == heat_target(Vim(name="north", versions={}, features={})) == OLDEST
