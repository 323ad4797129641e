"""A table's side of a linked pot: what it says, shows and pays."""

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from controller.link.messages import (
    Acknowledged,
    Announced,
    Claimed,
    Contributed,
    Counted,
    Entry,
    Granted,
    Paid,
    PendingEntry,
    PitAnswer,
    Pot,
    Totals,
    WentBack,
    contributable,
)
from controller.link.table import (
    ANOTHER_GRANT,
    OLDER_COPY,
    OTHER_TERMS,
    POT_TOO_HIGH,
    RECENT_HITS,
    WENT_BACK,
    WINDOW,
    Broken,
    Event,
    Learnt,
    NotNow,
    Shown,
    TableAtLink,
    Through,
    compared,
    forgotten,
)
from controller.pit.leader import Leader
from controller.pit.ledger.state import AcceptLoss, Ahead, DecisionRefused, PitDecision, Release, Resume
from controller.rulebook.games import GAMES
from tests.link.entries import FORTUNE, PARAMETERS, TO_POT, TO_RESERVE, Teller, wins

POT = Pot("link", 3, 10, 50, 20_100, 1, 1, PARAMETERS, 2)


class Joined:
    """A table with the pit at its ear: what it decides is durable at once."""

    def __init__(self) -> None:
        self.teller = Teller()
        self.disk: list[Event] = []
        self.table = TableAtLink("link", FORTUNE, "t1")
        self.do(self.table.begin("t1-1"))
        self.do(self.table.receive_pot(POT, 100.0, retained=False))
        self.do(self.table.receive(self.acknowledged(1)))

    def do(self, events: list[Event]) -> Event:
        self.disk += events
        self.table.apply(events)
        return events[-1] if events else Through("", 0, 0, 0)

    def acknowledged(self, through: int, **other: Any) -> Acknowledged:
        return replace(Acknowledged("link", "t1", "t1-1", through, 3, 40 + through), **other)

    def claimed(self) -> str:
        """A round that has won, at the table and at the pit."""
        entry = self.do(self.table.claim(1, wins((2, "straight_flush"))))
        assert isinstance(entry, Entry) and isinstance(entry.body, Claimed)
        self.teller.say("t1", entry.body)
        return entry.body.claim

    def granted(self, claim: str, **other: Any) -> Granted:
        return Granted("link", "t1", 3, 50, replace(self.teller.grant(claim), **other))


def pot(**other: Any) -> Pot:
    return replace(POT, **other)


# ---- what it shows


def test_the_pot_is_shown_for_three_seconds_and_then_with_the_fault_sign() -> None:
    joined = Joined()
    assert joined.table.shown(102.9) == Shown(20_100, fault=False) and joined.table.takes_chips(102.9)
    assert joined.table.shown(103.0) == Shown(20_100, fault=True) and not joined.table.takes_chips(103.0)
    joined.do(joined.table.receive_pot(pot(beat=11), 110.0, retained=False))
    assert joined.table.takes_chips(112.9)


def test_a_table_that_has_received_nothing_shows_nothing_and_takes_no_chip() -> None:
    table = TableAtLink("link", FORTUNE, "t1")
    assert table.shown(0.0) == Shown(None, fault=True) and not table.takes_chips(0.0)


def test_a_retained_pot_is_shown_and_proves_no_one_alive() -> None:
    joined = Joined()
    joined.do(joined.table.receive_pot(pot(beat=11, pot=20_300), 104.0, retained=True))
    assert joined.table.shown(104.0) == Shown(20_300, fault=True)


@pytest.mark.parametrize("old", [pot(beat=10), pot(beat=9), pot(epoch=2, beat=99), pot(beat=11, link="other")])
def test_an_old_pot_is_none(old: Pot) -> None:
    joined = Joined()
    assert joined.table.receive_pot(replace(old, pot=1), 105.0, retained=False) == []
    assert joined.table.shown(105.0) == Shown(20_100, fault=True)


def test_a_higher_epoch_begins_its_beats_again_and_is_remembered_over_a_start() -> None:
    joined = Joined()
    joined.do(joined.table.receive_pot(pot(epoch=4, beat=1), 101.0, retained=False))
    again = TableAtLink("link", FORTUNE, "t1", joined.disk)
    assert again.receive_pot(pot(beat=99), 101.0, retained=False) == []
    assert again.receive(joined.acknowledged(9)) == [] and again.shown(101.0) == Shown(None, fault=True)


def test_a_link_that_is_stopped_takes_no_chip() -> None:
    joined = Joined()
    joined.do(joined.table.receive_pot(pot(beat=11, stopped="meters_differ"), 101.0, retained=False))
    assert joined.table.shown(101.0).fault and not joined.table.takes_chips(101.0)


# ---- what it says


