"""Files for vtysh: its errors by line, and lines that would leave the configuration."""

import pytest

from vnfm.configuration.domain.dialects import FRR
from vnfm.configuration.domain.file_load import file_text, line_errors, outer_exit_before
from vnfm.configuration.domain.statements import lines_of


def test_errors_are_found_by_their_line() -> None:
    output = "line 3: % Unknown command[17]:  nonsense 1\n\nline 12: Failure to communicate[13] to bgpd, line: router\n"
    assert line_errors(output) == {
        3: "% Unknown command[17]:  nonsense 1",
        12: "Failure to communicate[13] to bgpd, line: router",
    }
    assert line_errors("") == {}


@pytest.mark.parametrize(
    ("text", "number", "outer"),
    [
        ("interface a\nexit\nexit\nip prefix-list P seq 5 permit any", 4, 2),
        ("interface a\nexit\nip prefix-list P seq 5 permit any", 3, None),
        ("exit\nhostname a", 2, 0),
        ("router bgp 1\naddress-family ipv4 unicast\nexit-address-family\nexit\nnonsense", 5, None),
        ("router bgp 1\naddress-family ipv4 unicast\nexit-address-family\nexit\nexit\nnonsense", 6, 4),
        ("interface a\nexit\nexit\nhostname a\nnonsense", 5, None),
    ],
)
def test_the_line_that_left_the_configuration_is_found(text: str, number: int, outer: int | None) -> None:
    assert outer_exit_before(FRR.syntax, lines_of(FRR.syntax, text), number) == outer


def test_each_line_is_one_of_the_file() -> None:
    lines = lines_of(FRR.syntax, "!\ninterface a\n description b\n")
    assert file_text(lines) == "interface a\n description b\n"
    assert [line.number for line in lines] == [2, 3], "as the operator wrote them"
