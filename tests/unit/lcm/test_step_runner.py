"""Errors after which a cloud is waited for: it is out of reach or asks us to wait; not lasting errors."""

from vnfm.clouds.errors import QuotaExceeded, RateLimited, Rejected, Transient
from vnfm.lcm.reconcilers.step_runner import is_unreachable


def test_a_full_store_is_no_reason_to_wait() -> None:
    assert is_unreachable(RateLimited("slow down", http_status=413))
    assert is_unreachable(Transient("no answer"))
    assert not is_unreachable(QuotaExceeded("Image storage media is full", service="glance", http_status=413))
    assert not is_unreachable(Transient("its own error", http_status=500))
    assert not is_unreachable(Rejected("no", http_status=400))
