"""Docstrings and comments are sentences: `python tests/arch/sentences.py PATH` lists what is not."""

import pytest

from tests.arch.names import ROOT
from tests.arch.sentences import faults, findings, texts_of_python, texts_of_typescript


@pytest.mark.parametrize("folder", ["backend", "frontend", "tests"])
def test_no_sentence_hides_who_does_what(folder: str) -> None:
    assert findings([ROOT / folder]) == []


@pytest.mark.parametrize(
    "text", ["Of the cloud.", "As the poller writes it.", "Whether it is up.", "It is no VNF.", "It ended meanwhile."]
)
def test_a_sentence_that_hides_it_is_found(text: str) -> None:
    assert list(faults(text))


@pytest.mark.parametrize(
    "text", ["Return the cloud.", "As the poller writes it, the row is new.", "There is no VNF.", "It is no longer up."]
)
def test_other_sentences_pass(text: str) -> None:
    assert not list(faults(text))


def test_docstrings_and_comments_are_read() -> None:
    python = '"""One."""\nA = "# Of a text"  # Of two\n"""Three."""\n# Four\n# goes on\nclass B:\n    """Five."""\n'
    assert [text for _, text in texts_of_python(python)] == ["Five.", "Three.", "One.", "Of two", "Four"]
    typescript = "/** One. */\nconst a = 1; // two\n// three\n// goes on\n"
    assert [text for _, text in texts_of_typescript(typescript)] == ["One.", "two", "three"]
