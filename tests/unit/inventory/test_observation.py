"""A poll observes one server or port."""

import pytest

from vnfm.clouds.types import Port, Server, ServerFault
from vnfm.inventory.domain.observation import PortObservation, ServerObservation, observe_ports, observe_server

BEFORE = ServerObservation("ACTIVE", "", "host-1", "vnf.control", "42", "cpm-A")


def test_a_server_is_stored_as_nova_shows_it() -> None:
    server = Server(
        "s1", "cpm-A", "ERROR", host="host-2", flavor="42", fault=ServerFault(500, "No valid host was found.")
    )
    after = observe_server(BEFORE, server, {"42": "vnf.control"})
    assert after == ServerObservation("ERROR", "No valid host was found.", "host-2", "vnf.control", "42", "cpm-A")


@pytest.mark.parametrize("server", [None, Server("s1", "x", "DELETED"), Server("s1", "x", "SOFT_DELETED")])
def test_a_server_that_is_gone_leaves_its_last_known_place(server: Server | None) -> None:
    assert observe_server(BEFORE, server, {}) == ServerObservation(
        "MISSING", "", "host-1", "vnf.control", "42", "cpm-A"
    )


def test_our_port_that_is_gone_is_missing_and_a_strangers_port_is_forgotten() -> None:
    ours = PortObservation("p1", "n1", "fa:16", ("10.0.0.1",), "normal", "ACTIVE", "ovs")
    strangers = PortObservation("p2", "n1", "fa:17", (), "normal", "ACTIVE", "ovs")
    new = Port("p3", "", "n1", "s1", "fa:18", (), "normal", "DOWN", "ovs")
    after = observe_ports({"p1": ours, "p2": strangers}, ["p1"], [new])
    assert {port_id: port.status for port_id, port in after.items()} == {"p1": "MISSING", "p3": "DOWN"}
