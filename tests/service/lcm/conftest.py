"""The lifecycle on real PostgreSQL and a simulated cloud over HTTP; the worker is `drive`, called in this process."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cloudsim_process import CloudsimProcess
from tests.service.lcm.driving import Lifecycle
from vnfm.catalog import services as catalog
from vnfm.clouds import registry
from vnfm.clouds.openstack import OpenStackProvider
from vnfm.vims import services as vims
from vnfm.vims.models import Vim

ROOT = Path(__file__).parents[3]


@pytest.fixture
def provider() -> Iterator[OpenStackProvider]:
    adapter = OpenStackProvider()
    registry.install(adapter)
    yield adapter
    registry.install(adapter)


@pytest.fixture
def vim(transactional_db: None, cloudsim: CloudsimProcess) -> Vim:
    return vims.vim_register_from_clouds_yaml(path=Path(cloudsim.clouds_yaml), name="cloudsim")


@pytest.fixture
def lifecycle(vim: Vim, provider: OpenStackProvider, cloudsim: CloudsimProcess) -> Iterator[Lifecycle]:
    """An onboarded VSR-PE and a way to run operations on it; what is left in the cloud afterwards is removed."""
    catalog.shipped_packages_onboard(catalog_dir=ROOT / "catalog")
    cloudsim.control("POST", "/boot", {"seconds": 0})
    life = Lifecycle(vim)
    yield life
    cloudsim.control("DELETE", "/injections")
    life.clean_cloud()


@pytest.fixture
def break_cloud(provider: OpenStackProvider) -> Callable[..., Any]:
    """Puts a saboteur between the product and the adapter, see `driving.Saboteur`."""
    from tests.service.lcm.driving import Saboteur

    def install(call: str, error: BaseException, *, after: bool) -> Saboteur:
        saboteur = Saboteur(provider, call, error, after=after)
        registry.install(saboteur)
        return saboteur

    return install
