"""Labels and identifiers derived from names in templates."""

import re
from collections.abc import Collection
from itertools import chain, count

_ID_LENGTH = 60
_LABEL_LENGTH = 60


def identifier(name: str, used: Collection[str]) -> str:
    """An unused id that the VNFD's schema allows."""
    base = re.sub(r"[^A-Za-z0-9._-]+", "-", name).strip("-._")[:_ID_LENGTH] or "x"
    return next(c for c in chain([base], (f"{base}-{n}" for n in count(2))) if c not in used)


def humanize(name: str) -> str:
    """vgw_flavor_name → Vgw flavor name."""
    words = re.sub(r"[_\W]+", " ", name).strip()[:_LABEL_LENGTH]
    return words[:1].upper() + words[1:] or name[:_LABEL_LENGTH]


def label(name: str, written: str, description: str) -> str:
    """The label of a parameter in forms: its own, a short description, or its name made readable."""
    if written:
        return written[:_LABEL_LENGTH]
    sentence = description.split(". ", maxsplit=1)[0].strip().rstrip(".")
    return sentence if 0 < len(sentence) <= _LABEL_LENGTH and "\n" not in sentence else humanize(name)
