"""Every entry of the corpus comes in, or is kept out for the reason that the index gives."""

from collections import Counter
from typing import Any

import pytest

from tests.factories.corpus import FOLDER, TABLE, CorpusEntry, corpus, table
from tests.factories.packages import zipped

pytestmark = pytest.mark.django_db


def validated(api, entry: CorpusEntry, files: dict[str, bytes]) -> tuple[dict[str, Any], list[tuple[str, str]]]:
    url = f"/api/v1/packages/validate?root={entry.root}" if entry.root else "/api/v1/packages/validate"
    report = api.generic("POST", url, zipped(files), content_type="application/zip").json()
    return report, [(f["code"], f["message"]) for f in report["validationReport"] if f["severity"] == "error"]


@pytest.mark.parametrize("entry", corpus(), ids=lambda entry: entry.name)
def test_an_entry_is_onboarded_or_refused(api, entry: CorpusEntry):
    report, errors = validated(api, entry, entry.files())
    if entry.expect == "onboarded":
        assert report["valid"], errors
        assert report["vnfd"]["provider"] not in ("Unknown", "") or entry.kind == "hot"
    else:
        assert not report["valid"]
        assert errors[0][0] == entry.reason, errors


@pytest.mark.parametrize("entry", [e for e in corpus() if e.fetched], ids=lambda entry: entry.name)
def test_without_its_urls_an_entry_is_refused(api, entry: CorpusEntry):
    files = {path: content for path, content in entry.files().items() if path not in entry.fetched}
    report, errors = validated(api, entry, files)
    assert {code for code, _ in errors} == {"FILE_OUTSIDE"}
    assert len(errors) == len(entry.fetched)
    assert not report["valid"]


def test_templates_that_heat_accepts_have_no_error():
    """But a stack without a server is not a VNF, and Heat sees later what a nested template lacks."""
    refused = {e.reason for e in corpus() if e.heat == "accepts" and e.expect == "refused"}
    assert refused <= {"DERIVE_NO_SERVER", "NESTED_MISSING"}


def test_the_table_is_that_of_the_index():
    assert TABLE.read_text() == table(), "write it again: python -m tests.factories.corpus"


def test_the_index_names_every_folder_once():
    names = Counter(entry.name for entry in corpus())
    assert set(names.values()) == {1}
    folders = {path for path in FOLDER.iterdir() if path.is_dir()}
    assert folders <= {entry.folder for entry in corpus()}
