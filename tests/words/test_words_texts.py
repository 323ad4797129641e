"""What the station says beside its reasons: every text that the sources take is in every catalogue, and no other."""

import ast
from collections.abc import Iterable, Iterator
from functools import cache, reduce
from typing import NamedTuple, get_args, get_type_hints

import pytest

from controller.engine.decisions.jackpot import AdjustMeter
from controller.engine.shown.prompts import UNKNOWN
from controller.engine.state.alarms import ALARMS
from controller.engine.state.applied import Event
from controller.engine.state.current import Mode
from controller.engine.state.events import SIGN_IN_EVENTS, ComplaintOutcome, DeviceReported, Notice, VouchOutcome
from controller.engine.state.persons import Changing
from controller.engine.state.table import PIT
from controller.pit import alarms
from controller.pit.database import DatabaseCause
from controller.queries.register import NO_ENTRY_OF_ITS_OWN
from controller.queries.register_words import PLACES
from controller.queries.shown_words import BY_CODE, DETAIL_OF, WITHOUT_TEXT
from controller.rulebook.blackjack_21 import paytable
from controller.rulebook.blackjack_21.answers import DECISIONS
from controller.rulebook.citations import RegulationState
from controller.rulebook.events import CardSource, ErrorCorrected, GapCause, InputCorrected
from controller.rulebook.games import GAMES
from controller.rulebook.house import BasicBets
from controller.rulebook.parts.source import Source
from controller.rulebook.steps import Step, StepKind
from controller.runtime.floor import DEVICES
from controller.words import ENGLISH, SPOKEN
from tests.words.reasons_given import HOLE, Function, calls, modules, texts, walked
from tests.words.test_words_reasons import holes

PART_AT = {"in_every_language": 0, "in_language": 1}
SIGN = "on_the_sign", "sign_pages"


class Taken(NamedTuple):
    """One place: the part, the key with HOLE for what is composed, and the names of the values."""

    where: str
    part: str
    key: str
    values: frozenset[str]


@cache
def taken() -> tuple[Taken, ...]:
    return tuple(_taken())


def _taken() -> Iterator[Taken]:
    for path, tree in modules():
        short = dict(_short_names(tree))
        for function, name, call in calls(tree):
            yield from _of(call, name, short, function, f"{path}:{call.lineno}")


