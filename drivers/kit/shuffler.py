"""Assertions about a batch shuffler: orders, packets, the deck, lid and jam, power and cable, the accuracy sign-off."""

from drivers.kit.assertion import REPORT_SECONDS, Assertion, Bench
from drivers.messages import (
    CardsInserted,
    Cleared,
    DamagedCard,
    DeckChecked,
    Jammed,
    LidClosed,
    LidOpened,
    LinkUp,
    Message,
    Misread,
    PacketDispensed,
    ReportsLost,
    ShuffleDone,
    ShufflerHello,
    ShufflerStatus,
    ShuffleStarted,
)
from drivers.orders import DispenseOrder, ShuffleOrder

SOON = 2.0
REST = 3.0
PATIENT = 6 * REPORT_SECONDS  # where it does not matter how long a report takes
SHUFFLE_SECONDS = 120.0
LONGEST_SHUFFLE = 300.0
AWAY = 60.0
LIDS = 10  # times that the lid is opened and closed: with their states more reports than the 32 that may wait
DECK = 52


def _next(bench: Bench) -> int:
    """The number of the next order."""
    ordered = bench.ordered
    last = ordered.order if isinstance(ordered, ShuffleOrder | DispenseOrder) else 0
    return max(last, bench.of(ShufflerHello)[-1].last_order) + 1


async def _more(bench: Bench, kind: type[Message], before: int, seconds: float, expected: str) -> None:
    await bench.until(lambda: len(bench.of(kind)) > before, seconds, expected)


async def _reported(bench: Bench, act: str, kind: type[Message], expected: str, seconds: float = PATIENT) -> None:
    """Asks for an act, and waits for its report."""
    before = len(bench.of(kind))
    await bench.ask(act)
    await _more(bench, kind, before, seconds, expected)


def _order_shuffle(bench: Bench) -> None:
    bench.order(ShuffleOrder(_next(bench)))


def _order_packet(bench: Bench) -> None:
    bench.order(DispenseOrder(_next(bench), bench.packet))


async def _loaded(bench: Bench) -> None:
    await bench.ask("load deck")
    await bench.ready()


async def _shuffle(bench: Bench, seconds: float = LONGEST_SHUFFLE) -> ShuffleDone:
    before = len(bench.of(ShuffleDone))
    _order_shuffle(bench)
    await _more(bench, ShuffleDone, before, seconds, "a shuffle that is done")
    return bench.of(ShuffleDone)[-1]


async def _shuffled(bench: Bench) -> ShuffleDone:
    await _loaded(bench)
    return await _shuffle(bench)


async def _packet(bench: Bench, seconds: float = PATIENT) -> PacketDispensed:
    before = len(bench.of(PacketDispensed))
    _order_packet(bench)
    await _more(bench, PacketDispensed, before, seconds, "a packet")
    return bench.of(PacketDispensed)[-1]


async def _given(bench: Bench) -> PacketDispensed:
    """A packet of a shuffled deck, in the tray."""
    await _shuffled(bench)
    return await _packet(bench)


async def _taken(bench: Bench) -> PacketDispensed:
    packet = await _given(bench)
    await bench.ask("take packet")
    return packet


async def _none_of(bench: Bench, kind: type[Message], before: int, expected: str, seconds: float = REST) -> None:
    await bench.pause(seconds)
    found = len(bench.of(kind)) - before
    bench.check(not found, expected, found)


async def _answers(bench: Bench) -> None:
    await bench.start()
    await bench.up(SOON)


async def _is_batch(bench: Bench) -> None:
    await bench.ready()
    mode = bench.of(ShufflerHello)[-1].mode
    bench.check(mode == "batch", "a batch shuffler", mode)


async def _is_named(bench: Bench) -> None:
    await bench.ready()
    hello = bench.of(ShufflerHello)[-1]
    bench.check(hello.model and hello.firmware, "model and firmware", [hello.model, hello.firmware])


async def _restarted(bench: Bench, seconds: float = PATIENT) -> None:
    await _reported(bench, "switch off and on", ShufflerHello, "a report of its start", seconds)


