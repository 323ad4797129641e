"""Drawing from the shoe in any game: when a card may be drawn, and what follows if it was not reported."""

import asyncio
from abc import ABC, abstractmethod

from simulators.dealer import hands
from simulators.dealer.http_face import Projection
from simulators.dealer.memory import UNREAD_ERROR, source_of
from simulators.dealer.round_desk import AtDesk, CardDesk, RoundDesk
from simulators.dealer.space_misdealing import SpaceMisdeal
from simulators.devices.dispenser import Dispenser
from simulators.felt.cards import Card
from simulators.felt.deck import P
from simulators.felt.table import DOWN


class Drawing(AtDesk[P], ABC):
    """The hands of one round at the shoe."""

    def __init__(self, desk: RoundDesk[P]) -> None:
        super().__init__(desk)
        self._patience = hands.DealerPatience(self._at.desk.looked_at)
        self._lock_patience = hands.DealerPatience(self._at.desk.looked_at)

    def station_away(self) -> None:
        """Whether the station is offline: then no one loses patience with a machine."""
        self._patience.restart()
        self._lock_patience.restart()

    @abstractmethod
    async def deal(self, view: Projection) -> bool:
        """Deals as the prompt asks."""

    async def look_after(self, view: Projection) -> bool:
        """Handle what needs attention at any step; returns whether there was anything."""
        return False

    def unfinished(self, view: Projection) -> bool:
        """Whether a part of the deal must still be reported before the round is confirmed."""
        return False

    async def count(self, view: Projection) -> bool:
        """Counts the cards that are really on the felt."""
        if self._reporting.waiting or self._memory.halted:
            return False
        await asyncio.sleep(self._at.patience(0.0, hands.COUNT_AT_MAX_SECONDS))
        await self._at.pace.person(hands.COUNT_SECONDS)
        return await self._at.desk.say(view, [{"kind": "cards_counted", "count": self._at.table.dealt_cards}])

    async def _from_shoe(self, place: str, face: str = DOWN) -> P:
        """The next card out of the shoe is at `place`, be it another cut card that came first."""
        card = await self._draw_from_shoe(place)
        self._at.table.card_placed(place, card, face)
        return card

    async def _draw_from_shoe(self, place: str) -> P:
        """The next card out of the shoe, before anybody looks at it."""
        cut_card_was_out = self._at.shoe.cut_card_out
        card = await self._at.shoe.draw(place)
        if self._at.shoe.cut_card_out and not cut_card_was_out:
            self._at.table.camera.saw("cut_card")
        return card

    def _shoe_is_ready(self) -> bool:
        """Whether the shoe is unlocked and without an error; a dealer who has once waited long enough for that draws
        anyway.
        """
        shoe, wait = self._at.shoe, self._at.patience(hands.WAIT_SECONDS, hands.WAIT_AT_MAX_SECONDS)
        if not shoe.locked:
            self._lock_patience.restart()
        if shoe.error is None:
            self._at.error_patience.restart()
        return (not shoe.locked or self._lock_patience.lost("locked", wait)) and (
            shoe.error is None or self._at.error_patience.lost(f"error {shoe.error}", wait)
        )

    async def _report_unreported(self, view: Projection, place: str) -> bool:
        """Reports a card that the station did not receive: the prompt has not moved after it was drawn."""
        wait = self._at.patience(hands.UNREPORTED_SECONDS, hands.UNREPORTED_AT_MAX_SECONDS)
        if self._memory.halted or not self._patience.lost(f"unreported {view['step']['id']}", wait):
            return False
        self._patience.restart()
        if await self._at.desk.mention(view, {"kind": "unreported_card"}) == 200:
            self._note_unread(place)
        return True

    def _note_unread(self, place: str) -> None:
        cards = self._at.table.deck.at(place)
        known = self._memory.unread.setdefault(place, [])
        if cards and cards[-1] not in known:
            known.append(cards[-1])

    def _note_error(self, place: str, card: P) -> None:
        """The shoe shows that it could not read the card that now is at `place`."""
        if self._at.shoe.error == UNREAD_ERROR:
            self._memory.unread.setdefault(place, []).append(card)


class SlipDrawing(Drawing[P]):
    """The hands of one round in which a card at a wrong place is moved, or another follows it."""

    @abstractmethod
    async def _draw(self, view: Projection, place: str) -> P | None:
        """Places the next card at `place`; None if none comes."""

    async def _proceed(self, view: Projection, slip: SpaceMisdeal, card: P) -> bool:
        """Continues after the card has fallen; False if another card should have come and did not."""
        if slip.moved_to is not None:
            await self._at.pace.person(hands.CORRECTING_SECONDS)
            self._at.table.move_card(card, slip.falls_at, slip.moved_to)
        if slip.another_to is None:
            return True
        self._at.stage.card()
        return await self._draw(view, slip.another_to) is not None


class CutCardDrawing(SlipDrawing[Card]):
    """The hands of one round at a shoe for many rounds, and at a dispenser."""

    def __init__(self, desk: CardDesk, dispenser: Dispenser) -> None:
        super().__init__(desk)
        self._dispenser = dispenser
        self._cut_card_reported = False
        self._cut_card_patience = hands.DealerPatience(self._at.desk.looked_at)

    async def look_after(self, view: Projection) -> bool:
        """Reports the cut card, after the station has had time to receive it."""
        if not self._cut_card_untold(view):
            return False
        wait = self._at.patience(hands.UNREPORTED_SECONDS, hands.UNREPORTED_AT_MAX_SECONDS)
        if not self._cut_card_patience.lost("cut card", wait):
            return False
        self._cut_card_reported = True
        await self._at.desk.mention(view, {"kind": "cut_card"})
        return True

    def unfinished(self, view: Projection) -> bool:
        """Whether the cut card is on the table and the station does not know."""
        return self._cut_card_untold(view)

    async def _next_card(self, view: Projection, place: str) -> Card | None:
        """The next card of the source, before it is filmed; None when the dispenser gives none."""
        return await (self._draw_from_shoe(place) if source_of(view) == "shoe" else self._dispenser.draw(place))

    async def _deal_once(self, view: Projection, slip: SpaceMisdeal) -> tuple[bool, bool]:
        """Deals the card of this step; returns whether it came, and whether the mistake was made completely."""
        await self._at.pace.person(hands.PLACE_CARDS_SECONDS)
        card = await self._draw(view, slip.falls_at)
        done = card is not None and await self._proceed(view, slip, card)
        (slip.report if done else slip.not_done)()
        return card is not None, done

    def _begin_step(self, view: Projection) -> None:
        """A card comes for this step, for the first time."""
        if view["step"]["id"] not in self._memory.done:
            self._memory.done.add(view["step"]["id"])
            self._at.stage.card()

    def _is_ready(self, view: Projection) -> bool:
        """Whether a card can come."""
        if source_of(view) == "shoe":
            return self._shoe_is_ready()
        return self._is_up(view) and not (self._dispenser.jammed or self._dispenser.lid_open)

    def _is_up(self, view: Projection) -> bool:
        return bool(view.get("devices", {}).get("shuffler", "up") == "up")

    def _cut_card_untold(self, view: Projection) -> bool:
        shoe = view.get("shoe") or {}
        waited_for = bool(shoe.get("loaded")) and not shoe.get("cut_card_out", True)
        is_out = source_of(view) == "shoe" and self._at.shoe.cut_card_out
        return bool(view.get("round")) and is_out and waited_for and not self._cut_card_reported
