"""`vnfm test --changed`: the checks, and the tests nearest to the changes since a commit, in about a minute."""

import subprocess
from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path, PurePosixPath

from launcher import checks, frontend
from launcher.console import Console
from launcher.errors import LaunchError
from launcher.import_graph import read_graph
from launcher.layout import Checkout
from launcher.selection import Selection, select
from launcher.toolchain import ensure_python

BUDGET_SECONDS = 60.0
"""The budget of the selected tests, summed over both workers: two seconds of tests take about one second."""
_NOTHING_COLLECTED = 5
"""pytest's exit code when it deselects all tests of the files."""


def test_changed(checkout: Checkout, arguments: Sequence[str], console: Console) -> int:
    """Return 0 only if all passed. Tests of real clouds, browsers, chaos and measurements run in `./vnfm test`."""
    if len(arguments) > 1 or any(argument.startswith("-") for argument in arguments):
        raise LaunchError("Usage: ./vnfm test --changed [COMMIT]")
    base = _git(checkout.root, "rev-parse", "--verify", f"{arguments[0]}^{{commit}}") if arguments else None
    base = base or default_base(checkout.root)
    changed = changed_files(checkout.root, base)
    console.say(f"{len(changed)} files changed since {base[:10]}.")
    seconds = checks.read_timings(checkout)
    selection = _selection(checkout.root, changed, seconds)
    if selection.everything:
        console.say(f"Everything runs: {selection.everything}.")
        return checks.test(checkout, (), console)
    console.say(describe(selection, seconds))
    return _run(checkout, selection, seconds, changed, console)


def _run(
    checkout: Checkout, selection: Selection, seconds: Mapping[str, float], changed: Sequence[str], console: Console
) -> int:
    checkout.prepare()
    ensure_python(checkout, checks.LOCK, console)
    env = checkout.compiled_once(frontend.npm_environment(checkout, checks.LOCK))
    env = {name: value for name, value in env.items() if not name.startswith("VNFM_TEST_CLOUD")}
    scripts = _frontend_checks(checkout, changed) if selection.frontend else {}
    places = {checkout.frontend: scripts, checkout.root: checks.python_changed(changed)}
    arguments = [*checks.side_by_side(list(selection.tests), seconds), *selection.tests]
    code, failed = checks.with_checks(
        checkout, env, console, places, lambda: checks.pytest(checkout, env, arguments) if selection.tests else 0
    )
    if failed:
        console.say(f"These checks failed: {', '.join(failed)}.")
    return (code if code != _NOTHING_COLLECTED else 0) or bool(failed)


def _frontend_checks(checkout: Checkout, changed: Sequence[str]) -> checks.Checks:
    """Return the checks of the changed files that exist; generated files are not checked for style."""
    own = (name for name in changed if name.startswith("frontend/") and "__generated__" not in name)
    files = [name for name in own if (checkout.root / name).is_file()]
    tests = [str(path.relative_to(checkout.frontend)) for path in checkout.frontend.glob("src/**/*.test.ts*")]
    return checks.frontend_changed(files, tests)


def default_base(root: Path) -> str:
    """Return the branch point from main; on main, HEAD with uncommitted changes, else the commit before."""
    head = _git(root, "rev-parse", "HEAD")
    for main in ("origin/main", "main"):
        with suppress(LaunchError):
            base = _git(root, "merge-base", "HEAD", main)
            if base != head or _git(root, "status", "--porcelain"):
                return base
    return _git(root, "rev-parse", "HEAD~1")


def changed_files(root: Path, base: str) -> list[str]:
    """Return the files that changed since `base`, committed or not, with untracked and removed ones."""
    tracked = _git(root, "diff", "--name-only", "--no-renames", "-z", base)
    untracked = _git(root, "ls-files", "--others", "--exclude-standard", "-z")
    return sorted({name for name in (tracked + "\0" + untracked).split("\0") if name})


def _selection(root: Path, changed: list[str], seconds: Mapping[str, float]) -> Selection:
    listed = _git(root, "ls-files", "--cached", "--others", "--exclude-standard", "-z", "*.py").split("\0")
    files = sorted({name for name in listed if (root / name).is_file()})
    removed = [name for name in changed if name.endswith(".py") and name not in files]
    others = [name for name in changed if not name.endswith(".py")]
    tests = {name: (root / name).read_text() for name in files if name.startswith("tests/")} if others else {}
    mentions = {path: [test for test, text in tests.items() if _names(text, path)] for path in others}
    return select(changed, read_graph(root, files, removed), mentions, seconds, BUDGET_SECONDS)


def _names(text: str, path: str) -> bool:
    return f'{PurePosixPath(path).name}"' in text


def describe(selection: Selection, seconds: Mapping[str, float]) -> str:
    """Return a text that lists the selected tests with their reasons, and the ones left out."""
    total = sum(seconds.get(test, 0) for test in selection.tests)
    lines = [f"{len(selection.tests)} test files, about {total:.0f} s of tests:", *_by_folder(selection.tests)]
    if selection.left_out:
        rest = sum(selection.left_out.values())
        lines.append(f"Near the change too, but left out (about {rest:.0f} s):")
        lines += _by_folder(dict.fromkeys(selection.left_out, ""))
    lines.append("All other tests run in ./vnfm test.")
    return "\n".join(lines)


def _by_folder(reasons: Mapping[str, str]) -> list[str]:
    names: dict[tuple[str, str], list[str]] = defaultdict(list)
    for test, reason in reasons.items():
        path = PurePosixPath(test)
        names[str(path.parent), reason and f" ({reason})"].append(path.stem.removeprefix("test_"))
    return [f"  {folder}: {', '.join(found)}{reason}" for (folder, reason), found in names.items()]


def _git(root: Path, *arguments: str) -> str:
    run = subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True, check=False)
    if run.returncode:
        raise LaunchError(f"git {arguments[0]} failed: {run.stderr.strip()}")
    return run.stdout.strip().strip("\0")