async def _status_of_a_start(bench: Bench) -> None:
    await bench.pause(SOON)  # an earlier one has come by then
    before = len(bench.of(ShufflerStatus))
    await _restarted(bench)
    await _more(bench, ShufflerStatus, before, PATIENT, "its status")


async def _counts_at_start(bench: Bench) -> None:
    await _loaded(bench)
    await _status_of_a_start(bench)
    cards, found = DECK * bench.of(ShufflerHello)[-1].decks, bench.of(ShufflerStatus)[-1].hopper
    bench.check(found == cards, f"{cards} cards", found)


async def _shuffle_begins(bench: Bench) -> None:
    await _loaded(bench)
    _order_shuffle(bench)
    await _more(bench, ShuffleStarted, 0, REPORT_SECONDS, "a shuffle that begins")


async def _shuffle_ends(bench: Bench) -> None:
    await _loaded(bench)
    await _shuffle(bench, SHUFFLE_SECONDS)


async def _shuffle_counts(bench: Bench) -> None:
    done = await _shuffled(bench)
    cards = DECK * bench.of(ShufflerHello)[-1].decks
    bench.check(done.count == cards, f"{cards} cards shuffled", done.count)


async def _orders_differ(bench: Bench) -> None:
    first, second = [await _first_packets(bench) for _ in range(2)]
    bench.check(first != second, "another order of the cards", "the same")


async def _first_packets(bench: Bench) -> list[str | None]:
    await _shuffled(bench)
    cards: list[str | None] = []
    for _ in range(2):
        cards += (await _packet(bench)).cards
        await bench.ask("take packet")
    await bench.stop()
    return cards


async def _shuffles_once(bench: Bench) -> None:
    await _shuffled(bench)
    await bench.stop()
    await bench.ready()  # it repeats the order, as a station does that was killed
    await _none_of(bench, ShuffleStarted, 0, "no second shuffle")


async def _no_shuffle_without_all(bench: Bench) -> None:
    await _taken(bench)
    before = len(bench.of(ShuffleStarted))
    _order_shuffle(bench)
    await _none_of(bench, ShuffleStarted, before, "no shuffle while cards are missing")


async def _shuffle_waits_for_cards(bench: Bench) -> None:
    await _taken(bench)
    before = len(bench.of(ShuffleDone))
    _order_shuffle(bench)
    await bench.pause(REST)
    await bench.ask("put back")
    await _more(bench, ShuffleDone, before, LONGEST_SHUFFLE, "a shuffle that is done")


async def _packet_soon(bench: Bench) -> None:
    await _shuffled(bench)
    await _packet(bench, REPORT_SECONDS)


async def _packet_is_whole(bench: Bench) -> None:
    found = len((await _given(bench)).cards)
    bench.check(found == bench.packet, f"{bench.packet} cards", found)


async def _packet_in_order(bench: Bench) -> None:
    packet = await _given(bench)
    typed = await bench.typed_cards("type packet")
    bench.check(list(packet.cards) == typed, "the cards in the order typed", "others")


async def _waits_for_the_tray(bench: Bench) -> None:
    await _given(bench)
    _order_packet(bench)
    await _none_of(bench, PacketDispensed, 1, "no packet into a full tray", REPORT_SECONDS)
    await _reported(bench, "take packet", PacketDispensed, "the packet once the tray is empty")


async def _dispenses_once(bench: Bench) -> None:
    await _taken(bench)
    await bench.stop()
    await bench.ready()
    await bench.pause(REST)
    typed = (await bench.ask("tray")).lower()
    bench.check(typed == "no", "no packet in the tray", typed)


async def _unread(bench: Bench) -> None:
    await bench.ask("load blank")
    await bench.ready()
    left = (await _shuffle(bench)).count
    while left >= bench.packet:
        packet = await _packet(bench)
        if None in packet.cards or bench.of(Misread) + bench.of(DamagedCard):
            return
        await bench.ask("take packet")
        left -= max(1, len(packet.cards))
    bench.check(False, "a card that was not read", "none")


async def _inserted_soon(bench: Bench) -> None:
    await _taken(bench)
    await _reported(bench, "put back", CardsInserted, "a report of the cards", REPORT_SECONDS)


