"""A real OpenStack, named by the environment, with the VSR-PE in the catalog."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.service.lcm.lifecycle import Lifecycle
    from vnfm.vims.models import Vim


@pytest.fixture
def real_vim(transactional_db: None) -> "Vim":
    from vnfm.clouds import registry
    from vnfm.clouds.openstack import OpenStackProvider
    from vnfm.vims.services import vim_register_from_clouds_yaml

    file, name = os.environ.get("VNFM_TEST_CLOUDS_YAML"), os.environ.get("VNFM_TEST_CLOUD")
    if not file or not name:
        pytest.skip("VNFM_TEST_CLOUDS_YAML and VNFM_TEST_CLOUD name no real OpenStack")
    registry.install(OpenStackProvider())
    return vim_register_from_clouds_yaml(path=Path(file), name=name)


@pytest.fixture
def life(real_vim: "Vim") -> "Lifecycle":
    from tests.factories.catalog import onboarded
    from tests.factories.packages import shipped_zip
    from tests.service.lcm.lifecycle import Lifecycle

    return Lifecycle(real_vim, onboarded(shipped_zip()), patience=600)
