"""The deployments of the seeds come out as they were built. The test names its seed."""

import pytest

from tests.factories.sizing import VSR_I, VSR_RR, answer_for, result

FITS, NOT_KNOWN = "FITS", "NOT_KNOWN"


class TestVsrRr:
    """Seed 000: EANTC, pages 10 and 11."""

    @pytest.mark.parametrize(
        ("demand", "of", "memory"),
        [
            ({"routes": (40_000_000, "route"), "peers": (100, "peer")}, "IPv4", (14, "GB")),
            ({"routes": (515_858, "route"), "peers": (250, "peer")}, "IPv4", (0.63, "GB")),
            ({"routes": (515_859, "route"), "peers": (100, "peer")}, "IPv4", (14, "GB")),
            ({"macs": (10_000_000, "MAC"), "peers": (200, "peer")}, "EVPN", (8, "GB")),
        ],
    )
    def test_memory(self, demand, of, memory):
        answer = answer_for(VSR_RR, **demand)
        assert (answer.fit, result(answer, f"Memory for {of} routes")) == (FITS, memory)
        assert all(of in each.name for each in answer.results)
        assert answer.flavour == "default"

    def test_memory_of_a_thousand_real_feeds_is_not_known_but_their_time_is(self):
        answer = answer_for(VSR_RR, routes=(515_858, "route"), peers=(1000, "peer"))
        assert result(answer, "Memory for IPv4 routes") is None
        assert result(answer, "Convergence of IPv4 routes") == (147, "s")

    def test_synthetic_prefixes_give_a_warning(self):
        answer = answer_for(VSR_RR, routes=(40_000_000, "route"), peers=(100, "peer"))
        assert result(answer, "Convergence of IPv4 routes") == (308, "s")
        assert any("cannot be achieved in production networks" in each for each in answer.warnings)

    def test_fewer_routes_converge_in_at_most_the_time_of_more(self):
        answer = answer_for(VSR_RR, routes=(400_000, "route"), peers=(900, "peer"))
        convergence = next(each for each in answer.results if each.name == "Convergence of IPv4 routes")
        assert (convergence.figure.number, convergence.at_most) == (147, True)

    def test_evpn_with_and_without_constraints(self):
        answer = answer_for(VSR_RR, macs=(1_000_000, "MAC"), peers=(200, "peer"))
        assert result(answer, "Convergence of EVPN routes with route target constraints") == (14, "s")
        assert result(answer, "Convergence of EVPN routes without route target constraints") == (32, "s")

    @pytest.mark.parametrize(
        "demand",
        [
            {"routes": (40_000_000, "route"), "peers": (101, "peer")},
            {"routes": (40_000_001, "route"), "peers": (100, "peer")},
            {"routes": (1, "route"), "macs": (1, "MAC"), "peers": (1, "peer")},
            {"routes": (1, "route")},
        ],
    )
    def test_an_unmeasured_size_is_unknown(self, demand):
        assert answer_for(VSR_RR, **demand).fit == NOT_KNOWN


def test_the_integrated_router_was_never_measured():
    answer = answer_for(VSR_I, routes=(1, "route"))
    assert answer.fit == NOT_KNOWN
    assert answer.unknown[0] == "Nothing was measured that says how big this VNF must be."
