import pytest

from vnfm.catalog.domain.documents import MAX_BYTES, parse_yaml, pointer
from vnfm.catalog.domain.errors import PackageError


def fault(content):
    with pytest.raises(PackageError) as caught:
        parse_yaml("a.yaml", content)
    assert caught.value.code == "YAML_INVALID"
    return caught.value.faults[0]


def test_dates_stay_text_as_heat_reads_them():
    assert parse_yaml("a.yaml", b"heat_template_version: 2015-10-15").data == {"heat_template_version": "2015-10-15"}


def test_lines_are_found_by_path():
    document = parse_yaml("a.yaml", b"a:\n  b:\n    - x\n    - y: 1\n")
    assert document.line(("a", "b", 1, "y")) == 4
    assert document.line(("a", "b", 1, "missing")) == 4
    assert document.line(()) == 1


def test_pointers_are_escaped():
    assert pointer(("a/b", 0, "c~d")) == "/a~1b/0/c~0d"


@pytest.mark.parametrize(
    ("content", "line", "message"),
    [
        (b"- a list", 1, "The file must hold a mapping (key: value)."),
        (b"", 1, "This is an empty file. Send it with its content."),
        (b"a: 1\nb:\n\tc: 1\n", 3, "Line 3 has a tab where YAML takes blanks only: indent it with blanks."),
        (b"a: 1\nb: @image@\n", 2, "Line 2 has a value that begins with @, which YAML reserves"),
        (b"a: %image%\n", 1, "Line 1 has a value that begins with %, which YAML reserves"),
        (b"{% set n = 2 %}\na: 1\n", 1, "This is a template of Jinja (line 1). Render it first, and send the result."),
        (b"heat_template_version: x\nflavor: {{ f }}\n", 2, "This is a template of Jinja (line 2)."),
        (b"a: '{{ x }}'\n" + b"\n" * 9 + b"b: [\n", 12, "Did not find expected node content."),
        (b"a: 1\n<<<<<<< HEAD\nb: 1\n=======\nb: 2\n>>>>>>> x\n", 2, "This is a file with Git's marks of an"),
        (b"a: 1\nb: [\n", 3, "Did not find expected node content."),
        (b"a: !!python/object/apply:os.system [ls]", 1, "Could not determine a constructor"),
        (b"a: &x [*x]", 1, "An alias refers to what contains it."),
        (b"a: 1\n---\nb: 2\n", 2, "But found another document."),
        (b"a: \xff", 0, "The file is not UTF-8 text: invalid start byte at byte 3."),
        (b"a: " + b"[" * 50 + b"]" * 50, 1, "The file nests deeper than 40 levels."),
        (b"a: !!bool maybe", 0, "The file is not valid YAML: 'maybe'."),
        (b"a: !!int ''", 0, "The file is not valid YAML: string index out of range."),
        (b"a: !!timestamp x", 0, "The file is not valid YAML: "),
        (b"a: 1" + b":1" * 100_000, 1, "A number has more than 100 characters."),
        (b"a: " + b"x" * MAX_BYTES, 0, f"The file has {MAX_BYTES + 3} bytes; {MAX_BYTES} are allowed for YAML."),
    ],
)
def test_invalid_yaml_is_refused_at_its_line(content, line, message):
    found = fault(content)
    assert (found.line, found.message[: len(message)]) == (line, message)


def test_a_billion_laughs_are_refused_before_anything_grows():
    lines = ["a0: &a0 [ha, ha, ha, ha, ha, ha, ha, ha, ha, ha]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 10)]
    assert "more than 100000 nodes" in fault("\n".join(lines).encode()).message


def test_of_a_key_that_is_written_twice_the_last_counts():
    document = parse_yaml("a.yaml", b"x: &x {a: 1}\nb: {a: 2, <<: *x, c: 3, a: 4}\n")
    assert document.data["b"] == {"a": 4, "c": 3}
    [repeated] = document.repeated_keys
    assert (repeated.line, repeated.message) == (2, "The key 'a' is written twice.")
    with pytest.raises(PackageError, match="written twice"):
        document.require_unique_keys()


def test_honest_aliases_are_fine():
    assert parse_yaml("a.yaml", b"a: &x {b: 1}\nc: *x").data == {"a": {"b": 1}, "c": {"b": 1}}
