"""The deployments of the seeds come out as they were built. The test names its seed."""

from dataclasses import replace

import pytest

from tests.factories.sizing import VSR_PE, answer_for, counted, row, shipped, vms
from vnfm.catalog.domain.dimensioning.dimensions import Demand
from vnfm.catalog.domain.dimensioning.sizing import dimension
from vnfm.catalog.domain.dimensioning.units import quantity

FITS, NOT_KNOWN, DOES_NOT_FIT = "FITS", "NOT_KNOWN", "DOES_NOT_FIT"
PORTS = (
    "Data path VM: it had 8 SR-IOV ports when it was measured; the flavour full-socket has 2, which was not measured."
)
ALL_SERVICES = {"services": (2250, "service"), "macs": (200_000, "MAC"), "routes": (3_400_000, "route")}


def with_eight_ports(**demand):
    """The verdict if the package's data path VM had as many ports as the measured one."""
    vnfd, figures = shipped(VSR_PE)
    host = replace(figures.hosts[0], sriov_ports=2)
    amounts = {name: quantity(*amount) for name, amount in demand.items() if isinstance(amount, tuple)}
    return dimension(vnfd, figures, Demand(amounts, demand.get("frame"), demand.get("imix", False)), host)


class TestVsrPe:
    """Seed 000: EANTC, pages 4 and 6. The rule is the lower of 57.5 Mpps a socket and the line rate of its ports."""

    @pytest.mark.parametrize(
        ("frame", "rate", "sockets"),
        [(64, 57.5, 1), (64, 57.6, 2), (78, 57.5, 1), (128, 50.9, 1), (128, 51, 2), (173, 50, 1), (64, 115, 2)],
    )
    def test_packets_of_a_socket(self, frame, rate, sockets):
        answer = answer_for(VSR_PE, frame=frame, packetRate=(rate, "Mpps"))
        assert answer.flavour == "full-socket"
        assert answer.fit == NOT_KNOWN
        assert PORTS in answer.unknown
        together = "2 Data path VMs together were not measured, only 1."
        assert (together in answer.unknown) == (sockets == 2)
        assert counted(answer)["CPU sockets for data path VMs"] == sockets
        assert vms(answer) == {"control": 2, "data-path": sockets}

    @pytest.mark.parametrize(
        ("demand", "verdict", "vms"),
        [
            ({"frame": 64, "packetRate": (57.5, "Mpps")}, FITS, 1),
            ({"frame": 64, "packetRate": (50, "Mpps"), **ALL_SERVICES}, FITS, 1),
            ({"frame": 64, "packetRate": (50.1, "Mpps"), **ALL_SERVICES}, NOT_KNOWN, 2),
            ({"frame": 64, "packetRate": (57.5, "Mpps"), **ALL_SERVICES}, NOT_KNOWN, 2),
            ({"frame": 64, "packetRate": (40, "Mpps"), "services": (2251, "service")}, NOT_KNOWN, 1),
            ({"frame": 173, "packetRate": (50, "Mpps")}, FITS, 1),
            ({"frame": 173, "packetRate": (50.5, "Mpps")}, NOT_KNOWN, 1),
            ({"frame": 173, "packetRate": (50.9, "Mpps")}, NOT_KNOWN, 1),
            ({"frame": 173, "packetRate": (51, "Mpps")}, NOT_KNOWN, 2),
            ({"frame": 173, "packetRate": (101, "Mpps")}, NOT_KNOWN, 2),
            ({"frame": 173, "packetRate": (50.5, "Mpps"), **ALL_SERVICES}, NOT_KNOWN, 2),
            ({"frame": 512, "wireRate": (80, "Gbit/s")}, FITS, 1),
            ({"frame": 512, "wireRate": (80, "Gbit/s"), **ALL_SERVICES}, NOT_KNOWN, 2),
        ],
    )
    def test_bare_figures_are_none_with_services(self, demand, verdict, vms):
        answer = with_eight_ports(**demand)
        assert (answer.fit, answer.flavour) == (verdict, "full-socket")
        assert counted(answer)["CPU sockets for data path VMs"] == vms

    @pytest.mark.parametrize("frame", [256, 512, 1518, 9000])
    def test_line_rate_from_256_bytes(self, frame):
        assert vms(answer_for(VSR_PE, frame=frame, wireRate=(80, "Gbit/s")))["data-path"] == 1
        assert vms(answer_for(VSR_PE, frame=frame, wireRate=(80.1, "Gbit/s")))["data-path"] == 2

    def test_57_and_a_half_million_packets_are_38_gigabits_on_the_wire(self):
        capacity = row(answer_for(VSR_PE, frame=64, wireRate=(1, "Gbit/s")), "wireRate").capacity
        assert float(capacity.number_in("Gbit/s")) == pytest.approx(38.64)

    def test_the_mix_with_all_services(self):
        answer = answer_for(
            VSR_PE,
            imix=True,
            throughput=(79.5, "Gbit/s"),
            services=(2250, "service"),
            macs=(200_000, "MAC"),
            flows=(2_000_000, "flow"),
            routes=(3_400_000, "route"),
        )
        assert (answer.fit, answer.flavour) == (NOT_KNOWN, "full-socket")
        assert answer.unknown[0] == PORTS
        assert (vms(answer), answer.level) == ({"control": 2, "data-path": 1}, "default")

    def test_between_three_and_six_million_routes_the_report_contradicts_itself(self):
        answer = answer_for(VSR_PE, routes=(6_000_000, "route"))
        assert answer.fit == NOT_KNOWN
        assert answer.unknown[0] == "Routes: 6,000,000 is wanted; more than 3,400,000 was not tested."
        assert any("5 million iBGP routes" in each for each in answer.warnings)

    def test_without_a_frame_size_nothing_is_guessed(self):
        answer = answer_for(VSR_PE, throughput=(10, "Gbit/s"))
        assert answer.fit == NOT_KNOWN
        assert answer.unknown[0] == "Throughput: depends on the frame size; say it, or say that it is a mix."

    def test_more_than_twenty_sockets_are_too_many(self):
        assert answer_for(VSR_PE, frame=64, packetRate=(1150, "Mpps")).fit == NOT_KNOWN
        assert answer_for(VSR_PE, frame=64, packetRate=(1151, "Mpps")).fit == DOES_NOT_FIT
