"""Expressions by RE2, and the seconds that every pattern of the product takes for hostile text."""

import sys
from pathlib import Path

import pytest

from tests.support import pattern_costs
from tests.support.pattern_costs import bounded_cost, scan
from vnfm.kit.patterns import escape, pattern

ROOT = Path(__file__).parents[3]
LIMIT = 0.4
"""Seconds for 1 MB: twice what a pattern takes on a machine that does nothing else."""


def test_every_pattern_of_the_product_is_linear() -> None:
    found = list(scan(ROOT / "backend/vnfm"))
    assert len(found) > 150
    unknown = [one.place for one in found if one.compiled is None and not one.linear]
    assert unknown == [], "made at run time by re: use kit.patterns"
    costs = {one.place: bounded_cost(one) for one in found if one.compiled is not None}
    slow = {place: cost for place, cost in costs.items() if cost[0] > LIMIT}
    assert slow == {}, "seconds of processor for 1 MB"


BAD = r"""
import re
LINE = re.compile(r'^\s*(?:Error|Failed).*', re.MULTILINE)
NEVER = re.compile(r'(?:a+)+$')


def find(text, made):
    re.search(made, text)
    return LINE.search(text), re.sub('<[^>]*<[^>]*x>', '', text), NEVER.match(text)
"""


def test_the_scan_finds_patterns_that_are_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "hostile"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "bad.py").write_text(BAD.strip())
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(pattern_costs, "ENDLESS", 0.5)
    found = list(scan(package))
    for name in ("hostile.bad", "hostile"):
        monkeypatch.delitem(sys.modules, name)
    assert [one.place for one in found if one.compiled is None] == ["hostile/bad.py:7"]
    costs = {one.place: bounded_cost(one)[0] for one in found if one.compiled is not None}
    assert {place for place, seconds in costs.items() if seconds > LIMIT} == {f"hostile/bad.py:{n}" for n in (2, 3, 8)}
    assert costs["hostile/bad.py:3"] == float("inf")


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
