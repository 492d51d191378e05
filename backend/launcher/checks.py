"""`vnfm test`: all checks of the project and its tests; with `--all` also the slow tests (`tests.support.timings`)."""

import io
import json
import os
import subprocess
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from launcher import frontend
from launcher.console import Console
from launcher.keys import read_or_create, token
from launcher.layout import Checkout
from launcher.toolchain import ensure_python
from launcher.tools import ToolError

LOCK = "dev"
_AT_ONCE = 3
"""Checks that run at once, more than processors: component tests wait for timers half of the time."""
_BY_FILE = ("--dist", "loadfile", "--no-loadscope-reorder")
PARALLEL = ("-n", "4", *_BY_FILE)
"""pytest's options for the whole suite on two cores. Of four workers one runs the tests on a real cloud and two those
in a browser, which mostly wait. Each has its own servers; tests/support/xdist_groups.py defines which tests share a
worker."""
_TESTS_FAILED, _INTERRUPTED = 1, 2
"""pytest's exit codes; all others mean that it could not run the tests."""
_FEW = 8
"""The most files with failures that are run again; more failures have a common cause."""

Checks = dict[str, tuple[str, ...]]
"""Commands by title."""
_Places = Mapping[Path, Checks]
"""Checks by the folder that they run in."""
_PYTHON_CHECKS: Checks = {
    "mypy": ("mypy", "backend"),
    "ruff check": ("ruff", "check", "."),
    "ruff format": ("ruff", "format", "--check", "."),
    "import contracts": ("lint-imports",),
}
_COLLECTION: Checks = {"collection of the tests": ("python", "-m", "pytest", "--collect-only", "-qq")}
"""The check that also compiles the tests once, so that the suite's workers do not all do so at the same time."""
_RETRIED = "(retry x"
"""Vitest's mark of a test that passed at its second attempt, as may happen on a busy machine."""
_SCRIPTS = ("lint", "typecheck", "format:check")
_SHARES = tuple(f"--shard={share}/{_AT_ONCE}" for share in range(1, _AT_ONCE + 1))
_FRONTEND_CHECKS: Checks = {
    f"npm run test {share}": ("npm", "run", "--silent", "test", "--", "--retry=1", share) for share in _SHARES
} | {f"npm run {script}": ("npm", "run", "--silent", script) for script in _SCRIPTS}
"""The component tests take longer than all other checks together, so they are divided between the processes."""
ALL, TIMINGS = "--all", "--timings"
"""The flags that run slow tests as well, and that also write tests/timings.json."""
_QUICK = ("-m", "not bench and not chaos and not long and not containers and (not slow or essential)")
"""Replaces pyproject.toml's own selection, which includes slow tests."""
_ALONE_SECONDS = 15.0
"""Seconds of tests below which the start of workers and their databases would take longer than it saves."""


def read_timings(checkout: Checkout) -> dict[str, float]:
    """Return the seconds of each test file."""
    seconds: dict[str, float] = json.loads((checkout.root / "tests" / "timings.json").read_text())
    return {name: value for name, value in seconds.items() if "::" not in name}


def side_by_side(arguments: Sequence[str], seconds: Mapping[str, float]) -> tuple[str, ...]:
    """Return pytest's options to run long named files or folders on two workers; none if the user gives options."""
    if any(argument.startswith("-") for argument in arguments):
        return ()
    total = sum(time for file, time in seconds.items() if file.startswith(tuple(arguments)))
    return ("-n", "2", *_BY_FILE) if total > _ALONE_SECONDS else ()


def nearest_component_tests(files: Sequence[str], tests: Sequence[str]) -> list[str]:
    """Return the component tests with a changed file's name, else those in its folder and below.

    Vitest's own selection follows imports, by which nearly every page needs every component: five minutes of tests.
    """
    found: set[str] = set()
    for file in map(PurePosixPath, files):
        own = {test for test in tests if test.startswith(f"{file.parent / file.name.partition('.')[0]}.test.")}
        found |= own or {test for test in tests if file.parent in PurePosixPath(test).parents}
    return sorted(found)


