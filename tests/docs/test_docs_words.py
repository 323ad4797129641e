"""All text uses one term for one thing: no replaced word is in it."""

import pytest

from tests.docs.words import ROOT, paths, replaced_words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("The floor is told.\n\nNobody hears it.", [(1, "told"), (3, "hears"), (3, "Nobody")]),
        ("It goes on where it\nlies.", [(2, "lies"), (1, "goes on")]),
        ("`unreported_card` and [a link](lies.md) are quoted.\n```\nsaid\n```\n", []),
        ("*stand* at black-jack stands for itself.", []),
        ("## Words\n\nnobody\n\n## Then\n\nnobody\n", [(7, "nobody")]),
    ],
)
def test_a_replaced_word_is_found_outside_quotations(text: str, words: list[tuple[int, str]]) -> None:
    assert sorted((line, word) for line, word, _ in replaced_words(text)) == sorted(words)


def test_names_in_code_are_found_where_code_is_checked() -> None:
    text = "def was_told(heard: str) -> None:\n    `nobody`\n"
    assert sorted(word for _, word, _ in replaced_words(text, "module.py")) == ["heard", "nobody", "told"]


def test_a_word_of_the_trade_is_no_replaced_word_where_the_trade_uses_it() -> None:
    assert [*replaced_words("The hand stands.", "rulebook/blackjack_21/play.py")] == []
    assert [word for _, word, _ in replaced_words("The hand stands.", "rulebook/play.py")] == ["stands"]


def test_pages_and_code_are_checked() -> None:
    checked = {path.relative_to(ROOT).parts[0] for path in paths()}
    assert {"README.md", "docs", "controller", "drivers", "simulators", "systemd"} <= checked
