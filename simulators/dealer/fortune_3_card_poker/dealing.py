"""Dealing: packets from the tray or cards from the shoe, each placed once, at the prompt's place or wrongly."""

from simulators.dealer import hands
from simulators.dealer.drawing import Drawing
from simulators.dealer.fortune_3_card_poker.misdealing import Misdealing
from simulators.dealer.http_face import Projection
from simulators.dealer.memory import is_void, single_place, source_of
from simulators.dealer.round_desk import CardDesk
from simulators.devices.shuffler import TRAY, Shuffler
from simulators.felt.cards import Card
from simulators.felt.table import BANK, COMMUNITY, DISCARD, DOWN, UP

HAND_CARDS, COMMUNITY_CARDS = 3, 2


class Dealing(Drawing[Card]):
    """The hands of one round at tray and shoe: three cards a hand, face down."""

    def __init__(self, desk: CardDesk, shuffler: Shuffler, misdealing: Misdealing) -> None:
        super().__init__(desk)
        self._shuffler = shuffler
        self._misdealing = misdealing
        self._seen_order: int | None = None

    async def look_after(self, view: Projection) -> bool:
        """Places the packet in the tray; on the discard rack if it belongs to no round any more."""
        order = self._shuffler.tray_order
        if order is None:
            return False
        dealing = view["step"]["kind"] == "deal" and not is_void(view)
        if dealing and order != self._seen_order:
            self._seen_order = order
            self._at.stage.card()
        places = None if is_void(view) else packet_places(view, order)
        if places is None and dealing:
            return False  # the station has not reported yet where it goes
        if places is None:
            await self._at.pace.person(hands.PLACE_CARDS_SECONDS)
            self._place([DISCARD] * self._at.table.deck.count(TRAY))
            return True
        if self._reporting.waiting or self._memory.halted:
            return False
        if len(places) != self._at.table.deck.count(TRAY):
            return self._report_wrong_number(order)
        await self._at.pace.person(hands.PLACE_CARDS_SECONDS)
        self._place_packet(order, places)
        return True

    async def deal(self, view: Projection) -> bool:
        """Draw from the shoe; from the shuffler a packet comes by itself."""
        return await self._draw(view) or await self._wait_for_packet(view)

    async def _wait_for_packet(self, view: Projection) -> bool:
        """Waits for a packet; after a long time without one, the shuffler has failed (17.º 2)."""
        if source_of(view) != "shuffler" or is_void(view) or self._reporting.waiting:
            return False
        if not self._patience.lost(f"packet {view['step']['id']}", hands.FAILED_SECONDS):
            return False
        self._patience.restart()
        self._reporting.report({"kind": "shuffler_failed"})
        return True

    async def _draw(self, view: Projection) -> bool:
        """Draw one card for this step, once: whether the station received it or not, the card is out of the shoe."""
        step = view["step"]
        if source_of(view) != "shoe" or is_void(view):
            return False
        if step["id"] in self._memory.done:
            return await self._report_unreported(view, self._memory.place(single_place(step["to"])))
        if self._reporting.waiting or self._memory.halted or not self._shoe_is_ready():
            return False
        self._memory.done.add(step["id"])
        await self._at.pace.person(hands.PLACE_CARDS_SECONDS)
        self._at.stage.card()
        await self._draw_card(view, self._memory.place(single_place(step["to"])))
        return True

    def _place_packet(self, order: int, named: list[str]) -> None:
        places = [self._memory.place(place) for place in named]

        def reported(view: Projection) -> bool:
            return any(dealt.get("order") == order for dealt in view["round"]["dealt"])

        deed = self._misdealing.packet(named, places, reported)
        self._place(deed.places, deed.up)
        deed.report()

    def _place(self, places: list[str], up: tuple[int, ...] = ()) -> None:
        for index, place in enumerate(places):
            self._at.table.place_card(TRAY, place, UP if index in up else DOWN)
        self._shuffler.packet_taken()

    def _report_wrong_number(self, order: int) -> bool:
        """The machine gave a wrong number of cards. The station knows, unless the report was suppressed."""
        wait = self._at.patience(hands.UNREPORTED_SECONDS, hands.UNREPORTED_AT_MAX_SECONDS)
        if not self._patience.lost(f"short packet {order}", wait):
            return False
        self._misdealing.halt("number")
        return True

    async def _draw_card(self, view: Projection, place: str) -> None:
        step_id, named = view["step"]["id"], single_place(view["step"]["to"])

        def reported(view: Projection) -> bool:
            return bool(view["step"]["id"] != step_id)

        def again() -> None:
            self._memory.done.discard(step_id)

        deed = self._misdealing.card(named, place, reported, again)
        card = await self._from_shoe(deed.places[0], UP if deed.up else DOWN)
        if deed.right:
            self._note_error(place, card)
        deed.report()
        if deed.right and self._is_last(view, place) and (extra := self._misdealing.one_too_many(reported)):
            self._at.stage.card()
            await self._from_shoe(place)
            extra.report()

    def _is_last(self, view: Projection, place: str) -> bool:
        last, due = (COMMUNITY, COMMUNITY_CARDS) if view["round"].get("chips") else (BANK, HAND_CARDS)
        return place == last and self._at.table.deck.count(place) == due


def packet_places(view: Projection, order: int) -> list[str] | None:
    """The places for the packet with this order number, by the prompt or by earlier packets."""
    if view["step"].get("order") == order and "to" in view["step"]:
        return list(view["step"]["to"])
    for dealt in (view.get("round") or {}).get("dealt", []):
        if dealt.get("order") == order:
            return list(dealt["to"])
    return None
