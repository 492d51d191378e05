from tests.factories.packages import ROOT
from vnfm.catalog.domain.hot.validate import CHECKS


def test_validation_md_lists_the_checks():
    chosen = {c.code: f", {c.chosen_severity} for a chosen cloud" if c.chosen_severity else "" for c in CHECKS}
    rows = [f"| {c.code} | {c.severity}{chosen[c.code]} | {c.description} |" for c in CHECKS]
    text = (ROOT / "catalog" / "VALIDATION.md").read_text()
    assert [line for line in text.splitlines() if line in rows] == rows
