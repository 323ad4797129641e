"""Non-interference: with every card that no rule has shown exchanged for another, a whole station says the same bytes.

Two runs of a real station, with a real journal, broker and web server, and both sources of cards on real wires, are
given the same decisions, faults and questions at the same moments of the same clock. Until a card is shown, whatever
can be read must be equal to the byte: every MQTT message with its topic, every answer over HTTP, refusals too, the
stream, the metrics, the log, and what is unsealed in the journal. As that holds for the moment before each turn,
what is reported at any time depends on no other cards than those shown by then. When things are reported is kept equal
by the test: what could be read off a stopwatch is out of its scope.
"""

import asyncio
import random
from collections import defaultdict, deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import pytest
import structlog
from msgspec import structs

from controller.engine.outcomes import Accepted, Outcome
from controller.journal.records import Batch, JournalEntry, OutboxRow
from drivers.angel_eye.shoe import AngelEye
from drivers.device import DeviceMessage
from tests.station.permuted_play import DECK, Dealer, RoundPlan, permuted
from tests.station.permuted_station import CHANNELS, GatedStation, Moment, Place, WatchedTable, run_station
from tests.station.permuted_troubles import TROUBLES

ANTE, PAIR_PLUS = {"ante": 10_000}, {"pair_plus": 15_000}
BOTH, WITH_BONUS = {"ante": 20_000, "pair_plus": 10_000}, {"ante": 10_000, "six_card_bonus": 10_000}
# Seat 2 folds and is never turned; seat 4 folds and is, for its bonus. The chips bring the community cards.
WAGERS = {1: BOTH, 2: ANTE, 4: WITH_BONUS, 5: PAIR_PLUS}
FOLDS = (2, 4)
CHIPS = (1, 4)


@dataclass
class Run:
    """What one run reported, which places of each round's deck was open at its end, and at each turn
    of the last one."""

    moments: list[Moment]
    journal: dict[str, list[tuple[Any, ...]]]
    shown: list[set[int]]
    turned: list[set[int]]


def run(
    place: Place,
    source: str,
    rounds: Sequence[RoundPlan],
    turns: int | None = None,
    leak: Callable[[GatedStation], None] = lambda station: None,
) -> Run:
    """Play these rounds from one source; with `turns` until so many places of the last one are shown."""
    dealers: list[Dealer] = []

    async def play(table: WatchedTable) -> None:
        dealers.append(Dealer(table, rounds, TROUBLES, turns))
        await dealers[0].play()

    moments, journal = asyncio.run(run_station(place, source, play, leak))
    return Run(moments, journal, dealers[0].shown, dealers[0].turned)


class Difference(NamedTuple):
    """Where two runs first differ on a channel, or in a table of the journal, at one moment; the bytes around it."""

    where: str
    when: str
    whole: str
    other: str


def differences(whole: Run, other: Run, cut: bool) -> list[Difference]:
    """Where two runs differ. `cut`: the other one was stopped earlier."""
    if not cut:
        assert len(whole.moments) == len(other.moments)
    found = []
    for moment, two in zip(whole.moments, other.moments[:-1] if cut else other.moments, strict=False):
        assert moment.name == two.name
        found += [
            Difference(channel, moment.name, *_around(repr(moment.channels[channel]), repr(two.channels[channel])))
            for channel in CHANNELS
            if moment.channels[channel] != two.channels[channel]
        ]
    for name in ("events", "answers") if cut else whole.journal:
        rows = whole.journal[name][: len(other.journal[name])]
        if rows != other.journal[name]:
            found.append(Difference(f"journal {name}", "", *_around(repr(rows), repr(other.journal[name]))))
    return found


def _around(text: str, other: str) -> tuple[str, str]:
    same = next((at for at, (a, b) in enumerate(zip(text, other, strict=False)) if a != b), min(len(text), len(other)))
    return text[max(0, same - 60) : same + 60], other[max(0, same - 60) : same + 60]


def shuffled(seed: int) -> tuple[str, ...]:
    """A shuffled deck."""
    return tuple(random.Random(seed).sample(DECK, len(DECK)))


def plan(seed: int, **changed: Any) -> RoundPlan:
    """A round of four seats, one of them folding for good."""
    return replace(RoundPlan(shuffled(seed), WAGERS, CHIPS, FOLDS), **changed)


def with_a_double(seed: int, at: int, again: int) -> tuple[str, ...]:
    """A shuffled deck in which one card is twice."""
    deck = list(shuffled(seed))
    deck[again] = deck[at]
    return tuple(deck)


