from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import TYPE_CHECKING

import pytest

from launcher.ports import free_port
from tests.support.routersim_process import RoutersimProcess

if TYPE_CHECKING:
    from vnfm.elements.models import MediationPolicy, NetworkElement

_numbers = count(1)
SSH_PORT, NETCONF_PORT = free_port(), free_port()
DRIVERS = {"7750-SR-12": "nokia-sros", "NE9000": "huawei-vrp"}


def _policy(protocol: str, port: int) -> MediationPolicy:
    from tests.factories.elements import make_policy
    from vnfm.kit.seal import seal

    secrets = seal({"password": "admin"})
    return make_policy(protocol=protocol, port=port, settings={"username": "admin"}, sealed_secrets=secrets)


@pytest.fixture
def router(routersim: RoutersimProcess) -> Callable[..., NetworkElement]:
    """`router("NE9000")`: a simulated router of that kind, and its element with an SSH policy.

    Names in camelCase are those of the simulator.
    """
    from tests.factories.elements import make_element

    def make(kind: str = "7750-SR-12", **fields: object) -> NetworkElement:
        number = next(_numbers)
        name, address = f"router-{number}", f"127.68.{number >> 8}.{number & 255}"
        options = {
            key: fields.pop(key)
            for key in ("oldSsh", "managementPort", "netconfPort", "snmpPort", "factory")
            if key in fields
        }
        routersim.add(
            name=name, kind=kind, address=address, sshPort=SSH_PORT, cards=2, ports=2, bootSeconds=0, **options
        )  # fmt: skip
        policy = _policy("SSH", SSH_PORT)
        defaults = {"name": name, "driver": DRIVERS[kind], "management_address": address, "ssh_policy": policy}
        return make_element(**defaults | fields)

    return make


@pytest.fixture
def netconf_router(router: Callable[..., NetworkElement]) -> Callable[..., NetworkElement]:
    """As `router`, with a NETCONF policy as well."""

    def make(kind: str = "7750-SR-12", **fields: object) -> NetworkElement:
        return router(
            kind, **{"netconfPort": NETCONF_PORT, "netconf_policy": _policy("NETCONF", NETCONF_PORT)} | fields
        )

    return make
