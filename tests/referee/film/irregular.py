"""What a message says went wrong and was corrected, against what the camera filmed of it. No I/O here."""

from collections import Counter
from dataclasses import replace
from types import NoneType

from ..rules.lines import Message, Stakes, strictly_equal
from ..rules.poker import Settled
from .camera import Line, Play, same_cards, seat_of
from .faults import SLIPS
from .message import Difference, parts, replaced_in, stakes
from .poker_deal import Deal
from .poker_message import Against
from .policies import KEYED_IN


def irregularities(against: Against, dealt: Deal, played: Play, result: Settled | None) -> None:
    """Exposed cards, cards at an empty seat, cards keyed in; `result` None: void, perhaps before they were reported."""
    entries = against.entries("irregularities")
    filmed = Counter({place: count for place, count in dealt.seen.items() if count})
    published: Counter[str] = Counter()
    for entry in entries:
        _cited(against, entry)
        if entry.get("kind") == "exposed" and seat_of(entry.get("to")) not in dealt.null_seats:
            count = entry.get("count")
            if type(count) is not int or count < 1:
                against.say("irregularities, exposed, count", "a number", count)
            else:
                published[str(entry.get("to"))] += count
    if published - filmed or (result is not None and published != filmed):
        against.say("irregularities, exposed", dict(filmed), dict(published))
    null = {f"seat {seat}" for seat in dealt.null_seats}
    empty = {str(entry.get("to")) for entry in entries if entry.get("kind") == "empty_seat"}
    if empty - null or (result is not None and empty != null):
        against.say("irregularities, empty_seat", sorted(null), sorted(empty))
    keyed_in = {str(entry.get("to")) for entry in entries if entry.get("kind") == "keyed_in"}
    if keyed_in and not (dealt.perhaps_unread or played.filmed("miskey")):
        against.say("irregularities, keyed_in", "nothing: every card was read", sorted(keyed_in))
    turned = {place for place, _ in played.turned}
    if result is not None and keyed_in - turned:
        against.say("irregularities, keyed_in", sorted(turned), sorted(keyed_in))
    all_shown = result is not None and all(place.cards for place in result.places.values()) and "bank" in turned
    due = {str(line.get("to")) for line in played.irregularities if line.get("kind") == "miskey"}
    if result is not None and (due - keyed_in or (dealt.unread and all_shown and not keyed_in)):
        against.say("irregularities, keyed_in", sorted(due) or "keyed_in", sorted(keyed_in) or "nothing")


def _cited(against: Against, entry: Message) -> None:
    kind, article = entry.get("kind"), entry.get("article")
    wanted: tuple[str, ...] = ()
    if kind == "exposed":
        place = str(entry.get("to"))
        wanted = against.law.exposed.get("player" if seat_of(place) is not None else place, ())
    elif kind == "empty_seat":
        wanted = against.law.empty_seat
    elif kind == "keyed_in":
        wanted = KEYED_IN
    against.cites(f"irregularities, {kind}, article", wanted, article)


def corrections(against: Against, played: Play, result: Settled | None, players: dict[int, str | None]) -> None:
    """A slip was corrected, or the round is void; nothing else was; and what was corrected is what happened."""
    last = corrections_of(against, played.irregularities, void=result is None)
    if result is not None:
        for (what, place, wager, player), entry in last.items():
            if player not in (None, players.get(seat_of(place) or 0)):
                against.say(f"corrections, {place}, player", players, player)
            _holds(against, what, place, wager, entry.get(replaced_in(entry)[1]), result)


Thing = tuple[str, str, str, str | None]  # what was corrected, at which place, of which wager, of which player


