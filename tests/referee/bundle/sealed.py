"""What is sealed in a bundle, where two persons have released the key of its round: cards, and bytes of the wires."""

import base64
import hmac
from itertools import pairwise
from typing import Any

from . import ciphers
from .forms import Event, Wrong, read_value
from .round import Round
from .rows import Record, Row

ROUND_BYTES, NONCE_BYTES = 8, 12  # before the sealed cards: the number of the round, then the nonce

Values = dict[int, str | None]
"""The card of each draw, None of one that no device read."""


def read_sealed(bundle: Event, record: Record) -> Values | None:
    """The cards that were sealed; None while they stay sealed."""
    key = bundle["released_key"]
    if key is None:
        return None
    rows = record.own
    released = [row for row in (*rows, *(row for row, _ in record.later)) if row.type == "key_released"]
    if bundle["round"] not in [row.event["round"] for row in released]:
        raise Wrong("the bundle has a key of the round's cards that was not released")
    values: Values = {}
    for row in rows:
        if row.sealed is not None:
            values |= _cards(row, bytes.fromhex(key), bundle["journal"], bundle["round"])
    return values


def _cards(row: Row, key: bytes, journal: str, round: int) -> Values:
    """The sealed cards of an event, by draw."""
    sealed = base64.b64decode(row.sealed, validate=True)
    if sealed[:ROUND_BYTES] != round.to_bytes(ROUND_BYTES, "big"):
        raise Wrong(f"event {row.number}: its cards are not sealed with the key of this round")
    found = _opened(sealed[ROUND_BYTES:], key, f"{journal}:{row.number}", f"event {row.number}, sealed cards")
    drawn = found[0] if isinstance(found, list) else found  # behind them are cards that the input names
    return {int(draw): card for draw, card in drawn.items()}


def _opened(sealed: bytes, key: bytes, bound: str, what: str) -> Any:
    """The value in what was sealed."""
    plain = ciphers.opened(key, sealed[:NONCE_BYTES], sealed[NONCE_BYTES:], bound.encode())
    if plain is None:
        raise Wrong(f"{what}: the released key does not open it")
    return read_value(plain, what)


def read_wires(bundle: Event) -> str:
    """How much the bundle has of the wires; opened if the key was released."""
    blocks, key = bundle["wires"], bundle["released_key"]
    if not blocks:
        return "none"
    gaps = sum(after[1] != before[1] + 1 for before, after in pairwise(blocks) if after[0] == before[0])
    counted = f"{len(blocks)} blocks" + (f", {gaps} gaps" if gaps else "")
    if key is None:
        return f"{counted}, sealed"
    own = hmac.digest(bytes.fromhex(key), b"dealer-station wires", "sha256")
    found = []
    for run, number, sealed in blocks:
        bound, what = f"{bundle['journal']}:wires:{run}:{number}", f"block {number} of the wires"
        found.append(_opened(base64.b64decode(sealed, validate=True), own, bound, what))
    dropped = sum(block["dropped"] for block in found)
    counted += f", {dropped} bytes dropped" if dropped else ""
    return f"{counted}, opened, from {found[0]['began']} on"


def unshown_cards(values: Values, rows: list[Row], round: Round) -> list[Event]:
    """The cards that no rule has shown, each with the place it was dealt to; what was shown was sealed so too."""
    places: dict[int, str] = {}
    for event in (row.event for row in rows):
        match event["type"]:
            case "cards_dealt":
                places |= dict(zip(event["draws"], event["places"], strict=True))
            case "card_burned":
                places[event["draw"]] = "burned"
            case "card_uncalled" | "card_taken":
                places[event["draw"]] = event["to"]
    left = dict(values)
    for place, card in round.shown_cards():
        # A draw is named where cards are shown one by one; elsewhere they are those of their place.
        here = [draw for draw, value in left.items() if value == card]
        if not here:
            raise Wrong(f"{card} was shown at {place}, and no card was sealed as that")
        del left[min(here, key=lambda draw: (draw != place, places.get(draw) != place))]
    return [{"draw": draw, "to": places.get(draw), "card": card} for draw, card in sorted(left.items())]
