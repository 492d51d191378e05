"""The deployments of the seeds come out as they were built. The test names its seed."""

import pytest

from tests.factories.sizing import EPDG, SAEGW, answer_for, counted, row, vms

FITS, NOT_KNOWN, DOES_NOT_FIT = "FITS", "NOT_KNOWN", "DOES_NOT_FIT"


class TestSaegw:
    """Seed 000: EANTC, pages 12 to 16."""

    def test_five_groups_for_twenty_million_sessions(self):
        answer = answer_for(SAEGW, sessions=(20_000_000, "session"))
        assert answer.fit == FITS
        assert counted(answer) == {"MG groups": 5, "CPU sockets for MG groups": 5}
        assert vms(answer) == {"oam": 2, "lb": 6, "mg": 10}
        assert answer.vms == 18
        assert {each.cores_each for each in answer.vdus} == {11}
        assert (answer.level, answer.level_is_exact) == ("eantc", True)
        assert row(answer, "sessions").headroom == 0

    def test_one_group_has_the_measured_capacity(self):
        answer = answer_for(
            SAEGW,
            frame=500,
            sessions=(4_000_000, "session"),
            setupRate=(10_000, "session/s"),
            packetRate=(2.04, "Mpps"),
        )
        assert counted(answer)["MG group"] == 1
        assert vms(answer) == {"oam": 2, "lb": 2, "mg": 2}

    def test_the_figure_that_needs_most_units_binds(self):
        answer = answer_for(SAEGW, sessions=(8_000_000, "session"), setupRate=(25_000, "session/s"))
        assert counted(answer)["MG groups"] == 3
        assert [each.figure.id for each in answer.rows if each.binds] == ["setup-rate"]

    def test_throughput_is_bound_by_the_interfaces_at_500_bytes_and_by_packets_below(self):
        assert row(answer_for(SAEGW, frame=500, throughput=(8.5, "Gbit/s")), "throughput").figure.id == "throughput"
        assert counted(answer_for(SAEGW, frame=500, throughput=(8.6, "Gbit/s")))["MG groups"] == 2
        small = answer_for(SAEGW, frame=128, throughput=(4, "Gbit/s"))
        assert counted(small)["MG groups"] == 2
        assert row(small, "throughput").figure.id == "packet-rate"

    def test_a_chassis_ends_at_nine_groups_and_leaves_few_load_balancers(self):
        nine = answer_for(SAEGW, sessions=(36_000_000, "session"))
        assert nine.fit == NOT_KNOWN
        assert vms(nine) == {"oam": 2, "lb": 2, "mg": 18}
        assert "would be 11 here; one instance has room for 2" in nine.unknown[0]
        ten = answer_for(SAEGW, sessions=(40_000_000, "session"))
        assert ten.fit == DOES_NOT_FIT
        assert ten.scale_levels == {}
        assert "20 of Mobile gateway VM are needed; one instance has at most 18. 2 instances" in ten.reasons[0]

    def test_sixty_million_subscribers_are_a_contradiction(self):
        warnings = answer_for(SAEGW, sessions=(1_000_000, "session")).warnings
        assert any("more than the 4 million sessions of an MG group" in each for each in warnings)


class TestEpdg:
    """Seed 000: EANTC, pages 12, 14 and 16."""

    def test_one_million_sessions_are_one_group(self):
        answer = answer_for(EPDG, sessions=(1_000_000, "session"), bearers=(2_000_000, "bearer"))
        assert (answer.fit, answer.flavour) == (FITS, "default")
        assert counted(answer)["MG group"] == 1
        assert {each.vdu: each.cores_each for each in answer.vdus} == {"oam": 4, "lb": 8, "mg": 17}

    @pytest.mark.parametrize(("rate", "groups"), [(1_200, 1), (1_201, 2), (3_600, 3)])
    def test_twelve_hundred_attaches_a_second_and_group(self, rate, groups):
        answer = answer_for(EPDG, setupRate=(rate, "session/s"))
        assert next(iter(counted(answer).values())) == groups
        assert answer.fit == (FITS if groups == 1 else NOT_KNOWN)
        several = f"{groups} MG groups together were not measured, only 1."
        assert (several in answer.unknown) == (groups > 1)

    def test_bearers_are_those_of_the_whole_system(self):
        answer = answer_for(EPDG, bearers=(2_000_001, "bearer"))
        assert answer.fit == NOT_KNOWN
        assert counted(answer)["MG group"] == 1
        assert answer.unknown[0] == "Bearers: 2,000,001 is wanted; more than 2,000,000 was not tested."

    def test_the_lower_of_two_packet_rates_counts(self):
        answer = answer_for(EPDG, frame=240, packetRate=(2.078, "Mpps"))
        assert counted(answer)["MG groups"] == 2
        assert any("2.0 Mpps on page 14 and 2.078 Mpps on page 16" in each for each in answer.warnings)
