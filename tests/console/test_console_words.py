"""The catalogues of words: the same keys in every language, and none that the page lacks."""

import json
import re
from collections.abc import Iterable
from string import Formatter
from typing import Any, get_args

import pytest

from controller.config.file import ROLES
from controller.console.files import DISPLAY, PAGE
from controller.engine.shown.display import Stage
from controller.engine.state.events import Ending, SignInFault
from controller.engine.state.table import SlotChip
from controller.pit.picture import PICTURE
from controller.pit.tiles import NEEDS
from controller.rulebook.blackjack_21 import paytable
from controller.rulebook.blackjack_21.answers import DECISIONS
from controller.rulebook.cards import DECK
from controller.rulebook.citations import RegulationState
from controller.rulebook.five_card import STRONGEST_FIRST
from controller.rulebook.games import GAMES
from controller.rulebook.house import BasicBets
from controller.rulebook.jackpot_award import Parameters
from controller.rulebook.report import Outcome
from controller.rulebook.steps import Phase, StepKind
from controller.rulebook.taiwan_pai_kao.pairs import NAMES
from controller.rulebook.taiwan_pai_kao.parts import TileSet
from controller.rulebook.three_card import ThreeCardName
from controller.statistics.day import CAUSES
from controller.statistics.wagered import ANTE, BANK, BEFORE_VOID, LIMITED, MAIN_GAME, OBLIGED
from controller.words import CATALOGUES as WORDS
from controller.words import ENGLISH
from tests.words.reasons_given import HOLE, ROOT, given

CATALOGUES: dict[str, dict[str, Any]] = {language: json.loads(text) for language, text in WORDS.items()}
SOURCES = {
    f"{path.parent.name}/{path.name}": path.read_text(encoding="utf-8")
    for path in (*PAGE.rglob("*.js"), *DISPLAY.glob("*.js"), *PICTURE.rglob("*.js"))
    if "vendor" not in path.parts
}  # fmt: skip
OF_PLACES, OF_HANDS = "/place", "/hands"
# Characters of the trade that mainland China writes so, and Macau does not.
SIMPLIFIED = "庄过筹对顺闲赌马铃单让发现号点开关张计记录动员备传设"
# Refusals of a file or a command that no one types at the table.
OF_FILES = (
    "file.py", "reading.py", "ranking.py", "settle.py", "played_out.py", "fortune_8/dealing.py", "rulebook/cards.py",
    "certify", "floor/requests.py", "rulebook/game.py",
)  # fmt: skip


def holes(text: str) -> list[str]:
    return sorted(name for _, name, _, _ in Formatter().parse(text) if name is not None)


def test_every_key_is_in_every_language_with_the_same_holes() -> None:
    english = CATALOGUES["en"]
    for language, words in CATALOGUES.items():
        assert words.keys() == english.keys(), language
        for key, text in words.items():
            if isinstance(text, str):
                assert text.strip() and holes(text) == holes(english[key]), f"{language}: {key}"


def test_what_is_worded_otherwise_of_places_and_tiles_is_worded_of_seats_and_cards_too() -> None:
    for words in CATALOGUES.values():
        for catalogue in (words, words["reasons"]):
            own = {key.removesuffix(OF_PLACES) for key in catalogue if key.endswith(OF_PLACES)}
            assert own and own <= catalogue.keys()
            assert {key.removesuffix(OF_HANDS) for key in catalogue if key.endswith(OF_HANDS)} <= catalogue.keys()


def test_chinese_is_written_in_traditional_characters() -> None:
    assert not set(SIMPLIFIED) & set(json.dumps(CATALOGUES["zh"], ensure_ascii=False))


def test_every_key_that_the_page_names_is_in_the_catalogues() -> None:
    words = CATALOGUES["en"]
    for name, text in SOURCES.items():
        for key in re.findall(r'\bsay\("([^"]+)"', text) + re.findall(r'"((?:[a-z_]+\.)+[a-z_]+)"', text):
            assert key in words, f"{name}: {key}"
        for start in re.findall(r"\bsay\(`([a-z_.]+)\.\$\{", text):
            assert any(key.startswith(f"{start}.") for key in words), f"{name}: {start}"


def tiers() -> Iterable[str]:
    prizes = [value for value in vars(paytable).values() if isinstance(value, paytable.PrizeTier)]
    return (*STRONGEST_FIRST, *(prize.name for prize in prizes))


