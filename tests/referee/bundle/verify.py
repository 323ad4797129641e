"""Everything that is checked of a bundle, and what no check proves."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from .forms import MALFORMED, Event, NoBundle, Wrong
from .played import GAMES, Played
from .proofs import OF_THE_ORIGIN, check_proofs
from .rows import Record, check_chain, check_contents, read_record
from .sealed import read_sealed, read_wires, unshown_cards

COPIED = ("site", "table", "game", "mode", "currency", "exponent", "journal", "round")
Found = TypeVar("Found")


def verify(bundle: Event, keys: Sequence[str] = (), witnesses: Sequence[str] = (), as_of: str | None = None) -> Event:
    """What is found in a bundle, as the values of `--json`; `as_of` is a day. Raises NoBundle or BadDay."""
    try:
        record = read_record(bundle, GAMES)
        own = record.own
    except MALFORMED as error:
        raise NoBundle(f"the bundle is not of its form: {type(error).__name__}: {error}") from None
    wrong: list[str] = []

    def check(what: Callable[..., Found], *values: Any) -> Found | None:
        try:
            return what(*values)
        except Wrong as error:
            wrong.append(str(error))
        except MALFORMED as error:
            wrong.append(f"the record cannot be followed: {type(error).__name__}: {error}")
        return None

    check(check_chain, bundle, record)
    proof, signed = check(check_proofs, bundle, record, list(keys), list(witnesses)) or ("not good", [])
    found = {name: bundle[name] for name in COPIED}
    found |= {"events": [record.rows[0].number, record.rows[-1].number], "proof": proof, "signed": signed}
    found |= {"not_covered": _not_covered(bundle, record, signed), "lines": []}
    found["cards"] = "sealed" if any(row.sealed is not None for row in own) else "none"
    values = check(read_sealed, bundle, record)
    found["wires"] = check(read_wires, bundle) or "not good"
    played = check(Played, record, as_of)
    found["act"] = played.act if played is not None else None
    ended = False
    if played is not None:
        if (played.number, played.begun["terms"]["game"]) != (bundle["round"], bundle["game"]):
            wrong.append("the events are of another round or game than the bundle says")
        check(check_contents, bundle, record, played.settlement)
        check(played.check_later, record.later)
        if values is not None and (unshown := check(unshown_cards, values, own, played.round)) is not None:
            found |= {"cards": "opened", "unshown": unshown}
        settlement = played.settlement or {}
        ended = played.confirmed and played.settlement is not None
        found |= {"outcome": settlement.get("outcome"), "lines": list(_lines(settlement)), "ended": ended}
    verdict = "does not agree" if wrong else "agrees" if ended else "not ended"
    return {"verdict": verdict, "wrong": wrong, **found}


def _lines(settlement: Event) -> Iterator[Event]:
    """Every line of a settlement with its seat."""
    for seat, there in settlement.get("seats", {}).items():
        for line in there.get("lines", []):
            yield {"seat": int(seat), **line}
    banker = settlement.get("banker", {})
    for joiner in banker.get("joiners", []):
        yield {"seat": banker["place"], **joiner}


def _not_covered(bundle: Event, record: Record, signed: list[str]) -> dict[str, str]:
    """By its key, each part of the bundle that nothing proves, and why."""
    found: dict[str, str] = {}
    if not signed:
        found |= dict.fromkeys(OF_THE_ORIGIN, "no verified signature names it")
    found |= dict.fromkeys(("mode", "currency", "exponent"), "the bundle's own word; no event or signature has it")
    found["later"] = "whether events after the last one of `chain` were left out"
    found["chain"] = "whether each input causes its events by the rules: `dealer-station audit replay` computes that"
    found["wires"] = "the table's own record, in no tree; blocks can be missing"
    released = any(row.type == "key_released" for row in (*record.rows, *(row for row, _ in record.later)))
    if bundle["released_key"] is None and released:
        found["released_key"] = "an event releases the key, and the bundle does not have it"
    if not signed:
        found["proofs"] = "no given key verified a signature (--key, --witness): anyone can have written every event"
    return found
