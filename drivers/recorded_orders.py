"""The orders for a device that is recorded, chosen so that its wire carries every kind of report. No I/O here."""

from drivers.device import DeviceName
from drivers.make import DeviceSettings, ShufflerSettings, SlotsSettings
from drivers.messages import Message, PacketDispensed, ShuffleDone, ShufflerHello
from drivers.orders import DispenseOrder, LampStates, NoOrder, Order, ShoeLock, ShuffleOrder, SignFace


def first_order(kind: DeviceName, settings: DeviceSettings) -> Order:
    """The first order of a device. A locked shoe gives no card; orders for a shuffler depend on its reports."""
    match kind:
        case "shoe":
            return ShoeLock(False)
        case "slots":
            assert isinstance(settings, SlotsSettings)
            return LampStates((False,) * settings.wiring.lines)
        case "sign":
            return SignFace(("RECORDING {amount}",), "0")
    return NoOrder()


class DeckOrders:
    """Orders for a batch shuffler: shuffle, then packets while there are enough cards, then shuffle again."""

    def __init__(self, packet: int) -> None:
        self._packet = packet
        self._number = self._left = 0

    @classmethod
    def of(cls, settings: DeviceSettings) -> "DeckOrders | None":
        """The orders; None for a device that is no shuffler, or dispenses no packets."""
        packet = settings.packet if isinstance(settings, ShufflerSettings) else 0
        return cls(packet) if packet else None

    def after(self, message: Message) -> Order | None:
        """The order that follows a message; None if the last order remains.

        >>> deck = DeckOrders(packet=3)
        >>> deck.after(ShufflerHello(7, "batch", 1, 11, "BENCH-1", "1.0"))
        ShuffleOrder(order=12)
        >>> deck.after(ShuffleDone(12, 4)), deck.after(PacketDispensed(13, ("As", "Kd", "Tc")))
        (DispenseOrder(order=13, count=3), ShuffleOrder(order=14))
        """
        match message:
            case ShufflerHello(mode="batch", last_order=last):
                self._number, self._left = last, 0
            case ShuffleDone(order, count) if order == self._number:
                self._left = count
            case PacketDispensed(order, cards) if order == self._number:
                self._left -= len(cards)
            case _:
                return None
        self._number += 1
        return DispenseOrder(self._number, self._packet) if self._left >= self._packet else ShuffleOrder(self._number)
