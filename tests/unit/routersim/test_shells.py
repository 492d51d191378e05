"""The command lines: show commands, edits, commits and rollbacks."""

import asyncio

import pytest

from routersim.cli.model import running
from routersim.cli.shell import SrosShell, VrpShell
from tests.unit.routersim.elements import Lab


def run(shell: SrosShell | VrpShell, *lines: str) -> str:
    return "\n".join(answer for line in lines if (answer := shell.run(line)))


def test_sros_shows_its_cards() -> None:
    lab = Lab(cards=1)
    shell = SrosShell(lab.router)
    assert shell.prompt() == "A:pe1# "
    assert "TiMOS-C-13.0.R6" in run(shell, "show version")
    assert "up/active" in run(shell, "show card")
    assert run(shell, "show nonsense") == "Error: Bad command."


def test_sros_changes_at_once() -> None:
    lab = Lab(cards=1, ports=1)
    shell = SrosShell(lab.router)
    assert run(shell, "configure port 1/1/1 shutdown", "configure", "system", 'name "edge"', "exit all") == ""
    port = lab.element.port("1/1/1")
    assert port is not None
    assert not port.admin_up
    assert shell.prompt() == "A:edge# "


def test_a_commit_is_atomic() -> None:
    lab = Lab(cards=1, ports=1)
    shell = SrosShell(lab.router)
    before = running(lab.router)
    run(shell, "candidate edit", "configure port 1/1/1 shutdown", "configure port 9/9/9 shutdown")
    assert "9/9/9" in run(shell, "candidate commit")
    assert running(lab.router) == before
    assert shell.prompt() == "*A:pe1>edit-cfg# "
    run(shell, "configure", "no port 9/9/9", "exit all")
    assert run(shell, "candidate commit") == ""
    assert "configure\tport 1/1/1\tshutdown" in running(lab.router)
    assert "OK" in run(shell, "admin rollback revert latest-rb now")
    assert running(lab.router) == before


def test_a_discarded_candidate_changes_nothing() -> None:
    lab = Lab(cards=1, ports=1)
    shell = SrosShell(lab.router)
    before = running(lab.router)
    run(shell, "candidate edit", 'configure system location "Berlin"')
    assert 'location "Berlin"' in run(shell, "candidate view")
    run(shell, "candidate discard now")
    assert running(lab.router) == before


def test_a_displayed_configuration_can_be_loaded() -> None:
    lab, other = Lab(cards=1, ports=2), Lab(cards=1, ports=2)
    shell = SrosShell(lab.router)
    run(
        shell,
        "configure log snmp-trap-group 98 trap-target ems address 10.1.1.1",
        "configure router interface toCore address 10.0.0.1/30",
        "configure router bgp group peers neighbor 10.0.0.2 peer-as 65001",
        'configure port 1/1/2 description "to the core"',
        "configure port 1/1/2 shutdown",
    )
    output = run(shell, "admin display-config")
    loader = SrosShell(other.router)
    run(loader, "candidate edit", *output.splitlines())
    assert run(loader, "candidate commit") == ""
    assert running(other.router) == running(lab.router)
    assert [peer.address for peer in other.element.peers] == ["10.0.0.2"]


def test_an_unconfigured_line_card_is_removed() -> None:
    lab = Lab(cards=2, ports=1)
    run(SrosShell(lab.router), "configure no card 2")
    assert [card.slot for card in lab.element.chassis.cards] == ["A", "B", "1"]


def test_a_configuration_change_sends_one_notification() -> None:
    for kind, lines, oid in (
        ("7750-SR-12", ("configure system location here",), (1, 3, 6, 1, 4, 1, 6527, 3, 1, 3, 1, 0, 8)),
        ("NE9000", ("system-view", "sysname core", "commit"), (1, 3, 6, 1, 4, 1, 2011, 6, 10, 2, 1)),
    ):
        lab = Lab(kind)
        for expected in ([oid], []):
            run((SrosShell if kind.startswith("7750") else VrpShell)(lab.router), *lines)
            assert lab.notified() == expected


def test_a_removed_text_is_empty() -> None:
    lab = Lab(cards=1, ports=1)
    shell = SrosShell(lab.router)
    before = running(lab.router)
    run(shell, "configure port 1/1/1 description there", "configure system location here")
    assert run(shell, "configure port 1/1/1 no description there", "configure system no location") == ""
    assert running(lab.router) == before


def test_a_bad_line_prints_the_routers_error() -> None:
    shell = SrosShell(Lab().router)
    assert run(shell, "configure nonsense here") == "Error: Bad command."
    assert "closing quotation" in run(shell, 'configure system name "half').lower()
    assert "Missing parameter" in run(shell, "configure port")


@pytest.mark.parametrize("line", ["configure port 1/1/1 no shutdwon", "configure router frobnicate 3"])
def test_sros_refuses_a_mistyped_line(line: str) -> None:
    lab = Lab(cards=1, ports=1)
    before = running(lab.router)
    assert run(SrosShell(lab.router), line) == "Error: Bad command."
    assert running(lab.router) == before


