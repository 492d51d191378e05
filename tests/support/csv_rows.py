"""The rows of a CSV that the API streams."""

import csv
import io
from typing import Any

from asgiref.sync import async_to_sync


def csv_rows(answer: Any) -> list[dict[str, str]]:
    """Return rows by the headings of the first line. `answer`: a response of the test client."""

    async def chunks() -> list[bytes]:
        return [chunk async for chunk in answer.streaming_content]

    return list(csv.DictReader(io.StringIO(b"".join(async_to_sync(chunks)()).decode())))
