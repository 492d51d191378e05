"""Nokia SR OS (7750 SR, VSR, VMG), classic command line.

A push is a candidate (SR OS "transactional configuration"): a line of bad syntax is refused where it stands, the rest
at the commit, which then changes nothing. That needs no place for rollback checkpoints, which `admin rollback` does.
"""

from vnfm.configuration.domain.dialects.base import Dialect, Say, begins_with
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
"""Not `to` and `log`: these are words of its configuration."""

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
    home=r"[*!]*[AB]:(?P<name>[^\n>#$]+)[#$] ?",
    top=r"[*!]*[AB]:[^\n>#$]+>edit-cfg[#$] ?",
    refusal=r"^\s*(?:Error: .*|(?:MINOR|MAJOR|CRITICAL): [A-Z]+ .*)$",
    harmless="",
    operation=rf"{_OPERATIONS}|[/\\](?!\s*{begins_with('conf|igure')}$).*",
    quiet=(Say("environment no more"),),
    running=Say("/admin display-config"),
    begin=(Say("exit all"), Say("candidate edit exclusive")),
    candidate=None,  # `candidate view` prints the lines that were edited, and not what would come of them
    commit=(Say("/candidate commit no-checkpoint", "y"),),
    trial=None,  # `candidate commit confirmed` is taken back to a checkpoint, which needs that place
    abort=None,
    discard=(Say("/candidate discard now", "y"), Say("exit all")),
    leave=(Say("exit all"),),
    save=Say("/admin save", "y"),
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
