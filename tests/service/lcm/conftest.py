"""The lifecycle on real PostgreSQL and a simulated cloud over HTTP; the worker is `drive`, called in this process.

Nothing that needs Django is imported at module level: an initial conftest loads before the settings are prepared.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.cloudsim_process import CloudsimProcess
    from tests.service.lcm.driving import Lifecycle, Saboteur
    from vnfm.clouds.ports import CloudProvider
    from vnfm.vims.models import Vim


@pytest.fixture
def provider() -> "Iterator[CloudProvider]":
    from vnfm.clouds import registry
    from vnfm.clouds.openstack import OpenStackProvider

    adapter = OpenStackProvider()
    registry.install(adapter)
    yield adapter
    registry.install(adapter)


@pytest.fixture
def vim(transactional_db: None, cloudsim: "CloudsimProcess") -> "Vim":
    from vnfm.vims import services as vims

    vims.vim_register_from_clouds_yaml(path=Path(cloudsim.clouds_yaml), name="cloudsim")
    from vnfm.vims.models import Vim

    return Vim.objects.get(name="cloudsim")


@pytest.fixture
def lifecycle(vim: "Vim", provider: "CloudProvider", cloudsim: "CloudsimProcess") -> "Lifecycle":
    """An onboarded VSR-PE and a way to run operations on it; the cloud is empty at the start."""
    from tests.factories.catalog import onboarded
    from tests.factories.packages import shipped_zip
    from tests.service.lcm.driving import Lifecycle

    cloudsim.control("POST", "/reset")
    return Lifecycle(vim, onboarded(shipped_zip()))


@pytest.fixture
def break_cloud(provider: "CloudProvider") -> "Callable[..., Saboteur]":
    """Puts a saboteur between the product and the adapter, see `driving.Saboteur`."""
    from tests.service.lcm.driving import Saboteur
    from vnfm.clouds import registry

    def install(call: str, error: BaseException, *, after: bool, nth: int = 1) -> Any:
        saboteur = Saboteur(provider, call, error, after=after, nth=nth)
        registry.install(saboteur)
        return saboteur

    return install
