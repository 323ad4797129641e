"""A table of the bare minimum for black-jack/21, played by the law of the round files."""

import os
import struct
import tomllib
from pathlib import Path
from typing import Any, cast

from controller.rulebook.blackjack_21 import play, state, waits
from controller.rulebook.blackjack_21.bets import Backer, SeatBet, check_round_bets, check_seat_bet
from controller.rulebook.blackjack_21.settle import lines_so_far, settle
from controller.rulebook.cards import Card
from controller.rulebook.jackpot_award import JackpotTerms
from controller.rulebook.refusal import Refusal
from controller.rulebook.settlement import Line
from controller.words import english
from tests.simulators.fake_station import FakeStation, shoe_command
from tests.simulators.fake_table import FakeTable, Refused

MINIMUM, POT = 10000, 60000000
RANKS, SUITS, SHOE_SUITS = "A23456789TJQK", "cdhs", " dcsh"  # as the dispenser and the shoe number them
CONFIRMED_BY = "rui"


class FakeBlackjack(FakeTable):
    """What the contract of the game says, state by state; `deaf_to` names draws of a round that are never heard."""

    broken = "policy: misdeal"

    def __init__(self, seats: int, source: str, decks: int, chip: int, increment: int, by_hand: bool) -> None:
        self.cards = 52 * decks
        self.chip_value, self.chip_increment, self.by_hand = chip, increment, by_hand
        self.inside = 0
        self.packets: list[int] = []
        self.lid_open = self.session_loaded = self.extracting = self.shoe_loaded = self.cut_card_out = False
        self.held: list[int] = []
        self.closed: list[list[int]] = []  # rounds whose claims ended together
        self.counted_out: list[int] = []
        self.alarms: list[str] = []
        super().__init__(seats, source)

    def _new_round(self) -> None:
        super()._new_round()
        self.laid: dict[int, dict[str, tuple[str, int]]] = {}  # by seat and player
        self.marks: list[tuple[int, str | None]] = []  # chips by seat, and by who bets along
        self.play: state.State | None = None
        self.pending: list[str | None] = []
        self.gifts = 0
        self.burnt = self.incremented = self.unread_now = False
        self.unread_place = ""
        self.drawn = 0
        self.lost_cards: list[str] = []
        self.corrected: list[tuple[str, str]] = []
        self.settled_as: dict[str, Any] = {}

    # what is asked

    def _step(self) -> tuple[str, str, dict[str, Any]]:
        if self.extracting:
            return "extract", "", {}
        if self.opened and not self.in_round and self.source == "shuffler" and not self.session_loaded:
            return "load", "", {}
        kind, tail, more = super()._step()
        if kind in ("deal", "count", "decisions", "reveal", "confirm") and not self.void and not self.confirmed:
            return self._in_play()
        return kind, tail, {} if kind in ("shuffle", "deck") else more

    def _preparing(self) -> str | None:
        if self.source == "shuffler":
            return None
        if self.cut and not self.shoe_loaded:
            return "warning"
        if self.shoe_loaded:
            return None if self.burnt or not self.shuffled else "burn"
        return "cut" if self.shuffled else "shuffle"

    def _in_play(self) -> tuple[str, str, dict[str, Any]]:
        if self.by_hand and self.chips and not self.incremented:
            return "increment", "", {}
        assert self.play is not None
        if self.unread_now:
            return "reveal", self.unread_place, {"to": [self.unread_place], "key_in": True}
        number = len(self.play.answered) + 1
        match waits.waits_for(self.play):
            case waits.CardDue(place=place, hand=hand):
                return "deal", str(self.drawn + 1), {"to": [place], "hand": hand}
            case waits.TurnDue(known=known):
                return "reveal", "bank", {"to": ["bank"], "key_in": not known}
            case waits.HandAsked(seat=seat, hand=asked, legal=legal):
                return "ask", str(number), {"question": "decision", "seat": seat, "hand": asked, "legal": list(legal)}
            case waits.FollowAsked(seat=seat, hand=asked, backers=backers):
                names = [self._bet(seat).backers[at].player for at in backers]
                return "ask", str(number), {"question": "follow", "seat": seat, "hand": asked, "backers": names}
            case waits.GiveUpAsked(seat=seat):
                return "ask", str(number), {"question": "give_up", "seat": seat}
            case waits.EvenMoneyAsked(seat=seat):
                return "ask", str(number), {"question": "even_money", "seat": seat}
            case waits.InsuranceAsked(seat=seat, most=most):
                names = [backer.player for backer in self._bet(seat).backers]
                asked_so = {"question": "insurance", "seat": seat, "most": list(most), "backers": names}
                return "ask", str(number), asked_so
        return "confirm", "", {}

    # what is heard

    def card_heard(self, card: str | None) -> None:
        """A card by its value; None is one that nobody read."""
        if self.step["kind"] == "burn":
            self.burnt = True
            return
        if self.play is None or self.void or self.confirmed:
            return
        self.drawn += 1
        if (self.round_id, self.drawn) in self.deaf_to:
            self.drawn -= 1
            self.deaf_to.discard((self.round_id, self.drawn + 1))
            return
        wait = waits.waits_for(self.play)
        if isinstance(wait, waits.CardDue) and not self.unread_now:
            self._card(wait, card)
        elif isinstance(wait, waits.HandAsked):
            self.pending.append(card)
        else:
            self.lost_cards.append(card or "??")
            self.dealt.append({"order": None, "to": ["discard"], "null": False})

    def _card(self, wait: waits.CardDue, card: str | None) -> None:
        assert self.play is not None
        if card is None and wait.face_up:
            self.unread_now, self.unread_place = True, wait.place
        else:
            self.play = play.with_card(self.play, cast(Card | None, card))
        self.dealt.append({"order": None, "to": [wait.place], "null": False})

    def _give_pending(self) -> None:
        """A card that was drawn already is for whoever is due next."""
        assert self.play is not None
        wait = waits.waits_for(self.play)
        if self.gifts and self.pending and isinstance(wait, waits.CardDue):
            self.gifts -= 1
            self._card(wait, self.pending.pop(0))

    def lid(self, is_open: bool) -> None:
        self.lid_open = is_open

    def packet_in(self, count: int) -> None:
        assert self.lid_open, "the lid was not open"
        self.inside += count
        if self.step["kind"] == "load":
            self.packets.append(count)
        elif self.step["kind"] == "claims":
            self.closed.append([*self.held, self.round_id])
            self.held.clear()
            self._end_round()

    def cut_card_heard(self) -> None:
        self.cut_card_out = True

    def lock(self) -> None:
        if self.step["kind"] != "wagers" or not self.laid:
            return
        present = {seat for seat, _ in self.marks} if self.by_hand else self.chips_in_slots
        self.chips = sorted(seat for seat in present if seat in self.laid)
        self.play = play.opened([self._bet(seat) for seat in self.laid])
        self.locked = True

    def _bet(self, seat: int) -> SeatBet:
        """What lies at a seat: its own bet first, or that of whoever decides at a vacant one (16)."""
        here = self.laid[seat]
        kinds = {kind for kind, _ in here.values()}
        if kinds == {"vacant"}:
            sits_at = {p: s for s, laid in self.laid.items() for p, (kind, _) in laid.items() if kind == "bet"}
            owner = min(here, key=lambda player: (-here[player][1], sits_at.get(player, 9)))
        else:
            owner = next(player for player, (kind, _) in here.items() if kind == "bet")
        marked = [player for at, player in self.marks if at == seat] if self.by_hand else [None]
        with_chip = [owner if player is None else player for player in marked if seat in self.chips]
        chip = {player: self.chip_value if player in with_chip else 0 for player in here}
        backers = tuple(Backer(player, bet, chip[player]) for player, (_, bet) in here.items() if player != owner)
        return SeatBet(seat=seat, bet=here[owner][1], backers=backers, chip=chip[owner])

    # what is said

    def take(self, item: dict[str, Any]) -> str | None:
        try:
            return super().take(item)
        except Refusal as refusal:
            raise Refused(english(refusal.reason), refusal.article or "") from None

    def _no_bets(self, item: dict[str, Any]) -> None:
        """Nobody bets (12); a round that was begun ends without play."""
        assert self.step["kind"] in ("begin", "wagers") and not (self.in_round and self.laid)
        assert not item["spread"] or self.source == "shoe"
        if item["spread"]:
            self.shoe_loaded = self.cut_card_out = False
        if self.in_round:
            self._end_round()

    def _loaded(self, item: dict[str, Any]) -> None:
        assert item["actor"] == CONFIRMED_BY
        if len(self.packets) < 2 or sum(self.packets) != self.cards:
            raise Refused(f"{self.packets} were put in", "54")
        self.session_loaded = True

    def _extracted(self, item: dict[str, Any]) -> None:
        assert item["actor"] == CONFIRMED_BY
        self.counted_out.append(item["cards"])
        self.extracting = self.session_loaded = self.opened = False
        self.inside = 0

    def _close_table(self, item: dict[str, Any]) -> None:
        self.extracting = self.source == "shuffler"
        self.opened = self.extracting
        self.shoe_loaded = False

    def _begin_round(self, item: dict[str, Any]) -> None:
        if self.cut_card_out:
            self.shoe_loaded = self.cut_card_out = False
        super()._begin_round(item)

    def _shuffled(self, item: dict[str, Any]) -> None:
        if item["count"] != self.cards:
            raise Refused(f"{item['count']} cards", "3")
        self.shuffled = True

    def _warning_card(self, item: dict[str, Any]) -> None:
        assert item["place"] in ("end", "middle")
        self.shoe_loaded = True

    def _cut_card(self, item: dict[str, Any]) -> None:
        self.cut_card_out = True

    def _wager(self, item: dict[str, Any]) -> None:
        seat, kind = item["seat"], item["wager"]
        if kind == "jackpot":
            assert item["amount"] == self.chip_value and self.by_hand and seat in self.laid
            player = item.get("player")
            assert (seat, player) not in self.marks and player in (None, *self.laid[seat])
            self.marks.append((seat, player))
            return
        before = dict(self.laid.get(seat, {}))
        self.laid.setdefault(seat, {})[item["player"]] = (kind, item["amount"])
        try:
            check_seat_bet(self._bet(seat), MINIMUM)
            if self.play is not None:
                self.play = play.with_bet(self.play, self._bet(seat))
        except Refusal:
            self.laid[seat] = before
            raise

    def _increment(self, item: dict[str, Any]) -> None:
        due = self.chip_increment * sum(seat in self.chips for seat, _ in self.marks)
        if item["amount"] != due:
            raise Refused(f"{due} expected", "41")
        self.incremented = True

    def _answered(self, answer: state.Answer) -> None:
        assert self.play is not None
        before = waits.waits_for(self.play)
        self.play = play.with_answer(self.play, answer)
        dealt = isinstance(before, waits.HandAsked) and isinstance(waits.waits_for(self.play), waits.CardDue)
        if dealt and self.pending and not self.gifts and getattr(answer, "decision", "") == "hit":
            self.gifts += 1  # the player did want it
        self._give_pending()

    def _decide(self, item: dict[str, Any]) -> None:
        self._asked(item, "decision")
        self._answered(state.Decided(item["decision"]))

    def _follow(self, item: dict[str, Any]) -> None:
        self._asked(item, "follow")
        self._answered(state.Followed(tuple(item["who"])))

    def _give_up(self, item: dict[str, Any]) -> None:
        self._asked(item, "give_up")
        self._answered(state.GaveUp(item["yes"]))

    def _even_money(self, item: dict[str, Any]) -> None:
        self._asked(item, "even_money")
        self._answered(state.TookEvenMoney(item["yes"]))

    def _insure(self, item: dict[str, Any]) -> None:
        self._asked(item, "insurance")
        self._answered(state.Insured(tuple(item["amounts"])))

    def _asked(self, item: dict[str, Any], question: str) -> None:
        step = self.step
        if (step.get("question"), step.get("seat"), step.get("hand")) != (question, item["seat"], item.get("hand")):
            raise Refused(f"asked is {step}, not {item}")

    def _unasked_card(self, item: dict[str, Any]) -> None:
        if not self.pending:
            raise Refused("no card was heard", "18")
        if item["seen"]:
            self.lost_cards.append(self.pending.pop() or "??")
            self.dealt.append({"order": None, "to": ["discard"], "null": False})
        else:
            self.gifts += 1

    def _unheard_card(self, item: dict[str, Any]) -> None:
        if self.step["kind"] == "burn":
            self.burnt = True
            return
        self.drawn += 1
        assert self.play is not None
        wait = waits.waits_for(self.play)
        assert isinstance(wait, waits.CardDue)
        self._card(wait, None)

    def _reveal(self, item: dict[str, Any]) -> None:
        assert self.play is not None and [item["to"]] == self.step["to"]
        assert ("cards" in item) == self.step.get("key_in", False)
        self.unread_now, turning = False, not self.unread_now
        self.play = play.with_card(self.play, item.get("cards"))
        assert not turning or self.play.turned
        self._give_pending()

    def _deal_corrected(self, item: dict[str, Any]) -> None:
        self.corrected.append((item["what"], item["to"]))

    def _correct_wager(self, item: dict[str, Any]) -> None:
        kind, _ = self.laid[item["seat"]][item["player"]]
        self.laid[item["seat"]][item["player"]] = (kind, item["amount"])
        self._fold_again()

    def _correct_seat(self, item: dict[str, Any]) -> None:
        self.laid[item["to_seat"]] = self.laid.pop(item["seat"])
        moved = {item["seat"]: item["to_seat"]}
        for dealt in self.dealt:
            dealt["to"] = [f"seat {item['to_seat']}" if to == f"seat {item['seat']}" else to for to in dealt["to"]]
        if self.unread_place == f"seat {item['seat']}":
            self.unread_place = f"seat {item['to_seat']}"
        self._fold_again(moved)

    def _fold_again(self, moved: dict[int, int] | None = None) -> None:
        """The round from its bets again, with the same cards and answers."""
        assert self.play is not None
        old, bets = self.play, [self._bet(seat) for seat in self.laid]
        again = play.opened(bets)
        cards, answers = [one.card for one in old.drawn], [one.answer for one in old.answered]
        while cards or answers:
            if isinstance(waits.waits_for(again), waits.CardDue):
                again = play.with_card(again, cards.pop(0))
            elif isinstance(waits.waits_for(again), waits.TurnDue):
                again = play.with_card(again, old.bank[1])
            else:
                again = play.with_answer(again, answers.pop(0))
        if old.turned and not again.turned:
            again = play.with_card(again, old.bank[1])
        self.play = again

    def _hold_cards(self, item: dict[str, Any]) -> None:
        assert self.step["kind"] == "claims" and not self.lid_open and self.source == "shuffler"
        self._paid_first()
        self.held.append(self.round_id)
        self._end_round()

    def _close_claims(self, item: dict[str, Any]) -> None:
        self._paid_first()
        self.closed.append([self.round_id])
        super()._close_claims(item)

    def _paid_first(self) -> None:
        if any(hit["state"] != "paid" for hit in self.hits):
            raise Refused("a prize is unpaid", "49")

    def _card_replaced(self, item: dict[str, Any]) -> None:
        assert item["actor"] == CONFIRMED_BY
        self.alarms.clear()

    def _confirm(self, item: dict[str, Any]) -> None:
        if self.play is not None and not self.void:
            check_round_bets([self._bet(seat) for seat in self.laid])
            self._lock_hits()
        super()._confirm(item)

    def _lock_hits(self) -> None:
        for line in (line for seat in self._settlement()["seats"] for line in seat["lines"]):
            if line["wager"] == "jackpot" and line["outcome"] == "win":
                hit = {
                    "hit": len(self.hits) + 1,
                    "round": self.round_id,
                    "seat": line["seat"],
                    "amount": line["net"] + line["stake"],
                    "player": line.get("player", ""),
                }
                self.hits.append({**hit, "state": "payable", "confirmed_by": []})

    def _confirm_hit(self, item: dict[str, Any]) -> None:
        hit = self.hits[item["hit"] - 1]
        hit["confirmed_by"].append(item["actor"])
        if len(hit["confirmed_by"]) == 2:
            hit["state"] = "paid"

    def _void(self, article: str, reason: str) -> None:
        # Nothing is carried: chips go back.
        self.void = {"article": article, "code": "as_said", "values": {"said": reason}, "carried": []}

    def _end_round(self) -> None:
        super()._end_round()
        self.past[-1] |= {"play": self.play, "lost_cards": self.lost_cards, "corrected": self.corrected}
        self.past[-1] |= {"laid": self.laid, "settled": self.settled_as}

    # what is shown

    def projection(self) -> dict[str, Any]:
        return super().projection() | {
            "shoe": {"loaded": self.shoe_loaded, "cut_card_out": self.cut_card_out}, "lid_open": self.lid_open,
            "held_claims": self.held, "alarms": [{"name": name, "over": False} for name in self.alarms],
        }  # fmt: skip

    def _public_dealt(self) -> list[dict[str, Any]]:
        return self.dealt

    def _public_round(self, step: dict[str, Any], dealt: list[dict[str, Any]]) -> dict[str, Any]:
        public = super()._public_round(step, dealt) | {"pending_cards": len(self.pending)}
        public["bets"] = [
            {"seat": seat, "wager": kind, "player": player, "amount": amount}
            for seat, here in self.laid.items()
            for player, (kind, amount) in here.items()
        ]
        public["bets"] += [
            {"seat": seat, "wager": "jackpot", "player": player, "amount": self.chip_value}
            for seat, player in self.marks
        ]
        if self.play is not None and not self.void:
            public["hands"] = {
                str(seat.laid.seat): [{"cards": " ".join(hand.cards)} for hand in seat.hands]
                for seat in self.play.seats
            }
            public["lines"] = {
                str(seat): [as_line(seat, line) for line in lines] for seat, lines in lines_so_far(self.play).items()
            }
        return public

    def _settlement(self) -> dict[str, Any]:
        settled: dict[str, Any] = {"outcome": "void", "bank": None, "seats": []}
        if not self.void:
            assert self.play is not None
            answer = settle(self.play, JackpotTerms(pot=POT, minimum=50000000, fixed={}) if self.chip_value else None)
            seats = [
                {"seat": int(n), "lines": [as_line(int(n), line) for line in s.lines]} for n, s in answer.seats.items()
            ]
            settled = {"outcome": answer.outcome, "bank": None, "seats": seats}
        self.settled_as = settled
        return settled