def test_an_entry_is_sent_again_until_it_is_acknowledged() -> None:
    joined = Joined()
    entry = joined.do(joined.table.contribute(1, 3))
    assert entry == Entry("link", "t1", "t1-1", 2, Contributed(1, 3, 1, 3 * (TO_POT + TO_RESERVE)))
    assert [joined.table.due(at) for at in (1.0, 1.9, 2.0, 2.5)] == [[entry], [], [entry], []]
    again = TableAtLink("link", FORTUNE, "t1", joined.disk)
    assert again.due(1.0) == [entry], "over a start too"
    joined.do(joined.table.receive(joined.acknowledged(2)))
    assert joined.table.due(9.0) == []
    assert joined.table.receive(joined.acknowledged(2)) == joined.table.receive(joined.acknowledged(1)) == [], (
        "that is known"
    )


def test_what_is_not_durable_is_not_sent() -> None:
    joined = Joined()
    joined.table.contribute(1, 3)
    assert joined.table.due(1.0) == [] and joined.table.kept.seq == 1


def test_so_many_are_under_way_at_once() -> None:
    joined = Joined()
    for round in range(2 * WINDOW):
        joined.do(joined.table.contribute(round, 1))
    assert [entry.seq for entry in joined.table.due(1.0)] == list(range(2, 2 + WINDOW))
    joined.do(joined.table.receive(joined.acknowledged(11)))
    assert [entry.seq for entry in joined.table.due(1.1)] == list(range(2 + WINDOW, 12 + WINDOW))


def test_a_journal_takes_no_chip_before_the_pit_has_accepted_it() -> None:
    joined = Joined()
    joined.do(joined.table.contribute(1, 1))
    joined.do(joined.table.begin("t1-2"))
    with pytest.raises(NotNow, match="not_linked"):
        joined.table.contribute(2, 1)
    assert not joined.table.takes_chips(101.0)
    assert [entry.journal for entry in joined.table.due(1.0)] == ["t1-1", "t1-2"], "the end of the last one first"
    joined.do(joined.table.receive(joined.acknowledged(1, journal="t1-2")))
    assert joined.table.takes_chips(101.0) and joined.table.kept.totals == Totals()


def test_a_refused_journal_breaks_the_link_until_it_is_accepted() -> None:
    joined = Joined()
    joined.do(joined.table.begin("t1-2"))
    refused = joined.acknowledged(0, journal="t1-2", refused="another_checkpoint", revision=41)
    joined.do(joined.table.receive(refused))
    assert joined.table.kept.broken == "another_checkpoint" and not joined.table.takes_chips(101.0)
    joined.do(joined.table.receive(joined.acknowledged(1, journal="t1-2", revision=42)))
    assert joined.table.takes_chips(101.0)
    assert joined.table.receive(refused) == [], "one that was overtaken"


def test_two_persons_vouch_for_what_waits() -> None:
    joined = Joined()
    entry = joined.do(joined.table.contribute(1, 9))
    assert isinstance(entry, Entry)
    with pytest.raises(NotNow, match="nothing_waits"):
        joined.table.vouch("t1-1", entry.seq, True, ("ana", "rui"))
    joined.do(joined.table.receive(joined.acknowledged(2, pending_entries=(PendingEntry("t1-1", 2),))))
    with pytest.raises(NotNow, match="two_persons"):
        joined.table.vouch("t1-1", entry.seq, True, ("ana", "ana"))
    joined.do(joined.table.vouch("t1-1", entry.seq, True, ("ana", "rui")))
    joined.do(joined.table.receive(joined.acknowledged(2, pending_entries=(PendingEntry("t1-1", 2),))))
    with pytest.raises(NotNow, match="nothing_waits"):
        joined.table.vouch("t1-1", entry.seq, True, ("ana", "rui"))


def test_a_table_counts_what_its_journal_adds_up_to() -> None:
    joined = Joined()
    given = joined.do(joined.table.contribute(1, 3))
    assert isinstance(given, Entry)
    joined.do(joined.table.give_back(given, 1))
    entry = joined.do(joined.table.count(0.0))
    units = TO_POT + TO_RESERVE
    assert isinstance(entry, Entry) and entry.body == Counted(Totals(2, 3 * units, units))


def test_a_table_counts_once_a_start_an_hour_and_a_pot() -> None:
    joined = Joined()
    assert joined.table.is_to_count(100.0)
    joined.do(joined.table.count(100.0))
    assert not joined.table.is_to_count(3699.0) and joined.table.is_to_count(3700.0)
    joined.do(joined.table.receive_pot(pot(beat=11, cycle=2), 200.0, retained=False))
    assert joined.table.is_to_count(200.0)
    joined.do(joined.table.count(200.0))
    assert not joined.table.is_to_count(3799.0)
    again = TableAtLink("link", FORTUNE, "t1", joined.disk)
    assert not again.is_to_count(0.0)
    again.receive(joined.acknowledged(3))
    assert again.is_to_count(0.0)