async def _inserted_counted(bench: Bench) -> None:
    cards = len((await _taken(bench)).cards)
    await _reported(bench, "put back", CardsInserted, "a report of the cards")
    found = bench.of(CardsInserted)[-1].count
    bench.check(found == cards, f"{cards} cards", found)


async def _checked(bench: Bench, act: str, seconds: float = PATIENT) -> tuple[DeckChecked, str]:
    """The report about a deck that is not complete, and the card that is missing or twice in it."""
    typed = await bench.typed_cards(act)
    bench.check(len(typed) == 1, "one card typed", len(typed))
    await bench.ready()
    await _shuffle(bench)
    await _more(bench, DeckChecked, 0, seconds, "a report of the deck")
    return bench.of(DeckChecked)[-1], typed[0]


async def _missing_soon(bench: Bench) -> None:
    await _checked(bench, "load short", REPORT_SECONDS)


async def _missing_named(bench: Bench) -> None:
    check, card = await _checked(bench, "load short")
    bench.check(check.missing == (card,), "the card that is missing", f"{len(check.missing)} cards, not that one alone")


async def _double_named(bench: Bench) -> None:
    check, card = await _checked(bench, "load double")
    bench.check(check.duplicate == (card,), "the card that is twice", f"{len(check.duplicate)}, not that one alone")


async def _lid_opened(bench: Bench) -> None:
    await bench.ready()
    await _reported(bench, "open lid", LidOpened, "a report of the lid", REPORT_SECONDS)


async def _lid_closed(bench: Bench) -> None:
    await bench.ready()
    await bench.ask("open lid")
    await bench.pause(SOON)
    await _reported(bench, "close lid", LidClosed, "a report of the lid", REPORT_SECONDS)


async def _ordered_with_open_lid(bench: Bench) -> None:
    await _shuffled(bench)
    await bench.ask("open lid")
    _order_packet(bench)


async def _nothing_with_open_lid(bench: Bench) -> None:
    await _ordered_with_open_lid(bench)
    await _none_of(bench, PacketDispensed, 0, "no packet while the lid is open", REPORT_SECONDS)


async def _order_waits_for_the_lid(bench: Bench) -> None:
    await _ordered_with_open_lid(bench)
    await bench.pause(REST)
    await bench.ask("close lid")
    await _more(bench, PacketDispensed, 0, PATIENT, "a packet")


async def _jams(bench: Bench) -> None:
    await _loaded(bench)
    _order_shuffle(bench)
    await bench.ask("jam")


async def _jam_reported(bench: Bench) -> None:
    await _jams(bench)
    await _more(bench, Jammed, 0, REPORT_SECONDS, "a report of the jam")


async def _cleared_reported(bench: Bench) -> None:
    await _jams(bench)
    await _reported(bench, "clear jam", Cleared, "a report that the jam is cleared", REPORT_SECONDS)


async def _shuffles_after_a_jam(bench: Bench) -> None:
    await _jams(bench)
    await bench.ask("clear jam")
    await _shuffle(bench)


async def _start_reported(bench: Bench) -> None:
    await bench.ready()
    await _restarted(bench, REPORT_SECONDS)


async def _start_is_another(bench: Bench) -> None:
    await bench.ready()
    before = bench.of(ShufflerHello)[-1].boot
    await _restarted(bench)
    bench.check(bench.of(ShufflerHello)[-1].boot != before, "another boot id", "the same")


async def _numbers_begin_again(bench: Bench) -> None:
    await bench.ready()
    await _status_of_a_start(bench)
    lost = [message.count for message in bench.of(ReportsLost)]
    bench.check(not lost, "no report lost", lost)


async def _shuffles_after_a_start(bench: Bench) -> None:
    await _loaded(bench)
    await _restarted(bench)
    await _shuffle(bench)


async def _unplugging_is_noticed(bench: Bench) -> None:
    await bench.ready()
    await bench.unplug(REPORT_SECONDS)


async def _second_is_due(bench: Bench) -> None:
    """A packet waits for the tray."""
    await _given(bench)
    _order_packet(bench)
    await bench.pause(SOON)


