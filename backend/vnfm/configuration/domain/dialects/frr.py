"""FRR's vtysh.

At a command line of its kind every line takes effect at once: a dry run is only predicted, and a rejected line leaves
those before it in force. Where FRR is known to run, changes are loaded as files: checked, atomic, and taken back.
"""

from dataclasses import replace

from vnfm.configuration.domain.dialects.base import Command, Dialect, begins_with
from vnfm.configuration.domain.statements import Syntax
from vnfm.kit.patterns import pattern

_OPERATIONS = begins_with(
    "do", "wr|ite", "co|py", "cl|ear", "rel|oad", "reb|oot", "rese|t", "ex|it", "qu|it", "en|d", "sho|w", "pi|ng",
    "trac|eroute", "mtr|ace", "te|lnet", "ssh", "start-|shell", "term|inal", "lis|t", "fin|d", "who", "logm|sg",
    "output", "un|debug",
)  # fmt: skip

VTYSH = Dialect(
    name="vtysh",
    syntax=Syntax(
        negation="no",
        noise=r"!.*|end|configure(?: terminal)?|Building configuration\.\.\.|Current configuration:",
        closers=frozenset({"exit", "quit", "exit-address-family", "exit-vrf"}),
        closer="exit",
        volatile=r"Building configuration\.\.\.|Current configuration:",
    ),
    prompt=r"[\w.-]+(?:\([\w-]+\))?[#>] ?",
    login_prompt=r"(?P<name>[\w.-]+)[#>] ?",
    top_prompt=r"[\w.-]+\(config\)# ?",
    editing=pattern(r"[\w.-]+\(config[\w-]*\)# ?"),
    begin=pattern(r"(?m)^(?:Current configuration:.*|!.*|frr version .*|hostname .*)$"),
    end=pattern("end"),
    errors=pattern(r"(?m)^[ \t]*(?:%.*|Error (?:type|description):.*)$"),
    warnings=pattern(r"(?i)deprecated|warning"),
    operations=pattern("(?i)" + _OPERATIONS),
    disable_paging=(Command("terminal length 0"),),
    show_running=Command("show running-config"),
    enter=(Command("configure terminal"),),
    show_candidate=None,
    commit=(),
    commit_trial=None,
    abort_trial=None,
    discard=(Command("end"),),
    exit=(Command("end"),),
    save=Command("write memory", "y"),
    secrets=(
        pattern(r"\b(?:password|key-string|authentication-key|community) (?:8 |clear |md5 )?(?P<secret>\S+)"),
        pattern(r"\bmd5 (?:key |(?P<secret>\S+))"),
        pattern(r"\b(?:hash-algo \S+ key|authentication string|nhrp authentication) (?P<secret>\S+)"),
    ),
    admin_lines={
        ("PORT", "UP"): ("interface {name}", " no shutdown"),
        ("PORT", "DOWN"): ("interface {name}", " shutdown"),
    },
)
"""vtysh as the login shell, and similar command lines."""

FRR = replace(VTYSH, name="FRR", by_file=True)