@pytest.mark.parametrize("kind", ["pot", "acknowledged"])
def test_a_pit_that_has_lost_what_it_had_is_noticed(kind: str) -> None:
    joined = Joined()
    if kind == "pot":
        joined.do(joined.table.receive_pot(pot(beat=11, revision=30), 101.0, retained=False))
        assert not joined.table.kept.broken, "in the same epoch it was overtaken"
        joined.do(joined.table.receive_pot(pot(epoch=4, beat=1, revision=40), 101.0, retained=False))
    else:
        assert joined.table.receive(joined.acknowledged(1, revision=40)) == []
        joined.do(joined.table.receive(joined.acknowledged(1, revision=40, epoch=4)))
    assert joined.table.kept.broken == WENT_BACK and not joined.table.takes_chips(101.0)
    joined.do(joined.table.contribute(1, 1))
    joined.do(joined.table.receive(joined.acknowledged(2)))
    assert joined.table.kept.broken == WENT_BACK


@pytest.mark.parametrize(("through", "why"), [(1, WENT_BACK), (4, OLDER_COPY)])
def test_a_pit_and_a_table_that_count_the_same_journal_otherwise_are_noticed_at_whatever_revision(
    through: int, why: str
) -> None:
    joined = Joined()
    for round in (1, 2):
        joined.do(joined.table.contribute(round, 1))
    joined.do(joined.table.receive(joined.acknowledged(2)))
    joined.do(joined.table.receive(joined.acknowledged(through, revision=90, epoch=4)))
    assert joined.table.kept.broken == why and not joined.table.takes_chips(101.0)
    joined.do(joined.table.receive(joined.acknowledged(3, revision=91, epoch=4)))
    assert joined.table.kept.broken == why


@pytest.mark.parametrize("lost", ["entries", "journal"])
def test_a_pit_without_the_entries_before_one_says_so_and_is_noticed(lost: str) -> None:
    joined = Joined()
    for round in (1, 2):
        joined.do(joined.table.contribute(round, 1))
    joined.do(joined.table.receive(joined.acknowledged(3)))
    entry = joined.do(joined.table.contribute(3, 1))
    assert isinstance(entry, Entry)
    ledger = replace(joined.teller.ledger, revision=90)
    if lost == "journal":
        ledger = replace(ledger, journals={}, current={})
    leader = Leader(ledger, epoch=4)
    [answer] = leader.receive(entry)
    assert isinstance(answer, Acknowledged) and answer.through == (0 if lost == "journal" else 1)
    joined.do(joined.table.receive(answer))
    assert joined.table.kept.broken == WENT_BACK


def test_a_gap_that_is_filled_already_is_not_answered() -> None:
    joined = Joined()
    second, third = (joined.do(joined.table.contribute(round, 1)) for round in (1, 2))
    assert isinstance(second, Entry) and isinstance(third, Entry)
    leader = Leader(joined.teller.ledger, epoch=3)
    assert leader.receive(second) == leader.receive(third) == []


def test_an_older_copy_says_and_counts_and_believes_nothing_more() -> None:
    joined = Joined()
    claim = joined.claimed()
    joined.do(joined.table.receive(joined.acknowledged(9)))
    assert joined.table.kept.broken == OLDER_COPY
    for _ in range(8):
        joined.do(joined.table.count(0.0))
    assert joined.table.due(100.0) == [] and not joined.table.is_to_count(99_999.0)
    assert joined.table.receive(joined.acknowledged(9, revision=60)) == [], "though it has as many by now"
    assert joined.table.receive(joined.granted(claim)) == [], "it may be of a round that the copy has not"
    joined.do(joined.table.begin("t1-2"))
    assert not joined.table.kept.broken and joined.table.due(200.0)


class Led(Joined):
    """With a pit that leads."""

    def __init__(self) -> None:
        super().__init__()
        self.leader = Leader(replace(self.teller.ledger, revision=50), epoch=3)

    def answers_to(self, *entries: Event) -> list[PitAnswer]:
        found = [answer for entry in entries if isinstance(entry, Entry) for answer in self.leader.receive(entry)]
        batch, _ = self.leader.batch(9)
        return found if batch is None else found + self.leader.committed()

    def say(self, *entries: Event) -> None:
        for answer in self.answers_to(*entries):
            self.do(self.table.receive(answer))

    def restore(self, copy: list[Event]) -> None:
        self.disk = list(copy)
        self.table = TableAtLink("link", FORTUNE, "t1", copy)
        self.do(self.table.receive_pot(pot(beat=11, revision=90), 100.0, retained=False))


@pytest.mark.parametrize("more", [0, 1], ids=["as many entries as were lost", "one more"])
def test_an_older_copy_that_has_as_many_entries_again_is_noticed_by_what_they_are(more: int) -> None:
    led = Led()
    before = list(led.disk)
    led.say(led.do(led.table.contribute(1, 1)))
    assert led.table.kept.through == 2 and not led.table.kept.broken, "what is the same is no copy"
    led.restore(before)
    led.say(*(led.do(led.table.contribute(round, 1)) for round in range(2, 3 + more)))
    assert led.table.kept.broken == OLDER_COPY and led.table.due(200.0) == []


