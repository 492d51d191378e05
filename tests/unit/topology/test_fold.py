"""Folding a map: closed groups with sums, filters by kind, site and instance."""

import pytest

from tests.unit.topology.snapshots import NOW, cloud, element, instance, lldp, network, port, site, vm
from vnfm.topology.domain.build import build_graph
from vnfm.topology.domain.fold import MapFilter, MapNode, TopologyMap, fold
from vnfm.topology.domain.graph import NodeKind
from vnfm.topology.domain.snapshot import AlarmRow, TopologySnapshot

SNAPSHOT = TopologySnapshot(
    clouds=(cloud(),),
    instances=(instance("v1"), instance("v2")),
    vms=(vm("a"), vm("b", "SHUTOFF"), vm("c", instance_id="v2", host="h2")),
    ports=(port("a"), port("b", "DOWN"), port("c")),
    networks=(network(), network(instance_id="v2")),
    sites=(site("s1"), site("s2")),
    elements=(element("ne1"), element("ne2"), element("ne3", "False", site_id="s2")),
    adjacencies=(
        lldp("ne1", "1/1/1", "ne2", "1/1/1"),
        lldp("ne1", "1/1/2", "ne3", "1/1/2"),
        lldp("ne2", "1/1/3", "ne3", "1/1/3", state="LOST"),
    ),
    alarms=(
        AlarmRow("VNF_INSTANCE", "v1", "CRITICAL", 1, ("b",)),
        AlarmRow("VNF_INSTANCE", "v1", "MAJOR", 2),
        AlarmRow("VIM", "c1", "WARNING", 1, (), "h1"),
        AlarmRow("NETWORK_ELEMENT", "ne3", "MINOR", 4),
    ),
)


def folded(*expand: str, site: str = "", instance: str = "", kinds: frozenset[NodeKind] = frozenset()) -> TopologyMap:
    return fold(build_graph(SNAPSHOT, "all", NOW), MapFilter(site, instance, kinds, frozenset(expand)))


def ids(found: TopologyMap) -> set[str]:
    return {each.node.id for each in found.nodes}


def one(found: TopologyMap, key: str) -> MapNode:
    return next(each for each in found.nodes if each.node.id == key)


def links(found: TopologyMap) -> dict[tuple[str, str, str], tuple[int, str]]:
    return {
        (d.link.kind.value, d.link.source, d.link.target): (d.count, d.link.status.state.value) for d in found.links
    }


def test_closed_groups_sum_up_their_members() -> None:
    found = folded()
    assert ids(found) == {"cloud:c1", "site:s1", "site:s2"}
    assert links(found) == {("LLDP", "site:s1", "site:s2"): (2, "DEGRADED")}
    group = one(found, "cloud:c1").group
    assert group is not None
    assert (group.open, dict(group.members)) == (False, {"HOST": 2, "INSTANCE": 2, "VM": 3, "NETWORK": 1})
    assert dict(group.states) == {"UNKNOWN": 2, "UP": 2, "DOWN": 1}
    assert dict(group.links) == {"UP": 2, "DOWN": 1}


def test_alarms_add_up_with_the_worst_severity() -> None:
    found = folded()
    assert (one(found, "cloud:c1").alarms, one(found, "cloud:c1").severity) == (4, "CRITICAL")
    assert (one(found, "site:s2").alarms, one(found, "site:s2").severity) == (4, "MINOR")
    assert (one(found, "site:s1").alarms, one(found, "site:s1").severity) == (0, "")
    opened = folded("all")
    assert (one(opened, "vm:b").alarms, one(opened, "instance:v1").alarms) == (1, 3)
    assert (one(opened, "vm:a").alarms, one(opened, "host:c1:h1").alarms) == (0, 1)


def test_an_open_group_is_displayed_with_its_members() -> None:
    found = folded("cloud:c1", "instance:v1")
    assert ids(found) == {
        "cloud:c1", "site:s1", "site:s2", "instance:v1", "instance:v2",
        "host:c1:h1", "host:c1:h2", "network:c1:n1", "vm:a", "vm:b",
    }  # fmt: skip
    group = one(found, "cloud:c1").group
    assert group is not None
    assert group.open
    assert links(found)["ATTACHMENT", "instance:v2", "network:c1:n1"] == (1, "UP")
    assert links(found)["ATTACHMENT", "vm:b", "network:c1:n1"] == (1, "DOWN")


def test_a_group_in_a_closed_group_stays_folded() -> None:
    assert ids(folded("instance:v1")) == ids(folded())


def test_a_link_between_a_member_and_a_closed_group() -> None:
    found = folded("site:s1")
    assert links(found)["LLDP", "element:ne1", "element:ne2"] == (1, "UP")
    assert links(found)["LLDP", "element:ne2", "site:s2"] == (1, "DOWN")


def test_everything_open() -> None:
    found = folded("all")
    assert len(found.nodes) == sum(found.totals.values()) == 14
    assert all(drawn.count == 1 for drawn in found.links)


def test_members_of_nodes_that_a_kind_filter_removes_move_up() -> None:
    found = folded("all", kinds=frozenset({NodeKind.CLOUD, NodeKind.VM}))
    assert ids(found) == {"cloud:c1", "vm:a", "vm:b", "vm:c"}
    assert {each.node.parent for each in found.nodes} == {"", "cloud:c1"}
    assert found.links == ()
    assert found.totals["HOST"] == 2


@pytest.mark.parametrize(
    ("criteria", "left_out"),
    [
        ({"site": "s2"}, {"cloud:c1", "vm:a"}),
        ({"instance": "v2"}, {"site:s1", "vm:a", "vm:b", "instance:v1", "host:c1:h1"}),
    ],
)
def test_a_site_or_instance_is_displayed_with_its_links(criteria: dict[str, str], left_out: set[str]) -> None:
    found = folded("all", **criteria)
    assert not ids(found) & left_out
    if "site" in criteria:
        assert ids(found) == {"site:s1", "site:s2", "element:ne1", "element:ne2", "element:ne3"}
        assert ("LLDP", "element:ne1", "element:ne2") not in links(found)
    else:
        assert ids(found) == {"cloud:c1", "instance:v2", "vm:c", "network:c1:n1", "host:c1:h2"}
