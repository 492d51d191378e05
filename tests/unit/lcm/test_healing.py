"""Healing is as gentle as it can be: one rung after the other, each only where it is of use, none for ever."""

from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.lcm.examples import ALL_METHODS as ALL
from tests.unit.lcm.examples import fields, vdu, vnfc, vnfd
from vnfm.catalog.domain.vnfd import HealMethod, Vdu
from vnfm.lcm.domain.healing import (
    SECONDS,
    Climb,
    Healing,
    Patient,
    Sight,
    heal,
    is_well,
    judge,
    ladder,
    next_rung,
    opening,
)
from vnfm.lcm.domain.states import Operation
from vnfm.lcm.domain.target import Asking, Power, Refused, Standing, StandingVnfc
from vnfm.lcm.domain.triage import Triage, triage

UP = Sight("ACTIVE", host="compute-1", host_down=False, image="image")


A, B = vnfc("A"), vnfc("B")


def patient(rungs: tuple[HealMethod, ...] = ALL, before: str = "ERROR", *, insisted: bool = False) -> Patient:
    return Patient.of(A, rungs, Sight(before), insisted=insisted)


def asked(request: dict[str, Any], *vdus: Vdu, vnfcs: tuple[StandingVnfc, ...] = (A, B)) -> Healing | Refused:
    return heal(Asking(Operation.HEAL, request, vnfd(*vdus or (vdu("cpm"),)), Standing(vnfcs=vnfcs)))


# What may be asked


NAMES = {"id": str(A.id), "name": A.name, "VDU and slot": "cpm/A", "slot": "A", "server": A.server_id}


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_a_vnfc_is_named_by_any_of_its_names(name: str) -> None:
    assert asked({"vnfcInstanceId": [name]}) == Healing((A,))
    assert asked({"additionalParams": {"vnfcToHeal": [name]}}) == Healing((A,))


def test_named_twice_it_is_healed_once() -> None:
    assert asked({"vnfcInstanceId": [str(A.id), "A"], "additionalParams": {"vnfcToHeal": ["cpm/A"]}}) == Healing((A,))


def test_nothing_named_leaves_the_choice_to_what_is_found() -> None:
    assert asked({"cause": "alarm"}) == Healing()


def test_every_reason_against_is_at_its_field() -> None:
    params = {"vnfcToHeal": ["A", "nobody"], "method": "pray", "repair": "yes", "speed": 9}
    assert sorted(fields(asked({"vnfcInstanceId": ["nobody"], "additionalParams": params}))) == [
        "/additionalParams/method",
        "/additionalParams/repair",
        "/additionalParams/speed",
        "/additionalParams/vnfcToHeal/1",
        "/vnfcInstanceId/0",
    ]


def test_a_method_that_the_package_does_not_allow_is_refused_for_what_is_named() -> None:
    request = {"vnfcInstanceId": ["A"], "additionalParams": {"method": "rebuild"}}
    assert fields(asked(request, vdu("cpm", ("start", "recreate")))) == ["/additionalParams/method"]
    assert asked(request) == Healing((A,), "rebuild")


def test_the_ladder_is_the_packages_in_its_order() -> None:
    one = vnfd(vdu("cpm", ("reboot", "start", "recreate")))
    assert ladder(one, "cpm", "auto") == ("reboot", "start", "recreate")
    assert ladder(one, "cpm", "start") == ("start",)
    assert ladder(one, "cpm", "evacuate") == ()


# Who is well


@pytest.mark.parametrize(
    ("desired", "sight", "well"),
    [
        ("STARTED", UP, True),
        ("STARTED", Sight("ACTIVE"), True),
        ("STARTED", Sight("ACTIVE", host="c", host_down=True), False),
        ("STARTED", Sight("SHUTOFF"), False),
        ("STARTED", Sight("HARD_REBOOT", busy=True), False),
        ("STOPPED", Sight("SHUTOFF"), True),
        ("STOPPED", UP, False),
        ("STOPPED", Sight("MISSING"), False),
    ],
)
def test_well_is_what_is_as_it_should_be(desired: Power, sight: Sight, well: bool) -> None:
    assert is_well(vnfc("A", desired=desired), sight) is well


# The climb


def climbed(one: Patient, *sights: Sight) -> Climb:
    """Drive the rules as the step does; each sight is what Nova shows after the request before it."""
    climb, elapsed = Climb(), 0.0
    for sight in sights:
        climb, move = judge(one, climb, sight, elapsed)
        if climb.end:
            return climb
        if move == "next":
            climb = next_rung(one, climb, sight, elapsed)
        elapsed += 1.0
        if climb.end:
            return climb
    return climb


