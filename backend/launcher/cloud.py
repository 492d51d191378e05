"""The choice of the cloud of an instance: the simulated one, or one of the user's clouds.yaml."""

import json
import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from launcher.errors import LaunchError

SIMULATED = "cloudsim"
_LIST_CLOUDS = (
    "import json, sys, yaml; document = yaml.safe_load(open(sys.argv[1])); "
    "print(json.dumps(sorted(document['clouds'])))"
)


@dataclass(frozen=True)
class Cloud:
    clouds_yaml: Path
    name: str
    simulated: bool


BACKEND = Path(__file__).resolve().parent.parent


def choose_cloud(wanted: str | None, simulated_yaml: Path, python: Path, env: Mapping[str, str]) -> Cloud:
    """Return the cloud of --cloud or $OS_CLOUD in $OS_CLIENT_CONFIG_FILE (or OpenStack's usual places), else cloudsim.

    `python` must have the product's packages. Raises LaunchError if the file or the name does not exist, or if the
    entry cannot be used.
    """
    named_file = env.get("OS_CLIENT_CONFIG_FILE")
    if (not named_file and not wanted) or (not named_file and wanted == SIMULATED):
        return Cloud(simulated_yaml, SIMULATED, simulated=True)
    file = Path(named_file).expanduser().absolute() if named_file else find_clouds_yaml(env)
    known = cloud_names(file, python)
    name = wanted or env.get("OS_CLOUD") or (known[0] if len(known) == 1 else None)
    listed = ", ".join(known) or "none"
    if name is None:
        raise LaunchError(f"{file} has several clouds ({listed}): choose one with --cloud NAME.")
    if name not in known:
        raise LaunchError(f"{file} does not have a cloud {name!r}: choose one of {listed}.")
    _check_entry(file, name, python)
    return Cloud(file, name, simulated=False)


def _check_entry(file: Path, name: str, python: Path) -> None:
    command = [str(python), "-m", "vnfm.vims.clouds_file", str(file), name]
    answer = subprocess.run(command, cwd=BACKEND, capture_output=True, text=True, check=False)
    if answer.returncode:
        lines = answer.stderr.strip().splitlines() or ["The entry cannot be read."]
        raise LaunchError(f"{file}: {lines[-1]}")


def find_clouds_yaml(env: Mapping[str, str]) -> Path:
    """Return the first clouds.yaml in the places where OpenStack's own clients look. Raises LaunchError."""
    settings = Path(env.get("XDG_CONFIG_HOME") or Path(env.get("HOME", "/")) / ".config")
    places = [Path.cwd(), settings / "openstack", Path("/etc/openstack")]
    for place in places:
        if (file := place / "clouds.yaml").is_file():
            return file
    looked = ", ".join(map(str, places))
    raise LaunchError(f"No clouds.yaml in {looked}: name one in OS_CLIENT_CONFIG_FILE.")


def cloud_names(file: Path, python: Path) -> list[str]:
    if not os.access(file, os.R_OK):
        raise LaunchError(f"OS_CLIENT_CONFIG_FILE names {file}, which cannot be read: correct it.")
    answer = subprocess.run([python, "-c", _LIST_CLOUDS, file], capture_output=True, text=True, check=False)
    if answer.returncode:
        raise LaunchError(f"{file} is not a clouds.yaml: it needs a mapping `clouds`.")
    names: list[str] = json.loads(answer.stdout)
    return names
