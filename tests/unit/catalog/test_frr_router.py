"""The FRR router's first configuration: the same for its own image and for a plain Debian."""

from typing import Any

import yaml

from tests.factories.packages import ROOT

PRODUCT = ROOT / "catalog" / "open" / "frr-router"
FILES = PRODUCT / "image" / "files"


def user_data(name: str) -> Any:
    text = (PRODUCT / "8.4.4" / "day0" / f"{name}.txt").read_text()
    assert text.startswith("#cloud-config\n")
    return yaml.safe_load(text)


def test_a_plain_debian_gets_the_files_of_the_image() -> None:
    written = {entry["path"]: entry for entry in user_data("debian")["write_files"]}
    for path, entry in written.items():
        if not path.endswith("day0.conf"):
            assert entry["content"] == (FILES / path.removeprefix("/")).read_text(), path
            assert entry["defer"], "its owner comes with the packages"
    needed = {"/etc/frr/daemons", "/etc/frr/frr.conf", "/etc/snmp/snmpd.conf", "/etc/default/lldpd"}
    assert needed | {"/etc/systemd/system/frr-mibs.service", "/usr/libexec/frr-mibs"} < written.keys()


def test_debian_installs_the_packages_of_the_image() -> None:
    image = set((PRODUCT / "image" / "packages.txt").read_text().splitlines())
    assert set(user_data("debian")["packages"]) < image
    assert "packages" not in user_data("image"), "its management network may have no way to an archive"


def test_both_make_the_same_user() -> None:
    assert user_data("image")["users"] == user_data("debian")["users"]
    (user,) = user_data("image")["users"]
    assert user["hashed_passwd"] == "$password", "no secret is in the package"
