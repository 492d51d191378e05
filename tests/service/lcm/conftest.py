"""The lifecycle on real PostgreSQL and a simulated cloud over HTTP; the worker is `drive`, called in this process.

Nothing that needs Django is imported at module level: an initial conftest loads before the settings are prepared.
"""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from launcher.ports import free_port

if TYPE_CHECKING:
    from tests.service.lcm.lifecycle import Lifecycle, Saboteur
    from tests.support.cloudsim_process import CloudsimProcess
    from tests.support.routersim_process import RoutersimProcess
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
def vim(transactional_db: None, cloudsim: "CloudsimProcess", monkeypatch: pytest.MonkeyPatch) -> "Vim":
    """The simulated cloud, whose Heat gives each update another time, so that none has to wait for the next second."""
    from tests.support.scenes import prepared
    from vnfm.lcm.steps import stack
    from vnfm.vims import services as vims
    from vnfm.vims.models import Vim

    monkeypatch.setattr(stack, "TICK", 0.0)
    cloudsim.reset()
    register = partial(vims.vim_register_from_clouds_yaml, path=Path(cloudsim.clouds_yaml), name="cloudsim")
    prepared(cloudsim, "a registered cloud", register)
    return Vim.objects.get(name="cloudsim")


@pytest.fixture
def lifecycle(vim: "Vim", provider: "CloudProvider") -> "Lifecycle":
    """An onboarded VSR-PE and a way to run operations on it; the cloud is empty at the start."""
    from tests.factories.catalog import onboarded
    from tests.factories.packages import shipped_zip
    from tests.service.lcm.lifecycle import Lifecycle

    return Lifecycle(vim, onboarded(shipped_zip()))


@pytest.fixture
def break_cloud(provider: "CloudProvider") -> "Callable[..., Saboteur]":
    """Puts a saboteur between the product and the adapter, see `lifecycle.Saboteur`."""
    from tests.service.lcm.lifecycle import Saboteur
    from vnfm.clouds import registry

    def install(call: str, error: BaseException, *, after: bool, nth: int = 1) -> Any:
        saboteur = Saboteur(provider, call, error, after=after, nth=nth)
        registry.install(saboteur)
        return saboteur

    return install


@pytest.fixture(scope="module")
def port() -> int:
    """Where all routers of a module listen, by SNMP and by SSH."""
    return free_port()


@pytest.fixture(scope="module")
def netconf_port() -> int:
    """Return the ports where they listen by NETCONF."""
    return free_port()


@pytest.fixture(scope="module")
def routers(
    tmp_path_factory: pytest.TempPathFactory, cloudsim: "CloudsimProcess", port: int, netconf_port: int
) -> "Iterator[RoutersimProcess]":
    """Simulated routers whose cards are the VMs of the simulated cloud. They have no SNMP until they are configured."""
    from tests.support.routersim_process import RoutersimProcess

    ports = {"snmp_port": port, "ssh_port": port, "netconf_port": netconf_port}
    with RoutersimProcess(tmp_path_factory.mktemp("routersim"), **ports) as process:
        follow = {"cloudsYaml": str(cloudsim.clouds_yaml), "seconds": 0.1, "adopt": True, "factory": True}
        process.control("PUT", "/clouds/cloudsim", follow)
        yield process


@pytest.fixture
def with_snmp(cloudsim: "CloudsimProcess", routers: "RoutersimProcess") -> "Iterator[None]":
    """Routers that have SNMP from the start, whatever the package says."""
    follow = {"cloudsYaml": str(cloudsim.clouds_yaml), "seconds": 0.1, "adopt": True}
    routers.control("PUT", "/clouds/cloudsim", {**follow, "factory": False})
    yield
    routers.control("PUT", "/clouds/cloudsim", {**follow, "factory": True})


@pytest.fixture
def policies(transactional_db: None, port: int, netconf_port: int) -> dict[str, str]:
    """By which the simulated routers are spoken to, as additionalParams; also there: `sim-snmpv3`, `sim-netconf`."""
    from tests.factories.elements import make_policy
    from vnfm.kit.seal import seal

    make_policy(name="sim-snmp", port=port, settings={"timeout_seconds": 0.5})
    secrets = seal({"password": "admin"})
    make_policy(name="sim-ssh", protocol="SSH", port=port, settings={"username": "admin"}, sealed_secrets=secrets)
    user = {"username": "poller", "auth_protocol": "SHA", "priv_protocol": "AES", "timeout_seconds": 0.5}
    keys = seal({"auth_password": "auth-secret", "priv_password": "priv-secret"})
    make_policy(name="sim-snmpv3", protocol="SNMPv3", port=port, settings=user, sealed_secrets=keys)
    by_netconf = {"protocol": "NETCONF", "port": netconf_port, "settings": {"username": "admin"}}
    make_policy(name="sim-netconf", **by_netconf, sealed_secrets=secrets)
    return {"snmpPolicy": "sim-snmp", "sshPolicy": "sim-ssh"}


@pytest.fixture
def polled(transactional_db: None) -> Iterator[None]:
    from tests.service.polling import polling

    with polling():
        yield


@pytest.fixture
def devices() -> Iterator[None]:
    """The real adapters; a test may install others."""
    from vnfm.devices import registry
    from vnfm.devices.provider import Devices

    registry.install(Devices())
    yield
    registry.install(Devices())
