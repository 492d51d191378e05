"""Patterns of each dialect: errors, prompts, secrets, operations."""

from pathlib import Path

import pytest

from tests.factories.packages import SHIPPED
from vnfm.configuration.domain.dialects import FRR, SROS, VRP
from vnfm.configuration.domain.dialects.base import MASK, Dialect
from vnfm.configuration.domain.login_warning import login_warning
from vnfm.configuration.domain.statements import lines_of
from vnfm.devices.prompts import ANY_QUESTION, PAGE, answer_to
from vnfm.kit.patterns import pattern


@pytest.mark.parametrize(
    ("dialect", "output", "words"),
    [
        (SROS, "        ^\nError: Bad command.", "Error: Bad command."),
        (SROS, 'MINOR: CLI Could not find port "9/9/9".', 'MINOR: CLI Could not find port "9/9/9".'),
        (SROS, "INFO: CLI Trap groups are not used.\nWARNING: CLI xyz", ""),
        (SROS, 'description "Error: no such thing"', ""),
        (VRP, "   ^\nError: Wrong parameter found at '^' position.", "Error: Wrong parameter found at '^' position."),
        (VRP, "Warning: All BGP configurations will be deleted.\nInfo: done", ""),
        (FRR, "% Unknown command: nonsense", "% Unknown command: nonsense"),
        (FRR, "% Configuration failed.\n\nError type: validation", "% Configuration failed.; Error type: validation"),
        (FRR, "% This command is deprecated", ""),
        (FRR, "", ""),
    ],
)  # fmt: skip
def test_errors_are_recognised(dialect: Dialect, output: str, words: str) -> None:
    assert dialect.error_in(output) == words


def test_an_error_message_is_bounded() -> None:
    assert len(SROS.error_in("Error: x\n" * 10_000)) <= 500


@pytest.mark.parametrize(
    ("dialect", "prompt", "top"),
    [
        (SROS, "*A:pe1>edit-cfg# ", True),
        (SROS, "*A:pe1>edit-cfg>config>port# ", False),
        (SROS, "A:pe1# ", False),
        (VRP, "[~core-1]", True),
        (VRP, "[*core-1]", True),
        (VRP, "[*core-1-100GE1/0/0]", False),
        (VRP, "<core-1>", False),
        (FRR, "frr-1(config)# ", True),
        (FRR, "frr-1(config-if)# ", False),
        (FRR, "frr-1# ", False),
    ],
)
def test_prompts(dialect: Dialect, prompt: str, top: bool) -> None:
    assert pattern(dialect.prompt).fullmatch(prompt)
    assert bool(pattern(dialect.top_prompt.replace("{name}", "core-1")).fullmatch(prompt)) == top


@pytest.mark.parametrize(
    ("dialect", "line"),
    [
        (SROS, 'community "SECRET" r version both'),
        (SROS, '/configure system snmp community "SECRET" rwa'),
        (SROS, 'password "SECRET" hash2'),
        (SROS, 'user "admin" password "SECRET"'),
        (SROS, "authentication hash md5 SECRET privacy aes-128-cfb-key SECRET"),
        (SROS, 'authentication-key "SECRET" hash2'),
        (SROS, 'server 1 address 10.0.0.1 secret "SECRET" hash2'),
        (SROS, 'trap-target "ems" address 10.0.0.1 snmpv2c notify-community "SECRET"'),
        (SROS, 'entry 0 key "SECRET" hash2 algorithm hmac-sha-1-96'),
        (SROS, 'usm-community "SECRET" group "g"'),
        (SROS, 'encryption-key "SECRET"'),
        (VRP, "snmp-agent community read cipher SECRET"),
        (VRP, "snmp-agent usm-user v3 ems group authentication-mode md5 SECRET privacy-mode des56 SECRET"),
        (VRP, "snmp-agent usm-user v3 ems authentication-mode sha cipher SECRET"),
        (VRP, " key-string cipher SECRET"),
        (VRP, "ntp-service authentication-keyid 1 authentication-mode md5 SECRET"),
        (VRP, "radius-server shared-key-cipher SECRET"),
        (VRP, "snmp-agent community write SECRET"),
        (VRP, "local-user admin password irreversible-cipher SECRET"),
        (VRP, " peer 10.0.0.2 password cipher SECRET"),
        (VRP, " ospf authentication-mode md5 1 plain SECRET"),
        (VRP, "snmp-agent target-host trap address udp-domain 10.0.0.1 params securityname SECRET v2c"),
        (VRP, "snmp-agent target-host trap address udp-domain 10.0.0.1 params securityname cipher SECRET v2c"),
        (VRP, "hwtacacs server shared-key cipher SECRET"),
        (FRR, " neighbor 10.0.0.2 password SECRET"),
        (FRR, "enable password 8 SECRET"),
        (FRR, " ip ospf message-digest-key 1 md5 SECRET"),
        (FRR, "  key-string SECRET"),
        (FRR, " area-password md5 SECRET"),
        (FRR, " ip rip authentication string SECRET"),
        (FRR, " ip nhrp authentication SECRET"),
        (FRR, " ipv6 ospf6 authentication key-id 1 hash-algo md5 key SECRET"),
    ],
)
def test_secrets_are_masked(dialect: Dialect, line: str) -> None:
    masked = dialect.masked(f"before\n{line}\nafter")
    assert "SECRET" not in masked
    assert MASK in masked
    assert masked.startswith("before\n")
    assert masked.endswith("\nafter")


