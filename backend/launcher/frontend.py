"""The console's npm modules and built pages, each updated only when its sources have changed."""

import os
from dataclasses import dataclass
from pathlib import Path

from launcher.console import Console
from launcher.layout import Checkout
from launcher.steps import ensure, exclusive, files_below, fingerprint, is_done
from launcher.toolchain import installer_environment
from launcher.tools import run_tool

_NOT_SOURCES = frozenset({"__generated__", "node_modules", "dist", "coverage", ".vite"})


def exists(checkout: Checkout) -> bool:
    return (checkout.frontend / "package-lock.json").exists()


def npm_environment(checkout: Checkout, lock: str) -> dict[str, str]:
    """Return an environment with the locked `node` and `npm` of a virtual environment."""
    env = installer_environment()
    env["PATH"] = f"{checkout.venv(lock) / 'bin'}{os.pathsep}{env.get('PATH', os.defpath)}"
    return env


def ensure_modules(checkout: Checkout, lock: str, console: Console, *, for_checks: bool) -> None:
    """Run `npm ci` if a file that npm reads has changed: all packages for the checks, else those of a build.

    The checks also get the types of the API, which only they read.
    """
    named = [checkout.frontend / name for name in ("package.json", "package-lock.json", ".npmrc")]
    present = [file for file in named if file.exists()]

    def step(scope: str, *options: str) -> _NpmStep:
        key = fingerprint(checkout.root, present, str(checkout.root), scope)
        arguments = ("ci", "--no-audit", "--no-fund", *options)
        return _NpmStep("npm packages", checkout.stamps / "modules", key, checkout.frontend / "node_modules", arguments)

    complete, enough = step("all"), step("build", "--omit=dev")
    if for_checks:
        complete.run(checkout, lock, console)
        _types(checkout, present).run(checkout, lock, console)
    elif not complete.done:
        enough.run(checkout, lock, console)


def _types(checkout: Checkout, packages: list[Path]) -> "_NpmStep":
    key = fingerprint(checkout.root, [checkout.backend / "openapi.yaml", *packages])
    result = checkout.frontend / "src" / "api" / "__generated__" / "schema.d.ts"
    return _NpmStep("types of the API", checkout.stamps / "types", key, result, ("run", "--silent", "generate"))


def ensure_pages(checkout: Checkout, lock: str, console: Console, *, for_checks: bool = False) -> None:
    """Run `npm run build` if a source file has changed; a packaged tree has built pages."""
    if checkout.packaged:
        return
    if not exists(checkout):
        console.say("  The folder frontend/ does not exist: the API is served without pages.")
        return
    key = fingerprint(checkout.root, files_below(checkout.frontend, skip=_NOT_SOURCES))
    pages = _NpmStep("web pages", checkout.stamps / "pages", key, checkout.ui / "index.html", ("run", "build"))
    if not pages.done:
        ensure_modules(checkout, lock, console, for_checks=for_checks)
        pages.run(checkout, lock, console)


@dataclass(frozen=True)
class _NpmStep:
    title: str
    stamp: Path
    key: str
    result: Path
    arguments: tuple[str, ...]

    @property
    def done(self) -> bool:
        return is_done(self.stamp, self.key, self.result)

    def run(self, checkout: Checkout, lock: str, console: Console) -> None:
        if self.done:
            return
        waiting = "Another ./vnfm of this checkout is building: waiting for it."
        with exclusive(checkout.shared / "frontend.lock", lambda: console.say(waiting)), console.step(self.title):
            ensure(self.stamp, self.key, self.result, lambda: self._npm(checkout, lock))

    def _npm(self, checkout: Checkout, lock: str) -> None:
        npm = checkout.venv(lock) / "bin" / "npm"
        log = checkout.logs / f"npm-{self.stamp.name}.log"
        run_tool(
            self.title, [npm, *self.arguments], log=log, cwd=checkout.frontend, env=npm_environment(checkout, lock)
        )
