"""Every quote of figures.yaml stands in the seed that it names, word by word; needs the seeds next to the checkout."""

import re

import pytest

from tests.factories.packages import ROOT
from vnfm.catalog.domain.dimensioning.reader import read_figures

SEEDS = ROOT.parent / "shared" / "seeds"
FILES = sorted([*(ROOT / "catalog").glob("*/*/*/figures.yaml"), *(ROOT / "catalog" / "figures").glob("*.yaml")])
MARKS = str.maketrans({"\u2019": "'", "\u00b5": "u", "\u03bc": "u"})


def words(text: str) -> str:
    return re.sub(r"\s+", " ", text.translate(MARKS))


@pytest.fixture(params=FILES, ids=[path.relative_to(ROOT / "catalog").as_posix() for path in FILES])
def figures(request):
    return read_figures(request.param.name, request.param.read_bytes()).figures.values()


@pytest.mark.skipif(not SEEDS.is_dir(), reason="the seeds are not here")
def test_every_quote_stands_in_its_seed(figures):
    wrong = [
        f"{figure.id}: {figure.quote}"
        for figure in figures
        if figure.source.document.seed
        and words(figure.quote) not in words((SEEDS / figure.source.document.seed).read_text())
    ]
    assert wrong == []


def test_every_number_is_in_its_quote_or_marked_as_derived(figures):
    """Return the forms that the quote may have: 57.5, 4,000,000, 10 million, two."""
    wrong = [figure.id for figure in figures if not figure.derived and not written(figure.number, figure.quote)]
    assert wrong == []


SPELT = {0: "zero", 1: "one", 2: "two"}


def written(number: float, quote: str) -> bool:
    forms = {f"{number:g}", f"{number:,.0f}", f"{number:.2f}", f"{number / 10**6:g}", SPELT.get(int(number), "")}
    return any(re.search(rf"(?<![\w.]){re.escape(form)}(?!\d)", quote) for form in forms - {""})
