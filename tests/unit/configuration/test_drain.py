"""Lines that drain a router: for each protocol that runs, and back to what was there."""

import pytest

from vnfm.configuration.domain.dialects import DIALECTS
from vnfm.configuration.domain.drain import RULES, drain_changes, drain_text, drained_changes, undrain_text
from vnfm.configuration.domain.statements import lines_of, missing_statements

RUNNING = {
    "frr": "router bgp 65001\n neighbor 10.0.0.2 remote-as 65002\nexit\n!\nrouter bgp 65001 vrf blue\nexit\n!\n"
    "router ospf\n ospf router-id 10.0.0.1\nexit\n",
    "nokia-sros": "configure\n    router Base\n        bgp\n            local-preference 200\n"
    '            group "a"\n            exit\n        exit\n        ospf 0\n        exit\n    exit\n',
    "huawei-vrp": "bgp 65000\n ipv4-family unicast\n  default local-preference 150\n#\nisis 1\n#\n",
}
DRAINED = {
    "frr": "router bgp 65001\n bgp graceful-shutdown\nexit\nrouter bgp 65001 vrf blue\n bgp graceful-shutdown\nexit\n"
    "router ospf\n max-metric router-lsa administrative\nexit\n",
    "nokia-sros": "/configure router Base bgp med-out 4294967295\n/configure router Base bgp local-preference 0\n"
    "/configure router Base ospf overload\n",
    "huawei-vrp": "bgp 65000\n ipv4-family unicast\n  default med 4294967295\n quit\nquit\n"
    "bgp 65000\n ipv4-family unicast\n  default local-preference 0\n quit\nquit\nisis 1\n set-overload\nquit\n",
}
UNDRAINED = {
    "frr": "router ospf\n no max-metric router-lsa administrative\nexit\nrouter bgp 65001 vrf blue\n"
    " no bgp graceful-shutdown\nexit\nrouter bgp 65001\n no bgp graceful-shutdown\nexit\n",
    "nokia-sros": "/configure router Base ospf no overload\n/configure router Base bgp local-preference 200\n"
    "/configure router Base bgp no med-out\n",
    "huawei-vrp": "isis 1\n undo set-overload\nquit\nbgp 65000\n ipv4-family unicast\n  default local-preference 150\n"
    " quit\nquit\nbgp 65000\n ipv4-family unicast\n  undo default med\n quit\nquit\n",
}


@pytest.mark.parametrize("driver", RULES)
def test_each_protocol_is_drained_and_restored(driver: str) -> None:
    changes = drain_changes(driver, RUNNING[driver])
    assert drain_text(driver, changes) == DRAINED[driver]
    assert undrain_text(driver, changes) == UNDRAINED[driver]


@pytest.mark.parametrize("driver", RULES)
def test_what_is_drained_already_is_left_as_it_is(driver: str) -> None:
    assert drain_changes(driver, "") == ()
    running = RUNNING["frr"].replace("router bgp 65001\n", "router bgp 65001\n bgp graceful-shutdown\n")
    lines = [change.contexts for change in drain_changes("frr", running)]
    assert lines == [("router bgp 65001 vrf blue",), ("router ospf",)]


def test_a_drained_frr_needs_no_drain() -> None:
    syntax = DIALECTS["frr"].syntax
    text = drain_text("frr", drain_changes("frr", RUNNING["frr"]))
    assert missing_statements(syntax, text, lines_of(syntax, text)) == []
    assert drain_changes("frr", text) == ()


def test_only_what_is_in_force_is_undrained() -> None:
    """A fresh disk has nothing of it; and one line may be gone by hand."""
    changes = drain_changes("frr", RUNNING["frr"])
    drained = drain_text("frr", changes)
    assert drained_changes("frr", drained, changes) == [*changes]
    assert drained_changes(
        "frr", drained.replace(" bgp graceful-shutdown\nexit\nrouter ospf", "exit\nrouter ospf"), changes
    ) == [change for change in changes if change.contexts != ("router bgp 65001 vrf blue",)]
    assert drained_changes("frr", RUNNING["frr"], changes) == []
