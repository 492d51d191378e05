from tests.factories.packages import ROOT
from vnfm.catalog.domain.hot.validate import CHECKS


def test_the_table_of_checks_is_that_of_the_code():
    rows = [
        f"| {c.code} | {c.severity}{f', {c.chosen} for a chosen cloud' if c.chosen else ''} | {c.finds} |"
        for c in CHECKS
    ]
    text = (ROOT / "catalog" / "VALIDATION.md").read_text()
    assert [line for line in text.splitlines() if line in rows] == rows