def test_a_stopped_server_is_started_and_that_is_all() -> None:
    climb = climbed(patient(before="SHUTOFF"), Sight("SHUTOFF"), Sight("SHUTOFF", busy=True), UP)
    assert (climb.rung, climb.end, climb.tried) == ("start", "revived", ("start brought it back",))


def test_a_server_in_error_is_rebooted_first() -> None:
    climb = climbed(patient(), Sight("ERROR"), Sight("HARD_REBOOT", busy=True), UP)
    assert (climb.rung, climb.end) == ("reboot", "revived")


def test_what_a_rung_leaves_in_error_climbs_on_to_a_new_server() -> None:
    bad = Sight("ERROR", fault="no disk", image="image")
    climb = climbed(patient(), bad, bad, bad)
    assert climb.end == "replace"
    assert climb.tried == (
        "start: it is ERROR, and only what is SHUTOFF can be started",
        "hard reboot: ERROR: no disk",
        "rebuild: ERROR: no disk",
        "evacuation: its host is not known to be down",
    )


def test_without_a_new_server_allowed_it_fails_and_says_what_came_of_each_rung() -> None:
    climb = climbed(patient(("reboot",)), Sight("ERROR"), Sight("ERROR", fault="broken"))
    assert (climb.end, climb.tried) == ("failed", ("hard reboot: ERROR: broken",))


def test_what_takes_too_long_leads_to_the_next_rung() -> None:
    rebooting = Sight("HARD_REBOOT", busy=True, image="image")
    climb = Climb("reboot", since=10.0)
    assert judge(patient(), climb, rebooting, 10.0 + SECONDS["reboot"])[1] == "wait"
    late, move = judge(patient(), climb, rebooting, 11.0 + SECONDS["reboot"])
    assert (move, late.tried) == ("next", ("hard reboot: not back after 180 s",))
    assert next_rung(patient(), late, rebooting, 200.0).rung == "rebuild"


def test_what_nova_is_at_by_itself_is_waited_for_first() -> None:
    building = Sight("BUILD", busy=True)
    assert judge(patient(), Climb(), building, 1.0) == (Climb(), "wait")
    assert judge(patient(), Climb(), building, SECONDS[""] + 1.0)[1] == "next"


def test_a_missing_server_goes_straight_to_a_new_one() -> None:
    assert opening(patient(before="MISSING"), known=False).end == "replace"
    assert climbed(patient(), Sight("ERROR"), Sight("MISSING")).end == "replace"
    refused = opening(patient(("start", "reboot"), before="MISSING"), known=False)
    assert refused.end == "failed"
    assert "no new server" in refused.tried[0]


def test_asked_for_a_new_server_nothing_else_is_tried() -> None:
    assert opening(patient(("recreate",)), known=True) == Climb(end="replace")
    assert opening(patient(), known=True) == Climb()


def test_on_a_host_that_is_down_only_evacuation_is_of_use() -> None:
    down = Sight("ACTIVE", host="compute-1", host_down=True, image="image")
    climb = climbed(patient(before="ACTIVE"), down, Sight("REBUILD", busy=True), UP)
    assert (climb.rung, climb.end) == ("evacuate", "revived")
    assert climb.tried[:3] == tuple(
        f"{words}: its host compute-1 is down" for words in ("start", "hard reboot", "rebuild")
    )
    assert climbed(patient(("start", "reboot", "recreate"), before="ACTIVE"), down).end == "replace"


def test_a_rebuild_of_a_stopped_server_is_followed_by_one_start() -> None:
    one = patient(("rebuild", "recreate"), before="SHUTOFF")
    off = Sight("SHUTOFF", image="image")
    climb = next_rung(one, Climb(), off, 0.0)
    climb, move = judge(one, climb, off, 1.0)
    assert (climb.started, move) == (True, "start")
    assert judge(one, climb, off, 2.0)[1] == "next", "started once, it did not stay up"


def test_a_server_that_boots_from_a_volume_is_not_rebuilt() -> None:
    assert climbed(patient(("rebuild", "recreate")), Sight("ERROR")).tried == ("rebuild: it boots from a volume",)


def test_who_is_named_is_treated_even_if_nova_says_active_and_who_is_not_named_is_not() -> None:
    assert climbed(patient(before="ACTIVE", insisted=True), UP).rung == "reboot"
    assert climbed(patient(before="ACTIVE"), UP).end == "revived"
    assert climbed(patient(("start",), before="ACTIVE", insisted=True), UP).end == "revived"


