"""Files that templates name by URLs: where their copies are, and what names in them mean."""

import re

import pytest

from tests.factories.packages import ROOT
from tests.factories.templates import HOT, content, findings
from vnfm.catalog.domain.findings import CONSEQUENCES
from vnfm.catalog.domain.hot.external_files import external_url, redacted_url, stored_path
from vnfm.catalog.domain.hot.templates import find_files

RAW = "https://raw.example.com/acme/vnf/master/hot/card.yaml"


def test_a_plain_url_gives_a_legible_path():
    assert stored_path(RAW) == "fetched/https/raw.example.com/acme/vnf/master/hot/card.yaml"
    assert stored_path("http://10.0.0.1:8080/x.sh") == "fetched/http/10.0.0.1:8080/x.sh"


@pytest.mark.parametrize(
    "url",
    [
        "https://h.example/x.yaml?token=1",
        "https://h.example/../x.yaml",
        "https://h.example/a/./x.yaml",
        "https://h.example//x.yaml",
        "https://H.example/x.yaml",
        "https://u:p@h.example/x.yaml",
        "https://h.example/a%2f..%2f/x.yaml",
        "https://h.example/" + "x" * 300,
        "https://h.example",
    ],
)
def test_another_url_gives_a_path_by_its_hash(url):
    path = stored_path(url)
    assert path != stored_path(url + "x")
    folder, digest, name = path.split("/")
    assert (folder, len(digest)) == ("fetched", 16)
    assert 1 <= len(name) <= 61
    assert name not in (".", "..")


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        (RAW, RAW),
        ("https://jane:p@ss@h.example:8443/x.yaml?token=1#y", "https://h.example:8443/x.yaml?…"),
        ("https://h.example/a@b.yaml#token", "https://h.example/a@b.yaml?…"),
        ("ftp://jane@h.example/x.yaml", "ftp://h.example/x.yaml"),
        ("day0/a@b?c#d.txt", "day0/a@b?c#d.txt"),
    ],
)
def test_messages_have_urls_without_secrets(written, shown):
    assert redacted_url(written) == shown


@pytest.mark.parametrize("use", ["{type: '%s'}", "{type: OS::Heat::Value, properties: {value: {get_file: '%s'}}}"])
def test_findings_have_urls_without_secrets(use):
    url = "https://jane:secret@h.example/x.yaml?token=secret&x.yaml"
    files = {"base.yaml": HOT + f"resources: {{r: {use % url}}}\n"}
    for each in (files, {**files, stored_path(url): HOT}):
        found = [finding for finding in findings(each) if finding.url or finding.code == "FILE_FETCHED"]
        assert [finding.message.startswith("https://h.example/x.yaml?… ") for finding in found] == [True]
        assert "secret" not in found[0].message


def test_names_in_a_copy_start_at_its_url():
    card = stored_path(RAW)
    assert external_url(card, "init.sh") == "https://raw.example.com/acme/vnf/master/hot/init.sh"
    assert external_url(card, "../x/y.yaml") == "https://raw.example.com/acme/vnf/master/x/y.yaml"
    assert external_url(card, "/y.yaml") == "https://raw.example.com/y.yaml"
    relative = stored_path("https://raw.example.com/acme/vnf/master/hot/init.sh")
    assert find_files(content({"init.sh": "", relative: ""}), card, "init.sh") == [relative, "init.sh"]


@pytest.mark.parametrize("written", ["x.yaml", "file:///etc/passwd", "ftp://h.example/x", "/x.yaml", "https://[x", ""])
def test_other_names_are_no_urls(written):
    assert external_url("base.yaml", written) == ""


def test_a_path_that_only_looks_like_a_copy():
    assert external_url("fetched/https", "x.yaml") == ""
    assert external_url("fetched/0123456789abcdef/_x.yaml", "y.yaml") == ""


def test_the_console_knows_the_errors_that_forbid_no_fetch():
    source = (ROOT / "frontend/src/features/onboarding/ExternalFilesField.tsx").read_text()
    listed = re.search(r"CONSEQUENCES = new Set\(\[(.*?)\]\)", source)
    assert listed is not None
    assert set(re.findall(r'"(\w+)"', listed[1])) == set(CONSEQUENCES)
