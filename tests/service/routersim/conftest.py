"""A routersim process for these tests, and a trap socket."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.service.routersim.traps import TrapSocket
from tests.support.routersim_process import RoutersimProcess

_NUMBERS = itertools.count(1)


@pytest.fixture
def traps() -> Iterator[TrapSocket]:
    with TrapSocket() as receiver:
        yield receiver


@pytest.fixture
def make(routersim: RoutersimProcess, traps: TrapSocket) -> Callable[..., dict[str, Any]]:
    """`make("VSR")`: an element with a name and an address of its own, which sends to `traps`."""

    def make(kind: str = "7750-SR-12", **wish: Any) -> dict[str, Any]:
        number = next(_NUMBERS)
        wish = {"bootSeconds": 0.2, "trapTargets": [traps.target], **wish}
        return routersim.add(name=f"ne{number}", kind=kind, address=f"127.30.0.{number}", **wish)

    return make
