"""A command line waits at these, RE2 expressions of its last line: prompts, questions, pages."""

from vnfm.kit.patterns import pattern

QUESTION = (
    r"[^\r\n]*(?:\[(?i:y|yes)[/,] ?(?i:n|no)\]|\((?i:y|yes)[/,] ?(?i:n|no)\)"
    r"|\[Y\(yes\)/N\(no\)(?:/C\(cancel\))?\]) ?[:?]? ?"
)
"""It matches `Continue? [Y/N]:`."""
PAGE = r"(?:[^\r\n]*-+ ?\(?(?i:more)\)?[^\r\n]*-+|[^\r\n]*(?i:press|hit) (?i:any key|q|enter|space)\b[^\r\n]*) ?"
"""Stands after a screenful of output, and waits for a key."""
CANCEL = "C(cancel)"
"""Offered by a question where leaving would discard or commit a candidate."""

ANY_PROMPT = pattern(r"[\w.-].*[#>\]$%] ?$")
ANY_QUESTION = pattern(rf"^{QUESTION}$")
NEW_PASSWORD = pattern(r"(?i)^.*\b(?:old|new|current) password ?: ?$")
"""A login that goes on only with another password."""
LONGEST = 300
"""Characters of a prompt or question; a longer last line is none."""


def answer_to(question: str, letter: str) -> str:
    """The letter in the form that the question offers; "C" cancels where that is offered."""
    if CANCEL in question:
        return "C" if letter == "N" else letter
    if "yes" in question.lower():
        return {"Y": "yes", "N": "no"}[letter]
    return letter
