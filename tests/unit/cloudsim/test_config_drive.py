"""A guest reads files from its config drive, which is a file system."""

from __future__ import annotations

import base64
import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from cloudsim.guests.config_drive import drive_files, host_name
from cloudsim.guests.iso9660 import iso_image


def test_meta_data_name_the_server_and_its_metadata(sim: Any) -> None:
    server = sim.boot("PE 1_a", metadata={"slot": "A"})
    meta = json.loads(_files(sim, server)["openstack/latest/meta_data.json"])
    assert (meta["uuid"], meta["hostname"], meta["meta"]) == (server["id"], "pe-1-a", {"slot": "A"})


def test_network_data_have_macs_addresses_and_routes_of_the_ports_in_their_order(sim: Any) -> None:
    first, second = (sim.network(f"10.{place}.0.0/24", **more) for place, more in ((1, {}), (2, {"gateway_ip": None})))
    ports = [sim.port(first), sim.port(second)]
    server = sim.boot(networks=[{"port": port["id"]} for port in ports])
    data = json.loads(_files(sim, server)["openstack/latest/network_data.json"])
    assert [link["ethernet_mac_address"] for link in data["links"]] == [port["mac_address"] for port in ports]
    assert [one["ip_address"] for one in data["networks"]] == [port["fixed_ips"][0]["ip_address"] for port in ports]
    assert data["networks"][0]["routes"] == [{"network": "0.0.0.0", "netmask": "0.0.0.0", "gateway": "10.1.0.1"}]
    assert data["networks"][1]["routes"] == []


def test_user_data_are_there_as_they_were_sent(sim: Any) -> None:
    server = sim.boot(user_data=base64.b64encode(b"#cloud-config\n").decode())
    assert _files(sim, server)["openstack/latest/user_data"] == b"#cloud-config\n"


def _files(sim: Any, server: Any) -> dict[str, bytes]:
    return drive_files(sim.cloud.store, sim.cloud.store.get("server", server["id"]))


@pytest.mark.parametrize(("name", "host"), [("PE_1", "pe-1"), ("Ä!", "server"), ("-a.b-", "a.b")])
def test_host_names_follow_dns(name: str, host: str) -> None:
    assert host_name(name) == host


@pytest.mark.skipif(shutil.which("isoinfo") is None, reason="needs isoinfo (Debian: genisoimage)")
def test_another_reader_recognises_the_image_as_iso_9660(tmp_path: Path) -> None:
    image = tmp_path / "config.iso"
    image.write_bytes(iso_image("config-2", {"openstack/latest/user_data": b"x" * 5000, "openstack/content/0000": b""}))

    def isoinfo(*arguments: str) -> bytes:
        return subprocess.run(["isoinfo", *arguments, "-i", str(image)], check=True, capture_output=True).stdout

    assert b"Volume id: config-2" in isoinfo("-d")
    assert isoinfo("-x", "/OPENSTACK/LATEST/USER_DATA.;1") == b"x" * 5000
    assert isoinfo("-x", "/OPENSTACK/CONTENT/0000.;1") == b""
