"""Makes the backup of a release from a short-lived installation with a VNF, its history, routers and alarms.

The backup stays in the repository, so it is kept small: packages without a VNF instance are deleted first.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from demo.api import Api
from launcher.ports import free_port

PASSPHRASE = "correct horse battery staple"  # noqa: S105 - seals the keys of an installation that is gone
_OURS = ("VNFM_", "DATABASE_URL", "REDIS_URL", "OS_CLIENT_CONFIG_FILE", "DJANGO_")
"""Prefixes of variables that a test environment sets and a user's environment does not."""


def make_backup(root: Path, target: Path) -> None:
    """Start the checkout, run the demo there, and write the backup to `target`."""
    env = {name: value for name, value in os.environ.items() if not name.startswith(_OURS)}
    with tempfile.TemporaryDirectory(prefix="vnfm-release-") as folder:
        state, passphrase, url = Path(folder) / "state", Path(folder) / "passphrase", f"http://127.0.0.1:{free_port()}"
        passphrase.write_text(PASSPHRASE)
        try:
            _vnfm(root, env, "up", state, "--detach", "--port", url.rpartition(":")[2])
            _vnfm(root, env, "demo", state, "--keep")
            remove_unused_packages(Api(url, _vnfm(root, env, "token", state).strip()))
            _vnfm(root, env, "backup", state, str(target), "--passphrase-file", str(passphrase))
        finally:
            # check=False: an error here would hide the first one.
            subprocess.run(_command_line(root, "down", state), env=env, stdout=subprocess.DEVNULL, check=False)  # noqa: S603


def remove_unused_packages(api: Api) -> None:
    """Disable and delete each package that no VNF instance uses."""
    used = {instance["vnfdId"] for instance in api.pages("/vnflcm/v2/vnf_instances")}
    for package in api.pages("/vnfpkgm/v1/vnf_packages"):
        if package.get("vnfdId") not in used:
            path = f"/vnfpkgm/v1/vnf_packages/{package['id']}"
            api.patch(path, {"operationalState": "DISABLED"})
            api.delete(path)


def _command_line(root: Path, command: str, state: Path, *arguments: str) -> list[str]:
    return [sys.executable, str(root / "vnfm"), command, "--state-dir", str(state), *arguments]


def _vnfm(root: Path, env: Mapping[str, str], command: str, state: Path, *arguments: str) -> str:
    command_line = _command_line(root, command, state, *arguments)
    done = subprocess.run(command_line, env=env, stdout=subprocess.PIPE, text=True, check=False)  # noqa: S603 - our own program
    if done.returncode:
        raise RuntimeError(f"./vnfm {command} failed:\n{done.stdout}")
    return done.stdout
