"""Where a server goes, and for what reason it goes nowhere."""

from __future__ import annotations

import pytest

from cloudsim.compute.hosts import DEDICATED_CPUS, empty_host
from cloudsim.compute.scheduler import Needs, apply, choose, fit, needs_of, page_size

GIB_PAGE = 1048576


def flavor(vcpus=4, ram=8192, disk=20, **specs):
    return {"vcpus": vcpus, "ram": ram, "disk": disk, "ephemeral": 0, "extra_specs": specs}


@pytest.mark.parametrize(
    ("text", "kib"), [("small", 4), ("large", 2048), ("any", 4), ("1048576", 1048576), ("1GB", 1048576), ("2MB", 2048)]
)
def test_page_sizes(text, kib):
    assert page_size(text) == kib


def test_unknown_page_size_is_refused():
    with pytest.raises(ValueError, match="3MB"):
        page_size("3MB")


def test_extra_specs_make_the_needs():
    specs = {"hw:cpu_policy": "dedicated", "hw:mem_page_size": "1048576", "hw:numa_nodes": "2"}
    needs = needs_of(flavor(**specs), {}, ["physnet0", "physnet0", "physnet1"])
    assert needs == Needs(4, 8192, 20, dedicated=True, page=GIB_PAGE, cells=2, vfs={"physnet0": 2, "physnet1": 1})


def test_dedicated_cpus_imply_one_numa_node():
    assert needs_of(flavor(**{"hw:cpu_policy": "dedicated"}), {}, []).cells == 1


def test_image_properties_count_where_the_flavor_is_silent():
    assert needs_of(flavor(), {"hw_cpu_policy": "dedicated"}, []).dedicated


def test_bad_cpu_policy_is_refused():
    with pytest.raises(ValueError, match="mixed"):
        needs_of(flavor(**{"hw:cpu_policy": "mixed"}), {}, [])


def test_dedicated_cpus_must_come_from_one_node():
    host = empty_host("a")
    assert fit(host, Needs(DEDICATED_CPUS, 1024, 1, dedicated=True, cells=1))
    assert fit(host, Needs(DEDICATED_CPUS + 1, 1024, 1, dedicated=True, cells=1)) is None
    assert fit(host, Needs(2 * DEDICATED_CPUS, 1024, 1, dedicated=True, cells=2))


def test_huge_pages_run_out_while_small_ones_are_left():
    host = empty_host("a")
    needs = Needs(1, 96 * 1024, 1, page=GIB_PAGE, cells=1)
    for _ in range(2):
        claim = fit(host, needs)
        assert claim
        apply(host, claim)
    assert fit(host, needs) is None
    assert fit(host, Needs(1, 96 * 1024, 1))


def test_virtual_functions_of_a_pinned_server_are_on_its_node():
    host = empty_host("a")
    pinned = Needs(2, 2048, 1, dedicated=True, cells=1, vfs={"physnet0": 5})
    claims = [fit(host, pinned)]
    apply(host, claims[0])
    claims.append(fit(host, pinned))
    apply(host, claims[1])
    places = [next(i for i, node in enumerate(claim["nodes"]) if node["vfs"]) for claim in claims]
    assert sorted(places) == [0, 1]
    assert fit(host, pinned) is None, "3 + 3 functions are left, but no node has 5"
    assert fit(host, Needs(2, 2048, 1, vfs={"physnet0": 5})), "a server without topology takes them from both"


def test_a_claim_is_released_completely():
    host, fresh = empty_host("a"), empty_host("a")
    claim = fit(host, Needs(4, 8192, 20, dedicated=True, cells=1, vfs={"physnet1": 3}))
    apply(host, claim)
    assert host != fresh
    apply(host, claim, -1)
    assert host == fresh


def test_the_host_with_most_free_memory_wins_then_the_name():
    hosts = [empty_host("b"), empty_host("a")]
    needs = Needs(1, 1024, 1)
    first = choose(hosts, needs)
    assert first.host.name == "a"
    apply(first.host, first.claim)
    assert choose(hosts, needs).host.name == "b"


@pytest.mark.parametrize("field", ["enabled", "up"])
def test_hosts_that_are_disabled_or_down_are_left_out(field):
    host = empty_host("a")
    setattr(host, field, False)
    choice = choose([host], Needs(1, 1, 1))
    assert choice.host is None
    assert "ComputeFilter: 0 host(s)" in choice.trace


def test_groups_and_forced_hosts():
    hosts = [empty_host(name) for name in "abc"]
    needs = Needs(1, 1024, 1)
    assert choose(hosts, needs, apart=frozenset("ab")).host.name == "c"
    assert choose(hosts, needs, apart=frozenset("abc")).host is None
    assert choose(hosts, needs, together=frozenset("b")).host.name == "b"
    assert choose(hosts, needs, only="c").host.name == "c"
