"""`vnfm test`: every check of the project, the tests last."""

import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from launcher import frontend
from launcher.console import Console
from launcher.keys import kept, token
from launcher.layout import Checkout
from launcher.toolchain import ensure_python
from launcher.tools import ToolError

LOCK = "dev"
_Checks = dict[str, tuple[str, ...]]
_PYTHON_CHECKS: _Checks = {
    "ruff check": ("ruff", "check", "."),
    "ruff format": ("ruff", "format", "--check", "."),
    "mypy": ("mypy", "backend"),
    "import contracts": ("lint-imports",),
}
_FRONTEND_CHECKS: _Checks = {
    f"npm run {script}": ("npm", "run", "--silent", script) for script in ("lint", "format:check", "typecheck", "test")
}


def test(checkout: Checkout, arguments: Sequence[str], console: Console) -> int:
    """With arguments pytest alone, else all; 0 only if everything passed. pytest's summary is the end of the output."""
    checkout.prepare()
    ensure_python(checkout, LOCK, console)
    failed = _build_pages(checkout, console) if needs_pages(arguments) else []
    env = frontend.npm_environment(checkout, LOCK)
    if not arguments:
        failed += _run_checks(checkout, env | _for_checks(checkout), console)
    python = checkout.python(LOCK)
    code = _wait(subprocess.Popen([python, "-m", "pytest", *arguments], cwd=checkout.root, env=env))
    if failed:
        console.say(f"Before the tests these failed: {', '.join(failed)}.")
    return code or bool(failed)


def _build_pages(checkout: Checkout, console: Console) -> list[str]:
    try:
        frontend.ensure_pages(checkout, LOCK, console, for_checks=True)
    except ToolError as error:  # the other checks still have something to say
        console.say(str(error))
        return ["web pages"]
    return []


def _wait(process: subprocess.Popen[bytes]) -> int:
    """Ctrl-C reaches pytest as well, which then ends in its own way, with a summary."""
    while True:
        try:
            return process.wait()
        except KeyboardInterrupt:
            continue


def _for_checks(checkout: Checkout) -> dict[str, str]:
    """Import contracts need the packages on the path; mypy's Django plugin loads the settings, which want a secret."""
    secret = checkout.shared / "check-secret"
    kept(secret, token)
    return {"PYTHONPATH": str(checkout.backend), "VNFM_SECRET_KEY_FILE": str(secret)}


def needs_pages(arguments: Sequence[str]) -> bool:
    """Browser tests need the built pages; whoever names other tests only need not wait for them."""
    named = [argument for argument in arguments if argument.startswith("tests/")]
    return not named or any("browser" in argument for argument in named)


def _run_checks(checkout: Checkout, env: Mapping[str, str], console: Console) -> list[str]:
    places: dict[Path, _Checks] = {checkout.root: _PYTHON_CHECKS}
    if frontend.exists(checkout):
        frontend.ensure_modules(checkout, LOCK, console, for_checks=True)
        places[checkout.frontend] = _FRONTEND_CHECKS
    return [
        title
        for folder, checks in places.items()
        for title, command in checks.items()
        if not _passes(title, command, folder, env, console)
    ]


def _passes(title: str, command: Sequence[str], folder: Path, env: Mapping[str, str], console: Console) -> bool:
    """Quiet when it passes, with everything the tool said when not."""
    program = Path(env["PATH"].split(os.pathsep)[0]) / command[0]
    try:
        with console.step(title):
            subprocess.run(
                [program, *command[1:]],
                cwd=folder,
                env=env,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                check=True,
            )
    except subprocess.CalledProcessError as failure:
        console.say(failure.stdout)
        return False
    return True
