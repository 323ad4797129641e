"""Looks for cards in what the station says, earlier than the rules show them; the camera knows what is face down."""

import json
import re
from collections import defaultdict
from collections.abc import Iterable
from typing import Any

SUITS = {"♣": "c", "♦": "d", "♥": "h", "♠": "s"}
# Not "as", which is a word, nor "As" before another word: a sentence begins so.
CARD = re.compile(r"(?<![0-9A-Za-z])(?!As [a-zà-ÿ]{3})(10|[2-9TJQKAtjqk])([cdhsCDHS♣♦♥♠])(?![0-9A-Za-z])")


def cards_in(text: str) -> set[str]:
    """Every card a text names, as "As"; "10♠", "AS" and "kd" count too."""
    found = set()
    for rank, suit in CARD.findall(text):
        found.add(("T" if rank == "10" else rank.upper()) + SUITS.get(suit, suit.lower()))
    return found


class Film:
    """What the camera saw: by round and place the cards that are there, and which places were turned."""

    def __init__(self, lines: Iterable[dict[str, Any]]) -> None:
        self.hidden: dict[int, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
        self.turned: dict[int, dict[str, set[str]]] = defaultdict(dict)
        for line in lines:
            if line["event"] == "card":
                assert line["face"] == "down"
                self.hidden[line["round"]][line["to"]].add(line["card"])
            elif line["event"] == "turned":
                self.turned[line["round"]][line["to"]] = set(line["cards"].split())


class Secrecy:
    """What may be known when: the cards of a place, from the sequence number at which the station
    reported them turned."""

    def __init__(self, film: Film, shown: Iterable[tuple[int, dict[str, Any]]]) -> None:
        self._film = film
        self._since: dict[int, dict[str, int]] = defaultdict(dict)
        for sequence, envelope in shown:
            number, place = envelope["round"], envelope["to"]
            assert film.turned[number].get(place) == set(envelope["cards"]) == film.hidden[number][place], (
                number,
                place,
            )
            self._since[number][place] = sequence

    def leaks(self, text: str, number: int | None, sequence: int) -> set[str]:
        """The cards in a text about round `number` (None: about no round), reported at `sequence`,
        that no one may know."""
        known: set[str] = set()
        if number is not None:
            for place, since in self._since[number].items():
                if since <= sequence:
                    known |= self._film.hidden[number][place]
        return cards_in(text) - known

    def never_shown(self, number: int) -> set[str]:
        """The cards of a round that was face down to its end."""
        hidden, since = self._film.hidden[number], self._since[number]
        return {card for place, cards in hidden.items() if place not in since for card in cards}


def round_and_sequence(message: dict[str, Any]) -> tuple[int | None, int]:
    """Of a projection, a state, an event or a `rounds` message: which round it speaks of, and when it was reported.

    A retained message other than the state speaks of no round and has no cards at any time.
    """
    if "specversion" in message:
        data = message["data"]
        sequence = data.get("sequence", data.get("as_of", 0))
    else:
        data, sequence = message, message["as_of"]
    if in_play := data.get("round_in_play"):
        return in_play["round"], sequence
    envelope = data.get("round")
    return (envelope["id"] if isinstance(envelope, dict) else envelope), sequence


def parsed(payload: bytes) -> tuple[dict[str, Any], str, list[tuple[int, set[str]]]]:
    """A JSON payload; its text without escapes that could hide a suit; the cards of its hits, by round.

    A hit keeps the cards that won it, whatever round is in play, so the text leaves them out.
    """
    message = json.loads(payload)
    text, won = json.loads(payload), []
    data = text.get("data", text)
    jackpot = data if "hits" in data else data.get("jackpot") or {}
    for hit in jackpot.get("hits", ()):
        won.append((hit["round"], set(hit.pop("cards"))))
    return message, json.dumps(text, ensure_ascii=False), won
