"""Every entry of the corpus comes in, or is kept out for the reason that the index gives."""

from collections import Counter

import pytest

from tests.factories.corpus import FOLDER, CorpusEntry, corpus
from tests.factories.packages import zipped

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("entry", corpus(), ids=lambda entry: entry.name)
def test_an_entry_is_onboarded_or_refused(api, entry: CorpusEntry):
    url = f"/api/v1/packages/validate?root={entry.root}" if entry.root else "/api/v1/packages/validate"
    report = api.generic("POST", url, zipped(entry.files()), content_type="application/zip").json()
    errors = [(f["code"], f["message"]) for f in report["validationReport"] if f["severity"] == "error"]
    if entry.expect == "onboarded":
        assert report["valid"], errors
        assert report["vnfd"]["provider"] not in ("Unknown", "") or entry.kind == "hot"
    else:
        assert not report["valid"]
        assert errors[0][0] == entry.reason, errors


def test_the_index_names_every_folder_once():
    names = Counter(entry.name for entry in corpus())
    assert set(names.values()) == {1}
    assert {path.name for path in FOLDER.iterdir() if path.is_dir()} <= set(names)
