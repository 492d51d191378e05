"""Hints that make a refused password acceptable."""

from collections.abc import Iterable

_STEPS = {
    "password_too_short": "Choose a longer one.",
    "password_too_common": "Choose one that is in no list of common passwords, such as several unrelated words.",
    "password_repeated": "Choose one that does not repeat itself.",
    "password_own_name": "Choose one that does not contain the user name.",
}


def better_password(codes: Iterable[str]) -> str:
    """The next step, by the codes of Django's password validators that refused it."""
    return " ".join(_STEPS[code] for code in codes if code in _STEPS) or "Choose another one."
