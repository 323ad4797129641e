"""Dealing at black-jack/21: single cards to hands and bank, from the shoe or the dispenser, the burnt card, and
mistakes with the first two cards.
"""

from simulators.dealer import hands
from simulators.dealer.blackjack_21.desk import HandDesk
from simulators.dealer.drawing import CutCardDrawing
from simulators.dealer.http_face import Projection
from simulators.dealer.memory import is_void, single_place, source_of
from simulators.dealer.reporting import Moment
from simulators.dealer.space_misdealing import ORDER, PLACE, SpaceMisdeal, SpaceMisdealing, received_or_ended
from simulators.devices.dispenser import LiddedDispenser
from simulators.felt.cards import Card
from simulators.felt.punters import total
from simulators.felt.table import ASIDE, BANK, DISCARD, DOWN, UP


class HandMisdealing(SpaceMisdealing):
    """Mistakes as at spaces, except a card too many after the last place: there the play begins, and 18 and 19
    apply.
    """

    def soon(self, moment: Moment) -> Moment:
        """At this moment, or when the dealer has waited long enough for it."""
        return self._soon(moment)

    def _void(self, view: Projection, place: str, later: list[str]) -> SpaceMisdeal | None:
        return super()._void(view, place, later) if later else None

    def _corrected_at_once(self, view: Projection, place: str, later: list[str]) -> SpaceMisdeal | None:
        if self._to_correct is None and self._at.mistakes.take("error_corrected") is not None:
            self._to_correct = self._at.chance.choice((PLACE, ORDER))
        if place == BANK:  # its second card is face down, and is not shown about
            return None
        players = [to for to in later if to != BANK]
        if self._to_correct == ORDER and players:
            return self._done(
                ORDER,
                SpaceMisdeal(self._at.chance.choice(players), moved_to=place),
                place,
                received_or_ended(view, 1),
            )
        if self._to_correct is not None and (other := self._not_later(place, later)):
            return self._done(
                PLACE,
                SpaceMisdeal(self._at.chance.choice(other), moved_to=place),
                place,
                received_or_ended(view, 1),
            )
        return None


BANK_STANDS_FROM = 17  # rule 19


