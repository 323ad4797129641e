"""A table at a linked pot informs its pit what its meter does, in the same commit; the numbers are rules of the pot."""

import tomllib
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from controller.__main__ import main
from controller.engine.decisions.alarms import alarms
from controller.engine.decisions.devices import DeviceFound, DeviceMissed
from controller.engine.decisions.jackpot import Confirm, ConfirmHit
from controller.engine.decisions.link import (
    AcceptPit,
    CompareGrant,
    LinkConfigured,
    LinkReceived,
    LinkToCount,
    SettleOnPaper,
    Vouch,
)
from controller.engine.decisions.session import CloseTable
from controller.engine.recorded import JournalReplay, Written
from controller.engine.shown.device_orders import react
from controller.engine.shown.display import display
from controller.engine.shown.projection import project
from controller.engine.shown.public import PublicComparison, PublicDoubted
from controller.engine.state.events import DealerNotified, LinkOnPaper, LinkRecorded, LinkVouched, PitKeysConfigured
from controller.engine.state.jackpot import MeterOpened
from controller.engine.state.persons import CorrectCards, CorrectWager, Misdealt, VoidRound
from controller.engine.state.table import Linked, Table
from controller.floor.messages import Retained
from controller.journal.payments import read_payments
from controller.link.messages import (
    Announced,
    Claimed,
    Contributed,
    Counted,
    Entry,
    Grant,
    Paid,
    PendingEntry,
    Returned,
    SettledOnPaper,
    Totals,
    Vouched,
    Withdrawn,
    units_of,
)
from controller.link.table import (
    ANOTHER_GRANT,
    POT_TOO_HIGH,
    WENT_BACK,
    Broken,
    Doubted,
    GrantReceived,
    Learnt,
    Shown,
    Through,
)
from controller.pit.ledger.claims import grant_claim, waiting_claims
from controller.pit.ledger.entries import apply_entry
from controller.pit.ledger.state import PotLedger, new_ledger
from controller.rulebook.games import GAMES
from controller.rulebook.jackpot_award import JackpotTerms
from controller.slips.slip import slip_of
from tests.disputes.rounds import bundles
from tests.engine.hands import CHIP, PRIZE, Hands
from tests.engine.playing import IDENTITY, PARAMETERS, Play, stacked
from tests.engine.test_engine_jackpot import FLUSH, FLUSH_AND_FOUR
from tests.referee.bundle.verify import verify
from tests.slips.keeping_slips import configuration, keep

NAME, TABLE, OTHER, JOURNAL, GAME = "hall", "site/t1", "site/t2", "00000000-0000", "fortune-3-card-poker-2025"
POT_PENDING, GRANT_PENDING = "entries-on-hold", "grant-doubted"
JOIN = LinkConfigured(NAME, TABLE, GAME, JOURNAL)
UNITS_E4 = sum(units_of(1, PARAMETERS))
LEARNT = Learnt(epoch=1, cycle=1, terms_number=1, parameters=PARAMETERS)


class AtTheLink(Play):
    """A table that joins a link; its pit applies what it is reported."""

    def join(self, game: str, opened: MeterOpened) -> None:
        learnt = Learnt(epoch=1, cycle=1, terms_number=1, parameters=opened.parameters)
        self.ledger: PotLedger = new_ledger(NAME, game, (TABLE, OTHER), opened)
        self.receive(LinkConfigured(NAME, TABLE, game, JOURNAL))
        self.pit_receives()
        self.receive(LinkReceived((learnt,)))
        self.receive(DeviceFound(device="pit", outage_ms=0, tries=1))

    @property
    def link(self) -> Linked:
        assert self.table.link is not None
        return self.table.link

    @property
    def entries_sent(self) -> list[Entry]:
        return [
            event.content
            for event, _ in self.entries
            if isinstance(event, LinkRecorded) and isinstance(event.content, Entry)
        ]

    def pit_receives(self) -> None:
        """What is not acknowledged is applied and acknowledged."""
        for entry in self.link.kept.unsaid:
            self.ledger = apply_entry(self.ledger, entry)
        through = self.ledger.journals[JOURNAL].through
        pending = tuple(
            PendingEntry(of, int(seq)) for of, _, seq in (key.rpartition("/") for key in self.ledger.pending)
        )
        self.receive(LinkReceived((Through(JOURNAL, through, 1, through, pending),)))

    def pit_grants(self) -> None:
        """It has what is claimed, and answers."""
        self.pit_receives()
        for claim in waiting_claims(self.ledger):
            self.ledger = grant_claim(self.ledger, claim)
            grant = self.ledger.claims[claim].grant
            assert grant is not None
            self.receive(LinkReceived((GrantReceived(grant),)))

    def bodies(self, kind: type) -> list[Any]:
        return [entry.body for entry in self.entries_sent if isinstance(entry.body, kind)]

    def times_published(self, notice: str, text: str | None = None) -> int:
        notices = self.happened(DealerNotified)
        return sum((shown.notice, shown.text) == (notice, text) for shown in notices)


class LinkedPlay(AtTheLink):
    """One of Fortune 3 Card Poker."""

    def __init__(self, **changed: object) -> None:
        super().__init__(**changed)  # type: ignore[arg-type]
        self.join(GAME, MeterOpened(600_000, 0, PARAMETERS))

    def chips_placed(self, *seats: int) -> "LinkedPlay":
        self.to_wagers()
        for seat in seats:
            self.bet(seat, ante=100).chips(seat)
        self.lock()
        return self


class LinkedHands(Hands, AtTheLink):
    """One of black-jack/21, with its prize marked by sensors."""

    def __init__(self, first: str) -> None:
        super().__init__(first, prize="auto")
        self.join("blackjack-21", MeterOpened(600_000, 0, PRIZE))


