"""Black-jack: cards and answers of a round in the order filmed, with those cards distinguished that were no one's. No
I/O.

A card that was drawn against a player's wish goes to the next who is due one if no one saw it (18); one placed wrongly
counts where it is at last.
"""

from dataclasses import dataclass, field

from ..rules.blackjack_moves import Answer, Card, Move, Turned, parsed
from ..rules.hands import PACK
from .camera import Line


@dataclass
class Stream:
    """What happened with the cards, one after the other."""

    events: list[Move]
    burned: list[Line] = field(default_factory=list)
    odd: list[str] = field(default_factory=list)


def stream(lines: list[Line]) -> Stream:
    """Read a round; raises ValueError for what is no card."""
    result = Stream([])
    cards: list[Card] = []
    for line in lines:
        event, at = line["event"], int(line["line"])
        if event in ("card", "burn") and line["card"] not in PACK:
            raise ValueError(f"camera line {at}: no such card as {line['card']!r}")
        if event == "card":
            hand = line.get("hand")
            card = Card(str(line["card"]), str(line["to"]), hand and int(hand), str(line.get("face")), at)
            cards.append(card)
            result.events.append(card)
        elif event == "moved" and line["from"] != line["to"]:  # a pair that is split stays at its seat
            _moved(result, cards, line)
        elif event == "burn":
            result.burned.append(line)
        elif event == "answer":
            says = parsed(str(line["answer"]))
            result.events.append(
                Answer(int(line["seat"]), int(line.get("hand") or 1), str(line.get("question")), says, at)
            )
        elif event == "turned" and line.get("to") == "bank":
            result.events.append(Turned(str(line["cards"]), at))
        elif event == "irregularity" and line.get("kind") == "unasked_card":
            _unasked(result, cards, line)
    return result


def _moved(result: Stream, cards: list[Card], line: Line) -> None:
    here = (str(line["from"]), str(line["card"]))
    moved = next((card for card in reversed(cards) if (card.position, card.card) == here), None)
    if moved is None:
        result.odd.append(f"camera line {line['line']}: {line['card']} was not at {line['from']}")
        return
    moved.position, moved.moved, moved.hand = str(line["to"]), True, None


def _unasked(result: Stream, cards: list[Card], line: Line) -> None:
    if not cards or cards[-1].unasked is not None:
        result.odd.append(f"camera line {line['line']}: no card was drawn that no one asked for")
        return
    cards[-1].unasked = bool(line.get("seen"))
