"""The person at a seat: what an answer is, that no one waits longer than the table, that no one else bets for him."""

import asyncio
import json
import re
from pathlib import Path
from typing import Any

import pytest

from simulators.felt.gamblers import Gamblers
from simulators.felt.guest import (
    BANK,
    BETS,
    DECIDE,
    HAND,
    INSURANCE,
    KINDS,
    LEAST,
    LIMITS,
    NEEDS_BASIC,
    NO_ANSWER,
    NOT_ASKED,
    PAIRS,
    REFUSALS,
    YES_NO,
    Boxes,
    Guest,
    Laying,
    RefusedAnswer,
    arranged_with,
)
from simulators.felt.players import Bets, NamedBet, Players
from simulators.felt.punters import BET, Punters
from simulators.felt.tiles import tile_from_text
from simulators.panel.face import PLAY_PAGE
from tests.made_up_time import in_made_up_time

BOXES = Boxes(("ante", "pair_plus"), ("six_card_bonus",), 500, 100, 1000)
ASKED: dict[str, dict[str, Any]] = {
    DECIDE: {"legal": ["play", "fold"]}, HAND: {"legal": ["hit", "stand"], "hand": 1}, YES_NO: {"question": "give_up"},
    INSURANCE: {"most": 500}, BANK: {"least": 300, "chips": [100]}, PAIRS: {"tiles": ["6-6", "5-4", "2-1", "4-2"]},
}  # fmt: skip


def guest() -> Guest:
    return Guest(3, "Wong", BOXES)


async def answered(player: Guest, kind: str, answer: object) -> Any:
    """What comes of an answer to a question of this kind. Raises RefusedAnswer."""
    asking = asyncio.ensure_future(
        player.bets(lambda: True) if kind == BETS else player.asked(kind, lambda: True, **ASKED[kind])
    )
    try:
        await asyncio.sleep(0)
        assert player.question is not None and player.question.kind == kind
        player.answer(player.question.number, answer)
        return await asking
    finally:
        asking.cancel()


def bets(chip: object = False, **wagers: object) -> dict[str, object]:
    return {"wagers": wagers, "chip": chip}


GOOD: list[tuple[str, object, object]] = [
    (BETS, bets(ante=100), Laying({"ante": 100})),
    (BETS, bets(True, pair_plus=1000, ante=0), Laying({"pair_plus": 1000}, True)),
    (BETS, bets(), Laying()),
    (DECIDE, "fold", "fold"),
    (HAND, "hit", "hit"),
    (YES_NO, False, False),
    (INSURANCE, 0, 0),
    (INSURANCE, 500, 500),
    (BANK, 0, 0),
    (BANK, 300, 300),
    (PAIRS, [3, 0], (3, 0)),
]  # fmt: skip
WRONG: list[tuple[str, object, str]] = [
    (BETS, bets(ante=99), LIMITS),
    (BETS, bets(ante=1001), LIMITS),
    (BETS, bets(ante=-100), NO_ANSWER),
    (BETS, bets(ante=True), NO_ANSWER),
    (BETS, bets(ante=100.0), NO_ANSWER),
    (BETS, bets(low=100), NO_ANSWER),
    (BETS, bets(1, ante=100), NO_ANSWER),
    (BETS, bets(True), NEEDS_BASIC),
    (BETS, bets(six_card_bonus=100), NEEDS_BASIC),
    (BETS, {"wagers": {}}, NO_ANSWER),
    (BETS, [], NO_ANSWER),
    (DECIDE, "hit", NO_ANSWER),
    (DECIDE, ["play"], NO_ANSWER),
    (YES_NO, 1, NO_ANSWER),
    (INSURANCE, 501, LIMITS),
    (INSURANCE, "500", NO_ANSWER),
    (BANK, 299, LEAST),
    (PAIRS, [0, 0], NO_ANSWER),
    (PAIRS, [0, 4], NO_ANSWER),
    (PAIRS, [0, True], NO_ANSWER),
    (PAIRS, [0], NO_ANSWER),
]


@pytest.mark.parametrize(("kind", "answer", "taken"), GOOD)
async def test_an_answer_is_taken(kind: str, answer: object, taken: object) -> None:
    assert await answered(guest(), kind, answer) == taken


@pytest.mark.parametrize(("kind", "answer", "refusal"), WRONG)
async def test_what_is_no_answer_is_refused(kind: str, answer: object, refusal: str) -> None:
    with pytest.raises(RefusedAnswer, match=f"^{refusal}$"):
        await answered(guest(), kind, answer)


@in_made_up_time
async def test_no_one_waits_longer_than_the_table_and_each_question_is_answered_once() -> None:
    player, waits = guest(), True
    asking = asyncio.ensure_future(player.asked(DECIDE, lambda: waits, legal=["play", "fold"]))
    await asyncio.sleep(60)
    assert player.question is not None and not asking.done(), "he may think as long as he likes"
    number = player.question.number
    waits = False
    assert (await asking, getattr(player, "question")) == (None, None)  # noqa: B009 mypy takes it for the one above
    with pytest.raises(RefusedAnswer, match=NOT_ASKED):
        player.answer(number, "play")
    waits = True
    again = asyncio.ensure_future(player.asked(DECIDE, lambda: waits, legal=["play", "fold"]))
    await asyncio.sleep(0)
    assert player.question is not None and player.question.number == number + 1
    player.answer(number + 1, "play")
    with pytest.raises(RefusedAnswer, match=NOT_ASKED):
        player.answer(number + 1, "fold")
    assert await again == "play"


