"""Nokia SR OS (7750 SR, VSR, VMG): its classic command line, and the model-driven one of routers in that mode.

A push edits a candidate (SR OS "transactional configuration"): a syntax error is rejected at its line, other errors at
the commit, which then changes nothing. Unlike `admin rollback`, that needs no location for rollback checkpoints.
"""

from vnfm.configuration.domain.dialects.base import Command, Dialect, begins_with
from vnfm.configuration.domain.statements import Syntax
from vnfm.kit.patterns import pattern

_KEYS = (
    "password|secret|authentication-key|auth-key|pre-shared-key|encryption-key|notify-community|usm-community"
    "|md5|sha|sha1|sha256"
)
_TEXT = r'(?P<secret>"[^"\n]*"|\S+)'
_ERRORS = pattern(r"(?m)^[ \t]*(?:Error: .*|(?:MINOR|MAJOR|CRITICAL): [A-Z][A-Z0-9_]* .*)$")
"""By severity and module; in the model-driven command line a number follows."""
_OPERATIONS = begins_with(
    "ad|min", "ca|ndidate", "tool|s", "ex|ec", "logo|ut", "fi|le", "cl|ear", "bof", "rese|t", "reb|oot", "ex|it",
    "ba|ck", "sho|w", "pin|g", "oam", "tracer|oute", "moni|tor", "debu|g", "envi|ronment", "enable-|admin", "hist|ory",
    "mst|at", "mtr|ace", "mri|nfo", "sle|ep", "tree", "pwc", "inf|o", "who",
)  # fmt: skip
"""Commands of every context. Without `to` and `log`: these are words of its configuration, as are `ssh` and `telnet`
without a host.
"""
_TO_HOSTS = r"(?:telnet|ssh|sftp|ftp|scp|tftp|nslookup) .*[.:@].*"
_CONFIGURE = begins_with("conf|igure")

MD_CLI = Dialect(
    name="SR OS (MD-CLI)",
    syntax=Syntax(
        negation="delete",
        noise=r"#.*",
        closers=frozenset({"exit", "back", "exit all", "}", "/"}),
        closer="}",
        volatile=r"# (?:Generated|Finished|Last modified).*",
        same=(
            (r"^(?P<other>/?(?:configure(?: |$))?)", "configure "),
            (r'(?P<other>")', ""),
            (r" router(?P<other> Base)\b", ""),
        ),
        leave_all=frozenset({"exit all", "/"}),
        opener=" {",
    ),
    prompt=r"[AB]:[^\n#$]+[#$] ?",
    login_prompt=r"[AB]:(?P<name>[^\n>#$]+)[#$] ?",
    top_prompt=r"!?\*?\(ex\)\[/?\]\n[AB]:[^\n>#$]+[#$] ?",
    editing=pattern(r"!?\*?\(ex\) ?\[/?[^\n]*\]\n[AB]:[^\n#$]+[#$] ?"),
    begin=pattern(r"(?m)^[ \t]*configure \{$"),
    end=pattern(r"# Finished .*"),
    errors=_ERRORS,
    operations=pattern(
        rf"(?i)(?:{_OPERATIONS}|{_TO_HOSTS}|"
        + begins_with("commit", "disc|ard", "vali|date", "comp|are", "quit-config", "edit-config", "load", "rollb|ack")
        + ")"
    ),
    disable_paging=(Command("environment more false"),),
    show_running=Command("admin show configuration"),
    enter=(Command("edit-config exclusive"),),
    show_candidate=None,
    commit=(Command("commit"),),
    commit_trial=Command("commit confirmed {minutes}"),
    abort_trial=Command("commit confirmed cancel", "y"),
    discard=(Command("discard /", "y"), Command("quit-config", "y")),
    exit=(Command("quit-config"),),
    save=Command("admin save", "y"),
    secrets=(
        pattern(rf"\b(?:{_KEYS}|community-string|hash-key|privacy-key) {_TEXT}"),
        pattern(r'(?m)\bcommunity "(?P<secret>[^"\n]*)"(?: \{)?$'),
    ),
    admin_lines={
        ("PORT", "UP"): ("/configure port {name} admin-state enable",),
        ("PORT", "DOWN"): ("/configure port {name} admin-state disable",),
        ("CARD", "UP"): ("/configure card {slot} admin-state enable",),
        ("CARD", "DOWN"): ("/configure card {slot} admin-state disable",),
    },
    root=pattern(rf"(?:delete )?/?(?:delete )?{_CONFIGURE}"),
    confirm_trial=(Command("commit confirmed accept"),),
    compare=Command("compare"),
    validate=Command("validate"),
    context_line=pattern(r"!?\*?(?:\((?:ex|gl|pr|ro)\) ?)?\[(?:(?:ex|gl|pr|ro):)?/?[^\n\[]*\]"),
    in_use=pattern(r"(?i)exclusive datastore|datastore access unavailable|commit confirmed|locked|in progress"),
)
"""Its prompts have two lines: the first has the context, and the mode while it edits."""

SROS = Dialect(
    name="SR OS",
    syntax=Syntax(
        negation="no",
        noise=r"#.*|echo .*",
        closers=frozenset({"exit", "back", "exit all"}),
        closer="exit",
        volatile=r"# (?:Generated|Finished) .*",
        same=(
            (r"^(?P<other>/?(?:configure(?: |$))?)", "configure "),
            (r'(?P<other>")', ""),
            (r"(?P<other> create)\b", ""),
            (r" (?:router|ospf|isis)(?P<other> (?:Base|0))\b", ""),
        ),
        leave_all=frozenset({"exit all"}),
    ),
    prompt=r"[*!]*[AB]:[^\n#$]+[#$] ?",
    login_prompt=r"[*!]*[AB]:(?P<name>[^\n>#$]+)[#$] ?",
    top_prompt=r"[*!]*[AB]:[^\n>#$]+>edit-cfg[#$] ?",
    editing=pattern(r"[*!]*[AB]:[^\n#$]+>edit-cfg[^\n#$]*[#$] ?"),
    begin=pattern(r"(?m)^configure$"),
    end=pattern(r"# Finished .*"),
    errors=_ERRORS,
    operations=pattern(rf"(?i)(?:{_OPERATIONS}|{_TO_HOSTS}|[/\\].*)"),
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
        pattern(rf"\b(?:{_KEYS}) {_TEXT}"),
        pattern(rf'(?m)(?:^[ \t]*|\bsnmp )community (?:(?:"[^"\n]*"|\S+) members\b|{_TEXT})'),
        pattern(rf"\bentry \d+ key {_TEXT}"),
        pattern(rf"\bprivacy (?:none\b|\S+ {_TEXT})"),
    ),
    admin_lines={
        ("PORT", "UP"): ("/configure port {name} no shutdown",),
        ("PORT", "DOWN"): ("/configure port {name} shutdown",),
        ("CARD", "UP"): ("/configure card {slot} no shutdown",),
        ("CARD", "DOWN"): ("/configure card {slot} shutdown",),
    },
    root=pattern(rf"[/\\]?\s*{_CONFIGURE}"),
    in_use=pattern(r"(?i)locked by|exclusive|in use by"),
    model_driven=MD_CLI,
    mode_error=pattern(r"MGMT_CORE #\d+"),
)