def as_line(seat: int, line: Line) -> dict[str, Any]:
    """A line as the screen has it."""
    told = {"seat": seat, "wager": line.wager, "stake": line.stake, "outcome": line.outcome, "net": line.net}
    named = {"hand": line.hand, "player": line.player}
    return told | {key: value for key, value in named.items() if isinstance(value, int | str)}


class FakeBlackjackStation(FakeStation):
    """Hears the cards with their values, and what the lid does."""

    table: FakeBlackjack

    def __init__(self, directory: Path) -> None:
        super().__init__(directory)
        setting = tomllib.loads((directory / "station.toml").read_text())
        table, jackpot = setting["table"], setting.get("jackpot", {})
        by_hand = jackpot.get("marking") == "manual"
        increment = jackpot.get("chip", 0) * jackpot.get("increment_bp", 0) // 10000
        self.table = FakeBlackjack(
            table["seats"], table["card_source"], table["decks"], jackpot.get("chip", 0), increment, by_hand
        )

    def _send_order(self) -> None:
        if self.table.source == "shoe" and self.table.step["kind"] in ("burn", "ask"):
            os.write(self.ports["shoe"], shoe_command(b"LK01"))
        else:
            super()._send_order()

    def _shuffler_said(self, kind: int, payload: bytes) -> None:
        match kind:
            case 0x06:
                self.table.card_heard(None if payload == b"\xff" else card_of(payload[0]))
            case 0x07:
                self.table.packet_in(*struct.unpack(">H", payload))
            case 0x08 | 0x09:
                self.table.lid(kind == 0x08)
            case 0x0D:
                self.table.alarms.append("shuffler-damaged-card")

    def _shoe_said(self, code: bytes) -> None:
        if code in b"Dd":
            self.table.card_heard(card_of(self.last_report[4] & 0x7F, SHOE_SUITS))
        elif code == b"E":
            self.table.card_heard(None)
            os.write(self.ports["shoe"], shoe_command(b"EC01"))
        elif code == b"C":
            self.table.cut_card_heard()


def card_of(octet: int, suits: str = SUITS) -> str:
    """The text of a card that is suit and rank in one octet."""
    return RANKS[(octet & 0x0F) - 1] + suits[octet >> 4]
