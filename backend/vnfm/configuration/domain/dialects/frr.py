"""FRR's vtysh, as the login shell or what the login shell starts; also what looks like it.

Every line takes effect at once: nothing is tried without doing it, and a refused line leaves those before it in force.
"""

from vnfm.configuration.domain.dialects.base import Dialect, Say, begins_with
from vnfm.configuration.domain.statements import Syntax

FRR = Dialect(
    name="FRR",
    syntax=Syntax(
        negation="no",
        noise=r"!.*|end|configure(?: terminal)?|Building configuration\.\.\.|Current configuration:",
        closers=frozenset({"exit", "quit", "exit-address-family", "exit-vrf"}),
        closer="exit",
        volatile=r"Building configuration\.\.\.|Current configuration:",
    ),
    prompt=r"[\w.-]+(?:\([\w-]+\))?[#>] ?",
    home=r"(?P<name>[\w.-]+)[#>] ?",
    top=r"[\w.-]+\(config\)# ?",
    refusal=r"^\s*(?:%.*|Error (?:type|description):.*)$",
    harmless=r"deprecated|warning",
    operation=begins_with("do", "wr|ite", "co|py", "cl|ear", "rel|oad", "reb|oot", "res|et", "ex|it", "qu|it", "en|d"),
    quiet=(Say("terminal length 0"),),
    running=Say("show running-config"),
    begin=(Say("configure terminal"),),
    candidate=None,
    commit=(),
    trial=None,
    abort=None,
    discard=(Say("end"),),
    leave=(Say("end"),),
    save=Say("write memory", "y"),
    secrets=(
        r"\b(?:password|key-string|authentication-key|community) (?:8 |clear |md5 )?(?P<secret>\S+)",
        r"\bmd5 (?!key )(?P<secret>\S+)",
        r"\b(?:hash-algo \S+ key|authentication string|nhrp authentication) (?P<secret>\S+)",
    ),
    admin_lines={
        ("PORT", "UP"): ("interface {name}", " no shutdown"),
        ("PORT", "DOWN"): ("interface {name}", " shutdown"),
    },
)
