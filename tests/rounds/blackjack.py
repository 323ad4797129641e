"""Black-jack/21 as a round of a file is played."""

import re
from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from controller.engine.decisions.betting import PlaceWager
from controller.engine.decisions.hands import EvenMoney, Follow, GiveUp, Insure
from controller.engine.decisions.played import Decide
from controller.rulebook.events import CardSource
from tests.engine.hands import CHIP, Hands, round_file
from tests.engine.playing import Play
from tests.rounds.script import Bet, Script
from tests.rounds.seen_games import OF_HANDS


class HandsTable(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """A table of black-jack/21, minimum 100; `unread` counts cards from 1, the burnt one left out.

    `prize` says how the chips of the accumulated prize are marked: ``auto`` in slots, ``manual`` by the dealer.
    """

    source: CardSource = "shoe"
    decks: int = 4
    prize: str = ""
    pot: int = 600_000
    unread: str = ""
    rules: str = ""


class Blackjack(Script):
    """Black-jack/21: the cards are given in the order in which they leave their source, the burnt one left out."""

    seen = OF_HANDS

    def table(self, wanted: dict[str, Any], cards: str, bets: list[Bet]) -> Play:
        terms = msgspec.convert(wanted, HandsTable, strict=False)
        first = 0 if terms.source == "shoe" else 1  # the burnt card comes before those of the deal
        return Hands(
            cards,
            source=terms.source,
            decks=terms.decks,
            prize=terms.prize,
            pot=terms.pot,
            unread=[int(number) - first for number in terms.unread.split()],
            rules=tuple(terms.rules.split()),
        )

    def place_bet(self, play: Play, bets: Iterable[Bet]) -> None:
        """A `marker` is a chip that the dealer marks by hand."""
        for bet in bets:
            if bet.wager == "marker":
                play.say(PlaceWager, seat=bet.seat, wager="jackpot", amount=CHIP, player=bet.player)
            else:
                super().place_bet(play, [bet])

    def verbs(self, play: Play) -> dict[str, Callable[[str], Any]]:
        assert isinstance(play, Hands)
        return {
            "answers": lambda text: play.answers(*text.split(", ")),
            "decides": lambda text: play.decides(*text.split(", ")),
            "declines": lambda _: declines(play),
            "answer": lambda text: answer(play, text),
            "card": lambda text: [play.comes_out() for _ in range(int(text or 1))],
            "increment": lambda text: increments(play, text),
            "pay": lambda _: play.pay(),
        }

    def settled(self, play: Play) -> None:
        """What was turned may have been corrected."""

    def voided(self, play: Play) -> None:
        """What was decided before the bank's second card is kept; all else goes back."""
        assert isinstance(play, Hands)
        play.why_void()

    def file(self, play: Play) -> dict[str, Any] | None:
        assert isinstance(play, Hands)
        return round_file(play)


def declines(play: Hands) -> None:
    """All that is asked before a decision is declined."""
    play.until("ask")
    while play.at("ask") and play.step.question != "decision":
        play.proceed()


def increments(play: Hands, amount: str) -> None:
    """This is what the dealer puts on the display."""
    assert amount == str(play.increment()), f"the dealer enters {play.increment()}"


def answer(play: Hands, text: str) -> None:
    """The answer to what is asked, of one seat and hand; or its refusal: ``split: refused by 26``."""
    words, _, article = text.partition(": refused by ")
    if not article:
        play.answer(words)
        return
    kind, fields = answer_to(play, words)
    refusal = play.refused(kind, **fields)
    assert refusal.article == article, f"it was refused by {refusal.article}"


def answer_to(play: Hands, words: str) -> tuple[type[Any], dict[str, Any]]:
    """The input of an answer in words: ``hit``, ``yes``, ``insure 100,50``, ``follow 1,0``, ``give_up yes``."""
    seat, hand = play.step.seat, play.step.hand or 1
    what, _, values = words.partition(" ")
    match what:
        case "insure":
            return Insure, {"seat": seat, "amounts": tuple(map(int, re.findall(r"-?\d+", values)))}
        case "follow":
            return Follow, {"seat": seat, "hand": hand, "who": tuple(part == "1" for part in values.split(",") if part)}
        case "give_up" | "even_money":
            return {"give_up": GiveUp, "even_money": EvenMoney}[what], {"seat": seat, "yes": values == "yes"}
        case _:
            return Decide, {"seat": seat, "hand": hand, "decision": words}
