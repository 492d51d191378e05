"""A managed element at a simulated router with two ports."""

import os

from tests.factories.elements import make_element, make_policy
from tests.support.routersim_process import RoutersimProcess
from vnfm.elements.models import Interface, NetworkElement
from vnfm.kit import clock


def managed(sim: RoutersimProcess) -> NetworkElement:
    name = f"counted-{os.getpid()}"
    shown = sim.add(name=name, kind="7750-SR-12", address="127.80.0.1", cards=1, ports=2, bootSeconds=0)
    element = make_element(
        name=name,
        management_address="127.80.0.1",
        driver="nokia-sros",
        reachable="True",
        snmp_policy=make_policy(port=shown["snmpPort"]),
    )
    ports = [(port["index"], port["name"]) for port in sim.element(name)["ports"]]
    rows = [Interface(element=element, if_index=i, name=n, admin="UP", oper="UP", since=clock.now()) for i, n in ports]
    Interface.objects.bulk_create(rows)
    return element
