"""Expressions by RE2, and the seconds that every pattern of the product takes for hostile text."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from vnfm.kit.patterns import escape, pattern

ROOT = Path(__file__).parents[3]
LIMIT = 0.4
"""Seconds for 1 MB: twice what a pattern takes on a machine that does nothing else."""
PROCESSOR_SECONDS = 300
"""Of the whole scan, which takes some 30 s on a fast machine."""


@pytest.mark.timeout(900)
def test_every_pattern_of_the_product_is_linear() -> None:
    """A pattern that never ends is the last one of the output: the process was ended at its limit."""
    lines = _scanned("backend/vnfm")
    patterns = [line for line in lines if "pattern" in line]
    results = {line["place"]: line for line in lines if "pattern" not in line}
    assert len(patterns) > 60
    assert patterns[-1]["place"] in results, f"{patterns[-1]} does not end"
    assert [line for line in results.values() if line.get("unknown")] == [], "made at run time by re: use kit.patterns"
    assert _slow(results.values()) == [], "seconds of processor for 1 MB"


@pytest.mark.timeout(900)
def test_the_scan_finds_patterns_that_are_not(tmp_path: Path) -> None:
    package = tmp_path / "hostile"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "bad.py").write_text(
        "import re\n_LINE = re.compile(r'^\\s*(?:Error|Failed).*', re.MULTILINE)\n\n\n"
        "def find(text, made):\n    re.search(made, text)\n"
        "    return _LINE.search(text), re.sub('<[^>]*<[^>]*x>', '', text)"
    )
    lines = [line for line in _scanned(str(package), tmp_path) if "pattern" not in line]
    assert {line["place"] for line in _slow(lines)} == {"hostile/bad.py:2", "hostile/bad.py:7"}
    assert [line["place"] for line in lines if line.get("unknown")] == ["hostile/bad.py:6"]


def _scanned(root: str, *more: Path) -> list[dict[str, Any]]:
    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (PROCESSOR_SECONDS, PROCESSOR_SECONDS))

    path = os.pathsep.join(map(str, (*more, ROOT / "backend", ROOT)))
    run = subprocess.run(
        [sys.executable, "-m", "tests.pattern_costs", root],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": path},
        stdout=subprocess.PIPE,
        text=True,
        check=False,
        preexec_fn=limit,
    )
    return [json.loads(line) for line in run.stdout.splitlines()]


def _slow(lines: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    return [line for line in lines if line.get("seconds", 0) > LIMIT]


def test_groups_and_positions() -> None:
    found = pattern(r"(?m)^(?P<key>\w+)=(?P<value>\S+)?$").search("é\nname=\nsize=4é")
    assert found is not None
    assert (found["key"], found["value"], found.start(), found.end()) == ("name", None, 2, 7)
    assert found.groups() == ("name", None)
    assert found.replaced("value", "x") == "name="
    assert found.replaced("key", "ä") == "ä="


def test_a_substitution_is_literal_or_called() -> None:
    assert pattern(r"\d+").sub(r"\1", "a1b22") == r"a\1b\1"
    assert pattern(r"(\d)\d*").sub(lambda found: f"<{found[1]}>", "é1b22") == "é<1>b<2>"
    assert pattern(escape("a.b(")).search("xa.b(") is not None
    assert pattern(escape("a.b(")).search("xazb(") is None


def test_half_a_surrogate_pair_is_no_error() -> None:
    found = pattern("b").search("\ud800b")
    assert found is not None
    assert found.start() == 1


@pytest.mark.parametrize("expression", [r"(a)\1", "(?=a)", "("])
def test_what_re2_does_not_have_is_refused(expression: str) -> None:
    with pytest.raises(ValueError, match="RE2 does not compile"):
        pattern(expression)
