"""`vnfm test`: every check of the project, the tests last."""

import json
import os
import subprocess
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from launcher import frontend
from launcher.console import Console
from launcher.keys import kept, token
from launcher.layout import Checkout
from launcher.toolchain import ensure_python
from launcher.tools import ToolError

LOCK = "dev"
_AT_ONCE = 2
_SIDE_BY_SIDE = ("-n", "3", "--dist", "loadfile", "--no-loadscope-reorder")
"""How the whole suite runs, on two cores: one has the tests on a real cloud, which mostly wait for it. Each has servers
of its own; tests/xdist_groups.py says what stays together."""
_TESTS_FAILED = 1
"""pytest's exit code; the others say that it could not go on."""
_FEW = 8
"""Files with failures that are worth another run; more of them are no accident."""

_Checks = dict[str, tuple[str, ...]]
_PYTHON_CHECKS: _Checks = {
    "mypy": ("mypy", "backend"),
    "ruff check": ("ruff", "check", "."),
    "ruff format": ("ruff", "format", "--check", "."),
    "import contracts": ("lint-imports",),
}
_SCRIPTS = ("test", "lint", "typecheck", "format:check")
_FRONTEND_CHECKS: _Checks = {f"npm run {script}": ("npm", "run", "--silent", script) for script in _SCRIPTS}


def test(checkout: Checkout, arguments: Sequence[str], console: Console) -> int:
    """With arguments pytest alone, else all; 0 only if everything passed. pytest's summary is the end of the output."""
    checkout.prepare()
    ensure_python(checkout, LOCK, console)
    failed = _build_pages(checkout, console) if needs_pages(arguments) else []
    env = checkout.compiled_once(frontend.npm_environment(checkout, LOCK))
    if not arguments:
        failed += _run_checks(checkout, env | _for_checks(checkout), console)
    code = _run_tests(checkout, env, list(arguments), console)
    if failed:
        console.say(f"Before the tests these failed: {', '.join(failed)}.")
    return code or bool(failed)


def _run_tests(checkout: Checkout, env: Mapping[str, str], arguments: list[str], console: Console) -> int:
    """The whole suite's few failures run again with nothing beside them, and both results are told: a machine that was
    too busy is not a fault of the product, but nobody mends what nobody hears of.
    """

    def pytest(words: Sequence[str]) -> int:
        return _wait(subprocess.Popen([str(checkout.python(LOCK)), "-m", "pytest", *words], cwd=checkout.root, env=env))

    code = pytest(arguments or _SIDE_BY_SIDE)
    again = failed_files(checkout) if code == _TESTS_FAILED and not arguments else []
    if not 0 < len(again) <= _FEW:
        return code
    console.say(f"Failed side by side, and once more with nothing beside them: {', '.join(again)}")
    code = pytest(again)
    console.say(f"Failed side by side and {'failed again' if code else 'PASSED'} alone: {', '.join(again)}")
    return code


def failed_files(checkout: Checkout) -> list[str]:
    """The files of the tests that failed in pytest's last run, from its cache; a scene is whole only as a file."""
    cache = checkout.root / ".pytest_cache" / "v" / "cache" / "lastfailed"
    failed: dict[str, bool] = json.loads(cache.read_text()) if cache.exists() else {}
    files = {test.partition("::")[0] for test in failed}
    return sorted(file for file in files if (checkout.root / file).exists())  # it remembers those of other branches


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
    """Side by side, the long ones first; the titles of those that failed."""
    places: dict[Path, _Checks] = {}
    if frontend.exists(checkout):
        frontend.ensure_modules(checkout, LOCK, console, for_checks=True)
        places[checkout.frontend] = _FRONTEND_CHECKS
    places[checkout.root] = _PYTHON_CHECKS
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        passing = {
            title: pool.submit(_passes, title, command, folder, env, console)
            for folder, checks in places.items()
            for title, command in checks.items()
        }
        try:
            return [title for title, check in passing.items() if not check.result()]
        except BaseException:  # Ctrl-C ends those that run; the others need not begin
            pool.shutdown(cancel_futures=True)
            raise


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