async def _packet_over_the_cable(bench: Bench) -> None:
    await _second_is_due(bench)
    await bench.unplug()
    await bench.ask("take packet")
    await bench.pause(REPORT_SECONDS)
    await bench.ask("plug")
    await bench.up()
    await _more(bench, PacketDispensed, 1, PATIENT, "the packet that came meanwhile")


async def _packet_while_stopped(bench: Bench) -> None:
    await _second_is_due(bench)
    if len(bench.of(PacketDispensed)) > 1:
        return  # it did not wait for the tray: H-15
    bench.order(None)
    await bench.stop()
    await bench.ask("take packet")
    await bench.pause(REPORT_SECONDS)
    await bench.ready()
    await _more(bench, PacketDispensed, 0, PATIENT, "the packet that came meanwhile")


async def _not_repeated_to_a_start(bench: Bench) -> None:
    await _taken(bench)
    bench.order(None)
    await bench.stop()
    await bench.ready()
    await _none_of(bench, PacketDispensed, 0, "no packet after the start")


async def _not_repeated_to_a_cable(bench: Bench) -> None:
    await _shuffled(bench)
    _order_packet(bench)
    await bench.unplug(act="packet, unplug")
    await bench.ask("plug")
    await bench.up()
    await _none_of(bench, PacketDispensed, 1, "one packet")


async def _no_noise(bench: Bench) -> None:
    await bench.ready()
    await bench.no_noise(2 * REPORT_SECONDS, "no noise on the wire")


async def _nothing_unordered(bench: Bench) -> None:
    await bench.ready()
    await _none_of(bench, PacketDispensed, 0, "no packet that was not ordered", 2 * REPORT_SECONDS)


async def _awake(bench: Bench) -> None:
    await _shuffled(bench)
    await bench.pause(AWAY)
    await _packet(bench)


async def _stays_up(bench: Bench) -> None:
    await bench.ready()
    await bench.pause(AWAY)
    links = len(bench.of(LinkUp))
    bench.check(links == 1, "one link", links)


async def _reports_many(bench: Bench) -> None:
    await bench.ready()
    await bench.ask("lid ten times")

    def lids() -> int:
        return len(bench.of(LidOpened)) + len(bench.of(LidClosed))

    await bench.until(lambda: lids() >= 2 * LIDS, PATIENT, f"{2 * LIDS} reports of the lid", lids)


async def _accurate(bench: Bench) -> None:
    cards = left = 0
    while cards < bench.cards:
        if left < bench.packet:
            await bench.stop()
            left = (await _shuffled(bench)).count
        packet = await _packet(bench)
        typed = await bench.typed_cards("type packet")
        cards, left = cards + len(typed), left - max(1, len(typed))
        bench.progress(f"card {cards} of {bench.cards}")
        same = sorted(map(str, packet.cards)) == sorted(typed)
        bench.check(same, f"the cards up to card {cards} as they were typed", "another card")


