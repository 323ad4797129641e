"""One evening of Fortune 3 Card Poker, 2025 or 2008, judged round after round. Articles in comments are of 2025."""

from collections import Counter
from contextlib import suppress
from typing import Any

from ..rules.lines import ACTS, Message, Stakes, act_at, act_on
from ..rules.meter import Meter
from ..rules.poker import obliged, pay_jackpot, settle
from ..rules.poker_law import law_by
from .camera import Felt, Line, Play, card_source, felt, play
from .faults import Faults
from .message import stakes
from .poker_deal import Deal, Dealing
from .poker_message import Against, as_entered, corrections, decisions_out_of_place, irregularities
from .referee import Referee, Report
from .void import COMPLETE_DECK, why_void


class PokerReferee(Referee):
    """Of both regulations."""

    def __init__(self, station: dict[str, Any], faults: Faults, as_of: str | None = None) -> None:
        self.game = station["table"]["game"]
        self.as_of = as_of
        self.law = law_by(self.game, act_on(self.game, as_of) if as_of else ACTS[self.game][-1][1])
        super().__init__(station, faults)
        additional = station["table"].get("wagers", {}).get("additional", [])
        self.meter = Meter(station["jackpot"]) if "jackpot" in additional and self.law.additional else None
        self.chip = int(station["jackpot"]["chip"]) if self.meter else 0
        self.carried: set[int] = set()  # seats whose chip came over from a void round (17.º 3)
        self.owed: Counter[int] = Counter()  # counted chips that are to be handed back
        self.failures_in_a_row = 0
        self.by_hand: list[Line] = []  # what was done to the cards since the last one left its source

    def _read_law(self, message: Message | None) -> None:
        """The regulation as of when the round began; a message without its time leaves the one of before."""
        if self.as_of is None and message is not None:
            with suppress(KeyError, TypeError, ValueError):
                self.law = law_by(self.game, act_at(self.station["table"], message["began"]))

    def round(self, number: int, lines: list[Line], message: Message | None, *, last: bool) -> None:
        """Judge one round; `message` is None if none was sent."""
        on, played = felt(lines, self.station, button=self.law.additional), play(lines)
        self.report.rounds += 1
        self._read_law(message)
        in_play = self._chips(number, lines, on, message)
        before = self.meter.shown if self.meter else None
        dealt = self._deal(number, lines, on, bool(in_play))
        self.report.notes += [f"round {number}: {odd}" for odd in dealt.odd]
        if message is None:
            if last and not played.ended:
                self._table_closed(played)
                return
            self.report.differences.append(f"round {number}: expected a message, got none")
        against = Against(number, message or {}, self.law)
        article = self._why_void(against, on, dealt)
        if article == self.law.shuffler_failed:
            replaced = any(line["event"] == "shuffler_replaced" for line in lines)
            self.failures_in_a_row = 0 if replaced else self.failures_in_a_row + 1
        elif dealt.complete:
            self.failures_in_a_row = 0
        wagers: Stakes = {}
        for seat, here in on.wagers.items():
            here = here | ({"jackpot": self.chip} if seat in in_play else {})
            wagers |= {(seat, wager, on.players[seat]): here[wager] for wager in here}
        if article is not None:
            wagers, dealt, played = as_entered(wagers, against, dealt, played)
        against.heading(self.station, dealt.source, {"jackpot"} if self.meter else ())
        against.same("deal", None, against.message.get("deal", "nothing"))
        if on.locked:
            against.wagers(wagers)
        if article is None:
            self._settled(against, on, played, dealt, in_play, before)
        else:
            there = wagers if on.locked else stakes(against.message)
            self._voided(against, article, there, played, dealt, in_play, before)
        self._paid_or_seen_before_the_cards_go(number, lines)
        self._jackpots_pushed(number, played)
        if message is not None:
            self.report.differences += against.differences
        self._table_closed(played)
        self._chips_back(number, played, open_end=last and not played.ended)
        if self.meter and self.meter.balance():
            self.report.differences.append(f"round {number}: the referee's own books are off by {self.meter.balance()}")

    def _chips(self, number: int, lines: list[Line], on: Felt, message: Message | None) -> set[int]:
        """The seats with a jackpot bet: new chips go into the meter, carried ones are there or go back (4.º 3)."""
        in_slots, previous = self.placed(lines, on.closed_at)
        if self.meter is None or not on.locked:
            return set()
        published = None
        if message is not None:
            published = {seat for seat, wager, _ in stakes(message) if wager == "jackpot"}
        new = self.counted(number, in_slots, on, self.carried, previous, published)
        for seat in sorted(self.carried - on.wagers.keys()):
            self._give_back(seat)
        self.carried &= on.wagers.keys()
        for seat in sorted(new):
            self.meter.contribute(seat)
        return new | self.carried

    def _give_back(self, seat: int) -> None:
        """A counted chip goes back to its player, with its contribution."""
        if self.meter:
            self.meter.give_back(seat)
            self.owed[seat] += 1

    def _deal(self, number: int, lines: list[Line], on: Felt, with_community: bool) -> Deal:
        source = card_source(lines, self.station)
        if any(line["event"] == "shuffler_replaced" for line in lines):
            self.failures_in_a_row = 0
        dealing = Dealing(
            on, with_community, self.station, source, self.faults, self.dealt_before.get(source, 0.0), self.law
        )
        dealt = dealing.follow(lines)
        self._cut_and_shuffled(number, lines, source)
        if any(line["event"] == "card" for line in lines):
            self.dealt_before[source] = dealt.ended_at
            if self.failures_in_a_row >= self.law.failures:
                if source == "shuffler":
                    self.report.differences.append(
                        f"round {number}, source on the table: "
                        f"expected 'shoe' ({self.law.shuffler_failed}), got {source!r}"
                    )
                self.failures_in_a_row = 0
        return dealt

    def _cut_and_shuffled(self, number: int, lines: list[Line], source: str) -> None:
        """Before a deal from the shoe the cards are shuffled by hand and cut, in the order of the regulation.

        2025 is bound to it only where both were filmed.
        """
        dealt = False
        for line in lines:
            if line["event"] in ("shuffled", "cut"):
                self.by_hand.append(line)
            elif line["event"] == "card":
                if source == "shoe" and not dealt:
                    self._in_its_order(number)
                dealt = True
                self.by_hand = []

    def _in_its_order(self, number: int) -> None:
        done = [str(line["event"]) for line in self.by_hand]
        first, then = self.law.by_hand
        if self.law.additional and set(done) != {first, then}:
            return
        by_bank = all(line.get("by") == "bank" for line in self.by_hand if line["event"] == "cut")
        if done[-1:] != [then] or first not in done or not (by_bank or self.law.additional):
            by_hand = [f"cut by {line.get('by')}" if line["event"] == "cut" else "shuffled" for line in self.by_hand]
            self.report.differences.append(
                f"round {number}, cards on the table: expected {self.law.cut_by}, got {', '.join(by_hand) or 'neither'}"
            )

    def _why_void(self, against: Against, on: Felt, dealt: Deal) -> str | None:
        """The article or policy that voids the round; None if it must be settled."""
        found = why_void(against, dealt, self.report.notes, playable=on.locked and bool(on.wagers))
        if found == dealt.void == COMPLETE_DECK and not self.faults.any("deck", {"doubled"}, 0, dealt.void_at):
            against.say("cards", "each card once", f"twice on the table: {' '.join(dealt.twice)}")
        return found

    def _settled(
        self, against: Against, on: Felt, played: Play, dealt: Deal, in_play: set[int], before: int | None
    ) -> None:
        self.report.settled += 1
        result = settle(on.wagers, in_play, self.chip, dealt.hands, played.decisions, self.law)
        awards: list[dict[str, Any]] = []
        if self.meter:
            awards = self.meter.pay(result.winners, self.rules)
            self.meter.chips.clear()
        pay_jackpot(result, awards, self.law)
        self.carried = set()
        irregularities(against, dealt, played, result)
        corrections(against, played, result, on.players)
        self.report.unpaid += [(against.number, a["seat"], a["amount"]) for a in awards if a["amount"]]
        for seat, place in result.places.items():
            if obliged(on.wagers[seat], self.law) and place.decision != "refused":
                against.same(f"seat {seat}, decision on the table (9.º 3))", "play", played.decisions.get(seat))
            elif place.decision and seat not in played.decisions:
                self.report.notes.append(
                    f"round {against.number}, seat {seat}: no decision seen: taken as a fold ({self.law.lines['fold']})"
                )
        for seat in decisions_out_of_place(result, played):
            self.report.notes.append(f"round {against.number}, seat {seat}: a decision without an ante")
        against.settled(result, any(place == "bank" for place, _ in played.turned))
        against.jackpot(before, self.meter.shown if self.meter else None, awards)
        against.turned(result, played)
        against.pushed(result, played)
        against.doubles(result, played)

    def _voided(
        self,
        against: Against,
        article: str,
        wagers: Stakes,
        played: Play,
        dealt: Deal,
        in_play: set[int],
        before: int | None,
    ) -> None:
        self.report.void += 1
        self.report.void_by[article] += 1
        carried_on = article in self.law.chips_carried
        if not carried_on:
            for seat in sorted(in_play or self.carried):
                self._give_back(seat)
            self.carried = set()
        elif in_play:
            self.carried = in_play
        against.voided(article, wagers, self.carried & in_play, dealt, played)
        irregularities(against, dealt, played, None)
        corrections(against, played, None, {})
        against.jackpot(before, self.meter.shown if self.meter else None, [])
        against.pushed(None, played)

    def _table_closed(self, played: Play) -> None:
        """No one plays on: carried chips go back."""
        if played.table_closed:
            for seat in sorted(self.carried):
                self._give_back(seat)
            self.carried = set()

    def _chips_back(self, number: int, played: Play, *, open_end: bool) -> None:
        """Exactly the counted chips that the rules return are handed back to their players."""
        back = Counter(played.chips_back)
        for seat in sorted(back.keys() | self.owed.keys()):
            if back[seat] > self.owed[seat] or (back[seat] < self.owed[seat] and not open_end):
                self.report.differences.append(
                    f"round {number}, seat {seat}, chips handed back on the table: "
                    f"expected {self.owed[seat]}, got {back[seat]}"
                )
        self.owed.clear()

    def _paid_or_seen_before_the_cards_go(self, number: int, lines: list[Line]) -> None:
        """8.º 6): winning cards stay on the table until the prize is paid, or two persons have seen them."""
        open_prizes = [(seat, amount) for of, seat, amount in self.report.unpaid if of == number]
        for line in lines:
            if line["event"] == "pay" and line["wager"] == "jackpot":
                paid = int(line["seat"]), int(line["amount"])
                open_prizes = [prize for prize in open_prizes if prize != paid]
            elif line["event"] == "cards_seen":
                open_prizes = [prize for prize in open_prizes if prize[0] not in line["seats"]]
            elif line["event"] == "cleared" and open_prizes:
                seats = ", ".join(str(seat) for seat, _ in open_prizes)
                self.report.differences.append(
                    f"round {number}, cards of seat {seats} on the table: "
                    "expected there until the prize is paid or two persons have seen them (8.º 6)), got gone"
                )

    def _jackpots_pushed(self, number: int, played: Play) -> None:
        """Every jackpot handed over was won before, by this seat, was not handed over yet, and is in its turn."""
        for seat, wager, amount in played.pays:
            if wager == "jackpot":
                self.report.handed_over(number, seat, amount, "15.º 3, 15.º 5")

    def close(self) -> Report:
        """With the seats whose chip would come over into the next round."""
        self.report.carried = set(self.carried)
        return super().close()
