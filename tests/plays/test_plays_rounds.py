"""Any legal course of rounds: money conserved, nothing shown too soon, and the journal tells the whole of it."""

import itertools

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.engine.decisions.betting import ChipSensed, LockIn
from controller.engine.decisions.jackpot import Confirm, ConfirmHit
from controller.engine.decisions.played import CardsHeard, Decide, Reveal
from controller.engine.shown.device_orders import react
from controller.engine.state.applied import Event, apply
from controller.engine.state.jackpot import E4, HitPaid
from controller.engine.state.table import Table
from controller.rulebook.cards import DECK, Card
from controller.rulebook.events import RoundConfirmed, RoundSettled
from controller.rulebook.fortune_3_card_poker.betting import stakes
from controller.rulebook.refusal import Refusal
from tests.engine.playing import NAMED, PARAMETERS, Play
from tests.shuffling import shuffled

BASIC = [{"ante": 100}, {"pair_plus": 150}, {"ante": 200, "pair_plus": 300}, {"ante": 500, "six_card_bonus": 100}]


class Script(msgspec.Struct, frozen=True):
    """One round as the people at the table will have it, whatever the cards."""

    wagers: dict[int, dict[str, int]]
    chips: tuple[int, ...]
    folds: tuple[int, ...]
    wrong_packet_at: int | None
    late_chip: int | None


@st.composite
def scripts(draw: st.DrawFn) -> Script:
    seats = draw(st.lists(st.integers(1, 6), min_size=1, max_size=6, unique=True))
    return Script(
        wagers={seat: draw(st.sampled_from(BASIC)) for seat in seats},
        chips=tuple(draw(st.lists(st.integers(1, 6), max_size=6, unique=True))),
        folds=tuple(draw(st.lists(st.integers(1, 6), max_size=6, unique=True))),
        wrong_packet_at=draw(st.none() | st.none() | st.integers(1, 8)),
        late_chip=draw(st.none() | st.integers(1, 6)),
    )


def decks() -> st.SearchStrategy[list[Card]]:
    """Shuffled decks, often with the high cards of two suits on top, so that rare hands come up."""
    mixed = shuffled(DECK)
    rich = mixed.map(lambda deck: sorted(deck, key=lambda card: not (card[0] in "AKQJT9" and card[1] in "sh")))
    return st.one_of(mixed, rich)


SOURCES = st.sampled_from([("shuffler", (3,)), ("shuffler", (2, 3)), ("shoe", ())])


def deal_script(play: Play, script: Script) -> None:
    """The round up to the first hand that is shown."""
    play.to_wagers()
    for seat, wagers in script.wagers.items():
        play.bet(seat, **wagers)
    play.chips(*(seat for seat in script.chips if seat not in play.table.slots))
    play.say(LockIn)
    while play.step.kind == "deal":
        wrong = script.wrong_packet_at == int(play.step.id.rpartition("/")[2])
        play.deal_one(count=2 if wrong and len(play.step.to) == 3 else None)
    play.deal()  # counted, if it came out of the shoe
    if script.late_chip is not None and script.late_chip not in play.table.slots:
        play.hear(ChipSensed(seat=script.late_chip, counter=10**4))
    while play.step.kind == "decisions":
        seat = play.step.waiting[0]
        play.say(Decide, seat=seat, decision="fold" if seat in script.folds else "play")


def end_round(play: Play) -> None:
    play.say(Confirm)
    play.clear()
    play.sweep()


def cards_named(play: Play) -> set[str]:
    """Every card whose text stands anywhere in what could be read."""
    return {card.decode() for channel in play.channels for card in NAMED.findall(channel)}


def play_script(play: Play, script: Script) -> None:
    deal_script(play, script)
    play.reveal()
    end_round(play)


@settings(max_examples=60)
@given(decks(), st.lists(scripts(), min_size=1, max_size=4), SOURCES, st.booleans())
def test_any_rounds_conserve_the_money_and_the_journal_folds_to_the_live_table(
    deck: list[Card], rounds: list[Script], source: tuple[str, tuple[int, ...]], pays: bool
) -> None:
    play = Play(deck, source=source[0], packet_sizes=source[1])
    for script in rounds:
        play_script(play, script)
    if pays:
        for hit in play.meter.hits:
            play.say(ConfirmHit, hit=hit.hit)
            play.say(ConfirmHit, "rui", hit=hit.hit)
    events = [event for event, _ in play.entries]
    folded = Table()
    for event in events:
        folded = apply(folded, msgspec.json.decode(msgspec.json.encode(event), type=Event))
    assert folded == play.table
    assert play.table.version == len(events)
    assert play.table.rounds == len(rounds)
    check_money(events, play)