SHUFFLER = (
    Assertion("H-01", "The shuffler answers within two seconds of its opening.", "nothing", _answers),
    Assertion("H-02", "It reports that it dispenses packets.", "nothing", _is_batch),
    Assertion("H-03", "It reports its model and its firmware.", "nothing", _is_named),
    Assertion(
        "H-04",
        "When it is switched on, it reports how many cards are in it.",
        "switches it off and on",
        _counts_at_start,
    ),
    Assertion(
        "H-05", "The beginning of a shuffle is reported within five seconds.", "puts all cards in", _shuffle_begins
    ),
    Assertion("H-06", "A shuffle is done within two minutes.", "puts all cards in", _shuffle_ends),
    Assertion("H-07", "A shuffle reports all cards of the deck.", "puts all cards in", _shuffle_counts),
    Assertion("H-08", "Two shuffles give different orders.", "takes two packets twice", _orders_differ),
    Assertion("H-09", "An order to shuffle that is repeated is carried out once.", "puts all cards in", _shuffles_once),
    Assertion("H-10", "It does not shuffle while a card is out of it.", "keeps a packet", _no_shuffle_without_all),
    Assertion(
        "H-11", "It shuffles as ordered once the cards are back.", "puts a packet back", _shuffle_waits_for_cards
    ),
    Assertion("H-12", "A packet is reported within five seconds of its order.", "puts all cards in", _packet_soon),
    Assertion("H-13", "A packet has as many cards as ordered.", "puts all cards in", _packet_is_whole),
    Assertion("H-14", "The cards of a packet are reported from the top.", "types a packet", _packet_in_order),
    Assertion(
        "H-15", "The next packet waits until the tray is empty.", "leaves a packet in the tray", _waits_for_the_tray
    ),
    Assertion(
        "H-16", "An order to dispense that is repeated is carried out once.", "looks into the tray", _dispenses_once
    ),
    Assertion(
        "H-17",
        "A card that cannot be read is never reported as a card.",
        "puts a blank card in, takes packets",
        _unread,
    ),
    Assertion("H-18", "Cards that are put in are reported within five seconds.", "puts a packet back", _inserted_soon),
    Assertion("H-19", "Cards that are put in are counted.", "puts a packet back", _inserted_counted),
    Assertion(
        "H-20", "A card that is missing is reported with the shuffle.", "keeps a card and types it", _missing_soon
    ),
    Assertion("H-21", "The card that is missing is named.", "keeps a card and types it", _missing_named),
    Assertion("H-22", "A card that is there twice is named.", "changes a card and types it", _double_named),
    Assertion("H-23", "A lid that is opened is reported within five seconds.", "opens the lid", _lid_opened),
    Assertion("H-24", "A lid that is closed is reported within five seconds.", "opens and closes the lid", _lid_closed),
    Assertion("H-25", "While the lid is open, no packet comes.", "opens the lid", _nothing_with_open_lid),
    Assertion(
        "H-26",
        "An order that came while the lid was open is carried out once it is closed.",
        "opens and closes the lid",
        _order_waits_for_the_lid,
    ),
    Assertion("H-27", "A jam is reported within five seconds.", "makes it jam", _jam_reported),
    Assertion("H-28", "A jam that is cleared is reported within five seconds.", "clears a jam", _cleared_reported),
    Assertion("H-29", "After a jam it shuffles as ordered.", "clears a jam", _shuffles_after_a_jam),
    Assertion(
        "H-30",
        "A shuffler that was switched on reports it within five seconds.",
        "switches it off and on",
        _start_reported,
    ),
    Assertion("H-31", "Each start has another boot id.", "switches it off and on", _start_is_another),
    Assertion(
        "H-32", "The numbers of reports begin again after a start.", "switches it off and on", _numbers_begin_again
    ),
    Assertion("H-33", "After a start it shuffles as ordered.", "switches it off and on", _shuffles_after_a_start),
    Assertion(
        "H-34", "A cable that is pulled is noticed within five seconds.", "unplugs the cable", _unplugging_is_noticed
    ),
    Assertion(
        "H-35",
        "A packet that came while the cable was out is reported afterwards.",
        "unplugs the cable, takes a packet",
        _packet_over_the_cable,
    ),
    Assertion(
        "H-36",
        "A packet that came while the station was stopped is reported at its start.",
        "takes a packet",
        _packet_while_stopped,
    ),
    Assertion("H-37", "A packet is not repeated to a station that starts.", "takes a packet", _not_repeated_to_a_start),
    Assertion(
        "H-38",
        "A shuffler that was unplugged within a report does not repeat its packet.",
        "unplugs the cable as a packet comes",
        _not_repeated_to_a_cable,
    ),
    Assertion("H-39", "The line carries nothing that is no report.", "nothing", _no_noise),
    Assertion("H-40", "No packet is reported while none is ordered.", "nothing", _nothing_unordered),
    Assertion("H-41", "A packet comes after a minute of rest.", "puts all cards in", _awake),
    Assertion("H-42", "It answers whenever it is asked for a minute.", "nothing", _stays_up),
    Assertion(
        "H-43",
        "Reports that are acknowledged make room for others.",
        "opens and closes the lid ten times",
        _reports_many,
    ),
    Assertion(
        "H-44", "Accuracy: all cards of the sign-off are read as they are.", "takes and types every packet", _accurate
    ),
)