def test_some_seat_has_a_basic_bet_though_a_person_sits_out() -> None:
    for seed in range(100):
        bets = Players(seed, 5, 100, 1000, ["six_card_bonus", "jackpot"], 0.5).bets_beside({3: Bets()})
        assert bets[3] == Bets() and any({"ante", "pair_plus"} & bet.wagers.keys() for bet in bets.values())


@pytest.mark.parametrize("amount", [0, 700])
def test_at_black_jack_no_one_else_bets_at_a_persons_seat_or_in_his_name(amount: int) -> None:
    for seed in range(100):
        punters = Punters(seed, 7, 100, 10_000, True, 0.5)
        bets = punters.bets_beside([NamedBet(3, BET, "Wong", amount)], {3} if amount else ())
        everything = [*bets.bets, *bets.late]
        his = [bet for bet in everything if bet.seat == 3 or bet.player == "Wong"]
        assert [(bet.seat, bet.wager, bet.player, bet.amount) for bet in his] == [(3, BET, "Wong", amount)] * bool(
            amount
        )
        assert bets.bets and (3 in bets.chips) == bool(amount) and not [bet for bet in bets.beside if bet[0] == 3]
        assert {bet.seat for bet in everything} >= bets.owners.keys()
        assert ("Wong" in bets.owners.values()) == bool(amount)


def test_at_pai_kao_he_places_what_he_says_alone_and_someone_bets_against_the_bank() -> None:
    names = dict(enumerate(("Chan", "Inês", "Wong", "Marta"), 1))
    for seed in range(100):
        for amount in (0, 700):
            bets = Gamblers(seed, names, 100, 10_000).bets_beside(4, 1, [NamedBet(3, "place", "Wong", amount)])
            assert [bet.amount for bet in bets if bet.player == "Wong"] == [amount] * bool(amount)
            assert any(bet.seat != 1 for bet in bets)


def test_the_tiles_he_chose_are_in_front() -> None:
    tiles = [tile_from_text(text) for text in ASKED[PAIRS]["tiles"]]
    assert [str(tile) for tile in arranged_with(tiles, (3, 0)).tiles] == ["4-2", "6-6", "5-4", "2-1"]


CATALOGUES: dict[str, dict[str, str]] = {
    path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sorted((PLAY_PAGE / "words").iterdir())
}


async def test_the_bank_is_offered_with_the_chips_that_he_bets_with_each_once() -> None:
    player = guest()
    asking = asyncio.ensure_future(player.takes_bank(300, lambda: True))
    await asyncio.sleep(0)
    assert player.question is not None and player.question.what == {"least": 300, "chips": [100, 500, 1000]}
    player.answer(player.question.number, 500)
    assert await asking == 500


def test_the_keyboard_begins_at_no_so_that_an_enter_too_many_gives_nothing_up() -> None:
    source = (PLAY_PAGE / "asked.js").read_text(encoding="utf-8")
    of_yes_no = source[source.index("function yesNo") : source.index("function insurance")]
    assert of_yes_no.index('"data-key": "no"') < of_yes_no.index('"data-key": "yes"')


def test_the_page_says_what_the_console_says_in_its_words() -> None:
    own = re.compile(r"you|welcome$|screen$|panel$|refusal\.")
    for code, words in CATALOGUES.items():
        assert words.keys() == CATALOGUES["en"].keys()
        console = json.loads(Path(f"controller/words/{code}.json").read_text(encoding="utf-8"))
        for key, text in words.items():
            holes = [sorted(re.findall(r"\{\w+\}", words[key])) for words in (words, CATALOGUES["en"])]
            assert holes[0] == holes[1], f"{code}: {key}"
            if not own.match(key):
                assert console[key] == text, f"{code}: {key}"


def test_whatever_he_is_asked_and_refused_has_words_and_a_form() -> None:
    form = (PLAY_PAGE / "asked.js").read_text(encoding="utf-8")
    for kind in KINDS:
        assert re.search(rf"\b{kind}\b", form.split("const ASK")[1].partition("}")[0]), kind
    keys = {f"refusal.{refusal}" for refusal in REFUSALS}
    keys |= {f"you.{question}" for question in ("decide", "hand", "give_up", "even_money", "agree", "insurance")}
    keys |= {f"decision.{name}" for name in ("play", "fold", "hit", "stand", "double", "split")}
    for path in PLAY_PAGE.iterdir():
        if path.suffix in (".js", ".html"):
            text = path.read_text(encoding="utf-8")
            keys |= set(re.findall(r'\bsay\("([^"]+)"', text) + re.findall(r'data-say="([^"]+)"', text))
    assert not keys - CATALOGUES["en"].keys()