class HandDealing(CutCardDrawing):
    """The hands of one round. The cards at a place show whether the card that a prompt asks for was already drawn."""

    def __init__(self, desk: HandDesk, dispenser: LiddedDispenser) -> None:
        super().__init__(desk, dispenser)
        self._felt = desk.felt
        self._misdealing = HandMisdealing(desk)
        self._too_many_reported: Moment = lambda view: True
        self._kept_patience = hands.DealerPatience(self._at.desk.looked_at)
        self._kept: Card | None = None  # drawn against a player's wish and unseen: it is aside
        self._against_wish: tuple[str, Card, bool] | None = None  # at which place it fell, and whether it was seen

    async def look_after(self, view: Projection) -> bool:
        """A card drawn against a player's wish on its way, and the cut card that the station did not receive."""
        return await self._give_kept_card(view) or await super().look_after(view)

    async def burn(self, view: Projection) -> bool:
        """The first card of a shoe goes to the discard rack unseen (10)."""
        step_id = view["step"]["id"]
        if step_id in self._memory.done:
            return await self._report_unreported(view, DISCARD)
        if self._reporting.waiting or not self._shoe_is_ready():
            return False
        self._memory.done.add(step_id)
        await self._at.pace.person(hands.PLACE_CARDS_SECONDS)
        self._at.stage.card()
        self._felt.burn(await self._draw_from_shoe(DISCARD))
        return True

    async def deal(self, view: Projection) -> bool:
        """Deals one card for this step, once."""
        named = single_place(view["step"]["to"])
        seat = self._memory.place(named)
        if is_void(view) or self._kept is not None:
            return False
        if self._felt.drawn[seat] > reported_at(view, named):
            return await self._wait_until_reported(view, seat)
        if self._reporting.waiting or self._memory.halted or not self._is_ready(view):
            return False
        self._begin_step(view)
        place = self._felt.place_of(seat, view["step"].get("hand"))
        came, done = await self._deal_once(view, self._slip(view, place))
        if done and place == BANK:
            await self.one_too_many(view)
        return came

    async def against_wish(self, view: Projection, place: str, seen: bool) -> bool:
        """A card no one asked for falls at a hand whose player stands (18); False when none comes."""
        if self._kept is not None or not self._is_ready(view):
            return False
        await self._at.pace.person(hands.PLACE_CARDS_SECONDS)
        self._at.stage.card()
        card = await self._draw(view, place, UP if seen else DOWN)
        if card is None:
            return False
        self._against_wish = (place, card, seen)
        self._felt.camera.saw("irregularity", kind="unasked_card", seat=int(place.split()[1]), seen=seen)
        self._reporting.report(
            {"kind": "unasked_card", "seen": seen},
            self._misdealing.soon(lambda later: bool((later.get("round") or {}).get("pending_cards"))),
            accepted=self._set_aside,
            refused=self._set_aside,
        )
        return True

    async def ahead(self, view: Projection, place: str) -> bool:
        """Draw the card that a player wants before the request is keyed in; False if none comes."""
        if self._kept is not None or not self._is_ready(view):
            return False
        await self._at.pace.person(hands.PLACE_CARDS_SECONDS)
        self._at.stage.card()
        return await self._draw(view, place) is not None

    def card_on_its_way(self, view: Projection) -> bool:
        """Whether the station may still receive a card drawn ahead of this step's answer."""
        if view["round"].get("pending_cards"):
            return False
        wait = self._at.patience(hands.UNREPORTED_SECONDS, hands.UNREPORTED_AT_MAX_SECONDS)
        return not self._patience.lost(f"ahead {view['step']['id']}", wait)

    async def one_too_many(self, view: Projection) -> None:
        """The bank stands and gets another card by mistake, which goes to the discard rack (19)."""
        if total(self._felt.bank_cards()) < BANK_STANDS_FROM or not self._bank_plays():
            return
        locked = source_of(view) == "shoe" and (self._at.shoe.locked or self._at.shoe.error is not None)
        if locked or not self._is_ready(view) or self._at.mistakes.take("bank_card_too_many") is None:
            return
        self._at.stage.card()
        card = await self._draw(view, BANK)
        if card is None:
            self._at.mistakes.put_back("bank_card_too_many", "")
            return
        self._too_many_reported = has_received(view, 2 if view["step"]["kind"] == "deal" else 1)
        self._felt.camera.saw("irregularity", kind="bank_card_too_many")
        await self._at.pace.person(hands.CORRECTING_SECONDS)
        self._felt.move_card(card, BANK, DISCARD)

    def unfinished(self, view: Projection) -> bool:
        """Whether the station may still receive a card, or the report of the cut card, before the round is
        confirmed.
        """
        wait = self._at.patience(hands.WAIT_SECONDS, hands.WAIT_AT_MAX_SECONDS)
        if not self._too_many_reported(view) and not self._patience.lost("the card too many", wait):
            return True
        return super().unfinished(view)

    def _bank_plays(self) -> bool:
        """Whether the bank's cards are open, so that its play is over once it stands."""
        return BANK in self._felt.turned

    def _slip(self, view: Projection, place: str) -> SpaceMisdeal:
        """Does something wrong with this card, but only while the first two cards are dealt."""
        if self._felt.drawn[BANK] > 1:
            return SpaceMisdeal(place)
        round = int(self._felt.drawn[BANK])
        later = [f"seat {seat}" for seat in sorted(self._felt.hands) if self._felt.drawn[f"seat {seat}"] <= round]
        return self._misdealing.card(view, place, list(dict.fromkeys([place, *later, BANK])))

    async def _draw(self, view: Projection, place: str, face: str | None = None) -> Card | None:
        """Places the next card at `place`, the bank's second face down; None if the dispenser gives none."""
        card = await self._next_card(view, place)
        if card is not None:
            hidden = place == BANK and self._felt.drawn[BANK] == 1
            self._felt.card_placed(place, card, face or (DOWN if hidden else UP))
        return card

    async def _wait_until_reported(self, view: Projection, place: str) -> bool:
        """Waits for a report: the card is there and the prompt has not moved. A dispenser may still send its
        reports.
        """
        if source_of(view) == "shoe":
            return await self._report_unreported(view, place)
        wait = self._at.patience(hands.WAIT_SECONDS, hands.WAIT_AT_MAX_SECONDS)
        if not self._is_up(view):
            self._patience.restart()
            return False
        if self._reporting.waiting or self._memory.halted:
            return False
        if not self._patience.lost(f"unreported {view['step']['id']}", wait):
            return False
        return await self._report_unreported(view, place)

    def _set_aside(self) -> None:
        """The card drawn against the wish leaves the hand: seen to the discard rack, unseen beside it."""
        if self._against_wish is None:
            return
        place, card, seen = self._against_wish
        self._against_wish = None
        self._felt.move_card(card, place, DISCARD if seen else ASIDE)
        self._kept = None if seen else card

    async def _give_kept_card(self, view: Projection) -> bool:
        """The next player who asks for a card gets the kept card, or the bank does (18); if no one asks, it is
        discarded.
        """
        round = view.get("round")
        if self._kept is None or round is None or (round.get("pending_cards") and not is_void(view)):
            return False
        over = view["step"]["kind"] in ("confirm", "claims", "begin")
        to = None if is_void(view) else self._missing_at(view)
        wait = self._at.patience(hands.WAIT_SECONDS, hands.WAIT_AT_MAX_SECONDS)
        if to is None and not over and not self._kept_patience.lost("the kept card", wait):
            return False
        card, self._kept = self._kept, None
        await self._at.pace.person(hands.CORRECTING_SECONDS)
        self._felt.move_card(card, ASIDE, to or DISCARD)
        return True

    def _missing_at(self, view: Projection) -> str | None:
        """The hand, or the bank, for which the screen has one card more than the felt."""
        for seat, on_felt in sorted(self._felt.hands.items()):
            named = self._memory.named(f"seat {seat}")
            if reported_at(view, named) > self._felt.drawn[f"seat {seat}"]:
                shown = (view["round"].get("hands") or {}).get(named[5:], [])
                for hand, screen in zip(on_felt, shown, strict=False):
                    if len(screen["cards"].split()) > self._felt.deck.count(hand.place) and not hand.taken_up:
                        return hand.place
        return BANK if reported_at(view, BANK) > self._felt.drawn[BANK] else None


def reported_at(view: Projection, named: str) -> int:
    """The number of cards that the station has received for a seat, by its own name, or for the bank."""
    return sum(list(dealt["to"]) == [named] for dealt in view["round"]["dealt"] if not dealt.get("null"))


def has_received(view: Projection, cards: int) -> Moment:
    """A condition: the station has received `cards` more cards than in `view`."""
    known = len(view["round"]["dealt"])
    return lambda later: len((later.get("round") or {}).get("dealt", ())) >= known + cards
