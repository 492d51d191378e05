"""`up` with toys for services: `toy_up.py STATE_DIR RELEASE`. All else is the launcher's own.

`second` is a release like `first`. `blind` finds no PostgreSQL until the state directory has a file `found`, `buggy`
has a defect there. `moved` runs a PostgreSQL of another command, which does not start. No database starts while there
is a file `unready`.
"""

import sys
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from launcher import backup, frontend, run_plan, up
from launcher.console import Console
from launcher.errors import LaunchError
from launcher.layout import Checkout
from launcher.product import Product
from launcher.service import KEPT, Service, at_once

STATE, RELEASE = Path(sys.argv[1]), sys.argv[2]
ROLE = """
import pathlib, signal, sys
release, state = sys.argv[1:]
if release == "moved" or (release == "1" and pathlib.Path(state, "unready").exists()):
    sys.exit("it does not start")
print(release, "begins", flush=True)
signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
while True:
    signal.pause()
"""


def role(name: str, release: str, **options: Any) -> Service:
    def ready(running: Any) -> bool:
        return running.has_logged(" begins")

    return Service(name, (sys.executable, "-c", ROLE, release, str(STATE)), ready=ready, **options)


class ToyProduct(Product):
    def postgres(self) -> tuple[Any, Service]:
        if RELEASE == "blind" and not (STATE / "found").exists():
            raise LaunchError("There is no PostgreSQL here.")
        if RELEASE == "buggy":
            raise ValueError("version of PostgreSQL")
        command = "moved" if RELEASE == "moved" else "1"
        return SimpleNamespace(url="postgresql://here"), role("database", command, replaced=KEPT)

    def valkey(self) -> tuple[Any, Service]:
        return SimpleNamespace(url="redis://here"), role("broker", "2", replaced=KEPT)

    def cloudsim(self, guests: str = "") -> Service:
        return role("cloudsim", f"cloud{guests}", replaced=KEPT)

    def routersim(self, *_: object) -> Service:
        return role("routersim", "routers", replaced=KEPT)

    def background(self, env: Mapping[str, str]) -> tuple[Service, ...]:
        return (role("worker", RELEASE),)

    def web(self, env: Mapping[str, str], web: object) -> tuple[Service, ...]:
        return (role("web", RELEASE),)

    def bootstrap(self, *_: object, **__: object) -> Service:
        return Service("bootstrap", (sys.executable, "-c", ""), ready=at_once)


def nothing(*_: object, **__: object) -> Any:
    return ()


up.Product = ToyProduct
up.forks.supported = up.ensure_schema = nothing
backup.scheduled = frontend.ensure_pages = run_plan.ensure_python = nothing

if __name__ == "__main__":
    checkout = Checkout(STATE / "checkout")
    checkout.ui.mkdir(parents=True, exist_ok=True)
    options = up.UpOptions(STATE, int(sys.argv[3]))
    sys.exit(up.up(checkout, options, Console(sys.stdout)))
