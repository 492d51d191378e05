"""Which clouds are waited for: those that are not there or ask us to wait, not those that say what will not change."""

from vnfm.clouds.errors import QuotaExceeded, RateLimited, Rejected, Transient
from vnfm.lcm.reconcilers.attempt import is_away


def test_a_full_store_is_no_reason_to_wait() -> None:
    assert is_away(RateLimited("slow down", http_status=413))
    assert is_away(Transient("nobody there"))
    assert not is_away(QuotaExceeded("Image storage media is full", service="glance", http_status=413))
    assert not is_away(Transient("its own error", http_status=500))
    assert not is_away(Rejected("no", http_status=400))
