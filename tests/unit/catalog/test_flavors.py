import pytest
from hypothesis import given
from hypothesis import strategies as st

from vnfm.catalog.domain.flavors import choose_flavor, create_command, scheduler_filters, shortfalls, surplus
from vnfm.catalog.domain.vnfd import ResourceNeeds
from vnfm.clouds.types import Flavor

LAB = (
    Flavor("1", "m1.tiny", 1, 512, 1),
    Flavor("2", "m1.large", 4, 8192, 80),
    Flavor("3", "vnf.control", 4, 8192, 40),
    Flavor("4", "vnf.sriov", 4, 8192, 20, {"hw:cpu_policy": "dedicated"}),
    Flavor(
        "5",
        "vnf.dpdk",
        4,
        8192,
        20,
        {"hw:cpu_policy": "dedicated", "hw:mem_page_size": "1048576", "hw:numa_nodes": "1"},
    ),
)
CONTROL = ResourceNeeds(4, 8192, 10)
DATA_PATH = ResourceNeeds(4, 8192, 10, "dedicated", "1048576", 1, 2)


@pytest.mark.parametrize(
    ("needs", "specs", "filters"),
    [
        (ResourceNeeds(1, 1, 1), {}, ()),
        (ResourceNeeds(1, 1, 1, cpu_policy="dedicated"), {}, ("NUMATopologyFilter",)),
        (
            ResourceNeeds(1, 1, 1, mem_page_size="large", sriov_ports=1),
            {},
            ("NUMATopologyFilter", "PciPassthroughFilter"),
        ),
        (
            ResourceNeeds(1, 1, 1),
            {"aggregate_instance_extra_specs:dpdk": "true"},
            ("AggregateInstanceExtraSpecsFilter",),
        ),
    ],
)
def test_which_scheduler_filters_the_needs_hang_on(needs, specs, filters):
    assert scheduler_filters(needs, Flavor("", "f", 1, 1, 1, specs)) == filters


def test_the_nearest_that_satisfies_and_reserves_nothing_unasked():
    choice = choose_flavor(CONTROL, LAB, None)
    assert choice.flavor is LAB[2]
    assert [flavor.name for flavor in choice.candidates] == ["vnf.control", "m1.large", "vnf.sriov", "vnf.dpdk"]
    assert choice.surplus == ("30 GiB disk more",)
    assert choice.reason == (
        "vnf.control is the nearest of 4 flavors with 4 vCPUs, 8192 MiB memory, 10 GiB disk. "
        "Beyond that it has 30 GiB disk more."
    )


def test_an_exact_match_is_named_so():
    choice = choose_flavor(ResourceNeeds(4, 8192, 40), LAB, None)
    assert (choice.flavor, choice.surplus) == (LAB[2], ())
    assert choice.reason == "vnf.control matches exactly: 4 vCPUs, 8192 MiB memory, 40 GiB disk."


def test_every_difference_is_named():
    flavor = Flavor("1", "x", 6, 10240, 10, {"hw:cpu_policy": "dedicated", "hw:mem_page_size": "2048", "quota:x": "9"})
    needs = ResourceNeeds(4, 8192, 10, "dedicated", "large")
    more = ("2 vCPUs more", "2048 MiB memory more", "hw:mem_page_size=2048", "quota:x=9")
    assert surplus(needs, flavor) == more


def test_the_command_for_an_administrator():
    flavor = Flavor("", "vnf 1", 4, 8192, 10, DATA_PATH.extra_specs())
    assert create_command(flavor) == (
        "openstack flavor create --vcpus 4 --ram 8192 --disk 10 --property hw:cpu_policy=dedicated "
        "--property hw:mem_page_size=1048576 --property hw:numa_nodes=1 'vnf 1'"
    )


def test_extra_specs_are_needs_too():
    choice = choose_flavor(DATA_PATH, LAB, None)
    assert [flavor.name for flavor in choice.candidates] == ["vnf.dpdk"]


def test_no_flavor_satisfies_the_needs():
    choice = choose_flavor(ResourceNeeds(64, 8192, 10), LAB, None)
    assert choice.flavor is None
    assert choice.reason == (
        "None of the 5 flavors of this cloud has 64 vCPUs, 8192 MiB memory, 10 GiB disk. "
        "m1.large is the nearest: 4 of 64 vCPUs."
    )


