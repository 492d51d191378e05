"""Conftests are read before Django's settings are ready: what imports Django is imported where it is used."""

from typing import TYPE_CHECKING

import pytest

from tests.support.cloudsim_process import CloudsimProcess

if TYPE_CHECKING:
    from vnfm.clouds.ports import Cloud
    from vnfm.vims.models import Vim


@pytest.fixture
def fresh_cloud(cloudsim: CloudsimProcess) -> CloudsimProcess:
    cloudsim.control("POST", "/reset")
    return cloudsim


@pytest.fixture
def vim(db: None, fresh_cloud: CloudsimProcess) -> "Vim":
    from tests.service.watching import vim_of

    return vim_of(fresh_cloud)


@pytest.fixture
def cloud(fresh_cloud: CloudsimProcess) -> "Cloud":
    from vnfm.clouds.openstack import OpenStackProvider
    from vnfm.vims.domain.clouds_yaml import connection_named

    return OpenStackProvider().connect(connection_named(fresh_cloud.clouds_yaml.read_text(), "cloudsim"))