def test_vrp_commits_in_two_stages() -> None:
    lab = Lab("NE9000", cards=1, ports=1)
    shell = VrpShell(lab.router)
    assert shell.prompt() == "<pe1>"
    run(shell, "system-view", "interface 100GE1/0/0", "shutdown")
    assert shell.prompt() == "[*pe1-100GE1/0/0]"
    port = lab.element.port("100GE1/0/0")
    assert port is not None
    assert port.admin_up
    assert "done" in run(shell, "commit")
    assert not port.admin_up
    run(shell, "undo shutdown", "clear configuration candidate", "return")
    assert not port.admin_up
    run(shell, "rollback configuration to last 1")
    assert port.admin_up


def test_abort_trial_rolls_back() -> None:
    async def tried() -> None:
        lab = Lab("NE9000", cards=1, ports=1)
        shell, other = VrpShell(lab.router), VrpShell(lab.router)
        port = lab.element.port("100GE1/0/0")
        assert port is not None
        run(shell, "system-view", "interface 100GE1/0/0", "shutdown")
        assert "Wrong parameter" in run(shell, "commit trial 10")
        assert "not in the trial" in run(shell, "abort trial")
        assert "confirmed in 60 seconds" in run(shell, "commit trial 60")
        assert not port.admin_up
        assert "of another user" in run(other, "system-view", "sysname other", "commit")
        assert "Continue?" in (run(shell, "abort trial") and shell.prompt_or_question())
        assert "ended" in run(shell, "Y")
        assert port.admin_up
        assert "done" in run(shell, "commit"), "nothing is left of it"
        assert port.admin_up
        run(shell, "interface 100GE1/0/0", "shutdown", "commit trial 60", "commit")
        assert "not in the trial" in run(shell, "abort trial"), "it was confirmed"
        assert not port.admin_up

    asyncio.run(tried())


def test_a_slash_starts_at_the_top_level() -> None:
    lab = Lab(cards=1, ports=1)
    shell = SrosShell(lab.router)
    run(shell, "candidate edit", "configure", "port 1/1/1")
    assert shell.prompt() == "*A:pe1>edit-cfg>config>port# "
    assert run(shell, "configure system location here") == "Error: Bad command."
    assert run(shell, "/configure system location here", "shutdown", "/candidate commit") == ""
    assert (lab.element.location, shell.prompt()) == ("here", "A:pe1# ")
    port = lab.element.port("1/1/1")
    assert port is not None
    assert not port.admin_up


def test_an_exclusive_candidate_locks_out_other_sessions() -> None:
    lab = Lab()
    first, second = SrosShell(lab.router), SrosShell(lab.router)
    run(first, "candidate edit exclusive")
    assert "locked" in run(second, "candidate edit exclusive")
    first.close()
    assert run(second, "candidate edit exclusive") == ""
    run(second, "candidate discard now")
    assert run(first, "candidate edit exclusive") == ""


def test_vrp_displays_the_candidate_and_its_merge() -> None:
    lab = Lab("NE9000", cards=1, ports=1)
    shell = VrpShell(lab.router)
    run(shell, "system-view", "sysname core-1", "interface 100GE1/0/0", "description there")
    changes = run(shell, "display configuration candidate")
    assert "sysname core-1" in changes
    assert " description there" in changes
    assert "undo shutdown" not in changes
    assert "undo shutdown" in run(shell, "display configuration candidate merge")


def test_vrp_confirms_saving_and_losing_changes() -> None:
    lab = Lab("NE9000", cards=1, ports=1)
    shell = VrpShell(lab.router)
    run(shell, "save")
    assert shell.prompt_or_question() == "Are you sure to continue? [Y/N]:"
    assert "successfully" in run(shell, "Y")
    assert shell.prompt_or_question() == "<pe1>"
    run(shell, "system-view", "sysname core-1", "return")
    assert "C(cancel)" in shell.prompt_or_question()
    run(shell, "C")
    assert shell.prompt_or_question() == "[*pe1]"
    run(shell, "return", "N")
    assert shell.prompt_or_question() == "<pe1>"
    run(shell, "system-view", "sysname core-1", "quit", "Y")
    assert shell.prompt_or_question() == "<core-1>"


def test_vrp_rejects_a_missing_interface_at_its_line() -> None:
    shell = VrpShell(Lab("NE9000", cards=1, ports=1).router)
    assert "Wrong parameter" in run(shell, "system-view", "interface 100GE9/0/0")
    assert "Incomplete" in run(shell, "interface")


def test_vrp_displays_the_running_configuration() -> None:
    lab = Lab("NE9000", cards=1, ports=1, peers=[{"address": "10.0.0.2", "remoteAs": 65001}])
    shell = VrpShell(lab.router)
    output = run(shell, "display current-configuration")
    assert "sysname pe1" in output
    assert " peer 10.0.0.2 as-number 65001" in output
    run(shell, "system-view", "bgp 65000", "peer 10.0.0.2 ignore", "commit", "return")
    assert not lab.element.peers[0].admin_up
    assert "Master" in run(shell, "display device")
    assert "Unrecognized" in run(shell, "nonsense")
