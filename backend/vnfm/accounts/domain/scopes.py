"""Scopes of OAuth 2.0 tokens: our roles, and SOL013's words for them."""

import re2

_ETSI = re2.compile(r"(vnflcm|vnffm|vnfpm|vnfind|vnfpkgm):v[0-9]{1,3}(:[a-z_]{1,50}){0,3}")
"""SOL013 8.3.4: the name of an interface, its major version, and what of it."""


def role_of_scope(word: str) -> str:
    """The role that a scope stands for; the word itself where it is none of SOL013's.

    Our roles hold for all interfaces: a token of one interface is accepted by the others, as far as the role goes.
    """
    if _ETSI.fullmatch(word) is None:
        return word
    return "viewer" if word.endswith(":readonly") else "operator"
