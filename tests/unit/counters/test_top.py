"""Page markers of top-N lists."""

from datetime import UTC, datetime
from uuid import UUID

import pytest

from vnfm.counters.domain.top import Marker

ID = UUID("00000000-0000-4000-8000-000000000001")


@pytest.mark.parametrize("rank", [None, 0.0, 97.123456])
def test_a_marker_survives_encoding(rank: float | None) -> None:
    marker = Marker(datetime(2016, 2, 9, 12, 0, tzinfo=UTC), rank, ID, "1/1/1, to Köln")
    assert Marker.decode(marker.encode()) == marker


@pytest.mark.parametrize("text", ["", "e30", "WzEsIDIsIDMsIDRd", "Köln", "bnVsbA", "WyIyMDE2IiwgbnVsbCwgIngiLCAieSJd"])
def test_invalid_markers(text: str) -> None:
    with pytest.raises(ValueError, match=r".*"):
        Marker.decode(text)