def end_broken(play: Play) -> None:
    """The round is void after its first packet, and cleared away; the slots are swept."""
    play.deal_one()
    play.change(Misdealt, what="order")
    play.until("begin").sweep()


def next_round(play: Play, *seats: int) -> None:
    """The next round, with antes at these seats and the betting closed."""
    play.to_wagers()
    for seat in seats:
        play.bet(seat, ante=100)
    play.lock()


def test_linked_pot_1_a_contribution_is_reported_with_the_chips_of_its_round_in_the_same_decision() -> None:
    play = LinkedPlay().chips_placed(1, 3)
    [announced, contributed] = play.entries_sent
    assert announced.body == Announced()
    assert contributed == Entry(NAME, TABLE, JOURNAL, 2, Contributed(1, 2, 1, 2 * UNITS_E4))
    assert contributed.body.units_e4 == play.meter.contributions_e4  # type: ignore[union-attr]


def test_linked_pot_1_what_goes_back_is_reported_too_and_numbers_have_no_gap() -> None:
    play = LinkedPlay().chips_placed(1, 2, 3)
    end_broken(play)
    next_round(play, 1, 3)  # seat 2 has no bet beside its carried chip, which goes back
    assert play.entries_sent[-1].body == Returned(of=2, chip_count=1, units_e4=UNITS_E4)
    end_broken(play)
    play.say(CloseTable)
    assert play.entries_sent[-1].body == Returned(of=2, chip_count=2, units_e4=2 * UNITS_E4)
    assert [entry.seq for entry in play.entries_sent] == [1, 2, 3, 4]
    play.pit_receives()
    assert not play.ledger.pending and not play.ledger.stopped
    assert play.ledger.pot.contributions_e4 == play.ledger.pot.returned_e4 == 3 * UNITS_E4


def test_linked_pot_1_each_chip_goes_back_out_of_the_entry_that_brought_it() -> None:
    play = LinkedPlay().chips_placed(1, 2)
    end_broken(play)
    play.to_wagers().bet(1, ante=100).bet(2, ante=100).bet(4, ante=100).chips(4)
    play.lock()  # one chip more, in entry 3
    play.change(CorrectWager, seat=4, wager="ante", amount=0, reason="typed")
    assert play.entries_sent[-1].body == Returned(of=3, chip_count=1, units_e4=UNITS_E4)
    play.change(CorrectWager, seat=2, wager="ante", amount=0, reason="typed")
    assert play.entries_sent[-1].body == Returned(of=2, chip_count=1, units_e4=UNITS_E4)
    play.pit_receives()
    assert not play.ledger.pending and play.ledger.pot.returned_e4 == 2 * UNITS_E4


def test_linked_pot_1_an_entry_is_kept_until_the_pit_has_acknowledged_it() -> None:
    play = LinkedPlay().chips_placed(2)
    assert [entry.seq for entry in play.link.kept.unsaid] == [2]
    play.receive(LinkReceived((Through(JOURNAL, 1, 1, 1),)))
    assert [entry.seq for entry in play.link.kept.unsaid] == [2]
    play.pit_receives()
    assert play.link.kept.unsaid == ()


def test_linked_pot_3_an_acknowledgement_that_was_overtaken_or_came_twice_is_not_kept() -> None:
    play = LinkedPlay().chips_placed(2)
    through = Through(JOURNAL, 2, 1, 9)
    assert play.receive(LinkReceived((through, through))) == (LinkRecorded(through),)
    assert play.receive(LinkReceived((Through(JOURNAL, 1, 1, 8),))) == ()
    assert play.link.kept.at == (1, 9)


def test_linked_pot_5_no_chip_counts_in_a_round_that_begins_while_the_pit_is_silent() -> None:
    play = LinkedPlay()
    play.receive(DeviceMissed(device="pit", reason="nothing received"))
    play.to_wagers()
    play.receive(DeviceFound(device="pit", outage_ms=5000, tries=1))  # too late for this round
    play.bet(1, ante=100).chips(1)
    play.lock()
    assert play.round.chips == () and play.times_published("sign_lost", "pit") == 1
    assert len(play.entries_sent) == 1


def test_linked_pot_5_a_round_already_begun_takes_its_chips_and_reports_them_later() -> None:
    play = LinkedPlay()
    play.to_wagers()
    play.receive(DeviceMissed(device="pit", reason="nothing received"))
    play.bet(1, ante=100).chips(1)
    play.lock()
    assert play.round.chips == (1,)


def test_linked_pot_5_a_chip_that_was_carried_counts_in_a_round_that_begins_without_the_pit() -> None:
    play = LinkedPlay().chips_placed(1)
    end_broken(play)
    play.receive(DeviceMissed(device="pit", reason="nothing received"))
    next_round(play, 1)
    assert play.round.chips == (1,) and len(play.entries_sent) == 2


def test_linked_pot_5_before_anything_was_received_of_the_pit_no_chip_counts() -> None:
    play = Play()
    play.receive(JOIN)
    play.to_wagers()
    play.bet(1, ante=100).chips(1)
    play.lock()
    assert play.round.chips == ()


def test_linked_pot_7_what_the_table_has_added_up_is_reported_as_an_entry() -> None:
    play = LinkedPlay().chips_placed(1)
    play.receive(LinkToCount())
    assert play.entries_sent[-1].body == Counted(Totals(chip_count=1, contributed_e4=UNITS_E4))
    play.pit_receives()
    assert play.ledger.stopped == ""


def doubted() -> LinkedPlay:
    """Two chips of a round, where the pit finds more than one unreasonable."""
    play = LinkedPlay()
    play.ledger = new_ledger(
        NAME, GAME, (TABLE, OTHER), MeterOpened(600_000, 0, replace(PARAMETERS, unreasonable_chips=1))
    )
    play.ledger = apply_entry(play.ledger, play.entries_sent[0])
    play.chips_placed(1, 3).pit_receives()
    return play