SIGHTS = st.builds(
    Sight,
    status=st.sampled_from(["ACTIVE", "SHUTOFF", "ERROR", "PAUSED", "HARD_REBOOT", "BUILD", "MISSING"]),
    busy=st.booleans(),
    host=st.just("compute-1"),
    host_down=st.sampled_from([None, True, False]),
    image=st.sampled_from(["", "image"]),
)
LADDERS = st.lists(st.sampled_from(ALL), unique=True, min_size=1).map(tuple)


@given(rungs=LADDERS, before=SIGHTS, insisted=st.booleans(), sights=st.lists(SIGHTS, min_size=1, max_size=40))
def test_whatever_nova_shows_the_climb_only_goes_up_and_comes_to_an_end(
    rungs: tuple[HealMethod, ...], before: Sight, insisted: bool, sights: list[Sight]
) -> None:
    one = Patient.of(A, rungs, before, insisted=insisted)
    climb, elapsed, seen = opening(one, known=before.status != "MISSING"), 0.0, [-1]
    for sight in sights + [Sight("ERROR", busy=False)] * (len(rungs) + 1):
        if climb.end:
            break
        climb, move = judge(one, climb, sight, elapsed)
        if not climb.end and move == "next":
            climb = next_rung(one, climb, sight, elapsed)
            if not climb.end:
                seen.append(rungs.index(climb.rung))  # type: ignore[arg-type]  # a rung of the ladder, no longer ""
        elapsed += 700.0
        assert Climb.from_json(climb.as_json()) == climb
    assert climb.end
    assert seen == sorted(set(seen)), "a rung was tried twice, or one below"
    assert climb.end != "replace" or "recreate" in rungs
    assert Patient.from_json(one.as_json()) == one


# The plan


def planned(
    healing: Healing, sights: dict[UUID, Sight], *, must_check: bool = True, vnfcs: tuple[StandingVnfc, ...] = (A, B)
) -> Triage:
    found = triage(healing, vnfd(vdu("cpm")), vnfcs, sights, must_check=must_check)
    assert isinstance(found, Triage)
    return found


def test_all_well_leaves_nobody_to_heal_and_everything_as_it_is() -> None:
    found = planned(Healing(), {A.id: UP, B.id: UP})
    assert (found.patients, found.warnings, found.may_replace) == ((), (), False)
    assert [r.action for r in found.resources] == ["keep", "keep"]


def test_the_plan_says_what_happens_to_each() -> None:
    found = planned(Healing(), {A.id: Sight("MISSING"), B.id: UP})
    assert [(r.name, r.action) for r in found.resources] == [("CPM, slot A", "replace"), ("CPM, slot B", "keep")]
    gentle = planned(Healing(), {A.id: Sight("ERROR"), B.id: Sight("SHUTOFF", busy=True)})
    assert [r.action for r in gentle.resources] == ["update", "update"]


def test_a_new_uuid_and_a_pair_healed_at_once_are_warned_of() -> None:
    found = planned(Healing((A, B), "recreate"), {A.id: UP, B.id: UP})
    assert sum("another UUID" in text for text in found.warnings) == 2
    assert any("service is down" in text for text in found.warnings)
    assert not any("if nothing gentler" in text for text in found.warnings)


def test_a_sibling_that_a_check_would_condemn_is_named_and_a_stopped_one_is_started() -> None:
    sights = {A.id: Sight("ERROR"), B.id: Sight("PAUSED")}
    assert planned(Healing((A,)), sights).endangered == (f"{B.name} (cpm/B) is PAUSED",)
    assert planned(Healing((A,)), sights, must_check=False).endangered == ()
    assert planned(Healing((A,), "reboot"), sights).endangered == (), "no check is asked for"
    stopped = planned(Healing((A,)), {**sights, B.id: Sight("SHUTOFF")})
    assert stopped.endangered == ()
    assert any(f"{B.name} (cpm/B) is stopped, and runs for a while" in text for text in stopped.warnings)
    assert "then is stopped again" in stopped.resources[1].detail


def test_a_method_forbidden_to_whom_it_would_hit_is_refused() -> None:
    one = vnfd(vdu("cpm", ("start", "reboot")))
    refused = triage(Healing(method="recreate"), one, (A, B), {A.id: Sight("ERROR"), B.id: UP}, must_check=True)
    assert fields(refused) == ["/additionalParams/method"]
