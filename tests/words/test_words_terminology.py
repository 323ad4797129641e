"""One word for one thing: the page, the slip, the register and the command line keep to the terminology."""

import argparse
import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.__main__ import COMMANDS, parser

TERMS = tomllib.loads(Path(__file__).with_name("terminology.toml").read_text(encoding="utf-8"))["term"]
ROOT = Path(__file__).parents[2]
WORDS = ROOT / "controller" / "words"
PAGES = [*(ROOT / "simulators").glob("*/page/words")]
# The sign speaks as the regulation does.
OF_THE_LAW = {"sign_pages"}


def shown(language: str) -> Iterator[tuple[str, str]]:
    """What a dealer, a technician or a player is shown in a language."""
    for folder in (WORDS, *PAGES):
        for key, phrase in json.loads((folder / f"{language}.json").read_text(encoding="utf-8")).items():
            if isinstance(phrase, str):
                yield f"{folder.relative_to(ROOT)}: {key}", phrase
            elif key not in OF_THE_LAW:
                yield from ((f"{key}/{name}", text) for name, text in phrase.items())


def wrong_words(language: str, phrase: str) -> list[str]:
    never = [word for term in TERMS for word in term.get(language, {}).get("never", ())]
    phrase = re.sub(r"\{[^}]*\}|--\w+", "", phrase)  # holes, and options of the command line
    # Chinese has no spaces between words.
    return [word for word in never if re.search(word if language == "zh" else rf"(?i)\b{word}\b", phrase)]


@pytest.mark.parametrize("language", ["en", "pt", "zh"])
def test_a_thing_has_one_word_wherever_it_is_shown(language: str) -> None:
    assert {key: wrong for key, phrase in shown(language) if (wrong := wrong_words(language, phrase))} == {}


@pytest.mark.parametrize("language", ["pt", "zh"])
def test_every_word_of_the_terminology_is_used(language: str) -> None:
    phrase = " ".join(text for _, text in shown(language)).lower()
    assert [term[language]["say"] for term in TERMS if language in term and term[language]["say"] not in phrase] == []


# A full stop may be between figures, a colon in a query; what is not Chinese keeps its own marks.
MIXED = re.compile(
    r"[\u4e00-\u9fff}][,;:!?()]|[,;!?][\u4e00-\u9fff]|[\u4e00-\u9fff]\.(?!\.)|[\u4e00-\u9fff] +\{|\} +[\u4e00-\u9fff]"
)
QUERY = ("query.help", "reasons/query_")


def test_chinese_has_chinese_marks_and_no_spaces_around_what_is_filled_in() -> None:
    phrase = [(key, text) for key, text in shown("zh") if not any(word in key for word in QUERY)]
    assert {key: text for key, text in phrase if MIXED.search(text)} == {}


def test_every_term_has_its_source_and_forbids_no_word_that_it_is_made_of() -> None:
    for term in TERMS:
        assert term["source"] and term["means"]
        for language in term.keys() & {"en", "pt", "zh"}:
            assert not wrong_words(language, term[language]["say"]), term["means"]


def test_the_command_line_keeps_to_it() -> None:
    phrase: list[str] = []

    def read(command: argparse.ArgumentParser) -> None:
        phrase.append(command.format_help())
        for action in command._actions:
            if isinstance(action, argparse._SubParsersAction):
                for choice in action.choices.values():
                    read(choice)

    read(parser(tuple(COMMANDS)))
    assert len(phrase) > len(COMMANDS)
    assert wrong_words("en", " ".join(phrase)) == []
