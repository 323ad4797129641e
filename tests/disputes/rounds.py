"""Bundles of rounds in which anything happens, made without a journal's file."""

import json
import random
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from controller.engine.recorded import Recorded
from controller.engine.state.applied import Event
from controller.floor.messages import Identity
from controller.journal.chain import chained
from controller.journal.records import GENESIS
from controller.queries.disputes import Link, bundle_of
from controller.rulebook.cards import DECK, Card
from tests.journal.keeping import STAMP
from tests.plays import test_plays_2008 as of_2008
from tests.plays import test_plays_blackjack as blackjack
from tests.plays import test_plays_fortune_8 as fortune_8
from tests.plays import test_plays_pai_kao as pai_kao
from tests.plays import test_plays_troubles as troubles
from tests.plays.wild_hands import WildHands
from tests.plays.wild_places import WildPlaces
from tests.plays.wild_spaces import WildSpaces
from tests.referee.__main__ import main

IDENTITY = Identity(site="hall", table="1", journal="", mode="simulation", currency="MOP", exponent=2)


def checked(*arguments: str) -> int:
    """The exit code of the command that checks a bundle."""
    return main(["bundle", *arguments])


def input_of(event: Event) -> Recorded | None:
    """An input that an event of a person is the first of."""
    actor = getattr(event, "actor", None)
    return None if actor is None else Recorded(msgspec.json.encode({"input": {"kind": "made", "actor": actor}}))


def links_of(events: Iterable[Event]) -> Iterator[Link]:
    """The rows that a journal of these events has."""
    before = GENESIS
    for number, event in enumerate(events, start=1):
        body = msgspec.json.encode(event)
        recorded = input_of(event)
        input = None if recorded is None else recorded.text
        hash = chained(before, number, STAMP, body, None, input)
        yield before, (number, STAMP.time, STAMP.boot, STAMP.monotonic_ns, 1, body, None, hash, input)
        before = hash


def bundles(events: list[Event]) -> Iterator[dict[str, Any]]:
    """The bundle of each round, as it is read from its file."""
    number = 1
    while (found := bundle_of(links_of(events), IDENTITY, "made", number)) is not None:
        yield json.loads(msgspec.json.encode(found))
        number += 1


def wild_events(game: str, seed: int) -> list[Event]:
    """What happens at a table at which anything happens."""
    dice = random.Random(seed)
    often = {
        "fortune-3-card-poker-2025": troubles.OFTEN,
        "fortune-3-card-poker-2008": of_2008.ANY_MOVE,
        "fortune-8": fortune_8.OFTEN,
        "blackjack-21": blackjack.OFTEN,
        "taiwan-pai-kao": pai_kao.OFTEN,
    }[game]
    course = [(dice.choice(often), dice.randrange(12), dice.randrange(12)) for _ in range(dice.randrange(15, 45))]
    match game:
        case "fortune-8":
            stock = fortune_8.stock(seed, seed % 2 + 1, seed % 5 == 0)
            spaces = WildSpaces(
                stock,
                decks=seed % 2 + 1,
                source=fortune_8.BOTH[seed // 2 % 2],
                deal=fortune_8.DEALS[seed // 4 % 2],
                announced=fortune_8.DEALS[seed // 4 % 2],
            )
            return fortune_8.played(spaces, [("on", 0, 1), ("bet", 2, 1), ("bet", 4, 2), *course]).events
        case "blackjack-21":
            stock = blackjack.stock(seed, blackjack.KINDS[seed % 3])
            hands = WildHands(stock, source=blackjack.BOTH[seed // 3 % 2], prize=blackjack.PRIZES[seed // 6 % 3])
            return blackjack.played(hands, [("on", 0, 1), ("bet", 2, 5), ("bet", 4, 10), *course]).events
        case "taiwan-pai-kao":
            places = WildPlaces(reader=seed % 2 == 0, seats=(4, 8)[seed // 2 % 2], capital=3_000)
            places.deck = pai_kao.shuffled(seed, seed % 8 == 0)
            pai_kao.played(places, [("on", 0, 2), ("on", 0, 2), *course])
            return places.events
    deck = list(DECK)
    dice.shuffle(deck)
    if seed % 2:
        deck.sort(key=lambda card: not (card[0] in "AKQJT9" and card[1] in "sh"))
    source: tuple[str, tuple[int, ...]] = [("shuffler", (3,)), ("shuffler", (2, 3)), ("shoe", ())][seed % 3]
    play = (troubles.played if game.endswith("2025") else of_2008.wild)([Card(card) for card in deck], source, course)
    return play.events
