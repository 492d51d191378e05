"""`vnfm version`: the release, the commit, and the heads of the schema."""

import re
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path

from launcher.console import Console
from launcher.layout import Checkout


def release(checkout: Checkout) -> str:
    """Return MAJOR.MINOR.PATCH of pyproject.toml."""
    with (checkout.root / "pyproject.toml").open("rb") as file:
        return str(tomllib.load(file)["project"]["version"])


def version(checkout: Checkout, console: Console) -> int:
    console.say(f"vnfm {release(checkout)}{_commit(checkout)}")
    console.say(f"schema {', '.join(_heads(checkout))}")
    return 0


def _commit(checkout: Checkout) -> str:
    """Return the commit in parentheses, with a + if files differ from it; "" outside of a git checkout."""
    command = ["git", "-C", str(checkout.root), "describe", "--always", "--dirty=+", "--exclude=*"]
    try:
        answer = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError:
        return ""
    return f" ({answer.stdout.strip()})" if answer.returncode == 0 and (checkout.root / ".git").exists() else ""


def _heads(checkout: Checkout) -> Iterator[str]:
    """Yield the last migration of each app by number."""
    last: dict[str, str] = {}
    for path in sorted(checkout.migrations()):
        if path.stem[:1].isdigit():
            app = "telemetry" if path.parent.name == "versions" else _label(path.parents[1])
            last[app] = path.stem
    yield from (f"{app}.{name}" for app, name in sorted(last.items()))


def _label(app: Path) -> str:
    """Return the label that the app's migrations are recorded under, as `recovery.release.app_label` does."""
    found = re.search(r'^    label = "(\w+)"$', (app / "apps.py").read_text(), re.MULTILINE)
    return found[1] if found else app.name
