"""The table of transitions is SOL003 5.6.2.2, and everything is derived from it."""

from hypothesis import given
from hypothesis import strategies as st

from vnfm.lcm.domain.states import (
    DRIVEN_STATES,
    ERROR_HANDLING,
    FINAL_STATES,
    LIVE_STATES,
    NEEDS_STATE,
    TRANSITIONS,
    OperationState,
    can_transition,
    instance_actions,
    operation_actions,
)

S = OperationState


def test_every_state_is_in_the_table() -> None:
    assert set(TRANSITIONS) == set(S)


def test_final_states_have_no_way_out_and_every_live_one_leads_to_an_end() -> None:
    assert set(FINAL_STATES) == {S.COMPLETED, S.FAILED, S.ROLLED_BACK}
    for start in LIVE_STATES:
        reached, frontier = set(), {start}
        while frontier:
            reached |= frontier
            frontier = {target for state in frontier for target in TRANSITIONS[state]} - reached
        assert reached & set(FINAL_STATES), f"{start} can never end"


def test_only_failed_temp_waits_for_an_operator() -> None:
    assert set(LIVE_STATES) - set(DRIVEN_STATES) == {S.FAILED_TEMP}


@given(st.sampled_from(S), st.sampled_from(["", "It is deleted."]), st.sampled_from(["", "GRACEFUL", "FORCEFUL"]))
def test_error_handling_is_enabled_in_failed_temp_alone(state: S, one_way: str, mode: str) -> None:
    for action in operation_actions(state, one_way=one_way, cancel_mode=mode):
        if action.action == "cancel":
            allowed = state in DRIVEN_STATES and mode != "FORCEFUL"
        else:
            allowed = state == S.FAILED_TEMP and can_transition(state, ERROR_HANDLING[action.action])
            allowed = allowed and not (action.action == "rollback" and one_way)
        assert action.enabled == allowed
        assert bool(action.disabled_reason) != action.enabled


def test_a_rollback_that_cannot_be_says_why() -> None:
    rollback = next(a for a in operation_actions(S.FAILED_TEMP, one_way="It is deleted.") if a.action == "rollback")
    assert rollback.disabled_reason.startswith("It is deleted.")


@given(st.sampled_from(["INSTANTIATED", "NOT_INSTANTIATED"]), st.sampled_from([None, "Scaling is under way"]))
def test_instance_actions_say_why_not(state: str, running: str | None) -> None:
    for action in instance_actions(state, running):
        assert action.enabled == (running is None and NEEDS_STATE[action.action] in (state, ""))
        if running:
            assert running in action.disabled_reason
