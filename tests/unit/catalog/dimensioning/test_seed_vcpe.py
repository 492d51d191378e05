"""The deployments of the seeds come out as they were built. The test names its seed."""

import pytest

from tests.factories.sizing import VCPE, answer_for, result, row, vms

FITS, NOT_KNOWN, DOES_NOT_FIT = "FITS", "NOT_KNOWN", "DOES_NOT_FIT"

CHAIN = {
    64: ((1.52, 124), (0.69, 1056), (0.36, 593)),
    128: ((1.73, 143), (1.18, 931), (0.63, 704)),
    256: ((1.86, 118), (1.86, 509), (1.17, 816)),
    512: ((1.92, 174), (1.92, 359), (1.87, 1397)),
    1024: ((1.96, 124), (1.96, 399), (1.96, 630)),
    1280: ((1.97, 120), (1.97, 458), (1.97, 825)),
    1518: ((1.97, 125), (1.97, 476), (1.97, 792)),
}


class TestVcpe:
    """Seed 002: Network Test, table 1."""

    @pytest.mark.parametrize("frame", CHAIN)
    @pytest.mark.parametrize("routers", [0, 1, 2])
    def test_every_cell_of_the_table(self, frame, routers):
        throughput, latency = CHAIN[frame][routers]
        answer = answer_for(VCPE, frame=frame, vrouters=(routers, "vRouter"), throughput=(throughput, "Gbit/s"))
        assert answer.fit == FITS
        assert float(row(answer, "throughput").capacity.number_in("Gbit/s")) == throughput
        assert result(answer, "Maximum latency") == (latency, "us")
        assert vms(answer) == {"ece": 1, "router": routers}
        too_much = answer_for(
            VCPE, frame=frame, vrouters=(routers, "vRouter"), throughput=(throughput + 0.01, "Gbit/s")
        )
        assert too_much.fit == DOES_NOT_FIT

    @pytest.mark.parametrize(("routers", "throughput", "latency"), [(0, 1.9, 143), (1, 1.9, 418), (2, 1.52, 1501)])
    def test_the_mix(self, routers, throughput, latency):
        answer = answer_for(VCPE, imix=True, vrouters=(routers, "vRouter"), throughput=(throughput, "Gbit/s"))
        assert (answer.fit, result(answer, "Maximum latency")) == (FITS, (latency, "us"))

    def test_latency_is_never_interpolated(self):
        answer = answer_for(VCPE, frame=300, vrouters=(2, "vRouter"), throughput=(1, "Gbit/s"))
        assert result(answer, "Maximum latency") is None
        assert float(row(answer, "throughput").capacity.number_in("Gbit/s")) == 1.17
        assert "300 bytes were not measured" in row(answer, "throughput").note

    @pytest.mark.parametrize(
        ("routers", "cores", "level"), [(0, 1, "ece-only"), (1, 3, "default"), (2, 5, "two-routers")]
    )
    def test_cores_of_the_chain(self, routers, cores, level):
        answer = answer_for(VCPE, frame=1518, vrouters=(routers, "vRouter"), throughput=(1, "Gbit/s"))
        assert sum(each.vms * each.cores_each for each in answer.vdus) == cores
        assert (answer.level, answer.level_is_exact) == (level, True)

    def test_the_length_of_the_chain_is_required(self):
        assert answer_for(VCPE, frame=64, throughput=(0.1, "Gbit/s")).fit == NOT_KNOWN

    def test_three_routers_are_more_than_was_built(self):
        assert answer_for(VCPE, frame=64, vrouters=(3, "vRouter")).fit == DOES_NOT_FIT
