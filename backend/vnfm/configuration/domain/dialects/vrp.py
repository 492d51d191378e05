"""Huawei VRP. VRP 8 (NE9000): `system-view` edits a candidate, `commit` makes it the running configuration.

`commit trial` is reverted unless a `commit` confirms it, within 60 to 65,535 seconds.
After `clear configuration candidate` leaving the system view asks no question; `abort`, which does both, is missing in
some releases.
VRP 5 (NE40E with V600 software, AR, S and older CX) has no candidate: each line has effect at once. Its prompts have
neither ~ nor *.
"""

from dataclasses import replace

from vnfm.configuration.domain.dialects.base import Command, Dialect, begins_with
from vnfm.configuration.domain.statements import Syntax
from vnfm.kit.patterns import pattern

_OPERATIONS = begins_with(
    "com|mit", "ab|ort", "sa|ve", "ro|llback", "re|boot", "re|set", "re|turn", "ru|n", "cl|ear", "qu|it", "for|mat",
    "del|ete", "startu|p", "dis|play", "pin|g", "tracer|t", "debugg|ing", "term|inal", "undo debugg|ing",
    "undo term|inal", "dir", "cd", "pwd", "copy", "mov|e", "renam|e", "mkd|ir", "rmd|ir", "more", "unz|ip", "zip",
    "upg|rade", "patch", "schedule", "sup|er", "lock", "send", "refresh", "slave", "language-mode", "diagnose",
)  # fmt: skip
"""Commands of the user view and of every view."""
_TO_HOSTS = r"(?:telnet|stelnet|sftp|ftp|scp|tftp) (?:-\S+ )?(?:[\w-]+\.)+[\w-]+.*|(?:stelnet|sftp|telnet|scp) .*[:@].*"
"""The same words with `server` or `client` are configuration."""
_DENIED = r"\b(?:failed to|is not supported|not permitted|is denied|no permission)\b"
_PUBLIC = r"(?:cipher|irreversible|simple|plain)\S*"
_HIDDEN = r"(?P<secret>\S+)"

VRP = Dialect(
    name="VRP",
    syntax=Syntax(
        negation="undo",
        noise=r"#|!.*|return|system-view",
        closers=frozenset({"quit"}),
        closer="quit",
        volatile=r"!(?:Last configuration was|MKHash).*",
    ),
    prompt=r"(?:<[^<>\n]+>|\[[*~]?[^\[\]\n]+\]) ?",
    login_prompt=r"<(?P<name>[^<>\n]+)> ?",
    top_prompt=r"\[[*~]?{name}\] ?",
    editing=pattern(r"\[[*~][^\[\]\n]+\] ?"),
    begin=pattern(r"(?m)^#$"),
    end=pattern("return"),
    errors=pattern(rf"(?m)^[ \t]*(?:Error ?(?:\[?\(?\d+\)?\]?)?: ?.*|Failed .*|(?:Warning|Info): .*{_DENIED}.*)$"),
    operations=pattern(f"(?i)(?:{_OPERATIONS}|{_TO_HOSTS})"),
    disable_paging=(Command("screen-length 0 temporary"),),
    show_running=Command("display current-configuration"),
    enter=(Command("system-view"),),
    show_candidate=Command("display configuration candidate merge"),
    commit=(Command("commit", "Y"),),
    commit_trial=Command("commit trial {seconds}", "Y"),
    abort_trial=Command("abort trial", "Y"),
    discard=(Command("clear configuration candidate", "Y"), Command("return")),
    exit=(Command("return"),),
    save=Command("save", "Y"),
    secrets=(
        pattern(r"\b(?:cipher|irreversible-cipher|simple|plain) (?P<secret>\S+)"),
        pattern(rf"\b(?:pre-shared-key|shared-key|key-string) (?:{_PUBLIC}|{_HIDDEN})"),
        pattern(rf"\bsnmp-agent community (?:(?:read|write) )?(?:(?:complexity|read|write)\S*|{_PUBLIC}|{_HIDDEN})"),
        pattern(rf"\bsecurityname (?:cipher\S*|{_HIDDEN})"),
        pattern(rf"\b(?:authentication|privacy)-mode (?:md5|sha|des|3des|aes)\S* (?:\d+ )?(?:{_PUBLIC}|{_HIDDEN})"),
        pattern(rf"\bpassword (?:policy\S*|{_PUBLIC}|{_HIDDEN})"),
    ),
    admin_lines={
        ("PORT", "UP"): ("interface {name}", " undo shutdown"),
        ("PORT", "DOWN"): ("interface {name}", " shutdown"),
    },
    in_use=pattern(r"(?i)trial|locked|another user"),
    unknown=pattern(r"(?i)unrecognized command|unknown command|incomplete command"),
)
VRP_5 = replace(
    VRP,
    name="VRP 5",
    top_prompt=r"\[{name}\] ?",
    editing=pattern(r"\[[^*~\[\]\n][^\[\]\n]*\] ?"),
    show_candidate=None,
    commit=(),
    commit_trial=None,
    abort_trial=None,
    discard=(Command("return"),),
    renames=pattern(r"sysname (?P<name>\S+)"),
)
VRP = replace(VRP, without_candidate=VRP_5)
