"""A real OpenStack, named by the environment, with the shipped packages in the catalog."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.service.lcm.driving import Lifecycle


@pytest.fixture
def life(transactional_db: None) -> "Lifecycle":
    from tests.factories.packages import ROOT
    from tests.service.lcm.driving import Lifecycle
    from vnfm.catalog.services import shipped_packages_onboard
    from vnfm.clouds import registry
    from vnfm.clouds.openstack import OpenStackProvider
    from vnfm.vims.services import vim_register_from_clouds_yaml

    file, name = os.environ.get("VNFM_TEST_CLOUDS_YAML"), os.environ.get("VNFM_TEST_CLOUD")
    if not file or not name:
        pytest.skip("VNFM_TEST_CLOUDS_YAML and VNFM_TEST_CLOUD name no real OpenStack")
    registry.install(OpenStackProvider())
    shipped_packages_onboard(catalog_dir=ROOT / "catalog")
    return Lifecycle(vim_register_from_clouds_yaml(path=Path(file), name=name))
