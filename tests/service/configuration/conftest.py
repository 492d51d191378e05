from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count
from typing import TYPE_CHECKING

import pytest

from tests.routersim_process import RoutersimProcess

if TYPE_CHECKING:
    from vnfm.elements.models import NetworkElement

_numbers = count(1)
SSH_PORT = 10_022
DRIVERS = {"7750-SR-12": "nokia-sros", "NE9000": "huawei-vrp"}


@pytest.fixture(scope="module")
def routersim(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RoutersimProcess]:
    """Simulated network elements as a process of their own."""
    with RoutersimProcess(tmp_path_factory.mktemp("routersim")) as process:
        yield process


@pytest.fixture
def router(routersim: RoutersimProcess) -> Callable[..., NetworkElement]:
    """`router("NE9000")`: a simulated router of that kind, and the element by which we manage it over SSH."""
    from tests.factories.elements import make_element, make_policy
    from vnfm.kit.seal import seal

    def make(kind: str = "7750-SR-12", **fields: object) -> NetworkElement:
        number = next(_numbers)
        name, address = f"router-{number}", f"127.68.{number >> 8}.{number & 255}"
        routersim.add(name=name, kind=kind, address=address, sshPort=SSH_PORT, cards=2, ports=2, bootSeconds=0)
        policy = make_policy(
            protocol="SSH",
            port=SSH_PORT,
            settings={"username": "admin"},
            sealed_secrets=seal({"password": "admin"}),
        )
        defaults = {"name": name, "driver": DRIVERS[kind], "management_address": address, "ssh_policy": policy}
        return make_element(**defaults | fields)

    return make
