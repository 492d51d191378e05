"""The rows of compute hosts that are to be written after a poll."""

from dataclasses import replace

from vnfm.clouds.types import CloudHost
from vnfm.inventory.domain.hosts import HostObservation, host_changes, observe_hosts

UP = CloudHost("compute-01", up=True, enabled=True, vcpus=8, vcpus_used=0, memory_mib=1, memory_mib_used=0)
OBSERVED = HostObservation("up", "up", "enabled", None, "")


def test_novas_words_are_stored() -> None:
    away = replace(UP, name="b", up=False, hypervisor_up=False, forced_down=True)
    closed = replace(UP, name="c", enabled=False, disabled_reason="fan", forced_down=False)
    assert observe_hosts([UP, away, closed]) == {
        "compute-01": OBSERVED,
        "b": HostObservation("down", "down", "enabled", True, ""),
        "c": HostObservation("up", "up", "disabled", False, "fan"),
    }


def test_only_news_is_written() -> None:
    before = {"a": OBSERVED, "b": OBSERVED, "c": OBSERVED}
    down = replace(OBSERVED, service="down")
    assert not host_changes(before, before)
    news = host_changes(before, {"a": OBSERVED, "b": down, "d": OBSERVED})
    assert (news.put, news.gone) == ({"b": down, "d": OBSERVED}, {"c"})


def test_another_reason_is_no_other_state() -> None:
    worded = replace(OBSERVED, status="disabled", reason="fan")
    assert worded.same_state(replace(worded, reason="fan replaced"))
    assert not worded.same_state(OBSERVED)
