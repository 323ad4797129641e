"""Dealing one card face up to each space, or to each with a bet: from the shoe or from a dispenser (Fortune 8)."""

from simulators.dealer import hands
from simulators.dealer.drawing import CutCardDrawing
from simulators.dealer.http_face import Projection
from simulators.dealer.memory import is_void, single_place, source_of
from simulators.dealer.round_desk import CardDesk
from simulators.dealer.space_misdealing import SpaceMisdealing
from simulators.devices.dispenser import Dispenser
from simulators.felt.cards import Card
from simulators.felt.table import UP, seat_place
from simulators.setting import EVERY_SPACE


class SpaceDealing(CutCardDrawing):
    """The hands of one round; `unannounced` is the deal that applies if a card comes before one was announced.

    The felt shows what was drawn: a space has a card or it has none.
    """

    def __init__(self, desk: CardDesk, dispenser: Dispenser, unannounced: str) -> None:
        super().__init__(desk, dispenser)
        self._unannounced = unannounced
        self._misdealing = SpaceMisdealing(desk)
        self._early_at: str | None = None  # the step at which a card comes too early
        self._early_card_is_there = False

    async def look_after(self, view: Projection) -> bool:
        """Reports the cut card, after the station has had time to receive it."""
        self._memory.cards_follow_bets = (view.get("round") or {}).get("deal", self._memory.deal) != EVERY_SPACE
        return await super().look_after(view)

    async def deal(self, view: Projection) -> bool:
        """Deals one card for this step, once."""
        place = self._memory.place(single_place(view["step"]["to"]))
        if is_void(view):
            return False
        if self._at.table.deck.count(place):
            return await self._wait_until_reported(view, place)
        if self._reporting.waiting or self._memory.halted or not self._is_ready(view):
            return False
        self._begin_step(view)
        came, _ = await self._deal_once(view, self._misdealing.card(view, place, self._due()))
        return came

    async def early_card(self, view: Projection) -> bool:
        """A card comes before the deal was announced, or even before the bets are closed, and is valid (3.º)."""
        if self._memory.deal is not None:
            return False
        if self._early_at is None and self._at.mistakes.take("early_card") is not None:
            self._early_at = self._at.chance.choice(("wagers", "announce"))
        if self._early_at is None or (self._early_at, view["step"]["kind"]) == ("announce", "wagers"):
            return False
        place = self._due(self._unannounced)[0]
        await self._at.pace.person(hands.PLACE_CARDS_SECONDS)
        if await self._draw(view, place) is None:
            return False
        self._at.stage.card()
        self._early_card_is_there = True
        self._memory.deal = self._unannounced
        self._at.table.camera.saw("irregularity", kind="early_card", to=place)
        return True

    def early_card_on_its_way(self, view: Projection) -> bool:
        """Whether the station may still receive the early card, which ends the present step."""
        wait = self._at.patience(hands.UNREPORTED_SECONDS, hands.UNREPORTED_AT_MAX_SECONDS)
        return self._early_card_is_there and not self._patience.lost(f"early {view['step']['id']}", wait)

    async def _draw(self, view: Projection, place: str) -> Card | None:
        """Places the next card at `place`, face up; None if the dispenser gives none."""
        card = await self._next_card(view, place)
        if card is not None:
            self._at.table.card_placed(place, card, UP)
            if source_of(view) == "shoe":
                self._note_error(place, card)
        return card

    def _is_ready(self, view: Projection) -> bool:
        """Whether a card can come; a dispenser that stays offline has failed."""
        away = source_of(view) != "shoe" and not self._is_up(view)
        if away and self._patience.lost("dispenser away", hands.FAILED_SECONDS):
            self._report_failure()
        return super()._is_ready(view)

    async def _wait_until_reported(self, view: Projection, place: str) -> bool:
        """Waits for a report: the card is there and the prompt has not moved. A dispenser keeps its reports."""
        if source_of(view) == "shoe":
            return await self._report_unreported(view, place)
        if self._reporting.waiting or not self._patience.lost(f"unreported {view['step']['id']}", hands.FAILED_SECONDS):
            return False
        self._report_failure()
        return True

    def _report_failure(self) -> None:
        """Reports that the shuffler does not continue: the round is void, and later cards come from the shoe (5.º)."""
        self._patience.restart()
        self._memory.machine_failed = True
        self._reporting.report({"kind": "shuffler_failed"})

    def _due(self, deal: str | None = None) -> list[str]:
        """The places that get a card in this deal, in their order."""
        every = (deal or self._memory.deal) == EVERY_SPACE
        seats = self._at.table.seats
        return [seat_place(seat) for seat, sitting in sorted(seats.items()) if every or sitting.wagers]