VOUCHES = {"journal": JOURNAL, "entry": 2, "reason": "on the film", "second": "ana"}


@pytest.mark.parametrize(("outcome", "units"), [("counts", 2 * UNITS_E4), ("never_was", 0)])
def test_linked_pot_8_an_unreasonable_contribution_waits_until_two_persons_vouch_for_it(
    outcome: Any, units: int
) -> None:
    play = doubted()
    assert play.ledger.pot.contributions_e4 == 0 and not play.table.alarms[POT_PENDING].over
    public = project(play.table, react(play.table, 2), play.settings).jackpot
    assert public is not None and public.doubted == (PublicDoubted(JOURNAL, 2, 1, 2, 2 * UNITS_E4 // 10_000),)
    made = play.say(Vouch, "rui", outcome=outcome, **VOUCHES)
    vouched = Vouched(JOURNAL, 2, outcome == "counts", ("rui", "ana"))
    assert made[:2] == (
        LinkVouched(JOURNAL, 2, outcome, actor="rui", reason="on the film", second="ana", second_role="dealer"),
        LinkRecorded(Entry(NAME, TABLE, JOURNAL, 3, vouched)),
    )
    assert play.table.alarms[POT_PENDING].over and play.link.kept.doubted == ()
    play.receive(LinkReceived((Through(JOURNAL, 2, 1, 3, (PendingEntry(JOURNAL, 2),)),)))
    assert play.link.kept.pending_entries == (), "the pit has not received it yet"
    play.pit_receives()
    assert not play.ledger.pending and not play.ledger.stopped and play.ledger.pot.contributions_e4 == units


def test_linked_pot_8_one_of_the_two_is_a_supervisor_and_only_what_waits_is_vouched_for() -> None:
    play = doubted()

    def refused(actor: str = "rui", **changed: object) -> tuple[str, str | None]:
        refusal = play.refused(Vouch, actor, **{"outcome": "counts", **VOUCHES, **changed})
        return refusal.who, refusal.article

    assert refused("ana", second="rui") == ("actor", "policy: roles")
    for second in ("rui", "mei", "zoe", ""):
        assert refused(second=second)[0] == "second"
    assert refused(reason=" ")[0] == "reason"
    assert refused(entry=1)[0] == refused(journal="another")[0] == "entry"
    play.say(Vouch, "rui", outcome="counts", **VOUCHES)
    assert refused()[0] == "entry"
    assert Play().refused(Vouch, "rui", outcome="counts", **VOUCHES).reason.code == "nothing_pending"


def test_linked_pot_8_what_was_pending_before_the_table_kept_it_is_vouched_for_by_its_number() -> None:
    play = doubted()
    assert play.table.link is not None
    kept = replace(play.link.kept, doubted=())
    play.table = replace(play.table, link=replace(play.table.link, kept=kept))
    public = project(play.table, react(play.table, 2), play.settings).jackpot
    assert public is not None and public.doubted == (PublicDoubted(JOURNAL, 2, None, None, None),)
    play.say(Vouch, "rui", outcome="counts", **VOUCHES)
    play.pit_receives()
    assert not play.ledger.pending


def test_linked_pot_9_a_journal_joins_once_and_says_which_one_it_continues_from() -> None:
    play = Play()
    play.receive(LinkConfigured(NAME, TABLE, GAME, JOURNAL, "older", 41, "5f1c"))
    again: tuple[object, ...] = play.receive(JOIN)
    assert again == ()
    assert play.table.link is not None
    [entry] = play.table.link.kept.unsaid
    assert entry.body == Announced("older", 41, "5f1c")


def test_linked_pot_9_an_epoch_is_announced_and_what_was_claimed_before_it_is_paid() -> None:
    play = winning(FLUSH)
    before = play.link.kept
    epoch = LinkConfigured(NAME, TABLE, GAME, f"{JOURNAL}.1", "older", 41, "5f1c")
    play.receive(epoch)
    again: tuple[object, ...] = play.receive(epoch)
    announced = play.entries_sent[-1]
    assert (announced.journal, announced.seq) == (f"{JOURNAL}.1", 1) and again == ()
    assert announced.body == Announced(JOURNAL, before.seq, before.head, before.totals)
    assert play.at("grant") and play.link.returnable == ()
    for entry in play.link.kept.unsaid:
        play.ledger = apply_entry(play.ledger, entry)
    [claim] = waiting_claims(play.ledger)
    play.ledger = grant_claim(play.ledger, claim)
    grant = play.ledger.claims[claim].grant
    assert grant is not None
    play.receive(LinkReceived((GrantReceived(grant),)))
    pay(play)
    play.ledger = apply_entry(play.ledger, play.entries_sent[-1])
    assert play.ledger.claims[claim].paid == grant.amount and play.ledger.stopped == ""


def test_linked_pot_9_a_journal_that_is_not_accepted_yet_takes_no_chip_of_the_round_in_which_it_began() -> None:
    play = LinkedPlay()
    play.to_wagers()
    play.receive(LinkConfigured(NAME, TABLE, GAME, f"{JOURNAL}.1", "older", 41, "5f1c"))
    play.bet(1, ante=100).chips(1)
    play.lock()
    assert isinstance(play.entries_sent[-1].body, Announced) and not play.link.returnable
    assert play.table.round is not None and play.table.round.locked and play.table.round.chips == ()


def test_linked_pot_9_a_journal_reports_what_the_one_after_it_announces(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = configuration(tmp_path)
    command = ["journal", "link", "--config", str(config)]
    play = LinkedPlay().chips_placed(1, 3)
    keep(tmp_path / "state" / "journal.db", play)
    assert main(command) == 0
    notices = capsys.readouterr().out
    assert notices.startswith("# the pit has not acknowledged the last 1")
    kept = play.link.kept
    assert tomllib.loads(notices)["link"]["predecessor"] == {"journal": JOURNAL, "through": 2, "head": kept.head}
    (tmp_path / "state" / "journal.db").unlink()
    keep(tmp_path / "state" / "journal.db", Play())
    assert main(command) == 2 and "joined no linked pot" in capsys.readouterr().err


def test_a_table_without_a_link_reports_nothing() -> None:
    play = Play().to_wagers()
    play.bet(1, ante=100).chips(1)
    play.lock()
    assert play.table.link is None
    assert not any(isinstance(event, LinkRecorded) for event, _ in play.entries)


def test_what_is_kept_of_a_link_comes_out_of_a_checkpoint_as_it_went_in() -> None:
    play = LinkedPlay().chips_placed(1, 2)
    assert msgspec.json.decode(msgspec.json.encode(play.table), type=Table) == play.table


def test_linked_pot_3_sign_and_screens_show_the_linked_pot_and_a_fault_in_turn() -> None:
    play = LinkedPlay().chips_placed(1)
    shown = {
        fault: project(play.table, react(play.table, 2, None, linked), play.settings, linked)
        for fault in (False, True)
        for linked in [Shown(712_345, fault)]
    }
    for fault, public in shown.items():
        assert public.sign is not None
        texts = [page.text for page in public.sign.pages]
        assert public.sign.amount_text == "7,123.45" and "PROGRESSIVE JACKPOT {amount}" in texts
        assert ("JACKPOT LINK DOWN" in texts) is fault
        assert public.jackpot is not None and public.jackpot.linked == Shown(712_345, fault)
        assert public.jackpot.pot == play.meter.pot
        seen = display(public, play.settings)
        assert (seen.pot, seen.pot_fault) == (712_345, fault)
    own = project(play.table, react(play.table, 2), play.settings)
    assert own.jackpot is not None and own.jackpot.linked is None
    assert display(own, play.settings).pot == play.meter.pot


def test_linked_pot_3_before_a_pot_was_received_none_is_shown() -> None:
    play, nothing = LinkedPlay(), Shown(None, True)
    sign = react(play.table, 2, None, nothing).sign
    assert sign is not None and {page.text for page in sign.pages} == {"JACKPOT LINK DOWN", "JACKPOT SEM LIGACAO"}
    assert display(project(play.table, react(play.table, 2), play.settings, nothing), play.settings).pot is None


def winning(deck: tuple[str, ...], others: int = 0) -> LinkedPlay:
    """Every seat of the deck with ante and chip, until the last hand is shown; other tables' chips are in the pot."""
    play = LinkedPlay(deck=stacked(*deck))
    for seq in range(others):
        body = Contributed(1, 6, 1, 6 * UNITS_E4) if seq else Announced()
        play.ledger = apply_entry(play.ledger, Entry(NAME, OTHER, "other", seq + 1, body))
    play.chips_placed(*range(1, len(deck) - 1))
    play.deal().decisions().reveal()
    return play


def test_linked_pot_4_a_hit_is_claimed_first_and_its_round_waits_for_the_grant() -> None:
    play = winning(FLUSH_AND_FOUR, others=4)
    assert play.at("grant") and play.round.settled is None and not play.meter.hits
    [claimed] = play.bodies(Claimed)
    assert (claimed.claim, claimed.round) == (f"{JOURNAL}/1", 1)
    assert [(win.seat, win.tier) for win in claimed.winners] == [(1, "flush"), (2, "four_of_a_kind")]
    assert play.refused(Confirm).reason.code == "another_time"
    play.pit_grants()
    grant = play.ledger.claims[claimed.claim].grant
    assert grant is not None and grant.pot == play.ledger.meter.pot + sum(award.from_pot for award in grant.awards)
    assert grant.pot > play.meter.pot, "what the other tables brought is in it"
    assert play.at("confirm") and play.round.settlement is not None and play.round.settlement.jackpot
    assert tuple(play.round.settlement.jackpot.awards) == grant.awards
    assert [hit.amount for hit in play.meter.hits] == [award.amount for award in grant.awards]


def test_linked_pot_4_two_persons_pay_and_the_pit_is_notified_once_all_of_it_is_paid() -> None:
    play = winning(FLUSH_AND_FOUR)
    before = play.meter
    play.pit_grants()
    play.say(Confirm)
    for hit in play.meter.hits:
        assert play.bodies(Paid) == []
        play.say(ConfirmHit, hit=hit.hit)
        play.say(ConfirmHit, "rui", hit=hit.hit)
    [paid] = play.bodies(Paid)
    assert paid.amount == sum(hit.amount for hit in play.meter.hits)
    play.pit_receives()
    assert play.ledger.claims[paid.claim].paid == paid.amount and play.ledger.stopped == ""
    assert (play.meter.pot_e4, play.meter.pending_e4) == (before.pot_e4, 0), "it came out of the pit's pot"
    play.until("begin")
    play.receive(LinkToCount())
    play.pit_receives()
    assert play.ledger.stopped == ""


def test_linked_pot_6_a_grant_that_comes_again_pays_nothing_twice() -> None:
    play = winning(FLUSH)
    play.pit_grants()
    [claim] = play.link.kept.hits.values()
    assert claim.grant is not None and claim.state == "granted"
    assert play.receive(LinkReceived((GrantReceived(claim.grant),))) == ()
    assert len(play.meter.hits) == 1


def test_linked_pot_6_a_grant_of_a_claim_that_is_forgotten_keeps_no_other_news_away() -> None:
    play = winning(FLUSH)
    play.pit_grants()
    [claim] = play.link.kept.hits.values()
    assert claim.grant is not None
    forgotten = GrantReceived(replace(claim.grant, claim="long ago"))
    learnt = replace(LEARNT, terms_number=2)
    assert play.receive(LinkReceived((forgotten, learnt))) == (LinkRecorded(learnt),)


def test_linked_pot_4_a_correction_that_changes_no_winner_keeps_the_claim() -> None:
    play = winning(FLUSH)
    play.change(CorrectWager, seat=1, wager="ante", amount=200, reason="typed")
    assert play.at("grant") and len(play.bodies(Claimed)) == 1
    play.pit_grants()
    [hit] = play.meter.hits
    play.change(CorrectWager, seat=1, wager="ante", amount=300, reason="typed")
    assert play.at("confirm") and [known.amount for known in play.meter.hits] == [hit.amount]
    assert len(play.bodies(Claimed)) == 1 and play.bodies(Withdrawn) == []


@pytest.mark.parametrize("granted", [False, True], ids=["waits", "granted"])
def test_linked_pot_4_a_correction_that_changes_the_winners_withdraws_the_claim(granted: bool) -> None:
    play = winning(FLUSH_AND_FOUR)
    if granted:
        play.pit_grants()
    play.change(CorrectCards, "rui", to="seat 2", cards="7h 7d 8c", reason="misread")
    [first, second] = play.bodies(Claimed)
    assert [body.claim for body in play.bodies(Withdrawn)] == [first.claim]
    assert [win.seat for win in second.winners] == [1] and second.claim == f"{JOURNAL}/1/2"
    play.pit_grants()
    assert play.at("confirm") and [hit.seat for hit in play.meter.hits] == [1]
    assert play.ledger.claims[first.claim].withdrawn and play.ledger.stopped == ""


@pytest.mark.parametrize("granted", [False, True], ids=["waits", "granted"])
def test_linked_pot_4_a_round_that_is_broken_off_withdraws_its_claim(granted: bool) -> None:
    play = winning(FLUSH)
    if granted:
        play.pit_grants()
    play.say(VoidRound, "rui", reason="fire")
    [claimed] = play.bodies(Claimed)
    assert play.bodies(Withdrawn) == [Withdrawn(claimed.claim)] and not play.meter.hits
    assert (play.meter.pending_e4, play.meter.house_funded_e4) == (0, 0)
    assert play.at("confirm") and play.round.settled is not None
    play.pit_grants()
    assert play.ledger.claims[claimed.claim].withdrawn and play.ledger.stopped == ""


def test_linked_pot_4_a_grant_of_other_awards_than_the_regulation_gives_settles_nothing() -> None:
    play = winning(FLUSH)
    play.pit_receives()
    grant = grant_of(play)
    [award] = grant.awards
    play.receive(LinkReceived((GrantReceived(replace(grant, awards=(replace(award, amount=award.amount + 1),))),)))
    assert play.at("grant") and not play.meter.hits


PAPER = {"reason": "form 12", "second": "ana"}
POT = 700_000


def on_paper(deck: tuple[str, ...] = FLUSH_AND_FOUR) -> LinkedPlay:
    """A round that has won, and its pit is away."""
    play = winning(deck, others=4)
    play.receive(DeviceMissed(device="pit", reason="nothing received"))
    return play


def of_the_pot(play: AtTheLink, pot: int) -> tuple[int, ...]:
    """What the regulation gives of it."""
    [claimed] = play.bodies(Claimed)
    terms = JackpotTerms(pot, PARAMETERS.minimum, PARAMETERS.fixed)
    return tuple(award.amount for award in GAMES[GAME].award(claimed.winners, PARAMETERS.chip, terms).awards)


def pay(play: AtTheLink) -> None:
    play.say(Confirm)
    for hit in play.meter.hits:
        play.say(ConfirmHit, hit=hit.hit)
        play.say(ConfirmHit, "rui", hit=hit.hit)


def test_linked_pot_5_without_the_pit_a_hit_waits_and_a_stale_display_pays_nothing() -> None:
    play = on_paper()
    public = project(play.table, react(play.table, 2), play.settings, Shown(712_345, True))
    assert play.at("grant") and not play.meter.hits and play.bodies(SettledOnPaper) == []
    assert "two persons settle it on paper" in public.step.prompt["en"]
    assert public.jackpot is not None and public.jackpot.claimed
    assert [win.seat for win in public.jackpot.claimed] == [1, 2]
    play.receive(DeviceFound(device="pit", outage_ms=5000, tries=1))
    assert "wait until the pit says" in project(play.table, react(play.table, 2), play.settings).step.prompt["en"]


def test_linked_pot_5_two_persons_settle_a_hit_on_paper_pay_it_and_the_pit_is_notified() -> None:
    play = on_paper()
    amounts = of_the_pot(play, POT)
    [claimed] = play.bodies(Claimed)
    made = play.say(SettleOnPaper, "rui", pot=POT, amounts=amounts, **PAPER)
    assert made[0] == LinkOnPaper(
        claimed.claim, POT, amounts, actor="rui", reason="form 12", second="ana", second_role="dealer"
    )
    assert play.at("confirm") and tuple(hit.amount for hit in play.meter.hits) == amounts
    assert play.round.settlement is not None and play.round.settlement.jackpot
    assert play.round.settlement.jackpot.pot_before == POT
    assert play.bodies(SettledOnPaper) == [], "nothing is paid yet"
    pay(play)
    assert play.bodies(SettledOnPaper) == [SettledOnPaper(claimed.claim, sum(amounts), ("rui", "ana"))]
    assert play.bodies(Paid) == [] and play.meter.pending_e4 == 0
    play.until("begin")


def test_linked_pot_5_an_alarm_says_that_the_link_is_broken_though_the_pit_was_lost_before() -> None:
    play = LinkedPlay()
    play.receive(DeviceMissed(device="pit", reason="nothing received", cause="unreachable"))
    [lost] = alarms(play.table, play.settings)
    play.receive(LinkReceived((Broken("older_copy"),)))
    [broken] = alarms(play.table, play.settings)
    assert lost.name == broken.name == "device-pit" and lost.code != broken.code
    assert broken.code == "device_lost/broken"


def test_linked_pot_5_two_rounds_hits_that_are_settled_on_paper_are_both_paid_so() -> None:
    play = on_paper()
    amounts = of_the_pot(play, POT)
    play.say(SettleOnPaper, "rui", pot=POT, amounts=amounts, **PAPER)
    play.say(Confirm)
    play.receive(DeviceFound(device="pit", outage_ms=5000, tries=1))
    play.until("begin")
    play.chips_placed(1, 2).deal().decisions().reveal()
    play.receive(DeviceMissed(device="pit", reason="nothing received"))
    play.say(SettleOnPaper, "rui", pot=POT, amounts=amounts, **PAPER)
    assert [paper.amount for paper in play.link.papers] == [sum(amounts)] * 2
    pay(play)
    first, second = play.bodies(Claimed)
    persons = "rui", "ana"
    assert play.bodies(SettledOnPaper) == [SettledOnPaper(hit.claim, sum(amounts), persons) for hit in (first, second)]
    assert not play.link.papers and play.bodies(Paid) == []


@pytest.mark.parametrize("less", [0, 100_000], ids=["as granted", "another"])
def test_linked_pot_5_the_pit_holds_the_paper_against_its_grant(less: int) -> None:
    play = on_paper(("9s 8s 7s", "2s 5s 9h", "Qd 9c 4h", "3c Js Ts"))
    play.pit_receives()
    pot = play.ledger.pot.pot - less
    play.say(SettleOnPaper, "rui", pot=pot, amounts=of_the_pot(play, pot), **PAPER)
    pay(play)
    paid = play.meter.paid_e4
    play.pit_grants()
    assert play.meter.paid_e4 == paid and play.ledger.pot.paid_e4 == paid, "what comes back pays nothing more"
    assert play.ledger.stopped == ("paper_differs" if less else "")
    [hit] = play.link.kept.hits.values()
    assert hit.state == "on_paper" and hit.grant is not None
    play.until("begin")
    play.receive(LinkToCount())
    stopped = play.ledger.stopped
    play.pit_receives()
    assert play.ledger.stopped == stopped


def test_linked_pot_5_a_grant_that_comes_before_the_paper_is_paid_changes_nothing_at_the_table() -> None:
    play = on_paper()
    amounts = of_the_pot(play, POT)
    play.say(SettleOnPaper, "rui", pot=POT, amounts=amounts, **PAPER)
    play.receive(DeviceFound(device="pit", outage_ms=5000, tries=1))
    play.pit_grants()
    play.change(CorrectWager, seat=1, wager="ante", amount=200, reason="typed")
    assert play.at("confirm") and tuple(hit.amount for hit in play.meter.hits) == amounts
    pay(play)
    assert [body.amount for body in play.bodies(SettledOnPaper)] == [sum(amounts)] and play.bodies(Paid) == []
    play.pit_receives()
    assert play.ledger.pot.paid_e4 == sum(amounts) * 10_000


def test_linked_pot_5_only_the_sums_that_the_regulation_gives_of_a_possible_pot_are_settled_on_paper() -> None:
    play = on_paper()
    amounts = of_the_pot(play, POT)

    def refused(actor: str = "rui", **changed: object) -> tuple[str, str | None]:
        refusal = play.refused(SettleOnPaper, actor, **{"pot": POT, "amounts": amounts, **PAPER, **changed})
        return refusal.who, refusal.reason.code

    assert refused("ana", second="rui") == ("actor", "only_supervisor")
    for second in ("rui", "mei", "zoe", ""):
        assert refused(second=second)[0] == "second"
    assert refused(reason="")[0] == "reason"
    for pot in (0, -1, PARAMETERS.ceiling + 1):
        assert refused(pot=pot) == ("pot", "no_such_pot")
    for wrong in ((), amounts[:1], (*amounts, 1)):
        assert refused(amounts=wrong) == ("amount", "each_winner")
    assert refused(amounts=(amounts[0], amounts[1] * 10)) == ("seat 2", "not_of_that_pot")
    play.receive(DeviceFound(device="pit", outage_ms=5000, tries=1))
    assert refused() == ("jackpot", "pit_connected")
    play.pit_grants()
    assert refused() == ("table", "another_time")
    assert not play.link.papers


@pytest.mark.parametrize("end", ["corrected", "broken off"])
def test_linked_pot_5_what_was_settled_on_paper_goes_with_its_claim(end: str) -> None:
    play = on_paper()
    play.say(SettleOnPaper, "rui", pot=POT, amounts=of_the_pot(play, POT), **PAPER)
    [first] = play.bodies(Claimed)
    if end == "corrected":
        play.change(CorrectCards, "rui", to="seat 2", cards="7h 7d 8c", reason="misread")
        assert play.at("grant") and len(play.bodies(Claimed)) == 2
    else:
        play.say(VoidRound, "rui", reason="fire")
        assert play.at("confirm") and not play.meter.hits
    assert play.bodies(Withdrawn) == [Withdrawn(first.claim)] and not play.link.papers
    play.pit_grants()
    assert play.at("confirm") and play.bodies(SettledOnPaper) == [] and play.ledger.stopped == ""


def test_linked_pot_5_a_prize_that_is_won_as_the_round_breaks_is_settled_on_paper_too() -> None:
    play = LinkedHands("Ac Tc 9h Ac 9c 8h Ah")
    play.to_wagers().place_bet(1, 200).place_bet(2, 200).chips(1, 2).until("deal").decides("hit")
    play.proceed()
    play.say(VoidRound, "rui", reason="fire")
    play.receive(DeviceMissed(device="pit", reason="nothing received"))
    play.say(SettleOnPaper, "rui", pot=POT, amounts=(250 * CHIP,), **PAPER)
    assert play.at("confirm") and [(hit.seat, hit.amount) for hit in play.meter.hits] == [(1, 250 * CHIP)]
    play.until("claims").pay()
    play.pit_grants()
    assert [body.amount for body in play.bodies(SettledOnPaper)] == [250 * CHIP] and play.ledger.stopped == ""


def test_linked_pot_4_a_round_that_wins_nothing_waits_for_no_one() -> None:
    play = winning(("2s 5h 9s", "Qd 9c 4h", "3c Ks 7s"))
    assert play.at("confirm") and play.bodies(Claimed) == []


def test_a_consumer_sees_that_a_round_waits_for_its_grant() -> None:
    play = winning(FLUSH)
    public = project(play.table, react(play.table, 2), play.settings)
    messages = Retained(IDENTITY).of(public, 1, "2026-03-14T14:33:24.184Z", 1, play.meter)
    step = msgspec.json.decode(messages["dealer/site/t1/state"])["data"]["step"]
    assert (step["kind"], step["id"]) == ("grant", "1/grant")


def test_linked_pot_4_a_prize_that_is_won_as_the_round_breaks_waits_for_its_grant_too() -> None:
    play = LinkedHands("Ac Tc 9h Ac 9c 8h Ah")
    play.to_wagers().place_bet(1, 200).place_bet(2, 200).chips(1, 2).until("deal").decides("hit")
    play.proceed()
    play.say(VoidRound, "rui", reason="fire")
    assert play.at("grant") and play.round.void is not None and play.round.settled is None and not play.meter.hits
    play.pit_grants()
    assert play.at("confirm") and [(hit.seat, hit.tier) for hit in play.meter.hits] == [(1, "three_aces")]
    play.until("claims").pay()
    play.pit_receives()
    [paid] = play.bodies(Paid)
    assert paid.amount == play.ledger.claims[paid.claim].paid == 250 * CHIP and play.ledger.stopped == ""


def test_linked_pot_4_what_was_granted_stays_and_is_paid_though_the_round_breaks() -> None:
    play = LinkedHands("Ac Tc 9h Ad 9c 8h")
    play.to_wagers().place_bet(1, 200).place_bet(2, 200).chips(1, 2).until("grant")
    play.pit_grants()
    play.say(VoidRound, "rui", reason="fire")
    assert play.bodies(Withdrawn) == [] and [hit.amount for hit in play.meter.hits] == [25 * CHIP]
    play.until("claims").pay()
    play.pit_receives()
    assert [body.amount for body in play.bodies(Paid)] == [25 * CHIP] and play.ledger.stopped == ""


def test_linked_pot_4_a_card_too_many_for_the_bank_of_blackjack_is_taken_as_before_at_the_step_grant() -> None:
    play = LinkedHands("Ac Tc 9h Ad 9c 8h")
    play.to_wagers().place_bet(1, 200).place_bet(2, 200).chips(1, 2).until("grant")
    play.draw()
    assert play.times_published("bank_card_too_many") == 1 and play.at("grant")
    play.pit_grants()
    assert play.at("confirm")


def test_linked_pot_4_a_hit_says_what_pot_and_house_gave_though_neither_was_on_the_tables_meter(tmp_path: Path) -> None:
    play = winning(("9s 8s 7s", "2s 5s 9h", "Qd 9c 4h", "3c Js Ts"))
    before = play.meter
    play.pit_grants()
    [claim] = play.ledger.claims.values()
    assert claim.grant is not None
    given = [(award.from_pot, award.from_house) for award in claim.grant.awards]
    assert any(pot for pot, _ in given) and play.meter.pot_e4 == before.pot_e4
    pay(play)
    keep(tmp_path / "j.db", play)
    payments = read_payments(tmp_path / "j.db", "simulation")
    slips = [slip_of(payment, IDENTITY) for payment in payments]
    assert [(slip.from_pot, slip.from_house) for slip in slips] == given
    for bundle in bundles(play.events):
        assert verify(bundle)["verdict"] == "agrees"


@pytest.mark.parametrize("end", ["paid", "corrected", "broken off", "on paper"])
def test_a_linked_journal_is_decided_again_as_it_was(end: str) -> None:
    play = on_paper() if end == "on paper" else winning(FLUSH_AND_FOUR)
    if end == "on paper":
        play.say(SettleOnPaper, "rui", pot=POT, amounts=of_the_pot(play, POT), **PAPER)
    play.pit_grants()
    if end == "corrected":
        play.change(CorrectCards, "rui", to="seat 2", cards="7h 7d 8c", reason="misread")
        play.pit_grants()
    elif end == "broken off":
        play.say(VoidRound, "rui", reason="fire")
    pay(play)
    play.until("begin").to_wagers()
    again = decided_again(play)
    assert again.rounds == 2


def decided_again(play: Play) -> JournalReplay:
    rows = [
        Written(place + 1, event, play.now, drawn, play.inputs.get(place))
        for place, (event, drawn) in enumerate(play.entries)
    ]
    again = JournalReplay(Table())
    assert [*again.take(rows, last=True)] == [] and again.table == play.table
    return again


def test_what_two_persons_vouched_for_is_decided_again_as_it_was() -> None:
    play = doubted()
    before = decided_again(play).decided
    play.say(Vouch, "rui", outcome="counts", **VOUCHES)
    assert decided_again(play).decided == before + 1


# ---- grants that are doubted, and the keys of the pit

COMPARED = {"reason": "the page has it", "second": "ana"}


def grant_of(play: AtTheLink, pot: int | None = None) -> Grant:
    """What the pit grants for the last claim, or would grant of another pot."""
    [claimed] = play.bodies(Claimed)[-1:]
    kept = play.ledger.claims[claimed.claim]
    if kept.grant is None:
        play.ledger = grant_claim(play.ledger, claimed.claim)
    grant = play.ledger.claims[claimed.claim].grant
    assert grant is not None
    if pot is None:
        return grant
    terms = JackpotTerms(pot, PARAMETERS.minimum, PARAMETERS.fixed)
    awards = GAMES[GAME].award(claimed.winners, PARAMETERS.chip, terms).awards
    return replace(grant, pot=pot, awards=tuple(awards))


STRAIGHT_FLUSH = ("5s 6s 9s", "Qd 9c 4h", "2d 7s 8s")


def raced() -> tuple[LinkedPlay, Grant, Grant]:
    """A forged grant was received before the true one; and both grants."""
    play = winning(STRAIGHT_FLUSH, 4)
    play.pit_receives()
    true, forged = grant_of(play), grant_of(play, 900_000)
    assert true.amount != forged.amount
    play.receive(LinkReceived((GrantReceived(forged),)))
    play.receive(LinkReceived((Doubted(true.claim, ANOTHER_GRANT, true), Broken(ANOTHER_GRANT))))
    return play, true, forged


def test_linked_pot_2_while_two_grants_differ_no_hit_of_the_claim_is_paid() -> None:
    play, true, forged = raced()
    assert not play.table.alarms[GRANT_PENDING].over
    play.say(Confirm)
    [hit] = play.meter.hits
    assert hit.amount == forged.amount
    for actor in ("ana", "rui"):
        refusal = play.refused(ConfirmHit, actor, hit=hit.hit)
        assert refusal.reason.code == "grant_doubted"
    public = project(play.table, react(play.table, 2), play.settings).jackpot
    assert public is not None and public.blocked[hit.hit].code == "grant_doubted"
    assert public.compared == (PublicComparison(true.claim, 1, ANOTHER_GRANT),)
    for who, changed in (
        ("amount", {"amount": 1}),
        ("claim", {"claim": "none"}),
        ("second", {"second": "rui"}),
        ("reason", {"reason": ""}),
    ):
        notices = {"claim": true.claim, "amount": true.amount, **COMPARED, **changed}
        assert play.refused(CompareGrant, "rui", **notices).who == who


def test_linked_pot_2_what_two_persons_read_on_the_page_of_the_pit_is_paid() -> None:
    play, true, _forged = raced()
    play.say(CompareGrant, "rui", claim=true.claim, amount=true.amount, **COMPARED)
    assert [hit.amount for hit in play.meter.hits] == [true.amount] and play.table.alarms[GRANT_PENDING].over
    pay(play)
    [paid] = play.bodies(Paid)
    assert paid.amount == true.amount
    play.pit_receives()
    assert play.ledger.claims[true.claim].paid == true.amount and not play.ledger.stopped
    decided_again(play)


def test_linked_pot_2_a_round_that_is_confirmed_by_the_wrong_grant_pays_nothing_by_it() -> None:
    play, true, _forged = raced()
    play.say(Confirm)
    play.say(CompareGrant, "rui", claim=true.claim, amount=true.amount, **COMPARED)
    assert not play.meter.hits and play.meter.pending_e4 == 0
    [paper] = play.bodies(SettledOnPaper)
    assert (paper.amount, paper.persons) == (true.amount, ("rui", "ana"))
    play.pit_receives()
    assert play.ledger.claims[true.claim].paid == true.amount and not play.ledger.stopped
    play.until("begin")
    decided_again(play)


def test_linked_pot_2_a_doubted_grant_settles_once_two_persons_have_compared_it() -> None:
    play = winning(FLUSH)
    play.pit_receives()
    grant = grant_of(play)
    play.receive(LinkReceived((GrantReceived(grant, POT_TOO_HIGH),)))
    assert play.at("grant") and not play.meter.hits and not play.table.alarms[GRANT_PENDING].over
    play.say(CompareGrant, "rui", claim=grant.claim, amount=grant.amount, **COMPARED)
    assert [hit.amount for hit in play.meter.hits] == [grant.amount] and play.table.alarms[GRANT_PENDING].over
    pay(play)
    decided_again(play)


def test_linked_pot_2_other_keys_of_the_pit_wait_until_two_persons_accept_them() -> None:
    play = LinkedPlay().chips_placed(1)
    play.receive(LinkReceived((Learnt(10**15, 1, 1, PARAMETERS), Broken(WENT_BACK))))
    joined = LinkConfigured(NAME, TABLE, GAME, JOURNAL, keys=("a", "b"))
    assert play.receive(joined) == (PitKeysConfigured(("a", "b")),)
    assert play.receive(replace(joined, keys=("b", "a"))) == ()
    public = project(play.table, react(play.table, 2), play.settings).jackpot
    assert public is not None and public.pit_keys == ("a", "b") and public.pit_waits
    assert play.refused(AcceptPit, "ana", keys=("a", "b"), **COMPARED).who == "actor"
    assert play.refused(AcceptPit, "rui", keys=("a",), **COMPARED).who == "keys"
    play.say(AcceptPit, "rui", keys=("a", "b"), **COMPARED)
    kept = play.link.kept
    assert play.link.keys == ("a", "b") and (kept.learnt, kept.at, kept.broken) == (None, (0, 0), "")
    assert kept.unsaid and kept.resets == 1, "what the table has not been acknowledged is sent"
    public = project(play.table, react(play.table, 2), play.settings).jackpot
    assert public is not None and not public.pit_waits
    decided_again(play)
    assert Play().refused(AcceptPit, "rui", keys=(), **COMPARED).reason.code == "other_keys"
