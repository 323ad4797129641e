"""A `rounds` message of poker compared with what the referee made of the round; every difference a sentence."""

from collections import Counter
from collections.abc import Collection
from dataclasses import replace
from types import NoneType

from ..rules.lines import Lying, Message, Stakes, strictly_equal
from ..rules.poker import Settled, back
from ..rules.poker_law import Regulation
from .camera import Line, Play, same_cards, seat_of
from .faults import SLIPS
from .message import Difference, Due, lying, parts, published_seat, replaced_in, stakes
from .poker_deal import Deal
from .void import KEYED_IN


class Against(Difference):
    """The differences of one message of Fortune 3 Card Poker."""

    def __init__(self, number: int, message: Message, law: Regulation) -> None:
        super().__init__(number, message)
        self.law = law

    def settled(self, result: Settled, bank_was_turned: bool) -> None:
        """A round that was played to its end."""
        self.outcome()
        hidden = not result.bank_matters and not bank_was_turned
        due: Lying = {} if hidden else {("bank", None): result.bank}
        if result.community:
            due["community", None] = result.community
        due |= {(f"seat {seat}", None): place.cards for seat, place in result.places.items() if place.cards}
        self.cards(due, same_cards)
        self.bank(None if hidden else result.bank_hand, None if hidden else result.qualifies)
        places = result.places.items()
        self.decisions([(seat, None, place.decision) for seat, place in places if place.decision])
        self.seats({seat: Due(place.lines, place.net, {"hand_name": place.hand}) for seat, place in places})

    def bank(self, hand: str | None, qualifies: bool | None) -> None:
        """The bank's hand, and whether it plays."""
        self.values("bank", {"hand_name": hand, "qualifies": qualifies}, self.message.get("bank"))

    def voided(self, article: str, wagers: Stakes, carried: set[int], dealt: Deal, played: Play) -> None:
        """A round in which nothing is won or lost, and nothing is seen but what was turned or seen by accident."""
        self.outcome(article)
        self.bank(None, None)
        due: dict[int, Due] = {}
        for (seat, wager, _), stake in wagers.items():
            lines = due.setdefault(seat, Due([], 0, {"hand_name": None})).lines
            lines.append(back(wager, stake, article))
            published = [line.get("wager") for line in parts(published_seat(self.message, seat), "lines")]
            if wager == "ante" and "play" in published and played.decisions.get(seat) == "play":
                lines.append(back("play", stake, article))
            elif wager == "jackpot":
                lines[-1].more |= {"chip_carried": seat in carried}
        self._decided(due.keys(), played)
        self.seats(due)
        turned = {place for place, _ in played.turned}
        seen = dealt.exposed | {card for _, cards in played.turned for card in cards.split(" ")}
        for (place, _), cards in lying(self.message).items():
            if place == "community" and place not in turned:
                self.say(f"{place}, cards", None, " ".join(cards))
            hidden = [card for card in cards if card not in seen]
            if hidden:
                self.say("void, cards", "no card that was not shown", " ".join(hidden))

    def _decided(self, seats: Collection[int], played: Play) -> None:
        """The void may have come before a decision was entered, or before a slip was corrected."""
        published = self.entries("decisions")
        at = [decision_read.get("seat") for decision_read in published]
        if at != [seat for seat in sorted(seats) if seat in at]:
            self.say("decisions", f"one of each of the seats {sorted(seats)} at most", at)
        for decision_read in published:
            seat, decision = decision_read.get("seat"), decision_read.get("decision")
            slip = seat in played.slipped and decision in ("play", "fold")
            filmed = played.decisions.get(seat) if isinstance(seat, int) else None
            if decision is None or (decision != filmed and not slip):
                self.say(f"seat {seat}, decision", filmed, decision)
            self.values(f"seat {seat}, decision", {"seat": seat, "hand": None, "decision": decision}, decision_read)

    def turned(self, result: Settled, played: Play) -> None:
        """The hands turned on the table against those the rules show."""
        due: dict[str, list[str]] = {
            f"seat {seat}": place.cards for seat, place in result.places.items() if place.cards
        }
        if result.community:
            due["community"] = result.community
        if result.bank_matters:
            due["bank"] = result.bank
        for place, cards in played.turned:
            right = due.get(place) or (result.bank if place == "bank" else None)
            if right is None:
                self.say(f"{place}, turned on the table", "nothing: the rules do not show it", cards)
            elif not same_cards(cards.split(" "), right):
                self.say(f"{place}, turned on the table", " ".join(right), cards)
        for place in due.keys() - {place for place, _ in played.turned}:
            self.say(f"{place}, turned on the table", " ".join(due[place]), "nothing")

    def pushed(self, result: Settled | None, played: Play) -> None:
        """The winnings pushed to the players against the lines; the jackpot has its own way (`report.py`)."""
        due: Counter[tuple[int, str]] = Counter()
        for seat, place in (result.places if result else {}).items():
            for line in place.lines:
                if line.net > 0 and line.wager != "jackpot":
                    due[seat, line.wager] += line.net
        pushed: Counter[tuple[int, str]] = Counter()
        for seat, wager, amount in played.pays:
            if wager != "jackpot":
                pushed[seat, wager] += amount
        for seat, wager in sorted(due.keys() | pushed.keys()):
            got = pushed[seat, wager]
            if got != due[seat, wager] and (played.ended or got):
                self.say(f"seat {seat}, line {wager}, pushed on the table", due[seat, wager], got)

    def doubles(self, result: Settled, played: Play) -> None:
        """The double is of the ante's value (12.º 2; 2008: 9.º 1))."""
        for seat, amount in played.doubles.items():
            place = result.places.get(seat)
            ante = place.lines[0].stake if place and place.decision == "play" else 0
            self.same(f"seat {seat}, double on the table", ante, amount)


def decisions_out_of_place(result: Settled, played: Play) -> list[int]:
    """Seats that were asked though they had no ante."""
    return [seat for seat in played.decisions if seat not in result.places or result.places[seat].decision is None]


# ---- What a message says went wrong and was corrected, against what the camera filmed of it. No I/O here


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
