"""What is to be written of compute hosts after a look."""

from dataclasses import replace

from vnfm.clouds.types import Host
from vnfm.inventory.domain.hosts import HostSeen, host_news, hosts_seen

UP = Host("compute-01", up=True, enabled=True, vcpus=8, vcpus_used=0, memory_mib=1, memory_mib_used=0)
SEEN = HostSeen("up", "up", "enabled", None, "")


def test_nova_s_words_are_kept() -> None:
    away = replace(UP, name="b", up=False, hypervisor_up=False, forced_down=True)
    closed = replace(UP, name="c", enabled=False, disabled_reason="fan", forced_down=False)
    assert hosts_seen([UP, away, closed]) == {
        "compute-01": SEEN,
        "b": HostSeen("down", "down", "enabled", True, ""),
        "c": HostSeen("up", "up", "disabled", False, "fan"),
    }


def test_only_news_is_written() -> None:
    before = {"a": SEEN, "b": SEEN, "c": SEEN}
    down = replace(SEEN, service="down")
    assert not host_news(before, before)
    news = host_news(before, {"a": SEEN, "b": down, "d": SEEN})
    assert (news.put, news.gone) == ({"b": down, "d": SEEN}, {"c"})


def test_another_reason_is_no_other_state() -> None:
    worded = replace(SEEN, status="disabled", reason="fan")
    assert worded.same_state(replace(worded, reason="fan replaced"))
    assert not worded.same_state(SEEN)
