"""Warnings of a router at login about the password that we use."""

from vnfm.kit.patterns import pattern

_DAYS = pattern(r"(?i)\bpassword\b[^\n]{0,100}\bexpires?\b[^\n]{0,40}?\b(\d{1,5}) days?\b")
_RISK = pattern(
    r"(?i)[^\n]{0,100}\bpassword\b[^\n]{0,60}\b(?:needs? to be changed|must be changed|security risks?|expire)"
)


def login_warning(greeting: str) -> str:
    """A sentence for the operator, who has to act before the login ends; "" where the router says nothing."""
    tail = greeting[-_LONGEST:]
    if found := _DAYS.search(tail):
        return f"The password of our login expires in {found[1]} {'day' if found[1] == '1' else 'days'}."
    if _RISK.search(tail):
        return "The router wants another password for our login: it is the initial one, weak, or about to expire."
    return ""


_LONGEST = 20_000
"""Characters of a greeting; warnings stand at its end."""
