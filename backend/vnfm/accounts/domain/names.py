"""User names that look alike."""

import unicodedata

LOOKALIKES = str.maketrans(
    "авекмнорстухіјѕԁһӏԛԝүαβεικνορτυχϲϳ",
    "abekmhopctyxijsdhlqwyabeiknoptuxcj",
)
"""Cyrillic and Greek small letters → the Latin ones that they look like (Unicode UTS 39, confusables)."""


def skeleton(username: str) -> str:
    """Equal for names that people take for the same: compatibility forms, case and look-alikes are folded."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", username).casefold())
    return folded.translate(LOOKALIKES)