NAMED: dict[str, Iterable[str]] = {
    "phase": get_args(Phase),
    "display": get_args(Stage),
    "step": get_args(StepKind),
    "outcome": get_args(Outcome),
    "hand": (*get_args(ThreeCardName), *tiers()),
    "slot": get_args(SlotChip.__annotations__["state"]),
    "role": ROLES,
    "device": {key for key in ENGLISH.device_names if "/" not in key},
    "game": GAMES,
    "rank": {card[0] for card in DECK},
    "suit": {card[1] for card in DECK},
    "wager": (
        "ante", "play", "ante_bonus", "pair_plus", "six_card_bonus", "jackpot", "low", "eight", "high", "bet",
        "backing", "vacant", "hand", "insurance", "special_prize", "place", "bank", "capital", "casino",
    ),
    "hand_state": ("given_up", "lost", "paid", "black_jack", "stood"),
    "source": ("shuffler", "shoe"),
    "deal": ("every_space", "spaces_with_bets", *TileSet.deals),
    "pair": (*NAMES, "front", "rear"),
    "state": get_args(RegulationState),
    "posted.authorised": ("table", "jackpot"),
    "posted.basic_bets": get_args(BasicBets),
    "slip": (key[6:] for key in ENGLISH.slip_texts if key.startswith("label/") and key[6:] not in ("amount", "words")),
    "parameter": Parameters.__struct_fields__,
    "meter": ("overflow", "reserve"),
    "lost": CAUSES,
    "figure.wager": (MAIN_GAME, ANTE, OBLIGED, LIMITED, BANK, BEFORE_VOID, "insurance"),
    "entry.how": get_args(Ending),
    "entry.reason": get_args(SignInFault),
    "decision": ("play", "fold", *DECISIONS, "give_up", "even_money", "no", "insure", "follow"),
    "pit.need": NEEDS,
    "pit.alarm": ("raised", "cleared", "acknowledged"),
    "pit.outcome": ("settled", "void"),
    "policy": {name for path in ROOT.rglob("*.py") for name in re.findall('"policy: ([^"]+)"', path.read_text())},
    "ask": ("decision", "give_up", "even_money", "insurance", "follow"),
}  # fmt: skip


@pytest.mark.parametrize("kind", NAMED)
def test_whatever_the_station_names_has_words(kind: str) -> None:
    missing = [f"{kind}.{name}" for name in NAMED[kind] if f"{kind}.{name}" not in CATALOGUES["en"]]
    assert not missing


def test_no_policy_has_words_that_nothing_is_decided_by() -> None:
    assert {key.removeprefix("policy.") for key in CATALOGUES["en"] if key.startswith("policy.")} == NAMED["policy"]


def test_every_wager_of_a_settlement_is_among_those_with_words() -> None:
    found: set[str] = set()
    for folder in ("fortune_3_card_poker", "fortune_8", "blackjack_21", "taiwan_pai_kao"):
        for path in (PAGE.parents[1] / "rulebook" / folder).glob("*.py"):
            text = path.read_text(encoding="utf-8")
            found |= set(re.findall(r'_(?:line|won|lost|push)\("([a-z_]+)"', text)) | set(
                re.findall(r'wager="([a-z_]+)"', text)
            )
    assert {"ante", "play", "hand", "insurance"} <= found <= set(NAMED["wager"])


def test_every_irregularity_of_a_round_has_words() -> None:
    sources = (path.read_text(encoding="utf-8") for path in (PAGE.parents[1] / "rulebook").rglob("*.py"))
    kinds = {kind for text in sources for kind in re.findall(r'Irregularity\("([a-z_]+)"', text)}
    assert {"exposed", "early_card", "unasked_card"} <= kinds
    assert not {kind for kind in kinds if f"irregular.{kind}" not in CATALOGUES["en"]}


def test_whatever_a_refusal_concerns_has_words() -> None:
    named = {who for reason in given() if not any(part in reason.where for part in OF_FILES) for who in reason.concerns}
    assert {"alarm", "jackpot", "dice"} <= named
    assert {"hit {}", "proposal {}", "seat {}"} <= named
    numbered = re.findall(r"/(\^.+\$)/\.test\(who\)", SOURCES["page/language.js"])
    missing = {who for who in named if not any(re.match(pattern, who.replace(HOLE, "7")) for pattern in numbered)}
    assert not {who for who in missing if f"who.{who}" not in CATALOGUES["en"]}
