"""Huawei VRP 8 (NE9000): `system-view` edits a candidate, `commit` makes it the running configuration.

`commit trial` is reverted unless a `commit` confirms it, within 60 to 65,535 seconds.
After `clear configuration candidate` leaving the system view asks no question; `abort`, which does both, is missing in
some releases.
"""

from vnfm.configuration.domain.dialects.base import Command, Dialect, begins_with
from vnfm.configuration.domain.statements import Syntax

_OPERATIONS = begins_with(
    "com|mit", "ab|ort", "sa|ve", "ro|llback", "re|boot", "re|set", "re|turn", "ru|n", "cl|ear", "qu|it", "for|mat",
    "del|ete", "startu|p",
)  # fmt: skip

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
    errors=r"^\s*(?:Error\d*: ?.*|Failed .*)$",
    warnings="",
    operations=_OPERATIONS,
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
        r"\b(?:cipher|irreversible-cipher|simple|plain) (?P<secret>\S+)",
        r"\b(?:pre-shared-key|shared-key|key-string) (?!cipher|simple|plain)(?P<secret>\S+)",
        r"\bsnmp-agent community (?:(?:read|write) )?(?!complexity|cipher|read|write)(?P<secret>\S+)",
        r"\bsecurityname (?!cipher)(?P<secret>\S+)",
        r"\b(?:authentication|privacy)-mode (?:md5|sha|des|3des|aes)\S* (?!cipher|simple|plain|\d+ )(?P<secret>\S+)",
        r"\bpassword (?!cipher|irreversible|simple|policy)(?P<secret>\S+)",
    ),
    admin_lines={
        ("PORT", "UP"): ("interface {name}", " undo shutdown"),
        ("PORT", "DOWN"): ("interface {name}", " shutdown"),
    },
)
