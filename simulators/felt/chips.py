"""The chips: who holds how much money, in minor units. No I/O here."""

CAGE = "cage"
RACK = "rack"
JACKPOT_BOX = "jackpot box"


class ChipsLost(AssertionError):
    """Money came from nowhere or went nowhere: a fault of the bench itself."""


class Chips:
    """Money moves between holders and is never made or destroyed; checked after every move."""

    def __init__(self, holdings: dict[str, int]) -> None:
        self._holdings = dict(holdings)
        self._total = sum(holdings.values())

    def balance(self, holder: str) -> int:
        """The money of `holder`."""
        return self._holdings.get(holder, 0)

    def holders(self, prefix: str) -> list[str]:
        """The holders with money whose name begins with this text."""
        return [holder for holder, amount in self._holdings.items() if amount and holder.startswith(prefix)]

    def move(self, amount: int, giver: str, taker: str) -> None:
        """Hand `amount` over. Raises ChipsLost when the giver has less."""
        if amount < 0 or self.balance(giver) < amount:
            raise ChipsLost(f"{giver} has {self.balance(giver)}, {amount} wanted for {taker}")
        self._holdings[giver] = self.balance(giver) - amount
        self._holdings[taker] = self.balance(taker) + amount
        self.check()

    def check(self) -> None:
        """Raise ChipsLost unless the total is what it was at the beginning."""
        if sum(self._holdings.values()) != self._total:
            raise ChipsLost(f"{sum(self._holdings.values())} on the table, {self._total} at the beginning")