def test_no_nearest_flavor_in_a_cloud_without_flavors():
    reason = "None of the 0 flavors of this cloud has 4 vCPUs, 8192 MiB memory, 10 GiB disk."
    assert choose_flavor(CONTROL, (), None).reason == reason


@pytest.mark.parametrize("name", ["vnf.sriov", "4"])
def test_a_requested_flavor_is_used_and_its_shortfalls_are_listed(name):
    choice = choose_flavor(DATA_PATH, LAB, name)
    assert choice.flavor is LAB[3]
    assert choice.shortfalls == ("hw:mem_page_size is not 1048576",)
    assert choice.reason == "vnf.sriov falls short: hw:mem_page_size is not 1048576."


def test_a_requested_flavor_that_does_not_exist():
    choice = choose_flavor(DATA_PATH, LAB, "vnf.huge")
    assert choice.flavor is None
    assert choice.reason == "This cloud has no flavor 'vnf.huge'. Flavors that satisfy: vnf.dpdk."


@pytest.mark.parametrize(
    ("wanted", "offered", "fits"),
    [
        ("", "", True),
        ("large", "", False),
        ("large", "small", False),
        ("large", "large", True),
        ("large", "2048", True),
        ("large", "4", False),
        ("any", "", True),
        ("1048576", "1GB", True),
        ("1048576", "1048576KB", True),
        ("1048576", "2MB", False),
        ("2048", "2m", True),
    ],
)
def test_page_sizes(wanted, offered, fits):
    flavor = Flavor("1", "x", 1, 1, 0, {"hw:mem_page_size": offered} if offered else {})
    assert (shortfalls(ResourceNeeds(1, 1, 0, mem_page_size=wanted), flavor) == ()) is fits


@pytest.mark.parametrize(
    ("wanted", "offered", "fits"),
    [("", "dedicated", True), ("dedicated", "", False), ("shared", "", True), ("shared", "dedicated", False)],
)
def test_cpu_policies(wanted, offered, fits):
    flavor = Flavor("1", "x", 1, 1, 0, {"hw:cpu_policy": offered} if offered else {})
    assert (shortfalls(ResourceNeeds(1, 1, 0, cpu_policy=wanted), flavor) == ()) is fits


@pytest.mark.parametrize(
    ("specs", "fits"),
    [
        ({}, False),
        ({"hw:numa_nodes": "1"}, True),
        ({"hw:numa_nodes": "2"}, False),
        ({"hw:cpu_policy": "dedicated"}, True),
        ({"hw:mem_page_size": "large"}, True),
        ({"hw:mem_page_size": "large", "hw:numa_nodes": "2"}, False),
    ],
)
def test_numa_nodes(specs, fits):
    assert (shortfalls(ResourceNeeds(1, 1, 0, numa_nodes=1), Flavor("1", "x", 1, 1, 0, specs)) == ()) is fits


needs = st.builds(
    ResourceNeeds,
    st.integers(1, 8),
    st.integers(1, 8),
    st.integers(0, 8),
    st.sampled_from(["", "dedicated", "shared"]),
    st.sampled_from(["", "large", "any", "2048", "1048576"]),
    st.integers(0, 2),
)
flavors = st.builds(
    Flavor,
    st.uuids().map(str),
    st.text(min_size=1, max_size=3),
    st.integers(1, 8),
    st.integers(1, 8),
    st.integers(0, 8),
    st.dictionaries(
        st.sampled_from(["hw:cpu_policy", "hw:mem_page_size", "hw:numa_nodes", "quota:x"]),
        st.sampled_from(["1", "2", "dedicated", "large", "2MB"]),
    ),
)


@given(needs, st.lists(flavors, max_size=6, unique_by=lambda flavor: flavor.id), st.randoms())
def test_the_choice_does_not_depend_on_the_order_in_which_a_cloud_lists(needs, listed, random):
    shuffled = list(listed)
    random.shuffle(shuffled)
    assert choose_flavor(needs, listed, None) == choose_flavor(needs, shuffled, None)


@given(needs)
def test_a_flavor_with_exactly_the_needs_satisfies_them(needs):
    made = Flavor("1", "made", needs.vcpus, needs.memory_mib, needs.disk_gib, needs.extra_specs())
    assert shortfalls(needs, made) == ()
    assert surplus(needs, made) == ()