def test_an_older_copy_is_noticed_before_it_takes_a_chip_that_would_make_the_same_entry_again() -> None:
    led = Led()
    before = list(led.disk)
    led.say(led.do(led.table.contribute(1, 1)))
    led.restore(before)
    assert not led.table.takes_chips(101.0) and led.table.due(101.0) == before[:1], "what it sent last"
    led.say(*before[:1])
    assert led.table.kept.broken == OLDER_COPY and not led.table.takes_chips(101.0) and not led.table.is_to_count(101.0)


def test_a_table_that_begins_again_asks_until_the_pit_has_answered_that_it_has_no_more() -> None:
    led = Led()
    led.say(led.do(led.table.contribute(1, 1)))
    led.restore(led.disk)
    [asked] = led.table.due(101.0)
    assert led.table.due(101.5) == [] and led.table.due(102.0) == [asked]
    led.say(asked)
    assert led.table.takes_chips(102.0) and led.table.is_to_count(102.0) and led.table.due(104.0) == []


def test_a_snapshot_from_before_a_table_asked_is_taken_as_it_is() -> None:
    led = Led()
    led.restore(led.disk)
    led.table.kept = replace(led.table.kept, last=None)
    assert led.table.takes_chips(101.0) and led.table.due(101.0) == []


@pytest.mark.parametrize("others", [False, True], ids=["the same winners", "others"])
def test_what_an_older_copy_has_received_before_it_was_known_to_be_one_is_not_believed(others: bool) -> None:
    led = Led()
    before = list(led.disk)
    led.say(led.do(led.table.contribute(1, 1)))
    led.say(led.do(led.table.claim(1, wins((2, "straight_flush")))))
    led.say(led.do(led.table.pay("t1-1/1")))
    led.restore(before)
    entries = [
        led.do(led.table.contribute(1, 2)),
        led.do(led.table.claim(1, wins((3 if others else 2, "straight_flush")))),
    ]
    answers = led.answers_to(*entries, led.do(led.table.count(0.0)))
    assert [type(answer) for answer in answers] == [Acknowledged, Acknowledged, Granted, Acknowledged]
    for event in [event for answer in answers[:-1] for event in led.table.receive(answer)]:
        led.do([event])
    assert led.table.kept.broken == OLDER_COPY and led.table.due(200.0) == []
    assert led.table.kept.hits["t1-1/1"].state == "pending", "that grant was paid by the journal that was lost"


def test_hits_that_are_over_are_forgotten_in_time() -> None:
    joined = Joined()
    first = joined.claimed()
    for round in range(2, 2 + RECENT_HITS + 3):
        entry = joined.do(joined.table.claim(round, wins((1, "flush"))))
        assert isinstance(entry, Entry) and isinstance(entry.body, Claimed)
        joined.do(joined.table.withdraw(entry.body.claim))
    kept = list(joined.table.kept.hits)
    assert kept[0] == first and kept[1] == "t1-1/5" and len(kept) == 1 + RECENT_HITS


# ---- hits


def test_a_hit_is_pending_until_it_is_granted_and_paid_as_granted_once() -> None:
    joined = Joined()
    claim = joined.claimed()
    with pytest.raises(NotNow, match="claimed_already"):
        joined.table.claim(1, wins((2, "straight_flush")))
    with pytest.raises(NotNow, match="not_granted"):
        joined.table.pay(claim)
    joined.do(joined.table.receive(joined.granted(claim)))
    assert joined.table.receive(joined.granted(claim)) == []
    entry = joined.do(joined.table.pay(claim))
    assert isinstance(entry, Entry) and entry.body == Paid(claim, 2_010)
    for more in (joined.table.pay, joined.table.withdraw):
        with pytest.raises(NotNow, match="paid_already"):
            more(claim)


def test_a_claim_is_sent_again_until_it_is_answered_though_it_was_acknowledged() -> None:
    joined = Joined()
    claim = joined.claimed()
    joined.do(joined.table.receive(joined.acknowledged(2)))
    assert [entry.seq for entry in joined.table.due(1.0)] == [2]
    joined.do(joined.table.receive(joined.granted(claim)))
    assert joined.table.due(9.0) == []


def test_a_pending_hit_is_settled_on_paper_by_two_persons_and_never_paid_again() -> None:
    joined = Joined()
    claim = joined.claimed()
    with pytest.raises(NotNow, match="two_persons"):
        joined.table.settle_on_paper(claim, 2_000, ("ana", "ana"))
    joined.do(joined.table.settle_on_paper(claim, 2_000, ("ana", "rui")))
    joined.do(joined.table.receive(joined.granted(claim)))
    assert joined.table.kept.hits[claim].state == "on_paper"
    for more in (joined.table.pay, lambda claim: joined.table.settle_on_paper(claim, 1, ("ana", "rui"))):
        with pytest.raises(NotNow):
            more(claim)


def test_a_withdrawn_claim_is_followed_by_one_of_another_name() -> None:
    joined = Joined()
    claim = joined.claimed()
    joined.do(joined.table.withdraw(claim))
    joined.do(joined.table.receive(joined.granted(claim)))
    with pytest.raises(NotNow):
        joined.table.pay(claim)
    entry = joined.do(joined.table.claim(1, wins((3, "flush"))))
    assert isinstance(entry, Entry) and isinstance(entry.body, Claimed) and entry.body.claim == "t1-1/1/2"