def corrections_of(against: Difference, filmed: list[Line], *, void: bool) -> dict[Thing, Message]:
    """The last correction of each thing; says which slips were not corrected, and what was no slip."""
    entries = against.entries("corrections")
    named = {str(entry.get("what")) for entry in entries}
    slips = [line for line in filmed if line.get("kind") in SLIPS]
    slipped = {SLIPS[line["kind"]] for line in slips}
    if named - slipped or (not void and slipped - named):
        against.say("corrections", sorted(slipped), sorted(named))
    for entry in entries:
        where = f"corrections, {entry.get('what')}"
        for key in ("actor", "reason"):
            against.text(f"{where}, {key}", entry.get(key))
        wager, player = entry.get("wager"), entry.get("player")
        of_wager = str if entry.get("what") == "wager" else NoneType
        if type(wager) is not of_wager or type(player) not in (of_wager, NoneType):
            against.say(f"{where}, wager and player", "those of a wager alone", [wager, player])
        before, after = (entry.get(key, "nothing") for key in replaced_in(entry))
        if strictly_equal(before, after):
            against.say(where, "a change", after)
    real = {f"seat {line.get('keyed')}": f"seat {line.get('seat')}" for line in slips if line["kind"] == "slip_seat"}
    last: dict[Thing, Message] = {}
    for entry in entries:
        at, player = str(entry.get("at")), entry.get("player")
        thing = str(entry.get("what")), real.get(at, at), str(entry.get("wager"))
        last[(*thing, player if isinstance(player, str) else None)] = entry
    return last


def _holds(against: Against, what: str, place: str, wager: str, after: object, result: Settled) -> None:
    """The last correction of a thing against the thing itself."""
    seat = seat_of(place)
    there = result.places.get(seat) if seat is not None else None
    where = f"corrections, {place}, {wager if what == 'wager' else what}"
    if what == "decision":
        against.same(where, there.decision if there else None, after)
    elif what == "wager":
        against.same(where, next((line.stake for line in there.lines if line.wager == wager), 0) if there else 0, after)
    elif what == "seat" and str(after).removeprefix("seat ") != str(seat):
        against.say(where, place, after)
    elif what == "cards":
        cards = result.bank if place == "bank" else result.community if place == "community" else None
        cards = (there.cards if there else cards) or []
        if not same_cards(str(after).split(" "), cards):
            against.say(where, " ".join(cards), after)


def moved_seats(filmed: list[Line]) -> dict[int, int]:
    """The seats at which bets were keyed in wrongly, and those where they are."""
    return {int(line["keyed"]): int(line["seat"]) for line in filmed if line.get("kind") == "slip_seat"}


def entered_wagers(wagers: Stakes, message: Message, filmed: list[Line]) -> Stakes:
    """The wagers of a void round as the dealer entered them: a slip that was not corrected before remains."""
    put = {entry.get("what") for entry in parts(message, "corrections")}
    keyed = {} if "seat" in put else {seat: at for at, seat in moved_seats(filmed).items()}
    published = stakes(message)
    entered: Stakes = {(keyed.get(key[0], key[0]), *key[1:]): amount for key, amount in wagers.items()}
    for line in filmed:
        if line.get("kind") == "slip_wager" and "wager" not in put:
            at = keyed.get(int(line["seat"]), int(line["seat"])), str(line["wager"])
            for bet in entered:
                if bet[:2] == at and line.get("player") in (None, bet[2]):
                    entered[bet] = published.get(bet, entered[bet])
    return dict(sorted(entered.items(), key=lambda item: item[0][0]))


def as_entered(wagers: Stakes, against: Against, dealt: Deal, played: Play) -> tuple[Stakes, Deal, Play]:
    """A void round as the dealer entered it: a slip that was not corrected before remains."""
    put = {entry.get("what") for entry in parts(against.message, "corrections")}
    filmed = played.irregularities
    keyed = {} if "seat" in put else {seat: at for at, seat in moved_seats(filmed).items()}
    places = {f"seat {seat}": f"seat {at}" for seat, at in keyed.items()}
    seen = Counter({places.get(place, place): count for place, count in dealt.seen.items()})
    decisions = {keyed.get(seat, seat): decision for seat, decision in played.decisions.items()}
    slipped = {keyed.get(seat, seat) for seat in played.slipped}
    entered = entered_wagers(wagers, against.message, filmed)
    return entered, replace(dealt, seen=seen), replace(played, decisions=decisions, slipped=slipped)
