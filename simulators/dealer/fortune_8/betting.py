"""Betting at spaces open to all: any number of players at a box, the bets closed on the screen, the deal announced."""

from simulators.dealer import hands
from simulators.dealer.betting import NamedBetting
from simulators.dealer.fortune_8.dealing import SpaceDealing
from simulators.dealer.http_face import Projection
from simulators.dealer.round_desk import CardDesk
from simulators.felt.players import Bettors, NamedBet
from simulators.setting import DEALS


class SpaceBetting(NamedBetting):
    """The bets of one round of Fortune 8; `dealing` may give a card before they are closed."""

    def __init__(self, desk: CardDesk, bettors: Bettors, dealing: SpaceDealing) -> None:
        super().__init__(desk)
        self._bettors = bettors
        self._dealing = dealing
        self._announcement_filmed = False

    async def announce(self, view: Projection) -> bool:
        """Announces one of the two deals (4.º 6), unless a card comes before that."""
        if await self._dealing.early_card(view):
            return True
        if self._dealing.early_card_on_its_way(view):
            return False
        if self._memory.deal is None:
            self._memory.deal = self._at.chance.choice(DEALS)
            await self._at.pace.person(hands.ANNOUNCE_SECONDS)
        if not self._announcement_filmed:
            self._announcement_filmed = True
            self._at.table.camera.saw("announce", deal=self._memory.deal)
        return await self._at.desk.say(view, [{"kind": "announce", "deal": self._memory.deal}])

    def follow(self, view: Projection) -> None:
        """Follows the announced deal, also one that a person announced."""
        super().follow(view)
        self._memory.deal = view["round"].get("deal") or self._memory.deal

    async def _close(self, view: Projection) -> bool:
        if await self._dealing.early_card(view):
            return True
        return not self._dealing.early_card_on_its_way(view) and await super()._close(view)

    async def _named_bets(self) -> list[NamedBet]:
        if not self._at.guests:
            return self._bettors.bets()
        asked = await self._at.bets_of(self._at.guests)
        names = {guest.name for guest in self._at.guests}
        others = [bet for bet in self._bettors.bets() if bet.player not in names]
        return others + [
            NamedBet(guest.seat, box, guest.name, amount)
            for guest, bets in asked
            for box, amount in bets.wagers.items()
        ]