def test_a_grant_that_does_not_follow_by_the_regulation_is_not_paid() -> None:
    joined = Joined()
    claim = joined.claimed()
    joined.do(joined.table.receive(joined.granted(claim, pot=20_500)))
    assert joined.table.kept.broken == ANOTHER_GRANT
    with pytest.raises(NotNow, match="not_granted"):
        joined.table.pay(claim)


def test_a_second_grant_for_a_claim_breaks_the_link() -> None:
    joined = Joined()
    claim = joined.claimed()
    joined.do(joined.table.receive(joined.granted(claim)))
    joined.do(joined.table.receive(joined.granted(claim, number=7)))
    assert joined.table.kept.broken == ANOTHER_GRANT and joined.table.kept.hits[claim].grant == joined.teller.grant(
        claim
    )
    joined.do(joined.table.contribute(2, 1))
    joined.do(joined.table.receive(joined.acknowledged(3)))
    assert joined.table.kept.broken == ANOTHER_GRANT


@pytest.mark.parametrize("other", [{"table": "t2"}, {"link": "other"}, {"epoch": 2}])
def test_an_answer_to_someone_else_or_of_the_past_is_none(other: dict[str, Any]) -> None:
    joined = Joined()
    claim = joined.claimed()
    assert joined.table.receive(replace(joined.granted(claim), **other)) == []
    assert joined.table.receive(joined.acknowledged(2, **other)) == []


def test_its_events_are_what_they_were_after_they_were_written_down() -> None:
    joined = Joined()
    claim = joined.claimed()
    joined.do(joined.table.receive(joined.granted(claim)))
    joined.do(joined.table.pay(claim))
    written = msgspec.json.decode(msgspec.json.encode(joined.disk), type=list[Event])
    assert TableAtLink("link", FORTUNE, "t1", written).kept == joined.table.kept


# ---- the pit's answers


def test_nothing_is_answered_or_shown_before_it_is_durable() -> None:
    teller = Teller()
    leader = Leader(teller.ledger, epoch=5)
    entry = Entry("link", "t1", "t1-1", 2, Claimed("t1-1/1", 1, wins((2, "straight_flush"))))
    assert leader.receive(entry) == []
    batch, refused = leader.batch(50)
    assert batch is not None and not refused and leader.batch(50) == (None, []), "one at a time"
    assert leader.beat().pot == 20_100 and leader.receive(entry) == []
    answers = leader.committed()
    assert [type(answer) for answer in answers] == [Acknowledged, Granted]
    assert leader.beat().pot == 18_090
    repeated = [replace(answers[0], beat=2), answers[1]]
    assert leader.receive(entry) == repeated, "a repeat gets the stored answer"
    assert Leader(batch.after, epoch=6).begin()[-1] == replace(answers[1], epoch=6), "of a later leader too"


def test_a_refused_journal_is_notified() -> None:
    leader = Leader(Teller().ledger, epoch=5)
    announced = Teller().entries["t1-1"][0]
    leader.receive(replace(announced, journal="t1-9"))
    assert leader.batch(50) == (None, [Acknowledged("link", "t1", "t1-9", 0, 5, 0, refused="unknown_predecessor")])
    for other in ({"table": "t3"}, {"link": "other"}):
        (answer,) = leader.receive(replace(announced, **other))
        assert isinstance(answer, Acknowledged) and answer.refused == "unknown_table"


@pytest.mark.parametrize(
    "entry",
    [
        Entry("link", "t1", "t1-\0", 1, Announced()),
        Entry("link", "t1", "t" * 201, 1, Announced()),
        Entry("link", "t1", "t1-1", 2, Contributed(1, 1, 1, 2**60)),
        Entry("link", "t1", "t1-1", 2, Contributed(-(2**60), 1, 1, 4444)),
        Entry("link", "t1", "t1-1", 2, Claimed("c\0", 1, wins((1, "flush")))),
        Entry("link", "t1", "t1-1", 2, Counted(Totals(chip_count=2**60))),
        Entry("link", "t1", "t1-1", 0, Announced()),
        Entry("link", "t1", "t1-9", 0, Announced()),
        Entry("link", "t1", "t1-9", -1, Announced()),
    ],
)
def test_an_entry_that_no_database_keeps_is_refused_and_disturbs_no_other_table(entry: Entry) -> None:
    leader = Leader(Teller().ledger, epoch=5)
    [answer] = leader.receive(entry)
    assert isinstance(answer, Acknowledged) and answer.refused == "entry_makes_no_sense"
    assert leader.batch(10) == (None, [])


# ---- whether a grant is plausible


