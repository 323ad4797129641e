"""A table at a linked pot tells its pit what its meter does, in the same commit; the numbers are rules of the pot."""

import msgspec

from controller.engine.display import display
from controller.engine.events import DealerTold, LinkRecorded
from controller.engine.inputs import (
    CloseTable,
    CorrectWager,
    DeviceFound,
    DeviceMissed,
    LinkConfigured,
    LinkHeard,
    LinkToCount,
)
from controller.engine.jackpot_events import MeterOpened
from controller.engine.projection import project
from controller.engine.react import react
from controller.engine.table import Table
from controller.engine.table_parts import Linked
from controller.link.messages import Announced, Contributed, Counted, Entry, Returned, Totals, units_of
from controller.link.table import Learnt, Shown, Through
from controller.pit import ledger as pit
from controller.pit.ledger import Ledger
from tests.engine.playing import PARAMETERS, Play
from tests.engine.test_engine_irregularities_chips import end_broken, next_round

NAME, TABLE, JOURNAL, GAME = "hall", "site/t1", "00000000-0000", "fortune-3-card-poker-2025"
JOIN = LinkConfigured(NAME, TABLE, GAME, JOURNAL)
UNITS_E4 = sum(units_of(1, PARAMETERS))
LEARNT = Learnt(epoch=1, cycle=1, terms=1, parameters=PARAMETERS)


class LinkedPlay(Play):
    """A table that has joined a link; its pit applies what it is told."""

    def __init__(self, **changed: object) -> None:
        super().__init__(**changed)  # type: ignore[arg-type]
        self.ledger: Ledger = pit.begin(NAME, GAME, (TABLE,), MeterOpened(600_000, 0, PARAMETERS))
        self.hear(JOIN)
        self.pit_hears()
        self.hear(LinkHeard((LEARNT,)))
        self.hear(DeviceFound(device="pit", outage_ms=0, tries=1))

    @property
    def link(self) -> Linked:
        assert self.table.link is not None
        return self.table.link

    @property
    def said(self) -> list[Entry]:
        return [
            event.said for event, _ in self.entries if isinstance(event, LinkRecorded) and isinstance(event.said, Entry)
        ]

    def pit_hears(self) -> None:
        """What is not acknowledged is applied and acknowledged."""
        for entry in self.link.kept.unsaid:
            self.ledger = pit.apply(self.ledger, entry)
        through = self.ledger.journals[JOURNAL].through
        self.hear(LinkHeard((Through(JOURNAL, through, 1, through),)))

    def laid(self, *seats: int) -> "LinkedPlay":
        self.to_wagers()
        for seat in seats:
            self.bet(seat, ante=100).chips(seat)
        self.lock()
        return self

    def told(self, notice: str, text: str | None = None) -> int:
        told = [event for event, _ in self.entries if isinstance(event, DealerTold)]
        return sum((one.notice, one.text) == (notice, text) for one in told)


def test_linked_pot_1_a_contribution_is_told_with_the_chips_of_its_round_in_the_same_decision() -> None:
    play = LinkedPlay().laid(1, 3)
    [announced, contributed] = play.said
    assert announced.body == Announced()
    assert contributed == Entry(NAME, TABLE, JOURNAL, 2, Contributed(1, 2, 1, 2 * UNITS_E4))
    assert contributed.body.units_e4 == play.meter.contributions_e4  # type: ignore[union-attr]


def test_linked_pot_1_what_goes_back_is_told_too_and_numbers_have_no_gap() -> None:
    play = LinkedPlay().laid(1, 2, 3)
    end_broken(play)
    next_round(play, 1, 3)  # seat 2 has no bet beside its carried chip, which goes back
    assert play.said[-1].body == Returned(of=2, chips=1, units_e4=UNITS_E4)
    end_broken(play)
    play.say(CloseTable)
    assert play.said[-1].body == Returned(of=2, chips=2, units_e4=2 * UNITS_E4)
    assert [entry.seq for entry in play.said] == [1, 2, 3, 4]
    play.pit_hears()
    assert not play.ledger.held and not play.ledger.stopped
    assert play.ledger.pot.contributions_e4 == play.ledger.pot.returned_e4 == 3 * UNITS_E4


def test_linked_pot_1_each_chip_goes_back_out_of_the_entry_that_brought_it() -> None:
    play = LinkedPlay().laid(1, 2)
    end_broken(play)
    play.to_wagers().bet(1, ante=100).bet(2, ante=100).bet(4, ante=100).chips(4)
    play.lock()  # one chip more, in entry 3
    play.say(CorrectWager, seat=4, wager="ante", amount=0, reason="typed")
    assert play.said[-1].body == Returned(of=3, chips=1, units_e4=UNITS_E4)
    play.say(CorrectWager, seat=2, wager="ante", amount=0, reason="typed")
    assert play.said[-1].body == Returned(of=2, chips=1, units_e4=UNITS_E4)
    play.pit_hears()
    assert not play.ledger.held and play.ledger.pot.returned_e4 == 2 * UNITS_E4