SHUFFLER_ROUNDS = (
    plan(1, troubles={"deal 2": "corrupt", "deal 4": "probe", "decisions 1": "probe stray", "reveal 2": "probe"}),
    plan(2, troubles={"wagers 1": "stray", "deal 3": "unplug journal stray", "reveal 1": "probe"}),
    plan(3, troubles={"deal 4": "short", "confirm 1": "probe"}),
    plan(4, deck=with_a_double(4, 0, 4), troubles={"reveal 1": "probe"}),
    plan(5, unread=frozenset({1}), troubles={"shuffle 1": "checked", "deal 3": "reports", "reveal 2": "probe"}),
    plan(
        6,
        guesses=shuffled(6)[3:5],
        troubles={"decisions 1": "reports", "reveal 2": "corrections", "confirm 1": "corrections"},
    ),
    plan(7, troubles={"deal 3": "empty_seat", "decisions 1": "misdealt"}),
    plan(8, troubles={"deal 3": "empty_seat defect", "reveal 1": "tripped", "claims 1": "probe"}),
    plan(6, unread=frozenset({14}), guesses=shuffled(6)[3:5], troubles={"reveal 3": "corrections"}),
    plan(9, troubles={"begin 1": "other_source", "deal 3": "void"}),
)
SHOE_ROUNDS = (
    plan(11, troubles={"wagers 1": "stray", "deal 3": "probe", "decisions 1": "stray", "reveal 2": "probe"}),
    plan(12, unread=frozenset({2}), troubles={"deal 7": "unreported", "reveal 1": "probe"}),
    plan(13, troubles={"deal 5": "lost"}),
    plan(14, troubles={"deal 4": "unplug defect", "decisions 1": "reports", "reveal 2": "corrections tripped"}),
)
ONE_ROUND = {
    "shuffler": (plan(21, troubles={"decisions 1": "probe", "reveal 1": "probe"}),),
    "shoe": (plan(22, wagers={1: BOTH, 2: ANTE}, chips=(1,), unread=frozenset({2}), troubles={"reveal 2": "probe"}),),
}
TURNED = {"shuffler": ["bank", "seat 1", "seat 4", "seat 5", "community"], "shoe": ["bank", "seat 1", "community"]}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Place:
    return Place(tmp_path_factory.mktemp("permuted"))


@pytest.mark.parametrize(
    ("source", "rounds"), [pytest.param("shuffler", SHUFFLER_ROUNDS, marks=pytest.mark.soak), ("shoe", SHOE_ROUNDS)]
)
def test_cards_that_are_never_shown_change_no_byte_of_a_whole_run_with_all_that_goes_wrong_in_it(
    place: Place, source: str, rounds: Sequence[RoundPlan]
) -> None:
    whole = run(place, source, rounds)
    chance = random.Random(source)
    others = [permuted(plan, shown, chance) for plan, shown in zip(rounds, whole.shown, strict=True)]
    assert differences(whole, run(place, source, others), cut=False) == []
    everything = b"".join(
        payload for moment in whole.moments for saids in moment.channels.values() for payload in saids
    )
    for word in (b" 422 ", b" 409 ", b" 400 ", b" 500 ", b"alarms/defect", b"alarms/device-" + source.encode()):
        assert word in everything
    for event in (b"change_entered", b"changes_approved", b"change_rejected"):
        assert b"/events/" + event in everything
    assert (b" 503 " in everything) == (b"alarms/journal False {" in everything) == (source == "shuffler")
    assert b"cards_shown" in everything and (source == "shoe" or b"round_voided" in everything)
    assert sum(len(plan.deck) - len(shown) for plan, shown in zip(rounds, whole.shown, strict=True)) > 30 * len(rounds)


# The views of both sources are the same code: the shuffler's six runs are for the soak.
@pytest.mark.parametrize("source", [pytest.param("shuffler", marks=pytest.mark.soak), "shoe"])
def test_until_a_place_is_turned_its_cards_and_all_that_are_turned_later_change_no_byte(
    place: Place, source: str
) -> None:
    rounds = ONE_ROUND[source]
    whole = run(place, source, rounds)
    turned = [moment.name.split(": ")[1] for moment in whole.moments if moment.name.endswith(" turned")]
    assert turned == [f"{place} turned" for place in TURNED[source]]
    for turns, shown in enumerate(whole.turned):
        other = run(place, source, [permuted(rounds[0], shown, random.Random(turns))], turns)
        assert other.turned == whole.turned[:turns]
        assert differences(whole, other, cut=True) == []


