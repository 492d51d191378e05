"""A drain is understood: a real FRR as neighbour avoids the routes of one that is drained, and comes back."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.contract.dialect_subject import Subject, load, running
from tests.support.frr import FrrRouter, frr, frr_traps
from tests.support.frr_ssh import ADDRESS, PASSWORD, USER, served
from tests.support.waiting import until
from vnfm.configuration.domain.dialects import FRR
from vnfm.configuration.domain.drain import drain_changes, drain_text, undrain_text
from vnfm.devices.types import SshTarget

__all__ = ["frr", "frr_traps"]
PREFIX = "10.50.0.0/24"


@pytest.fixture
def router(frr: FrrRouter) -> Iterator[Subject]:
    with served(frr.home, "bash", "--norc") as port:
        texts = dict.fromkeys(("text", "shown", "changed", "bad", "late", "more", "renamed"), "")
        subject = Subject(FRR, SshTarget(ADDRESS, port, USER, PASSWORD), **texts)
        until(lambda: frr.neighbour in running(subject), "bgpd, which reads its configuration", seconds=60)
        yield subject


def route_at(home: Path) -> dict[str, Any]:
    """The route to PREFIX as the neighbour has it; empty without one."""
    command = ["/usr/bin/vtysh", "--vty_socket", str(home), "-c", f"show bgp ipv4 unicast {PREFIX} json"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    paths = json.loads(done.stdout or "{}").get("paths", [])
    return paths[0] if paths else {}


def test_a_neighbour_avoids_a_drained_router_and_comes_back(router: Subject, frr: FrrRouter) -> None:
    neighbour = frr.home.parent / "neighbour"
    load(router, f"router bgp 65001\n address-family ipv4 unicast\n  network {PREFIX}\n exit-address-family\nexit\n")
    until(lambda: route_at(neighbour), "the route", seconds=30)
    assert "community" not in route_at(neighbour)
    before = running(router)
    changes = drain_changes("frr", before)
    load(router, drain_text("frr", changes))
    until(lambda: "community" in route_at(neighbour), "the drain at the neighbour", seconds=30)
    assert route_at(neighbour)["community"]["string"] == "graceful-shutdown"
    assert route_at(neighbour)["locPrf"] == 0, "RFC 8326, 4.1: any other path is better"
    load(router, undrain_text("frr", changes))
    until(lambda: "community" not in route_at(neighbour), "the end of the drain", seconds=30)
    assert running(router) == before
