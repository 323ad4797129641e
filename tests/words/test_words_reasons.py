"""The catalogues: every reason has its sentence with its holes filled, and one word is used for one thing."""

import argparse
import json
import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from controller.__main__ import COMMANDS, parser
from controller.engine.decisions.played import Decide
from controller.engine.reasons import TableReason
from controller.rulebook.blackjack_21.reasons import BlackjackReason
from controller.rulebook.refusal import because
from controller.words import CATALOGUES, ENGLISH, HOLE, Catalogue, english, reason_words, sentence
from tests.engine.table_2008 import Play2008
from tests.words.reasons_given import HANDED_ON, ROOT, codes, given

REASONS = {language: msgspec.json.decode(text, type=Catalogue).reasons for language, text in CATALOGUES.items()}
OF_PLACES = "/place"
LEFT_OUT = {("no_such_wager", "known"), ("come_again", "alarm")}
"""What Portuguese and Chinese do not say."""


def holes(text: str) -> set[str]:
    return {hole[1] for hole in HOLE.finditer(text)}


def test_a_code_is_in_one_list_alone() -> None:
    assert len(codes()) > 300
    assert [code for code, count in Counter(codes().values()).items() if count > 1] == []


@pytest.mark.parametrize("language", CATALOGUES)
def test_every_catalogue_has_a_sentence_for_every_code_and_no_other(language: str) -> None:
    texts = REASONS[language]
    assert {code for code in texts if not code.endswith(OF_PLACES)} == set(map(str, codes().values()))
    assert {code.removesuffix(OF_PLACES) for code in texts} <= texts.keys()
    assert all(text.strip() for text in texts.values())


@pytest.mark.parametrize("language", CATALOGUES)
def test_a_sentence_has_the_holes_of_the_english_one(language: str) -> None:
    for code, text in REASONS[language].items():
        plain = code.removesuffix(OF_PLACES)
        left_out = {hole for of, hole in LEFT_OUT if of == plain and language != "en"}
        assert holes(text) == holes(ENGLISH.reasons[plain]) - left_out, code
        assert "{" not in HOLE.sub("", text) and "}" not in HOLE.sub("", text), code


def test_what_is_money_in_one_language_is_money_in_all() -> None:
    for code, text in ENGLISH.reasons.items():
        money = {hole[1] for hole in HOLE.finditer(text) if hole[2] == "$"}
        for texts in REASONS.values():
            assert {hole[1] for hole in HOLE.finditer(texts[code]) if hole[2] == "$"} == money, code


def test_every_reason_given_fills_the_holes_of_its_sentence() -> None:
    every = codes()
    for place in given():
        assert place.codes or place.where.partition(":")[0] in HANDED_ON, place.where
        for code in place.codes:
            assert place.values == holes(ENGLISH.reasons[every[code]]), f"{place.where}: {code}"


def test_every_code_is_given_somewhere() -> None:
    used = {code for place in given() for code in place.codes}
    acts = {
        act
        for path in ROOT.rglob("*.py")
        for act in re.findall(r"\bSupervisorAct\.[A-Z_]+", path.read_text(encoding="utf-8"))
    }
    assert codes().keys() - used - acts == set()


def test_a_screen_shows_the_cards_of_a_reason_with_their_suits_and_a_file_as_it_has_them() -> None:
    unequal = because(BlackjackReason.UNEQUAL_VALUES, cards="As Th")
    assert english(unequal) == "As Th have unequal values"
    assert {text.partition("10♥")[0] for text in reason_words(unequal).values()} == {"A♠ "}
    at = because(TableReason.CARD_IS_AT, card="Td", place="seat 3")
    assert english(at) == "Td is at seat 3 already" and reason_words(at)["en"] == "10♦ is at seat 3 already"


def test_a_refusal_in_english_is_its_sentence_with_its_values() -> None:
    play = Play2008().to_wagers().bet(3, ante=100, pair_plus=100)
    play.lock()
    play.until("decisions")
    refusal = play.refused(Decide, seat=3, decision="fold")
    assert refusal.reason.code == "obliged_to_play" and refusal.reason.values == {}
    assert sentence(refusal) == f"seat 3: {ENGLISH.reasons['obliged_to_play']} ({refusal.article})"


TERMS = tomllib.loads(Path(__file__).with_name("terminology.toml").read_text(encoding="utf-8"))["term"]
WORDS = ROOT / "words"
PAGES = [*(ROOT.parent / "simulators").glob("*/page/words")]
# The sign speaks as the regulation does.
OF_THE_LAW = {"sign_pages"}


def shown(language: str) -> Iterator[tuple[str, str]]:
    """What a dealer, a technician or a player is shown in a language."""
    for folder in (WORDS, *PAGES):
        for key, phrase in json.loads((folder / f"{language}.json").read_text(encoding="utf-8")).items():
            if isinstance(phrase, str):
                yield f"{folder.relative_to(ROOT.parent)}: {key}", phrase
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
