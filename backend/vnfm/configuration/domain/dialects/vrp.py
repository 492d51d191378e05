"""Huawei VRP 8 (NE9000): `system-view` edits a candidate, `commit` makes it the running configuration.

`commit trial` is taken back unless a `commit` confirms it, in 60 seconds at least and 65,535 at most.
What is discarded by `clear configuration candidate` leaves nothing to ask about when editing is left; `abort`, which
does both, is not there in every release.
"""

from vnfm.configuration.domain.dialects.base import Dialect, Say, begins_with
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
    home=r"<(?P<name>[^<>\n]+)> ?",
    top=r"\[[*~]?{name}\] ?",
    refusal=r"^\s*(?:Error\d*: ?.*|Failed .*)$",
    harmless="",
    operation=_OPERATIONS,
    quiet=(Say("screen-length 0 temporary"),),
    running=Say("display current-configuration"),
    begin=(Say("system-view"),),
    candidate=Say("display configuration candidate merge"),
    commit=(Say("commit", "Y"),),
    trial=Say("commit trial {seconds}", "Y"),
    abort=Say("abort trial", "Y"),
    discard=(Say("clear configuration candidate", "Y"), Say("return")),
    leave=(Say("return"),),
    save=Say("save", "Y"),
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