def frontend_changed(files: Sequence[str], tests: Sequence[str]) -> Checks:
    """Return the checks for these files of frontend/: style, types, and the nearest component tests."""
    run, execute = ("npm", "run", "--silent"), ("npm", "exec", "--silent", "--")
    names = [name.removeprefix("frontend/") for name in files]
    code = [name for name in names if name.endswith((".ts", ".tsx", ".js"))]
    checks: Checks = {"tsc": (*run, "typecheck")}
    if nearest := nearest_component_tests([name for name in code if name.startswith("src/")], tests):
        checks["component tests"] = (*run, "test", "--", *nearest)
    if code:
        checks["eslint"] = (*execute, "eslint", "--max-warnings", "0", "--no-warn-ignored", *code)
    if names:
        checks["prettier"] = (*run, "format:check")  # on all files: its cache has those that passed
    return checks


def python_changed(files: Sequence[str]) -> Checks:
    """Return all checks of Python code; none if no Python file changed."""
    return _PYTHON_CHECKS if any(name.endswith(".py") or name == "vnfm" for name in files) else {}


_LEAST_RIGHT = 19
"""The kernel's highest niceness."""


def test(checkout: Checkout, arguments: Sequence[str], console: Console) -> int:
    """Run pytest alone if there are arguments, else all checks too; return 0 only if everything passed.

    pytest's summary is the end of the output.
    """
    whole = not set(arguments) - {ALL, TIMINGS}
    checkout.prepare()
    ensure_python(checkout, LOCK, console)
    failed = _build_pages(checkout, console) if needs_pages(arguments) else []
    env = checkout.compiled_once(frontend.npm_environment(checkout, LOCK))
    if not whole:
        code = pytest(checkout, env, [*side_by_side(arguments, read_timings(checkout)), *arguments])
    else:
        scripts = _FRONTEND_CHECKS if frontend.exists(checkout) else {}
        if scripts:
            frontend.ensure_modules(checkout, LOCK, console, for_checks=True)
        # Not beside the tests: component tests wait at most ten seconds, which is too short while pytest is running.
        places = {checkout.frontend: scripts, checkout.root: _PYTHON_CHECKS | _COLLECTION}
        failed += _run_checks(places, {**env, **for_checks(checkout)}, console, Background(niceness=0))
        code = _run_suite(checkout, env, suite_options(arguments), console)
    if failed:
        console.say(f"These checks failed: {', '.join(failed)}.")
    return code or bool(failed)


def with_checks(
    checkout: Checkout, env: Mapping[str, str], console: Console, places: _Places, run_tests: Callable[[], int]
) -> tuple[int, list[str]]:
    """Return pytest's exit code and the titles of the checks that failed.

    The checks run with a lower priority beside the tests, which do not always use both cores; their output follows
    pytest's.
    """
    if places.get(checkout.frontend):
        frontend.ensure_modules(checkout, LOCK, console, for_checks=True)  # before the tests, which use them
    said, background, env_of_checks = io.StringIO(), Background(), {**env, **for_checks(checkout)}
    with ThreadPoolExecutor(1) as pool:
        checks = pool.submit(_run_checks, places, env_of_checks, Console(said), background)
        code = run_tests()
        if code == _INTERRUPTED:
            background.stop.set()
        failed = checks.result()
    if said.getvalue():
        console.say(said.getvalue().rstrip())
    return code, failed


def pytest(checkout: Checkout, env: Mapping[str, str], arguments: Sequence[str]) -> int:
    """Run pytest and return its exit code."""
    command = [str(checkout.python(LOCK)), "-m", "pytest", *arguments]
    return _wait(subprocess.Popen(command, cwd=checkout.root, env=env))


def suite_options(arguments: Sequence[str]) -> list[str]:
    """Return pytest's options for the whole suite, from ALL and TIMINGS."""
    stored = ["--store-timings"] if TIMINGS in arguments else []
    return stored if set(arguments) & {ALL, TIMINGS} else [*_QUICK]


