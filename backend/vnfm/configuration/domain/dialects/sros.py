"""Nokia SR OS (7750 SR, VSR, VMG), classic command line.

A push edits a candidate (SR OS "transactional configuration"): a syntax error is rejected at its line, other errors at
the commit, which then changes nothing. Unlike `admin rollback`, that needs no location for rollback checkpoints.
"""

from vnfm.configuration.domain.dialects.base import Command, Dialect, begins_with
from vnfm.configuration.domain.statements import Syntax

_KEYS = (
    "password|secret|authentication-key|auth-key|pre-shared-key|encryption-key|notify-community|usm-community"
    "|md5|sha|sha1|sha256"
)
_TEXT = r'(?P<secret>"[^"]*"|\S+)'
_OPERATIONS = begins_with(
    "ad|min", "ca|ndidate", "too|ls", "ex|ec", "logo|ut", "fi|le", "cl|ear", "bo|f", "re|set", "reb|oot", "ex|it",
    "ba|ck",
)  # fmt: skip
"""Without `to` and `log`: these are words of its configuration."""

SROS = Dialect(
    name="SR OS",
    syntax=Syntax(
        negation="no",
        noise=r"#.*|echo .*",
        closers=frozenset({"exit", "back", "exit all"}),
        closer="exit",
        volatile=r"# (?:Generated|Finished) .*",
        same=(
            (r"^/?(?:configure(?: |$))?", "configure "),
            (r'"', ""),
            (r" create\b", ""),
            (r" (router|ospf|isis) (?:Base|0)\b", r" \1"),
        ),
    ),
    prompt=r"[*!]*[AB]:[^\n#$]+[#$] ?",
    login_prompt=r"[*!]*[AB]:(?P<name>[^\n>#$]+)[#$] ?",
    top_prompt=r"[*!]*[AB]:[^\n>#$]+>edit-cfg[#$] ?",
    errors=r"^\s*(?:Error: .*|(?:MINOR|MAJOR|CRITICAL): [A-Z]+ .*)$",
    warnings="",
    operations=rf"{_OPERATIONS}|[/\\](?!\s*{begins_with('conf|igure')}$).*",
    disable_paging=(Command("environment no more"),),
    show_running=Command("/admin display-config"),
    enter=(Command("exit all"), Command("candidate edit exclusive")),
    show_candidate=None,  # `candidate view` prints the edited lines, not the resulting configuration
    commit=(Command("/candidate commit no-checkpoint", "y"),),
    commit_trial=None,  # `candidate commit confirmed` reverts to a checkpoint, which needs that location
    abort_trial=None,
    discard=(Command("/candidate discard now", "y"), Command("exit all")),
    exit=(Command("exit all"),),
    save=Command("/admin save", "y"),
    secrets=(
        rf"\b(?:{_KEYS}) {_TEXT}",
        rf"(?:^\s*|\bsnmp )community {_TEXT}(?=\s|$)(?! members)",
        rf"\bentry \d+ key {_TEXT}",
        rf"\bprivacy (?!none)\S+ {_TEXT}",
    ),
    admin_lines={
        ("PORT", "UP"): ("/configure port {name} no shutdown",),
        ("PORT", "DOWN"): ("/configure port {name} shutdown",),
        ("CARD", "UP"): ("/configure card {slot} no shutdown",),
        ("CARD", "DOWN"): ("/configure card {slot} shutdown",),
    },
)
