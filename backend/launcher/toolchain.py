"""Installs the Python environments from hashed lock files, by uv, or by pip if uv is not available."""

import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from launcher.console import Console
from launcher.errors import DISK_FULL, WRONG_HASH, LaunchError
from launcher.layout import Checkout
from launcher.steps import ensure, exclusive, fingerprint, is_done
from launcher.tools import ToolError, run_tool

NEEDED_BYTES = 1_500_000_000  # environment, Node's modules and caches of a first installation, measured and rounded up


def ensure_python(checkout: Checkout, lock: str, console: Console) -> None:
    """Update the virtual environment of a lock file (`build` or `dev`); that of a packaged tree is complete."""
    if checkout.packaged:
        return
    key = fingerprint(checkout.root, [checkout.lock_file(lock)], str(checkout.root))
    stamp = checkout.stamps / f"venv-{lock}"
    if is_done(stamp, key, checkout.python(lock)):
        return
    waiting = "Another ./vnfm of this checkout is installing: waiting for it."
    with exclusive(checkout.shared / f"venv-{lock}.lock", lambda: console.say(waiting)):
        if is_done(stamp, key, checkout.python(lock)):
            return
        _check_space(checkout)
        with console.step(f"Python packages ({lock}.lock)"):
            ensure(stamp, key, checkout.python(lock), lambda: _install(checkout, lock))


def _check_space(checkout: Checkout) -> None:
    free = shutil.disk_usage(checkout.shared).free
    if free < NEEDED_BYTES:
        raise LaunchError(
            f"{checkout.shared} has {free / 1e9:.1f} GB left, and a first installation needs "
            f"{NEEDED_BYTES / 1e9:.1f} GB: free some space."
        )


def _install(checkout: Checkout, lock: str) -> None:
    """Install by uv; by pip, ten times slower, if uv does not exist for this machine or cannot reach the index."""
    try:
        uv = _uv(checkout)
    except ToolError as failure:
        if failure.cause:
            raise
        _install_with_pip(checkout, lock)
        return
    try:
        _install_with_uv(checkout, lock, uv)
    except ToolError as failure:
        if failure.cause in (DISK_FULL, WRONG_HASH):
            raise
        _install_with_pip(checkout, lock)


def _uv(checkout: Checkout) -> Path:
    """Return the locked uv, installed in its own environment and never in the product's."""
    tools = checkout.shared / "venv-installer"
    uv = tools / "bin" / "uv"
    requirements = checkout.lock_file("installer")
    key = fingerprint(checkout.root, [requirements], str(checkout.root))
    pip: list[str | Path] = [
        tools / "bin" / "python",
        "-m",
        "pip",
        "install",
        "--quiet",
        "--retries",
        "1",
        "--disable-pip-version-check",
    ]

    def install() -> None:
        _make_venv(checkout, tools, "installer-venv")
        _run(checkout, "pip", [*pip, "--require-hashes", "--only-binary", ":all:", "-r", requirements], "installer-pip")

    with exclusive(checkout.shared / "installer.lock", lambda: None):
        ensure(checkout.stamps / "installer", key, uv, install)
    return uv


def installer_pip(checkout: Checkout) -> list[str]:
    """Return the command of a pip outside of the product's environments, which have none."""
    return [str(_uv(checkout).with_name("python")), "-m", "pip", "--disable-pip-version-check"]


def _install_with_uv(checkout: Checkout, lock: str, uv: Path) -> None:
    venv, python = checkout.venv(lock), checkout.python(lock)
    if not python.exists():
        arguments: list[str | Path] = [
            "venv",
            "--quiet",
            "--clear",
            "--no-python-downloads",
            "--python",
            sys.executable,
            venv,
        ]
        _run(checkout, "uv", [uv, *arguments], f"{lock}-venv")
    flags: list[str | Path] = ["--quiet", "--require-hashes", "--python", python]
    _run(checkout, "uv", [uv, "pip", "sync", *flags, checkout.lock_file(lock)], f"{lock}-uv")


def _install_with_pip(checkout: Checkout, lock: str) -> None:
    _make_venv(checkout, checkout.venv(lock), f"{lock}-venv")
    flags = ["--quiet", "--disable-pip-version-check", "--require-hashes", "--no-deps"]
    _run(
        checkout,
        "pip",
        [checkout.python(lock), "-m", "pip", "install", *flags, "-r", checkout.lock_file(lock)],
        f"{lock}-pip",
    )


def _make_venv(checkout: Checkout, venv: Path, log: str) -> None:
    _run(checkout, "venv", [sys.executable, "-m", "venv", "--clear", venv], log)


def _run(checkout: Checkout, title: str, argv: Sequence[str | Path], log: str) -> None:
    run_tool(title, argv, log=checkout.logs / f"{log}.log", cwd=checkout.root, env=installer_environment())


def installer_environment() -> dict[str, str]:
    """Return the user's environment, with pip's index also for uv, without variables that change Python's paths."""
    bending = ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV")
    env = {name: value for name, value in os.environ.items() if name not in bending}
    if "PIP_INDEX_URL" in env:
        env.setdefault("UV_DEFAULT_INDEX", env["PIP_INDEX_URL"])
    return env
