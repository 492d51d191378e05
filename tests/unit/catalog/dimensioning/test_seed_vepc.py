"""The deployments of the seeds come out as they were built. The test names its seed."""

from tests.factories.sizing import VEPC, answer_for, counted, row, vms

FITS, NOT_KNOWN = "FITS", "NOT_KNOWN"


class TestVepc:
    """Seed 001: Netronome, pages 6 and 7."""

    def test_twenty_two_vms_on_a_server_with_offload(self):
        answer = answer_for(VEPC, "agilio", frame=128, packetRate=(13, "Mpps"))
        assert answer.fit == FITS
        assert vms(answer)["sgw-pgw"] == 22
        assert counted(answer)["Servers for SGW-PGW VMs"] == 1
        assert (answer.flavour, answer.level, answer.level_is_exact) == ("sriov-offload", "server", True)
        assert any("24.2 cores, and the server has 24" in each for each in answer.warnings)

    def test_seven_without(self):
        answer = answer_for(VEPC, "virtio", frame=128, packetRate=(2.5, "Mpps"))
        assert answer.fit == FITS
        assert vms(answer)["sgw-pgw"] == 7
        assert counted(answer)["Servers for SGW-PGW VMs"] == 1
        assert (answer.flavour, answer.level) == ("virtio", "server")
        cores = next(each.cores_each for each in answer.vdus if each.vdu == "sgw-pgw")
        assert 7 * cores <= 24 < 8 * cores

    def test_five_times_the_bandwidth_is_beyond_virtio_on_one_server(self):
        answer = answer_for(VEPC, "virtio", frame=128, packetRate=(5, "Mpps"))
        assert vms(answer)["sgw-pgw"] == 14
        assert counted(answer)["Servers for SGW-PGW VMs"] == 2

    def test_a_share_of_the_peak_is_marked(self):
        assert (
            "An equal share of what 22 carried"
            in row(answer_for(VEPC, "agilio", frame=128, packetRate=(1, "Mpps")), "packetRate").note
        )

    def test_a_frame_size_that_was_not_measured_is_marked(self):
        note = row(answer_for(VEPC, "virtio", frame=512, packetRate=(0.5, "Mpps")), "packetRate").note
        assert "512 bytes were not measured: taken from 128 bytes" in note

    def test_sessions_are_not_known(self):
        answer = answer_for(VEPC, "agilio", sessions=(1, "session"))
        assert answer.fit == NOT_KNOWN
        assert "Sessions: this package has no figures for it." in answer.unknown
