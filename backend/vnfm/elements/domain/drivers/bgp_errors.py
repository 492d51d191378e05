"""Names of BGP's errors: RFC 4271, 4.5 and 6; RFC 4486, 8203 and 9384 for Cease."""

CODES = {
    1: "Message header error",
    2: "OPEN message error",
    3: "UPDATE message error",
    4: "Hold timer expired",
    5: "Finite state machine error",
    6: "Cease",
    7: "ROUTE-REFRESH message error",
}
OPEN_ERRORS = {
    1: "unsupported version",
    2: "bad peer AS",
    3: "bad BGP identifier",
    4: "unsupported optional parameter",
    6: "unacceptable hold time",
    7: "unsupported capability",
}
CEASES = {
    1: "maximum number of prefixes reached",
    2: "administrative shutdown",
    3: "peer de-configured",
    4: "administrative reset",
    5: "connection rejected",
    6: "other configuration change",
    7: "connection collision resolution",
    8: "out of resources",
    9: "hard reset",
    10: "BFD down",
}
_OPEN, _CEASE = 2, 6


def error_name(code: int, subcode: int) -> str:
    """As words; "" for none."""
    if code == 0:
        return ""
    name = CODES.get(code, f"Error {code}")
    detail = {_OPEN: OPEN_ERRORS, _CEASE: CEASES}.get(code, {}).get(subcode, f"{subcode}" if subcode else "")
    return f"{name}: {detail}" if detail else name