def check_money(events: list[Event], play: Play) -> None:
    """From the settlements alone: what the meter must hold, in 1/10 000 of a minor unit."""
    settled = [event.settlement for event in events if isinstance(event, RoundSettled)]
    counted = len(play.table.carried) + sum(
        line.wager == "jackpot" and line.outcome != "void"
        for settlement in settled
        for seat in settlement.seats.values()
        for line in seat.lines
    )
    awards = [award for settlement in settled if settlement.jackpot for award in settlement.jackpot.awards]
    paid = sum(event.amount for event in events if isinstance(event, HitPaid))
    meter = play.meter
    rates = PARAMETERS.increment_bp + PARAMETERS.reserve_bp
    restarts_by_house = meter.house_funded_e4 - sum(award.from_house for award in awards) * E4
    stands = meter.pot_e4 + meter.reserve_e4 + meter.overflow_e4 + meter.pending_e4
    came_in = 600_000 * E4 + counted * PARAMETERS.chip * rates
    assert restarts_by_house >= 0
    assert stands == came_in + meter.house_funded_e4 - paid * E4
    assert meter.chips_counted == counted
    assert meter.pending_e4 + meter.paid_e4 == sum(award.amount for award in awards) * E4
    for settlement in settled:
        for seat in settlement.seats.values():
            assert seat.net == sum(line.net for line in seat.lines)
            assert settlement.outcome == "settled" or seat.net == 0
    for settlement, after in itertools.pairwise(settled):
        if settlement.outcome == "settled" and settlement.jackpot and after.jackpot:
            assert after.jackpot.pot_before >= settlement.jackpot.pot_after


@settings(max_examples=40)
@given(decks(), scripts(), SOURCES, st.data())
def test_art_18_3_unshown_cards_changed_about_change_no_byte_that_anybody_can_read(
    deck: list[Card], script: Script, source: tuple[str, tuple[int, ...]], data: st.DataObject
) -> None:
    play = Play(deck, source=source[0], packet_sizes=source[1])
    deal_script(play, script)
    shows = data.draw(st.integers(0, 8), label="places shown before")
    shown: set[Card] = set()
    for _ in range(shows):
        if play.step.kind == "reveal":
            play.reveal_one()
    if play.table.round is not None:
        shown = {card for cards in play.round.play.shown.values() for card in cards}
    if play.step.kind == "confirm":
        end_round(play)
    hidden = [card for card in deck if card not in shown]
    other_order = iter(data.draw(shuffled(hidden), label="the unshown cards in another order"))
    other = Play(
        [card if card in shown else next(other_order) for card in deck], source=source[0], packet_sizes=source[1]
    )
    deal_script(other, script)
    for _ in range(shows):
        if other.step.kind == "reveal":
            other.reveal_one()
    if other.step.kind == "confirm":
        end_round(other)
    assert other.channels == play.channels
    assert not cards_named(play) & set(hidden)


@settings(max_examples=30)
@given(decks(), scripts(), SOURCES)
def test_art_18_3_refusals_while_cards_lie_face_down_name_none(
    deck: list[Card], script: Script, source: tuple[str, tuple[int, ...]]
) -> None:
    play = Play(deck, source=source[0], packet_sizes=source[1])
    deal_script(play, script)
    for place in ("bank", "community", "discard", *(f"seat {seat}" for seat in range(1, 8))):
        if play.step.to != (place,):
            play.refused(Reveal, to=place)
    play.hear(CardsHeard(source="shoe", cards=(deck[-1],)))
    for seat in range(1, 7):
        try:
            play.say(Decide, seat=seat, decision="play")
        except Refusal:
            continue
    assert not cards_named(play)


@settings(max_examples=30)
@given(decks(), st.lists(scripts(), min_size=1, max_size=2), SOURCES)
def test_effects_are_a_function_of_the_table_alone(
    deck: list[Card], rounds: list[Script], source: tuple[str, tuple[int, ...]]
) -> None:
    play = Play(deck, source=source[0], packet_sizes=source[1])
    for script in rounds:
        play_script(play, script)
    table = Table()
    for event, _ in play.entries:
        table = apply(table, event)
        kept = msgspec.json.encode(table)
        effects = react(table, 2)
        restored = msgspec.json.decode(kept, type=Table)
        assert react(restored, 2) == react(table, 2) == effects
        assert msgspec.json.encode(table) == kept
        if isinstance(event, RoundConfirmed) and table.round is not None:
            assert all(stakes(table.round, seat) for seat in table.round.seats_in_play)
