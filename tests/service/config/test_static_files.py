"""The built UI through a real web process: WhiteNoise looks at the folder once, when the process starts."""

import urllib.request
from pathlib import Path

import pytest

from tests.support.product import web

pytestmark = pytest.mark.django_db(transaction=True)


def test_hashed_assets_are_cached_for_ever_and_the_page_never(product_env, tmp_path: Path) -> None:
    (tmp_path / "assets").mkdir()
    (tmp_path / "assets" / "index-B4xK9_q2.js").write_text("console.log('hello')")
    (tmp_path / "index.html").write_text("<!doctype html>")
    (tmp_path / "favicon.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>")
    with web(product_env | {"VNFM_UI_DIR": str(tmp_path)}) as site:
        cached = {
            path: urllib.request.urlopen(site + path).headers["Cache-Control"]
            for path in ("/", "/assets/index-B4xK9_q2.js", "/favicon.svg")
        }
    assert cached["/"] == "no-cache"
    assert "immutable" in cached["/assets/index-B4xK9_q2.js"]
    assert "immutable" not in cached["/favicon.svg"]