def test_linked_pot_1_an_entry_is_kept_until_the_pit_has_acknowledged_it() -> None:
    play = LinkedPlay().laid(2)
    assert [entry.seq for entry in play.link.kept.unsaid] == [2]
    play.hear(LinkHeard((Through(JOURNAL, 1, 1, 1),)))
    assert [entry.seq for entry in play.link.kept.unsaid] == [2]
    play.pit_hears()
    assert play.link.kept.unsaid == ()


def test_linked_pot_3_an_acknowledgement_that_was_overtaken_or_came_twice_is_not_kept() -> None:
    play = LinkedPlay().laid(2)
    through = Through(JOURNAL, 2, 1, 9)
    assert play.hear(LinkHeard((through, through))) == (LinkRecorded(through),)
    assert play.hear(LinkHeard((Through(JOURNAL, 1, 1, 8),))) == ()
    assert play.link.kept.at == (1, 9)


def test_linked_pot_5_no_chip_counts_in_a_round_that_begins_while_the_pit_is_not_heard() -> None:
    play = LinkedPlay()
    play.hear(DeviceMissed(device="pit", reason="nothing heard"))
    play.to_wagers()
    play.hear(DeviceFound(device="pit", outage_ms=5000, tries=1))  # too late for this round
    play.bet(1, ante=100).chips(1)
    play.lock()
    assert play.round.chips == () and play.told("sign_lost", "pit") == 1
    assert len(play.said) == 1


def test_linked_pot_5_a_round_already_begun_takes_its_chips_and_tells_them_later() -> None:
    play = LinkedPlay()
    play.to_wagers()
    play.hear(DeviceMissed(device="pit", reason="nothing heard"))
    play.bet(1, ante=100).chips(1)
    play.lock()
    assert play.round.chips == (1,)


def test_linked_pot_5_a_chip_that_was_carried_counts_in_a_round_that_begins_without_the_pit() -> None:
    play = LinkedPlay().laid(1)
    end_broken(play)
    play.hear(DeviceMissed(device="pit", reason="nothing heard"))
    next_round(play, 1)
    assert play.round.chips == (1,) and len(play.said) == 2


def test_linked_pot_5_before_anything_was_heard_of_the_pit_no_chip_counts() -> None:
    play = Play()
    play.hear(JOIN)
    play.to_wagers()
    play.bet(1, ante=100).chips(1)
    play.lock()
    assert play.round.chips == ()


def test_linked_pot_7_what_the_table_has_added_up_is_told_as_an_entry() -> None:
    play = LinkedPlay().laid(1)
    play.hear(LinkToCount())
    assert play.said[-1].body == Counted(Totals(chips=1, contributed_e4=UNITS_E4))
    play.pit_hears()
    assert play.ledger.stopped == ""


def test_linked_pot_9_a_journal_joins_once_and_says_which_one_it_goes_on_from() -> None:
    play = Play()
    play.hear(LinkConfigured(NAME, TABLE, GAME, JOURNAL, "older", 41, "5f1c"))
    again: tuple[object, ...] = play.hear(JOIN)
    assert again == ()
    assert play.table.link is not None
    [entry] = play.table.link.kept.unsaid
    assert entry.body == Announced("older", 41, "5f1c")


def test_a_table_without_a_link_tells_nobody() -> None:
    play = Play().to_wagers()
    play.bet(1, ante=100).chips(1)
    play.lock()
    assert play.table.link is None
    assert not any(isinstance(event, LinkRecorded) for event, _ in play.entries)


def test_what_is_kept_of_a_link_comes_out_of_a_checkpoint_as_it_went_in() -> None:
    play = LinkedPlay().laid(1, 2)
    assert msgspec.json.decode(msgspec.json.encode(play.table), type=Table) == play.table


def test_linked_pot_3_sign_and_screens_show_the_linked_pot_and_a_fault_in_turn() -> None:
    play = LinkedPlay().laid(1)
    shown = {
        fault: project(play.table, react(play.table, 2, None, linked), play.settings, linked)
        for fault in (False, True)
        for linked in [Shown(712_345, fault)]
    }
    for fault, public in shown.items():
        texts = [page["text"] for page in public.sign["pages"]]
        assert public.sign["amount"] == "7,123.45" and "PROGRESSIVE JACKPOT {amount}" in texts
        assert ("JACKPOT LINK DOWN" in texts) is fault
        assert public.jackpot is not None and public.jackpot.linked == Shown(712_345, fault)
        assert public.jackpot.pot == play.meter.pot
        seen = display(public, play.settings)
        assert (seen.pot, seen.pot_fault) == (712_345, fault)
    own = project(play.table, react(play.table, 2), play.settings)
    assert own.jackpot is not None and own.jackpot.linked is msgspec.UNSET
    assert display(own, play.settings).pot == play.meter.pot


def test_linked_pot_3_before_a_pot_was_heard_none_is_shown() -> None:
    play, nothing = LinkedPlay(), Shown(None, True)
    sign = react(play.table, 2, None, nothing).sign
    assert sign is not None and {page.text for page in sign.pages} == {"JACKPOT LINK DOWN", "JACKPOT SEM LIGACAO"}
    assert display(project(play.table, react(play.table, 2), play.settings, nothing), play.settings).pot is None