def _run_suite(checkout: Checkout, env: Mapping[str, str], options: list[str], console: Console) -> int:
    """Run the suite; up to _FEW files with failures run again alone, since a busy machine may have caused them.

    Both results are printed, since a test that sometimes fails needs work.
    """
    code = pytest(checkout, env, [*PARALLEL, *options])
    again = failed_files(checkout) if code == _TESTS_FAILED else []
    if not 0 < len(again) <= _FEW:
        return code
    console.say(f"Failed in parallel, and once more alone: {', '.join(again)}")
    code = pytest(checkout, env, [*options, *again])
    console.say(f"Failed in parallel and {'failed again' if code else 'PASSED'} alone: {', '.join(again)}")
    return code


def failed_files(checkout: Checkout) -> list[str]:
    """Return the files with failures of pytest's last run, from its cache; a test may need the others of its file."""
    cache = checkout.root / ".pytest_cache" / "v" / "cache" / "lastfailed"
    failed: dict[str, bool] = json.loads(cache.read_text()) if cache.exists() else {}
    files = {test.partition("::")[0] for test in failed}
    return sorted(
        file for file in files if (checkout.root / file).exists()
    )  # the cache may name files of other branches


def _build_pages(checkout: Checkout, console: Console) -> list[str]:
    try:
        frontend.ensure_pages(checkout, LOCK, console, for_checks=True)
    except ToolError as error:  # the other checks are still useful
        console.say(str(error))
        return ["web pages"]
    return []


def _wait(process: subprocess.Popen[bytes]) -> int:
    """Wait for pytest and return its exit code; Ctrl-C also reaches pytest, which then ends with a summary."""
    while True:
        try:
            return process.wait()
        except KeyboardInterrupt:
            continue


def for_checks(checkout: Checkout) -> dict[str, str]:
    """Return variables for the checks: import contracts need PYTHONPATH, mypy's Django plugin a secret key."""
    secret = checkout.shared / "check-secret"
    read_or_create(secret, token)
    return {"PYTHONPATH": str(checkout.backend), "VNFM_SECRET_KEY_FILE": str(secret)}


def needs_pages(arguments: Sequence[str]) -> bool:
    """Return whether a run includes browser tests, which need the built pages."""
    named = [argument for argument in arguments if argument.startswith("tests/")]
    return not named or any("browser" in argument for argument in named)


def _run_checks(places: _Places, env: Mapping[str, str], console: Console, background: "Background") -> list[str]:
    """Run the checks, _AT_ONCE at a time and the long ones first; return the titles of those that failed."""
    runner = CheckRunner(env, console, background)
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        passing = {
            title: pool.submit(runner.passes, title, command, folder)
            for folder, checks in places.items()
            for title, command in checks.items()
        }
        try:
            return [title for title, check in passing.items() if not check.result()]
        except BaseException:  # Ctrl-C ends the running ones; the others are not started
            pool.shutdown(cancel_futures=True)
            raise


@dataclass(frozen=True)
class Background:
    """Settings of checks that run beside the tests: their niceness, and `stop`, after which no check is started."""

    niceness: int = 5
    stop: threading.Event = field(default_factory=threading.Event)


@dataclass(frozen=True)
class CheckRunner:
    env: Mapping[str, str]
    console: Console
    background: Background

    def passes(self, title: str, command: Sequence[str], folder: Path) -> bool:
        """Run a check and print its output if it fails, else only the tests that passed at their second attempt."""
        if self.background.stop.is_set():
            return False
        try:
            with self.console.step(title):
                said = self._run(command, folder)
        except subprocess.CalledProcessError as failure:
            self.console.say(failure.stdout)
            return False
        for line in said.splitlines():
            if _RETRIED in line:
                self.console.say(line)
        return True

    def _run(self, command: Sequence[str], folder: Path) -> str:
        program = Path(self.env["PATH"].split(os.pathsep)[0]) / command[0]
        process = subprocess.Popen(
            [program, *command[1:]],
            cwd=folder,
            env=self.env,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        ours = os.getpriority(os.PRIO_PROCESS, 0)
        os.setpriority(os.PRIO_PROCESS, process.pid, min(ours + self.background.niceness, _LEAST_RIGHT))
        said, _ = process.communicate()
        if process.returncode:
            raise subprocess.CalledProcessError(process.returncode, command, said)
        return said
