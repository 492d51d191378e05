"""Drift is a pure function of what is wanted and what is there."""

from dataclasses import dataclass, replace
from typing import Literal

from hypothesis import given
from hypothesis import strategies as st

from vnfm.inventory.domain.drift import drift


@dataclass(frozen=True)
class Component:
    vdu_id: str = "iom"
    name: str = "iom-1"
    server_name: str = "iom-1"
    desired: Literal["STARTED", "STOPPED"] = "STARTED"
    status: str = "ACTIVE"


def kinds(wanted: dict[str, int], *components: Component) -> list[str]:
    return [item.kind for item in drift(wanted=wanted, vnfcs=components)]


def test_what_is_as_wanted_has_no_drift() -> None:
    assert kinds({"iom": 2}, Component(), Component(name="iom-2", server_name="iom-2")) == []


def test_a_vm_that_should_run_and_does_not() -> None:
    assert kinds({"iom": 1}, Component(status="SHUTOFF")) == ["stopped"]


def test_a_vm_that_was_stopped_on_purpose_is_no_drift_and_running_it_is() -> None:
    stopped = Component(desired="STOPPED", status="SHUTOFF")
    assert kinds({"iom": 1}, stopped) == []
    assert kinds({"iom": 1}, replace(stopped, status="ACTIVE")) == ["started"]


def test_a_server_that_is_gone_is_missing_once_and_not_also_too_few() -> None:
    assert kinds({"iom": 1}, Component(status="MISSING")) == ["missing"]


def test_counts_differ_from_the_scale_level() -> None:
    assert kinds({"iom": 2}, Component()) == ["missing"]
    assert kinds({}, Component()) == ["extra"]


def test_renamed_behind_our_back() -> None:
    assert kinds({"iom": 1}, Component(server_name="mine now")) == ["renamed"]


components = st.builds(
    Component,
    vdu_id=st.sampled_from(["cpm", "iom"]),
    name=st.sampled_from(["a", "b"]),
    server_name=st.sampled_from(["a", "b"]),
    desired=st.sampled_from(["STARTED", "STOPPED"]),
    status=st.sampled_from(["ACTIVE", "SHUTOFF", "ERROR", "MISSING", "BUILD"]),
)


@given(st.lists(components, max_size=6), st.dictionaries(st.sampled_from(["cpm", "iom"]), st.integers(0, 4)))
def test_none_is_reported_exactly_when_everything_is_as_asked_for(
    parts: list[Component], wanted: dict[str, int]
) -> None:
    right = all(
        part.name == part.server_name and part.status == ("ACTIVE" if part.desired == "STARTED" else part.status)
        for part in parts
    )
    right = right and not any(p.desired == "STOPPED" and p.status in {"ACTIVE", "MISSING"} for p in parts)
    counted = all(
        sum(p.vdu_id == vdu for p in parts) == wanted.get(vdu, 0) for vdu in {*wanted, *(p.vdu_id for p in parts)}
    )
    assert (drift(wanted=wanted, vnfcs=parts) == []) == (right and counted)
