"""Names and sentences are the field's words: `python tests/arch/names.py PATH` lists what is not."""

from pathlib import Path

import pytest

from tests.arch.names import ambiguous_classes, banned_names, banned_sentences, findings


def test_names_and_sentences_are_the_fields_words() -> None:
    assert findings() == []


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("verdict.py", ""),
        ("a.py", "def what_was_told(): ..."),
        ("a.py", "class TrapHearing: ..."),
        ("a.py", "class Trap:\n    told: bool"),
        ("a.py", "class Trap(Model):\n    beside = Field()"),
        ("a.py", "def trap_count(*, seen_before: int): ..."),
        ("a.tsx", "export const Furnished = 1"),
        ("a.ts", "function seenAlarms() {}"),
    ],
)
def test_banned_parts_of_names_are_found(file: str, text: str) -> None:
    assert list(banned_names(Path(file), text))


@pytest.mark.parametrize(
    "text", ["def connection_made(self): ...", "def holder(): ...", "def toldest(): ...", "class A:\n    seen: int"]
)
def test_other_names_pass(text: str) -> None:
    assert not list(banned_names(Path("a.py"), text))


@pytest.mark.parametrize(
    ("sentence", "passes"), [("Nobody reads it.", False), ("Made anew.", False), ("It runs as user `nobody`.", True)]
)
def test_banned_words_of_sentences_are_found(sentence: str, *, passes: bool) -> None:
    assert bool(list(banned_sentences(Path("a.md"), sentence))) is not passes


def test_a_class_name_in_several_contexts_is_found(tmp_path: Path) -> None:
    for context, name in (("lcm", "Kind"), ("faults", "Kind"), ("vims", "Other")):
        folder = tmp_path / "vnfm" / context
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{name.lower()}.py").write_text(f"class {name}: ...")
    assert ambiguous_classes(tmp_path) == ["Kind: faults, lcm"]