def _short_names(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """`texts = partial(in_every_language, "prompts")` is how a part with many texts is read."""
    for node in walked(tree):
        match node:
            case ast.Assign(
                targets=[ast.Name(id=name)],
                value=ast.Call(func=ast.Name(id="partial"), args=[ast.Name(id=function), *args]),
            ) if function in PART_AT:
                yield name, ast.literal_eval(args[PART_AT[function]])


def _of(call: ast.Call, name: str, short: dict[str, str], function: Function, where: str) -> Iterator[Taken]:
    if name in short:
        part, key = short[name], call.args[0]
    elif name == SIGN[0]:
        part, key = SIGN[1], call.args[0]
    elif name in PART_AT and function.name not in (*PART_AT, SIGN[0]):
        part, key = ast.literal_eval(call.args[PART_AT[name]]), call.args[PART_AT[name] + 1]
    else:
        return
    for text in _keys(key, function):
        yield Taken(where, part, text, frozenset(keyword.arg or "**" for keyword in call.keywords))


def _keys(key: ast.expr, function: Function) -> list[str]:
    if isinstance(key, ast.IfExp):
        return [*_keys(key.body, function), *_keys(key.orelse, function)]
    return list(texts(key, function)) or [HOLE]


PARTS = [part for part in ENGLISH.__struct_fields__ if part != "reasons"]
CELLS = [
    cell
    for game in GAMES.values()
    for faults in (game.source.faults(game.citations), game.prize.faults(game.citations))
    for row in faults.values()
    for cell in row.values()
]
PRIZES = {value.name for value in vars(paytable).values() if isinstance(value, paytable.PrizeTier)}
TIERS = PRIZES | {tier for game in GAMES.values() for tier in game.prize.tiers}
TAGS = {kind.__struct_config__.tag for kind in get_args(Event)}

IN_OTHER_WORDS = {"dealer_notified", "cut_card_out", "round_settled", "places_settled"} | {
    str(event.__struct_config__.tag) for event in SIGN_IN_EVENTS
}


def choices(kind: type, name: str) -> tuple[str, ...]:
    return get_args(get_type_hints(kind)[name])


def of_the_event(part: str, suffix: str, names: Iterable[str]) -> list[str]:
    """Those of the names that the part has a text for, as they are or by a rule of their own."""
    own = (suffix, f"/{PIT}", "/shoe")
    return [key for key in getattr(ENGLISH, part) if reduce(str.removesuffix, own, key) in names]


DECK_STEPS: tuple[StepKind, ...] = ("shuffle", "cut", "claims")
PRIZE_GAMES = {game.own_words for game in GAMES.values() if game.citations.unpaid}

OPEN_CARDS = ("deal/face_up", "deal/bank_second")
OF_DECKS = {
    game.deck.prompt(Step(id="", kind=kind, seat=seat), source)
    for game in GAMES.values()
    for kind in DECK_STEPS
    for seat in (None, 1)
    for source in get_args(CardSource)
}

COMPOSED: dict[tuple[str, str], Iterable[str]] = {
    ("dealer_notified", HOLE): of_the_event("dealer_notified", GAMES["blackjack-21"].own_words, get_args(Notice)),
    ("prompts", HOLE): {*of_the_event("prompts", "", get_args(StepKind)), *OF_DECKS, *OPEN_CARDS},
    ("slip_texts", HOLE): set(get_args(Mode)) - {"live"},
    ("prompts", "basic_bets/{}"): set(get_args(BasicBets)) - {"either"},
    ("prompts", "ask/{}"): ("decision", "give_up", "even_money", "insurance", "follow"),
    ("prompts", "answer/{}"): DECISIONS,
    ("prompts", "place/{}"): ("bank", "community"),
    ("prompts", "prize/cards_stay{}"): PRIZE_GAMES,
    ("prompts", "prize/{}_now"): ("pay", "collect", "nothing"),
    ("prompts", "prize/cards_gone{}"): PRIZE_GAMES,
    ("prompts_places", HOLE): of_the_event("prompts_places", "", get_args(StepKind)),
    ("faults", HOLE): {cell.prompt for cell in CELLS if cell.prompt},
    ("device_names", HOLE): DEVICES,
    ("device_names", "{}/no_answer"): DEVICES,
    ("device_names", "shuffler/{}"): choices(Source, "machine"),
    ("alarm_texts", HOLE): [UNKNOWN, *(code for row in ALARMS for code in row.codes)],
    ("alarm_actions", HOLE): [UNKNOWN, *(code for row in ALARMS for code in row.codes)],
    ("legal_states", HOLE): get_args(RegulationState),
    ("sign_pages", "wager/{}"): ("ante", "pair_plus", "six_card_bonus"),
    ("slip_texts", "label/{}"): [
        "slip", "paid", "site", "table", "game", "legal_status", "round", "seat", "player", "cards", "tier", "amount",
        "words", "from_pot", "from_house", "won", "journal",
    ],
    ("slip_texts", "tier/{}"): TIERS,
    ("amounts", "currency/{}"): ("MOP", "HKD", "EUR"),
    ("register_entries", HOLE): of_the_event("register_entries", "", TAGS | NO_ENTRY_OF_ITS_OWN),
    ("register_texts", "act/{}"): {act for game in GAMES.values() for act in game.session.acts},
    ("register_texts", "place/{}"): PLACES,
    ("register_texts", "named/{}"): {
        *choices(ErrorCorrected, "what"), *choices(InputCorrected, "what"), *choices(AdjustMeter, "part"), *DECISIONS,
        *get_args(ComplaintOutcome), *get_args(VouchOutcome),
        "play", "fold", "give_up", "even_money", "no", "insure", "follow",
        *(str(kind.__struct_config__.tag) for kind in get_args(Changing)),
    },
    ("round_texts", HOLE): (
        *(TAGS - set(ENGLISH.register_entries) - WITHOUT_TEXT - IN_OTHER_WORDS - BY_CODE.keys()),
        *(f"device_reported/{what}" for what in choices(DeviceReported, "what") if what != "damaged_card"),
        *(f"count_asked/{cause}" for cause in get_args(GapCause)),
        *("cards_shown", "slip_printed", "cards_extracted"),  # the register has them only where something was wrong
        *(f"{kind}/{what}" for kind, what in DETAIL_OF.items()),
    ),
    ("round_texts", "round_settled{}"): ("", "/void"),
    ("pit_alarms", HOLE): alarms.NAMES,
    ("pit_alarms", "database_away/{}"): get_args(DatabaseCause),
}  # fmt: skip
"""What a key is composed with that is not written out where it is taken."""
LEFT_OUT = {("amounts", "hundredths"), ("amounts", "units")}
"""What a language other than English may leave out: what its numerals say themselves."""


def test_whatever_composes_a_key_is_known() -> None:
    assert {(use.part, use.key) for use in taken() if HOLE in use.key} == COMPOSED.keys()


@pytest.mark.parametrize("part", PARTS)
def test_every_text_that_is_taken_is_there_and_none_else(part: str) -> None:
    named = {use.key for use in taken() if use.part == part and HOLE not in use.key}
    composed = {key.replace(HOLE, name) for (of, key), names in COMPOSED.items() if of == part for name in names}
    read = {"between_sentences"} if part == "prompts" else set()
    for language, words in SPOKEN.items():
        if part != "sign_pages" or words.sign_pages:  # a sign draws ASCII alone
            assert getattr(words, part).keys() == named | composed | read, language


@pytest.mark.parametrize("part", PARTS)
def test_a_text_has_the_holes_of_the_english_one(part: str) -> None:
    left_out = {hole for of, hole in LEFT_OUT if of == part}
    for language, words in SPOKEN.items():
        for key, text in getattr(words, part).items():
            wanted = holes(getattr(ENGLISH, part)[key])
            assert holes(text) <= wanted and wanted - holes(text) <= left_out, f"{language}: {key}"
            assert text.strip() or key == "between_sentences", f"{language}: {key}"


def test_every_text_that_is_taken_has_its_holes_filled() -> None:
    for use in taken():
        for name in COMPOSED[use.part, use.key] if HOLE in use.key else ("",):
            if "**" not in use.values and use.key != HOLE:
                assert holes(getattr(ENGLISH, use.part)[use.key.replace(HOLE, name)]) <= use.values, use.where


def test_every_step_has_a_prompt() -> None:
    known = {key.partition("/")[0] for key in (*ENGLISH.prompts, *ENGLISH.prompts_places)}
    assert set(get_args(StepKind)) <= known
