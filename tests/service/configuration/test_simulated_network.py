"""The network that `./vnfm up` registers: every router takes configuration, without an address being typed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from launcher.ports import free_port
from tests.factories.vims import make_vim
from tests.service.configuration.jobs import TEXTS as LINES
from tests.service.configuration.jobs import complete, start_push
from tests.service.configuration.netconf_texts import TEXTS as XML
from tests.support.routersim_process import RoutersimProcess
from vnfm.elements.models import MediationPolicy, NetworkElement
from vnfm.elements.services.elements import element_update
from vnfm.elements.services.prepared_network import network_register

pytestmark = pytest.mark.django_db
SIMULATOR = Path(__file__).parents[3] / "backend" / "routersim"
PORT, NETCONF_PORT = free_port(), free_port()
COMMUNITY = f"<config>{XML['NE9000'][XML['NE9000'].index('<snmp ') :]}"
"""The ports of the NE9000 belong to its Virtual Systems."""
DRIVERS = {"core-1": "nokia-sros", "edge-1": "huawei-vrp", "edge-1-vs1": "huawei-vrp"}


@pytest.fixture(scope="module")
def routersim(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RoutersimProcess]:
    ports: dict[str, float | str] = {"snmp_port": PORT, "ssh_port": PORT, "netconf_port": NETCONF_PORT}
    trial = str(SIMULATOR / "trial.json")
    with RoutersimProcess(tmp_path_factory.mktemp("network"), scenario=trial, **ports) as process:
        yield process


@pytest.fixture(autouse=True)
def _registered(routersim: RoutersimProcess) -> None:
    document = json.loads((SIMULATOR / "scene.json").read_text())
    network_register(document=document, port=PORT, netconf_port=NETCONF_PORT, vim=make_vim())
    for name, driver in DRIVERS.items():
        NetworkElement.objects.filter(name=name).update(driver=driver)


@pytest.mark.parametrize(
    ("name", "text", "shown"),
    [
        ("core-1", LINES["7750-SR-12"], "to the core"),
        ("edge-1", COMMUNITY, "hush"),
        ("edge-1-vs1", XML["NE9000"], "to the core"),
    ],
)
def test_a_physical_router_takes_configuration(routersim: RoutersimProcess, name: str, text: str, shown: str) -> None:
    """The 7750 in commands, the NE9000 and its Virtual Systems by NETCONF."""
    element = NetworkElement.objects.get(name=name)
    assert complete(start_push(element, text)).changed
    assert shown in str(routersim.control("GET", f"/elements/{name}/config"))


def test_the_netconf_policy_fits_the_others_too(routersim: RoutersimProcess) -> None:
    """It is there to choose by name."""
    policy = MediationPolicy.objects.get(protocol="NETCONF")
    element = NetworkElement.objects.get(name="core-1")
    element = element_update(element=element, changes={"netconf_policy": policy})
    assert complete(start_push(element, XML["7750-SR-12"].replace("to the core", "by NETCONF"))).changed
    assert "by NETCONF" in str(routersim.control("GET", "/elements/core-1/config"))