def test_a_station_that_leaks_one_bit_is_caught_on_every_channel_it_leaks_on(place: Place) -> None:
    rounds = ONE_ROUND["shuffler"]
    whole = run(place, "shuffler", rounds, 0, leak_everywhere)
    others = [permuted(rounds[0], (), random.Random(2))]
    assert DECK.index(rounds[0].deck[0]) % 2 != DECK.index(others[0].deck[0]) % 2
    other = run(place, "shuffler", others, 0, leak_everywhere)
    found = {difference.where for difference in differences(whole, other, cut=False)}
    # The head of the journal holds sums over answers and marks.
    assert found == {*CHANNELS, "journal meta", "journal events", "journal answers", "journal marks"}


@pytest.mark.soak
def test_a_card_in_the_input_that_the_journal_keeps_is_caught(place: Place) -> None:
    def leak(station: GatedStation) -> None:
        commit = station.writer.commit

        def leaking(entry: JournalEntry) -> JournalEntry:
            odd = [DECK.index(card) % 2 for card in entry.drawn.values() if card is not None]
            if entry.input is None or not any(odd):
                return entry
            return structs.replace(entry, input=structs.replace(entry.input, text=entry.input.text + b" "))

        async def leaking_commit(batch: Batch) -> None:
            await commit(structs.replace(batch, entries=[*map(leaking, batch.entries)]))

        station.writer.commit = leaking_commit  # type: ignore[method-assign]

    [whole] = ONE_ROUND["shuffler"]
    others = [permuted(whole, (), random.Random(2))]
    first, other = (run(place, "shuffler", rounds, 0, leak) for rounds in (ONE_ROUND["shuffler"], others))
    assert {difference.where for difference in differences(first, other, cut=False)} == {"journal events"}


class Dawdling(deque[DeviceMessage]):
    """What waits at a device's gate, and is seen there only at every second look."""

    looks = 0

    def __iter__(self) -> Iterator[DeviceMessage]:
        self.looks += 1
        return iter(()) if self.looks % 2 else super().__iter__()


@pytest.mark.soak
@pytest.mark.parametrize("source", ["shuffler", "shoe"])
def test_devices_that_are_slower_in_one_run_than_in_the_other_change_no_byte(place: Place, source: str) -> None:
    rounds = (plan(31, troubles={"wagers 1": "unplug"}),)
    whole, other = (run(place, source, rounds, 0, leak) for leak in (lambda station: None, dawdle))
    assert differences(whole, other, cut=False) == []


def dawdle(station: GatedStation) -> None:
    """Let every device come later than what was let in before it, and the shoe take its time to answer."""
    station.at_gate = defaultdict(Dawdling)
    shoe = station.devices.by_name["shoe"]
    assert isinstance(shoe, AngelEye)
    receive = shoe._receive

    def receive_late(octets: bytes) -> None:
        if shoe._link.up:
            receive(octets)
        else:
            asyncio.get_running_loop().call_later(0.5, receive, octets)

    shoe._receive = receive_late  # type: ignore[method-assign]


def leak_everywhere(station: GatedStation) -> None:
    """Let out one bit of the round's first card: a byte on each channel, one more in a number of the journal."""
    loop, writer, outbox = station.loop, station.writer, station.floor.outbox
    project, commit, add = station.view.projection, writer.commit, outbox.add

    def odd() -> int:
        first = loop._vault.get(1)
        return 0 if first is None else DECK.index(first) % 2

    def leaking(outcome: Outcome) -> Outcome:
        return structs.replace(outcome, as_of=outcome.as_of + odd()) if isinstance(outcome, Accepted) else outcome

    async def leaking_commit(batch: Batch) -> None:
        station.metrics.noise.labels("shoe").inc(odd())
        structlog.get_logger().info("committed", face="odd" if odd() else "even")
        await commit(
            structs.replace(
                batch,
                stamp=structs.replace(batch.stamp, monotonic_ns=batch.stamp.monotonic_ns + odd()),
                outcomes={name: leaking(outcome) for name, outcome in batch.outcomes.items()},
                marks=[structs.replace(mark, sequence=mark.sequence + odd()) for mark in batch.marks],
            )
        )

    def leaking_add(rows: Sequence[OutboxRow]) -> None:
        add([structs.replace(row, payload=row.payload + b" " * odd()) for row in rows])

    writer.commit = leaking_commit  # type: ignore[method-assign]
    outbox.add = leaking_add  # type: ignore[method-assign,assignment]
    station.view.projection = lambda: project() + b" " * odd()  # type: ignore[method-assign]
