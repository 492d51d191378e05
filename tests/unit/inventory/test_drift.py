"""Drift is a pure function of what is wanted and what is there."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.inventory.views import EARLIER, STACK, VIM, instance, vnfc
from vnfm.inventory.domain.drift import Difference, drift, later
from vnfm.inventory.domain.observation import TRANSITIONAL
from vnfm.inventory.domain.views import LostPort, StrayServer, VnfcView


def kinds(*vnfcs: VnfcView, **more: object) -> list[str]:
    return [item.kind for item in drift(instance(*vnfcs, **more))]


def only(*vnfcs: VnfcView, **more: object) -> Difference:
    (found,) = drift(instance(*vnfcs, **more))
    return found


def test_desired_state_has_no_drift() -> None:
    assert kinds(vnfc(), vnfc("iom-2"), stack=STACK) == []


def test_a_vm_that_should_run_and_does_not() -> None:
    found = only(vnfc(status="SHUTOFF"))
    assert (found.kind, found.expected, found.found) == ("stopped", "ACTIVE", "SHUTOFF")
    assert found.acceptable
    assert found.repair == "It is started."


def test_a_vm_in_error_is_nothing_to_accept() -> None:
    found = only(vnfc(status="ERROR"))
    assert (found.kind, found.acceptable, found.repair) == ("stopped", False, "It is healed.")
    assert found.why_not


@pytest.mark.parametrize("status", sorted(TRANSITIONAL))
def test_a_vm_on_its_way_to_another_state_is_no_drift(status: str) -> None:
    assert kinds(vnfc(status=status)) == []


def test_a_vm_that_was_stopped_on_purpose_is_no_drift_and_running_it_is() -> None:
    stopped = vnfc(desired="STOPPED", status="SHUTOFF")
    assert kinds(stopped) == []
    found = only(replace(stopped, status="ACTIVE"))
    assert (found.kind, found.expected, found.found, found.alarmed) == ("started", "SHUTOFF", "ACTIVE", False)


def test_a_server_that_is_gone_is_missing_once_and_cannot_be_accepted() -> None:
    found = only(vnfc(status="MISSING", server_name="other", lost_ports=(LostPort("p", "mgmt", EARLIER),)))
    assert (found.kind, found.acceptable, found.alarmed) == ("missing", False, True)
    assert "repair" in found.why_not
    assert "scale in" in found.why_not


def test_without_an_observation_there_is_no_drift() -> None:
    assert kinds(vnfc(status="UNKNOWN", server_name="")) == []


def test_counts_differ_from_the_scale_level() -> None:
    assert kinds(vnfc(), wanted={"iom": 2}) == ["missing"]
    assert kinds(vnfc(), wanted={}) == ["extra"]
    assert kinds(vnfc(), wanted=None) == []


def test_renamed_behind_our_back() -> None:
    found = only(vnfc(server_name="mine now"))
    assert (found.kind, found.expected, found.found) == ("renamed", "iom-1", "mine now")
    assert found.repair == "It is called iom-1 again."


def test_resized_behind_our_back_in_names_that_people_know() -> None:
    found = only(
        vnfc(expected_flavor_id="1", expected_flavor="vnf.small", flavor_id="2", flavor="vnf.large", vnfc_id="x")
    )
    assert (found.kind, found.expected, found.found) == ("resized", "vnf.small", "vnf.large")
    assert found.vnfc_id == "x"


def test_a_flavor_is_compared_by_id_not_by_the_name_that_a_probe_learns_later() -> None:
    assert kinds(vnfc(expected_flavor_id="1", expected_flavor="1", flavor_id="1", flavor="vnf.small")) == []


def test_moved_to_another_host_only_when_both_are_known() -> None:
    found = only(vnfc(expected_host="h1", host="h2"))
    assert (found.kind, found.expected, found.found) == ("moved", "h1", "h2")
    assert found.acceptable
    assert found.repair == "", "hosts are the cloud's choice"
    assert kinds(vnfc(expected_host="", host="h2")) == []
    assert kinds(vnfc(expected_host="h1", host="")) == []


def test_a_port_of_ours_is_gone() -> None:
    found = only(vnfc(lost_ports=(LostPort("p-1", "mgmt", EARLIER),)))
    assert (found.kind, found.subject, found.expected) == ("port_removed", "iom-1", "port p-1")
    assert "mgmt" in found.message
    assert found.alarmed
    assert (found.acceptable, found.repair) == (True, ""), "Liberty's Heat cannot replace it"
    renewed = only(vnfc(lost_ports=(LostPort("p-1", "mgmt", EARLIER),)), vim=replace(VIM, renews_ports=True))
    assert (renewed.acceptable, bool(renewed.repair), renewed.resources) == (True, True, ("p-1",))


def test_a_server_that_says_it_is_of_the_instance() -> None:
    found = only(vnfc(), strays=[StrayServer("s-9", "iom-9", EARLIER)])
    assert (found.kind, found.subject, found.acceptable) == ("extra", "iom-9", False)


def test_a_stack_that_was_updated_after_us() -> None:
    found = only(vnfc(), stack=replace(STACK, updated_at="2016-02-09T14:00:00Z"))
    assert (found.kind, found.subject) == ("stack_updated", "vnf-vsr-g1")
    assert found.message == "Another client had Heat update the stack vnf-vsr-g1 at 2016-02-09T14:00:00Z."
    assert (found.expected, found.found) == ("2016-02-09T13:00:00Z", "2016-02-09T14:00:00Z")


@pytest.mark.parametrize(
    ("seen", "ours", "answer"),
    [
        ("", "", False),
        ("2016-02-09T14:00:00Z", "", True),
        ("", "2016-02-09T14:00:00Z", False),
        ("2016-02-09T14:00:00", "2016-02-09T14:00:00Z", False),
        ("2016-02-09T13:59:59", "2016-02-09T14:00:00Z", False),
        ("2016-02-09T14:00:01Z", "2016-02-09T14:00:00", True),
        ("yesterday", "2016-02-09T14:00:00", False),
    ],
)
def test_only_a_later_time_is_an_update_from_outside(seen: str, ours: str, answer: bool) -> None:
    assert later(seen, ours) is answer


def test_a_stack_that_is_gone_is_not_updated_as_well() -> None:
    found = only(vnfc(), stack=replace(STACK, status="MISSING", updated_at="2016-02-09T14:00:00Z"))
    assert (found.kind, found.acceptable, found.alarmed) == ("stack_gone", False, True)


components = st.builds(
    vnfc,
    name=st.sampled_from(["a", "b"]),
    vdu=st.sampled_from(["cpm", "iom"]),
    server_name=st.sampled_from(["a", "b"]),
    desired=st.sampled_from(["STARTED", "STOPPED"]),
    status=st.sampled_from(["ACTIVE", "SHUTOFF", "ERROR", "MISSING", "BUILD"]),
)


@given(st.lists(components, max_size=6), st.dictionaries(st.sampled_from(["cpm", "iom"]), st.integers(0, 4)))
def test_no_difference_exactly_when_observed_is_desired(parts: list[VnfcView], wanted: dict[str, int]) -> None:
    allowed = {"STARTED": {"ACTIVE", "BUILD"}, "STOPPED": {"SHUTOFF", "ERROR", "BUILD"}}
    right = all(part.name == part.server_name and part.status in allowed[part.desired] for part in parts)
    counted = all(
        sum(p.vdu_id == vdu for p in parts) == wanted.get(vdu, 0) for vdu in {*wanted, *(p.vdu_id for p in parts)}
    )
    found = drift(instance(*parts, wanted=wanted))
    assert (found == []) == (right and counted)
    assert all(item.acceptable != bool(item.why_not) for item in found), "either it can be accepted, or it says why not"


def test_no_repair_is_promised_without_the_stack() -> None:
    gone = replace(STACK, status="MISSING")
    found = drift(instance(vnfc(status="MISSING"), vnfc("iom-2", status="SHUTOFF"), stack=gone))
    assert [item.kind for item in found] == ["stack_gone", "missing", "stopped"]
    assert [item.repair for item in found] == ["", "", ""]
