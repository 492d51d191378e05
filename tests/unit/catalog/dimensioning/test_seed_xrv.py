"""The deployments of the seeds come out as they were built. The test names its seed."""

import pytest

from tests.factories.sizing import XRV, answer_for, result

FITS, NOT_KNOWN, DOES_NOT_FIT = "FITS", "NOT_KNOWN", "DOES_NOT_FIT"


class TestXrv:
    """Seed 004: EANTC, virtual switch FIB scalability."""

    @pytest.mark.parametrize(
        ("switch", "what", "entries", "carries"),
        [
            ("vpp", "routes", 2_000, 20),
            ("vpp", "routes", 20_000, 15.4),
            ("vpp", "macs", 20_000, 19.8),
            ("ovs", "routes", 1, 20),
            ("ovs", "macs", 1, 8.8),
            ("ovs", "routes", 2_000, 4),
            ("ovs", "macs", 2_000, 4),
        ],
    )
    def test_the_size_of_the_table_decides(self, switch, what, entries, carries):
        unit = {"routes": "route", "macs": "MAC"}[what]
        answer = answer_for(XRV, switch, throughput=(carries, "Gbit/s"), **{what: (entries, unit)})
        assert (answer.fit, answer.flavour) == (FITS, {"ovs": "ovs-dpdk"}.get(switch, switch))
        more = answer_for(XRV, switch, throughput=(carries + 0.1, "Gbit/s"), **{what: (entries, unit)})
        assert more.fit == DOES_NOT_FIT

    @pytest.mark.parametrize(
        ("switch", "routes", "latency"),
        [("vpp", 2_000, (400, "us")), ("vpp", 20_000, (1200, "us")), ("vpp", 3_000, None), ("ovs", 2_000, None)],
    )
    def test_latency_is_read_and_never_computed(self, switch, routes, latency):
        answer = answer_for(XRV, switch, throughput=(1, "Gbit/s"), routes=(routes, "route"))
        assert result(answer, "Maximum latency of the virtual switch") == latency

    def test_ovs_is_of_no_use_with_twenty_thousand(self):
        answer = answer_for(XRV, "ovs", throughput=(1, "Mbit/s"), routes=(20_000, "route"))
        assert answer.fit == DOES_NOT_FIT
        assert any("not usable" in each for each in answer.warnings)

    def test_between_two_sizes_of_the_table_nothing_is_interpolated(self):
        assert answer_for(XRV, "ovs", throughput=(1, "Gbit/s"), routes=(10_000, "route")).fit == NOT_KNOWN
        assert answer_for(XRV, "ovs", throughput=(4.1, "Gbit/s"), routes=(10_000, "route")).fit == DOES_NOT_FIT

    def test_larger_tables_are_not_known_and_neither_is_the_router(self):
        answer = answer_for(XRV, "vpp", throughput=(1, "Gbit/s"), routes=(20_001, "route"))
        assert answer.fit == NOT_KNOWN
        assert answer_for(XRV, "vpp", throughput=(15.5, "Gbit/s"), routes=(20_001, "route")).fit == DOES_NOT_FIT
        assert any("Nothing of what the IOS XRv 9000 itself forwards is known" in each for each in answer.unknown)
