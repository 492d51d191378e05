"""Parts of the Debian package that need no build: tests/containers installs it."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from launcher.layout import PACKAGED, Checkout
from launcher.options import parser
from tools.deb import BUILD_ONLY, CONTROL, DEBIAN, all_pythons, requirements

BACKEND = Path(__file__).parents[3] / "backend"
LOCK = (BACKEND / "requirements" / "build.lock").read_text()
EXPOSURE = 20
"""Tenths of systemd's points, 10 being no protection; OK is below 5."""


def _names(lock: str) -> list[str]:
    return re.findall(r"^(\S+?)==", lock, re.MULTILINE)


def test_the_package_has_the_products_programs_and_no_node() -> None:
    left_out = {name for name in _names(LOCK) if name.startswith(BUILD_ONLY)}
    assert left_out
    assert set(_names(requirements(LOCK))) == set(_names(LOCK)) - left_out


def test_wheels_are_fetched_for_every_patch_release_of_python() -> None:
    assert "async-timeout==5.0.1 \\\n" in all_pythons("async-timeout==5.0.1 ; python_full_version < '3.11.3' \\\n")
    assert "sys_platform == 'win32'" in all_pythons("tzdata==1 ; sys_platform == 'win32' \\\n")


def test_a_package_is_complete_and_keeps_its_data_elsewhere(tmp_path: Path) -> None:
    (tmp_path / PACKAGED).touch()
    checkout = Checkout(tmp_path)
    assert checkout.python("build") == tmp_path / "venv" / "bin" / "python"
    assert checkout.default_state == Path("/var/lib/vnfm")
    checkout.prepare()
    assert [path.name for path in tmp_path.iterdir()] == [PACKAGED]


def test_the_settings_name_flags_that_up_has() -> None:
    flags = re.findall(r"^#?VNFM_UP_OPTIONS=(.*)$", (DEBIAN / "vnfm.env").read_text(), re.MULTILINE)
    assert len(flags) == 2
    for words in flags:
        assert parser(Checkout(BACKEND.parent)).parse_args(["up", *words.split()]).port


def test_a_reload_hands_over_and_never_stops() -> None:
    reload = re.search(r"^ExecReload=/opt/vnfm/vnfm (.*)$", (DEBIAN / "vnfm.service").read_text(), re.MULTILINE)
    assert reload is not None
    words = reload[1].replace("$VNFM_UP_OPTIONS", "--port 8080").split()
    options = parser(Checkout(BACKEND.parent)).parse_args(words)
    assert (options.command, options.serving, options.port) == ("upgrade", True, 8080)


def test_the_scripts_are_shell() -> None:
    for name in ("postinst", "prerm", "postrm", "vnfm"):
        subprocess.run(["sh", "-n", DEBIAN / name], check=True)
    assert {"version", "architecture", "python", "next_python"} == set(re.findall(r"\{(\w+)\}", CONTROL))


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="needs systemd-analyze")
def test_systemd_finds_the_unit_correct_and_tight(tmp_path: Path) -> None:
    unit = tmp_path / "vnfm.service"
    unit.write_text((DEBIAN / "vnfm.service").read_text().replace("/opt/vnfm/vnfm", shutil.which("true") or ""))
    verified = subprocess.run(["systemd-analyze", "verify", unit], capture_output=True, text=True, check=False)
    assert (verified.returncode, verified.stderr) == (0, "")
    command = ("systemd-analyze", "security", "--offline=true", f"--threshold={EXPOSURE}", unit)
    judged = subprocess.run(command, capture_output=True, text=True, check=False)
    assert judged.returncode == 0, judged.stdout[-500:]