@pytest.mark.parametrize(
    ("dialect", "line"),
    [
        (SROS, 'community "to-core" members "65000:1"'),
        (SROS, "        no shutdown"),
        (VRP, " description the way to the core"),
        (FRR, "router bgp 65001"),
    ],
)
def test_other_lines_are_not_masked(dialect: Dialect, line: str) -> None:
    assert dialect.masked(line) == line


@pytest.mark.parametrize(
    ("dialect", "line", "operation"),
    [
        (SROS, "candidate commit", True),
        (SROS, "/admin reboot now", True),
        (SROS, "configure router", False),
        (SROS, "/adm reboot now", True),
        (SROS, "\\admin reboot now", True),
        (SROS, "/file delete cf3:/config.cfg", True),
        (SROS, "/clear router bgp neighbor all", True),
        (SROS, "bof save", True),
        (SROS, "exi", True),
        (SROS, "exit all admin reboot", True),
        (SROS, "/configure system name pe1", False),
        (SROS, "/config log log-id 99", False),
        (SROS, "exit all", False),
        (SROS, "to memory 500", False),
        (SROS, "log 101", False),
        (SROS, "file-policy 1", False),
        (VRP, "commit trial", True),
        (VRP, "reb", True),
        (VRP, "REBOOT fast", True),
        (VRP, "ret", True),
        (VRP, "reset saved-configuration", True),
        (VRP, "sysname commit", False),
        (VRP, "shutdown", False),
        (VRP, "description reboot", False),
        (FRR, "do write memory", True),
        (FRR, "exi", True),
        (FRR, "clear bgp *", True),
        (FRR, "exit", False),
        (FRR, "exit-address-family", False),
        (FRR, "log syslog", False),
        (FRR, "redistribute connected", False),
        (FRR, "domainname here", False),
    ],
)
def test_operations_are_no_configuration(dialect: Dialect, line: str, operation: bool) -> None:
    assert bool(dialect.rejection(line)) == operation


@pytest.mark.parametrize(
    ("line", "question", "page"),
    [
        ("Are you sure to continue? [Y/N]:", True, False),
        ("The password needs to be changed. [Y/N]: ", True, False),
        ("Are you sure you want to continue (y/n)? ", True, False),
        ("Discard uncommitted changes? [y,n] ", True, False),
        ("Continue connecting (yes/no)?", True, False),
        ("Press any key to continue (Q to quit)", False, True),
        ("  ---- More ----", False, True),
        ("--More--", False, True),
        ("-- (more) --", False, True),
        ("A:pe7# ", False, False),
        ("[~ne7]", False, False),
    ],
)
def test_what_a_command_line_waits_at(line: str, question: bool, page: bool) -> None:
    assert bool(ANY_QUESTION.search(line)) == question
    assert bool(pattern(f"^{PAGE}$").search(line)) == page


@pytest.mark.parametrize(
    ("greeting", "words"),
    [
        ("Warning: The password will expire in 5 days. Do you want to change it now? [Y/N]:", "expires in 5 days"),
        ("Warning: Your password expires in 1 day.", "expires in 1 day."),
        (
            "Warning: The initial password poses security risks.\nThe password needs to be changed. Change now?",
            "initial",
        ),
        ("Authorised users only. Type your password.", ""),
        ("Info: The number of current VTY users online is 1.", ""),
    ],
)
def test_what_a_router_says_of_our_password(greeting: str, words: str) -> None:
    assert words in login_warning(greeting)
    assert bool(login_warning(greeting)) == bool(words)


def test_no_is_answered_in_the_form_that_is_offered() -> None:
    assert [answer_to(one, "N") for one in ("[Y/N]:", "(yes/no)?", "[Y(yes)/N(no)/C(cancel)]:")] == ["N", "no", "C"]


@pytest.mark.parametrize("dialect", [SROS, VRP, FRR])
@pytest.mark.parametrize("end", ["\r", "\x03", "\x1a", "\x85"])
def test_a_line_is_one_line(dialect: Dialect, end: str) -> None:
    assert dialect.rejection(f"no shutdown{end}admin reboot now")
    assert not dialect.rejection("no\tshutdown")


FILES = sorted((SHIPPED.parents[1]).glob("*/*/day[01]/*.cfg"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(SHIPPED.parents[1])))
def test_shipped_packages_push_only_configuration(file: Path) -> None:
    lines = lines_of(SROS.syntax, file.read_text())
    assert lines
    assert [*SROS.rejections(lines)] == []