class Claiming(Joined):
    """A table that claims a flush, of the fixed amounts, or of the pot; a pot of 100 seconds was received before."""

    def __init__(self, beat: float = 100.0, ceiling: int = 10**9) -> None:
        super().__init__()
        parameters = replace(PARAMETERS, ceiling=ceiling)
        self.do(self.table.receive_pot(pot(beat=11, epoch=4, parameters=parameters), beat, retained=False))
        self.name = self.claimed()
        self.terms = parameters
        assert self.table.due(beat) and self.table.kept.learnt is not None

    def at_most(self, seconds: float) -> int:
        rounds = 3 + -(-seconds // 10)
        return 20_100 + -(-2 * int(rounds) * 5 * TO_POT // 10_000)

    def granted_of(self, pot: int, now: float, **other: Any) -> str:
        """What the table makes of a grant of this pot."""
        terms = other.get("parameters", self.terms)
        hit = self.table.kept.hits[self.name]
        awards = GAMES[FORTUNE].award(hit.winners, terms.chip, terms.terms(pot)).awards
        grant = replace(self.teller.grant(self.name), pot=pot, parameters=self.terms, awards=tuple(awards))
        self.do(self.table.receive(Granted("link", "t1", 4, 60, replace(grant, **other)), now))
        hit = self.table.kept.hits[self.name]
        return hit.doubt if hit.grant is not None else "pending"


@pytest.mark.parametrize("seconds", [0, 1, 10, 11, 3600])
def test_linked_pot_2_a_grant_is_of_no_higher_pot_than_all_tables_can_have_brought_since_the_last_one(
    seconds: int,
) -> None:
    most = Claiming().at_most(seconds)
    assert Claiming().granted_of(most, 100.0 + seconds) == ""
    claiming = Claiming()
    assert claiming.granted_of(most + 1, 100.0 + seconds) == POT_TOO_HIGH
    with pytest.raises(NotNow, match=POT_TOO_HIGH):
        claiming.table.pay(claiming.name)
    kept = compared(claiming.table.kept, claiming.name, claiming.table.kept.hits[claiming.name].grant.amount)  # type: ignore[union-attr]
    assert kept.hits[claiming.name].state == "granted" and not kept.hits[claiming.name].doubt


def test_linked_pot_2_a_pot_that_another_hit_has_lowered_meanwhile_is_no_measure() -> None:
    claiming = Claiming()
    low = pot(beat=12, epoch=4, pot=2_000, parameters=claiming.terms)
    claiming.do(claiming.table.receive_pot(low, 101.0, retained=False))
    claiming.table.due(101.0)
    assert claiming.granted_of(20_200, 101.5) == ""


def test_linked_pot_2_no_pot_is_above_the_ceiling_and_one_begins_again_with_its_minimum() -> None:
    assert Claiming(ceiling=20_150).granted_of(20_151, 100.0) == POT_TOO_HIGH
    claiming = Claiming()
    claiming.table._before = {claiming.name: (5, 100.0)}
    assert claiming.granted_of(20_100, 100.0) == ""


def test_linked_pot_2_after_a_start_the_pot_that_the_journal_has_is_the_measure() -> None:
    claiming = Claiming()
    for seconds, doubt in ((0, ""), (10, POT_TOO_HIGH)):
        again = Claiming()
        again.table = TableAtLink("link", FORTUNE, "t1", claiming.disk)
        again.do(
            again.table.receive_pot(pot(beat=12, epoch=4, pot=1_000, parameters=again.terms), 500.0, retained=False)
        )
        again.table.due(500.0)
        assert again.granted_of(again.at_most(600 + seconds), 500.0) == doubt


def test_a_pot_is_kept_once_it_has_risen_by_more_than_the_tables_bring_in_ten_minutes() -> None:
    joined = Joined()
    rise = contributable(600.0, 2, PARAMETERS)
    assert joined.do(joined.table.receive_pot(pot(beat=11, pot=20_100 + rise), 101.0, retained=False)) == Through(
        "", 0, 0, 0
    )
    risen = joined.do(joined.table.receive_pot(pot(beat=12, pot=20_101 + rise), 102.0, retained=False))
    assert isinstance(risen, Learnt) and risen.pot == 20_101 + rise


def test_linked_pot_2_a_grant_has_the_parameters_that_were_received_under_their_number() -> None:
    forged = replace(PARAMETERS, ceiling=10**9, fixed={**PARAMETERS.fixed, "straight_flush": 10**9})
    assert Claiming().granted_of(20_100, 100.0, parameters=forged) == OTHER_TERMS
    claiming = Claiming()
    assert claiming.granted_of(20_100, 100.0, parameters=forged, terms_number=2) == "pending", "a pot with them comes"
    changed = pot(beat=12, epoch=4, terms_number=2, cycle=2, parameters=forged)
    claiming.do(claiming.table.receive_pot(changed, 101.0, retained=False))
    assert claiming.granted_of(20_100, 101.0) == "", "granted before they changed"
    assert Claiming().granted_of(20_100, 100.0, terms_number=0) == OTHER_TERMS


def test_linked_pot_2_within_an_epoch_the_parameters_of_a_number_do_not_change() -> None:
    joined = Joined()
    forged = replace(PARAMETERS, fixed={**PARAMETERS.fixed, "flush": 10**9})
    assert joined.table.receive_pot(pot(beat=11, parameters=forged), 101.0, retained=False) == []
    assert joined.table.pot == POT


@pytest.mark.parametrize("first", ["forged", "true"])
def test_linked_pot_2_of_two_grants_none_is_paid_before_two_persons_have_compared_them(first: str) -> None:
    claiming = Claiming()
    true, forged = 20_100, 20_200
    claiming.granted_of(forged if first == "forged" else true, 100.0)
    claiming.granted_of(true if first == "forged" else forged, 100.0)
    kept = claiming.table.kept
    hit = kept.hits[claiming.name]
    assert kept.broken == hit.doubt == ANOTHER_GRANT and hit.other is not None
    with pytest.raises(NotNow, match=ANOTHER_GRANT):
        claiming.table.pay(claiming.name)
    before = kept
    claiming.granted_of(true, 100.0), claiming.granted_of(forged, 100.0)
    assert claiming.table.kept == before, "repeated, it is kept once"
    kept = compared(kept, claiming.name, true // 10)
    assert kept.hits[claiming.name].grant == (hit.other if first == "forged" else hit.grant)


def test_linked_pot_4_what_two_persons_had_forgotten_is_received_again() -> None:
    joined = Joined()
    joined.do(joined.table.receive_pot(pot(epoch=10**15, beat=1, revision=1), 101.0, retained=False))
    assert joined.table.kept.broken == WENT_BACK
    kept = forgotten(joined.table.kept)
    again = TableAtLink("link", FORTUNE, "t1")
    again.kept = kept
    assert not kept.broken and kept.through == 1
    [learnt] = again.receive_pot(pot(beat=12), 102.0, retained=False)
    assert isinstance(learnt, Learnt) and learnt.epoch == 3
    again.apply([learnt])
    again.receive(joined.acknowledged(1))
    assert again.receive_pot(pot(beat=13), 102.2, retained=False) == [] and again.takes_chips(102.5)
    assert again.receive(joined.acknowledged(0)) == [Broken(WENT_BACK)], (
        "and a pit that has lost entries is found again"
    )


# ---- a pit whose database went back


def went_back() -> Joined:
    """A table that received revision 80, and then a pit with less."""
    joined = Joined()
    joined.do(joined.table.receive_pot(pot(beat=11, revision=80), 101.0, retained=False))
    joined.do(joined.table.receive_pot(pot(epoch=5, beat=1, revision=79), 102.0, retained=False))
    assert joined.table.kept.broken == WENT_BACK and joined.table.kept.lost == (3, 80)
    return joined


def test_linked_pot_1_a_table_says_what_it_received_and_the_pit_has_not_and_it_is_no_entry() -> None:
    joined = went_back()
    [kind] = joined.table.due(103.0)
    assert kind == Entry("link", "t1", "t1-1", 0, WentBack(3, 80, 1)) and joined.table.kept.seq == 1
    again = TableAtLink("link", FORTUNE, "t1", joined.disk)
    assert kind in again.due(0.0), "also after it has begun again"
    joined.do(joined.table.begin("t1-2"))
    assert kind not in joined.table.due(105.0), "another journal has no such report"


def test_linked_pot_1_an_answer_shows_it_too() -> None:
    joined = Joined()
    joined.do(joined.table.receive_pot(pot(beat=11, revision=80), 101.0, retained=False))
    joined.do(joined.table.receive(joined.acknowledged(1, epoch=5, revision=79)))
    assert joined.table.kept.broken == WENT_BACK and joined.table.kept.lost == (3, 80)


def test_linked_pot_1_the_revisions_of_books_that_went_back_are_none_of_the_right_ones() -> None:
    joined = Joined()
    joined.do(joined.table.receive_pot(pot(epoch=4, beat=1, revision=90, stopped=WENT_BACK), 101.0, retained=False))
    assert not joined.table.takes_chips(101.0)
    joined.do(joined.table.receive_pot(pot(epoch=5, beat=1, revision=80), 102.0, retained=False))
    assert not joined.table.kept.broken and joined.table.takes_chips(102.0)


@pytest.mark.parametrize(
    ("answer", "released"),
    [
        ({"revision": 80, "released_revision": 80}, True),
        ({"revision": 95, "released_revision": 81}, True),
        ({"revision": 95, "released_revision": 0}, False),
        ({"revision": 95, "released_revision": 79}, False),
        ({"revision": 79, "released_revision": 80}, False),
        ({"revision": 95, "released_revision": 80, "epoch": 4}, False),
        ({"revision": 95, "released_revision": 80, "through": 0}, False),
        ({"revision": 95, "released_revision": 80, "journal": "t1-0"}, False),
    ],
)
def test_linked_pot_9_two_persons_release_a_table_once_the_right_books_lead(
    answer: dict[str, Any], released: bool
) -> None:
    joined = went_back()
    answer = {"epoch": 6, "through": 1, **answer}
    joined.do(joined.table.receive(joined.acknowledged(**answer)))
    joined.do(joined.table.receive_pot(pot(epoch=6, beat=5, revision=95), 103.0, retained=False))
    assert (joined.table.kept.broken, joined.table.takes_chips(103.0)) == (
        ("", True) if released else (WENT_BACK, False)
    )


def test_linked_pot_9_an_older_copy_is_one_also_where_the_pit_went_back() -> None:
    joined = went_back()
    joined.do(joined.table.receive(joined.acknowledged(4, epoch=6, revision=95, released_revision=80)))
    assert joined.table.kept.broken == OLDER_COPY and joined.table.due(110.0) == []


def complaint(revision: int, epoch: int = 3, through: int = 1) -> Entry:
    return Entry("link", "t1", "t1-1", 0, WentBack(epoch, revision, through))


def test_linked_pot_1_a_leader_that_has_less_than_a_table_received_stops_and_answers_nothing() -> None:
    leader = Leader(replace(Teller().ledger, revision=50), epoch=7)
    assert leader.receive(complaint(80)) == [] and not leader.beats()
    batch, answers = leader.batch(9)
    assert batch is not None and not answers and batch.after.ahead == Ahead("t1", 3, 80)
    assert leader.receive(Entry("link", "t1", "t1-1", 2, Counted(Totals()))) == []
    assert leader.committed() == [] and leader.beats() and leader.beat().stopped == WENT_BACK
    assert leader.receive(Entry("link", "t1", "t1-1", 1, Announced())) == [] and leader.begin() == []
    assert leader.batch(9) == (None, []), "no entry is applied"


@pytest.mark.parametrize(("revision", "through"), [(80, 1), (50, 2)])
def test_linked_pot_1_what_persons_accepted_as_lost_is_no_evidence_any_more(revision: int, through: int) -> None:
    leader = Leader(replace(Teller().ledger, revision=50), epoch=7)
    leader.receive(complaint(revision, through=through))
    batch, _ = leader.batch(9)
    assert batch is not None and leader.committed() == []
    with pytest.raises(DecisionRefused, match="accept_the_loss"):
        leader.ask(PitDecision(Resume(), "carla", "supervisor"))
    with pytest.raises(DecisionRefused, match="a_supervisor_has_to"):
        leader.ask(*(PitDecision(AcceptLoss(), name, "dealer") for name in ("nuno", "rita")))
    leader.ask(PitDecision(AcceptLoss(), "carla", "supervisor"), PitDecision(AcceptLoss(), "nuno", "dealer"))
    batch, _ = leader.batch(9)
    assert batch is not None and not batch.after.stopped and batch.after.revision > max(50, revision)
    leader.committed()
    leader.receive(complaint(revision, through=through))
    assert leader.beats()
    leader.receive(complaint(batch.after.revision + 1, epoch=8))
    assert not leader.beats(), "what was published since is"


def test_linked_pot_9_a_table_waits_for_its_release_and_the_answer_says_so() -> None:
    leader = Leader(replace(Teller().ledger, revision=90), epoch=7)
    [answer] = leader.receive(complaint(80))
    assert isinstance(answer, Acknowledged) and answer.released_revision == 0
    batch, _ = leader.batch(9)
    assert batch is not None and batch.after.broken == {"t1": 80} and not batch.after.stopped
    leader.committed()
    leader.receive(complaint(80))
    assert leader.batch(9) == (None, []), "once"
    with pytest.raises(DecisionRefused, match="nothing_to_release"):
        leader.ask(PitDecision(Release("t2"), "carla", "supervisor"))
    leader.ask(PitDecision(Release("t1"), "carla", "supervisor"), PitDecision(Release("t1"), "nuno", "dealer"))
    batch, _ = leader.batch(9)
    [answer] = leader.committed()
    assert isinstance(answer, Acknowledged) and answer.released_revision == 80
    leader.receive(complaint(80))
    assert leader.batch(9) == (None, []), "a complaint that was overtaken"


def test_linked_pot_1_a_link_that_was_stopped_before_it_went_back_is_stopped_after_it() -> None:
    leader = Leader(replace(Teller().ledger, revision=50, stopped="paper_differs"), epoch=7)
    leader.receive(complaint(80))
    batch, _ = leader.batch(9)
    assert batch is not None and batch.after.stopped == WENT_BACK
    leader.committed()
    leader.ask(PitDecision(AcceptLoss(), "carla", "supervisor"), PitDecision(AcceptLoss(), "nuno", "dealer"))
    batch, _ = leader.batch(9)
    assert batch is not None and batch.after.stopped == "paper_differs"


def test_linked_pot_1_a_leader_that_looks_answers_nothing_and_keeps_what_it_receives() -> None:
    leader = Leader(Teller().ledger, epoch=7, looks=True)
    entry = Entry("link", "t1", "t1-1", 2, Counted(Totals()))
    assert leader.receive(entry) == leader.receive(complaint(0)) == [] and not leader.beats()
    assert leader.receive(Entry("link", "t1", "t1-1", 1, Announced())) == [] and leader.batch(9) == (None, [])
    assert leader.begin() == [] and leader.beats()
    batch, _ = leader.batch(9)
    assert batch is not None and batch.entries == (entry,)
