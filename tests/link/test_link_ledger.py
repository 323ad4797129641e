"""The ledger of a linked pot, rule by rule."""

from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from controller.engine.state.jackpot import E4
from controller.link.messages import (
    BEFORE_ANY,
    Announced,
    Claimed,
    Contributed,
    Counted,
    Entry,
    Paid,
    Returned,
    SettledOnPaper,
    Totals,
    Vouched,
    Withdrawn,
    head_after,
)
from controller.pit.ledger.claims import waiting_claims
from controller.pit.ledger.decisions import apply_decision
from controller.pit.ledger.entries import apply_entry
from controller.pit.ledger.recovery import rebuild
from controller.pit.ledger.state import (
    Admit,
    Approve,
    Close,
    DecisionRefused,
    EntriesMissing,
    Pending,
    PitDecision,
    PotLedger,
    Propose,
    Resume,
    pending_key,
)
from controller.rulebook.roles import Role
from tests.link.entries import BLACKJACK, PARAMETERS, TO_POT, TO_RESERVE, Teller, wins

TWO = ("ana", "rui")
UNITS = TO_POT + TO_RESERVE


def decide(teller: Teller, what: Any, *persons: tuple[str, Role]) -> None:
    for person, role in persons:
        teller.ledger = apply_decision(teller.ledger, PitDecision(what, person, role))


CARLA: tuple[str, Role] = ("carla", "supervisor")
NUNO: tuple[str, Role] = ("nuno", "dealer")
RITA: tuple[str, Role] = ("rita", "dealer")


# ---- contributions


def test_every_entry_is_applied_once_and_none_before_the_one_before_it() -> None:
    teller = Teller()
    first = teller.chips("t1", 2)
    with pytest.raises(EntriesMissing):
        apply_entry(teller.ledger, first)
    with pytest.raises(EntriesMissing):
        apply_entry(teller.ledger, replace(first, seq=4))
    assert teller.ledger.pot.pot_e4 == 20_100 * E4 + 2 * TO_POT
    assert teller.ledger.pot.reserve_e4 == 300 * E4 + 2 * TO_RESERVE


@given(st.permutations(range(12)), st.sampled_from(["overflow", "reserve"]))
def test_between_two_hits_it_does_not_matter_whose_chips_come_first(order: list[int], overflow_to: str) -> None:
    """Chips go to the ceiling and past it, and some go back: pot, reserve and overflow are the same in any order."""
    tables = tuple(f"t{number}" for number in range(4))
    teller = Teller(tables=tables, overflow_to=overflow_to)
    left = {table: [lambda table=table: teller.chips(table, 5)] * 2 for table in tables}
    for table in tables:
        left[table].append(lambda table=table: teller.say(table, Returned(of=3, chip_count=2, units_e4=2 * UNITS)))
    for number in order:
        left[tables[number % 4]].pop(0)()
    pot = teller.ledger.pot
    net = 4 * (10 - 2)
    past = 20_100 * E4 + net * TO_POT - 20_700 * E4
    assert past > 0 and pot.pot == 20_700
    assert (pot.reserve_e4 - 300 * E4 - net * TO_RESERVE, pot.overflow_e4) == (
        (past, 0) if overflow_to == "reserve" else (0, past)
    )
    assert pot.chips_counted == net


def test_chips_go_back_with_what_they_brought_and_no_more() -> None:
    teller = Teller()
    given = teller.chips("t1", 3)
    teller.say("t1", Returned(given.seq, 2, 2 * UNITS))
    assert teller.ledger.pot.pot_e4 == 20_100 * E4 + TO_POT
    teller.say("t1", Returned(given.seq, 2, 2 * UNITS))
    assert teller.ledger.pot.pot_e4 == 20_100 * E4 + TO_POT and teller.ledger.pending_e4 == -2 * UNITS, (
        "for two persons"
    )


def test_what_was_put_in_a_pot_that_is_won_goes_back_from_the_house() -> None:
    teller = Teller()
    given = teller.chips("t1", 3)
    teller.say("t2", Claimed("t2-1/1", 1, wins((1, "royal_flush"))))
    before = teller.ledger.pot
    teller.say("t1", Returned(given.seq, 3, 3 * UNITS))
    after = teller.ledger.pot
    assert (after.pot_e4, after.reserve_e4) == (before.pot_e4, before.reserve_e4)
    assert after.house_funded_e4 - before.house_funded_e4 == after.returned_e4 == 3 * UNITS


@pytest.mark.parametrize(
    "body",
    [
        Contributed(1, 6, 1, 6 * UNITS),
        Contributed(1, 0, 1, 0),
        Contributed(1, 2, 1, 2 * UNITS + 1),
        Contributed(1, 2, 9, 2 * UNITS),
    ],
    ids=["too many chips", "no chip", "other units", "unknown parameters"],
)
def test_an_unreasonable_contribution_waits_for_two_persons(body: Contributed) -> None:
    for admitted in (True, False):
        teller = Teller()
        entry = teller.say("t1", body)
        assert teller.ledger.pot.pot == 20_100 and teller.ledger.pending_e4 == body.units_e4
        teller.say("t1", Vouched("t1-1", entry.seq, admitted, TWO))
        assert teller.ledger.pending_e4 == 0 and teller.ledger.stopped == ""
        assert teller.ledger.pot.contributions_e4 == (body.units_e4 if admitted else 0)
        back = teller.say("t1", Returned(entry.seq, 1, UNITS))
        counted = admitted and body.units_e4 == 6 * UNITS
        assert (pending_key("t1-1", back.seq) in teller.ledger.pending) is not counted


@pytest.mark.parametrize("persons", [("ana", "ana"), ("ana", ""), ("", "rui")])
def test_one_person_vouches_for_nothing(persons: tuple[str, str]) -> None:
    teller = Teller()
    entry = teller.chips("t1", 9)
    teller.say("t1", Vouched("t1-1", entry.seq, True, persons))
    assert teller.ledger.stopped == "entry_makes_no_sense" and teller.ledger.pending_e4 == 9 * UNITS


def test_a_table_vouches_for_its_own_chips_alone() -> None:
    teller = Teller()
    entry = teller.chips("t1", 9)
    teller.say("t2", Vouched("t1-1", entry.seq, True, TWO))
    assert teller.ledger.stopped == "entry_makes_no_sense" and teller.ledger.pending_e4 == 9 * UNITS


# ---- hits


def test_all_winners_of_a_round_are_one_claim_and_the_regulation_divides() -> None:
    teller = Teller()
    teller.chips("t1", 3)
    won = wins((1, "royal_flush"), (2, "straight_flush"), (3, "flush"))
    teller.say("t1", Claimed("t1-1/1", 1, won))
    grant = teller.grant("t1-1/1")
    awards = [(award.seat, award.tier, award.amount, award.from_pot) for award in grant.awards]
    assert (grant.number, grant.pot) == (1, 20_199)
    assert awards == [
        (2, "straight_flush", 2_019, 2_019),
        (3, "flush", 100, 0),
        (1, "royal_flush", 18_180, 18_180),
    ]
    assert grant.restarted == PARAMETERS and teller.ledger.cycle == 2
    pot = teller.ledger.pot
    assert pot.pot == 20_000 and pot.reserve_e4 == 0, "the reserve gives first, the house the rest (15.º 6)"


def test_equal_winners_of_the_highest_combination_divide_the_pot() -> None:
    teller = Teller(BLACKJACK)
    won = wins((5, "four_aces_one_colour"), (2, "four_aces_one_colour"), (3, "two_aces"))
    teller.say("t2", Claimed("t2-1/8", 8, won))
    assert [(award.seat, award.amount) for award in teller.grant("t2-1/8").awards] == [
        (3, 2_500),
        (2, 8_800),
        (5, 8_800),
    ]


def test_two_hits_get_their_amounts_in_the_order_they_are_applied() -> None:
    teller = Teller()
    teller.say("t2", Claimed("t2-1/1", 1, wins((1, "royal_flush"))))
    teller.say("t1", Claimed("t1-1/1", 1, wins((7, "royal_flush"))))
    first, second = teller.grants
    assert (first.number, first.amount) == (1, 20_100)
    assert (second.number, second.amount) == (2, 20_000), "from the pot that had begun again"


def test_a_claim_has_one_answer_for_ever() -> None:
    teller = Teller()
    claimed = Claimed("t1-1/1", 1, wins((1, "straight_flush")))
    teller.say("t1", claimed)
    answer = teller.grant("t1-1/1")
    teller.say("t1", claimed)
    assert teller.grants == [answer] and teller.ledger.stopped == ""
    teller.say("t1", replace(claimed, winners=wins((1, "royal_flush"))))
    assert teller.grants == [answer] and teller.ledger.stopped == "entry_makes_no_sense"


@pytest.mark.parametrize("won", [(), wins((1, "two_aces"))], ids=["no one", "of another game"])
def test_a_claim_that_cannot_be_is_not_granted_and_stops_the_link(won: Any) -> None:
    teller = Teller()
    teller.say("t1", Claimed("t1-1/1", 1, won))
    assert not teller.grants and teller.ledger.stopped == "entry_makes_no_sense"


def test_what_was_granted_is_paid_once_and_as_granted() -> None:
    teller = Teller()
    teller.say("t1", Claimed("t1-1/1", 1, wins((1, "straight_flush"))))
    assert teller.ledger.pot.pending_e4 == 2_010 * E4
    unpaid = teller.ledger
    teller.say("t1", Paid("t1-1/1", 2_010))
    assert (teller.ledger.pot.pending_e4, teller.ledger.pot.paid_e4) == (0, 2_010 * E4)
    teller.say("t1", Paid("t1-1/1", 2_010))
    assert teller.ledger.stopped == "entry_makes_no_sense" and teller.ledger.pot.paid_e4 == 2_010 * E4
    other = apply_entry(unpaid, Entry("link", "t1", "t1-1", 3, Paid("t1-1/1", 2_011)))
    assert other.stopped == "payments_differ" and other.pot.paid_e4 == 0
    theirs = apply_entry(unpaid, Entry("link", "t2", "t2-1", 2, Paid("t1-1/1", 2_010)))
    assert theirs.stopped == "entry_makes_no_sense" and theirs.pot.paid_e4 == 0


@pytest.mark.parametrize("amount", [1_500, 2_010, 3_000])
def test_what_was_paid_on_paper_is_checked_against_the_grant(amount: int) -> None:
    teller = Teller()
    teller.say("t1", Claimed("t1-1/1", 1, wins((1, "straight_flush"))))
    before = teller.ledger.pot
    teller.say("t1", SettledOnPaper("t1-1/1", amount, TWO))
    after = teller.ledger.pot
    assert (after.pending_e4, after.paid_e4) == (0, amount * E4)
    assert after.pot - before.pot == max(0, 2_010 - amount), "what was not paid stays in the pot"
    assert after.house_funded_e4 - before.house_funded_e4 == max(0, amount - 2_010) * E4
    assert teller.ledger.stopped == ("" if amount == 2_010 else "paper_differs"), "two persons look at a difference"


def test_a_withdrawn_hit_gives_back_what_pot_and_house_gave() -> None:
    teller = Teller()
    before = teller.ledger.pot
    teller.say("t1", Claimed("t1-1/1", 1, wins((1, "straight_flush"), (2, "flush"))))
    teller.say("t1", Withdrawn("t1-1/1"))
    after = teller.ledger.pot
    assert (after.pot_e4, after.pending_e4, after.house_funded_e4) == (before.pot_e4, 0, 0)
    teller.say("t1", Claimed("t1-1/1/2", 1, wins((2, "flush"))))
    assert teller.grant("t1-1/1/2").number == 3, "a number is spent"


def test_a_pot_that_was_won_and_is_not_is_what_it_was() -> None:
    """Anyone who wins it after a correction gets no minimum on top."""
    teller = Teller()
    before = teller.ledger.pot
    teller.say("t1", Claimed("t1-1/1", 1, wins((1, "royal_flush"))))
    assert teller.ledger.pot.pot != before.pot
    teller.say("t1", Withdrawn("t1-1/1"))
    after = teller.ledger.pot
    for part in ("pot_e4", "reserve_e4", "overflow_e4", "house_funded_e4", "pending_e4"):
        assert getattr(after, part) == getattr(before, part), part
    teller.say("t1", Claimed("t1-1/1/2", 1, wins((1, "royal_flush"), (2, "flush"))))
    assert teller.grant("t1-1/1/2").pot == before.pot == 20_100


def test_what_others_put_in_meanwhile_stays_and_no_pot_is_less_than_it_was_shown() -> None:
    teller = Teller()
    before = teller.ledger.pot
    teller.say("t1", Claimed("t1-1/1", 1, wins((1, "royal_flush"))))
    teller.chips("t2", 2)
    teller.say("t1", Withdrawn("t1-1/1"))
    assert teller.ledger.pot.pot_e4 == before.pot_e4 + 2 * TO_POT
    assert teller.ledger.pot.reserve_e4 == before.reserve_e4 + 2 * TO_RESERVE


def test_a_pot_that_was_won_again_meanwhile_gives_back_no_minimum() -> None:
    teller = Teller()
    teller.say("t1", Claimed("t1-1/1", 1, wins((1, "royal_flush"))))
    teller.say("t2", Claimed("t2-1/1", 1, wins((1, "royal_flush"))))
    before = teller.ledger.pot
    teller.say("t1", Withdrawn("t1-1/1"))
    after = teller.ledger.pot
    assert (after.reserve_e4, after.house_funded_e4) == (before.reserve_e4, before.house_funded_e4)
    won = teller.grant("t1-1/1").amount
    assert after.pot + after.overflow_e4 // E4 - before.overflow_e4 // E4 == before.pot + won


def lost() -> Teller:
    """A claim that took the pot is granted, and its table has lost it."""
    teller = Teller()
    teller.chips("t2", 2)
    teller.say("t1", Claimed("t1-1/1", 1, wins((1, "royal_flush"), (2, "flush"))))
    return teller


def test_linked_pot_7_two_persons_close_a_granted_claim_and_its_money_is_where_a_withdrawn_one_leaves_it() -> None:
    teller, withdrawn = lost(), lost()
    withdrawn.say("t1", Withdrawn("t1-1/1"))
    for what, why in (
        (Close("t9", "lost"), "no_such_grant"),
        (Close("t1-1/1", ""), "a_reason_is_missing"),
    ):
        with pytest.raises(DecisionRefused, match=why):
            decide(teller, what, CARLA)
    decide(teller, Close("t1-1/1", "lost"), NUNO)
    for what, person, why in (
        (Close("t1-1/1", "lost"), NUNO, "approved_already"),
        (Close("t1-1/1", "lost"), RITA, "a_supervisor_has_to"),
    ):
        with pytest.raises(DecisionRefused, match=why):
            decide(teller, what, person)
    assert teller.ledger.claims["t1-1/1"].is_open
    decide(teller, Close("t1-1/1", "lost"), CARLA)
    assert teller.ledger.pot == withdrawn.ledger.pot and not teller.ledger.stopped
    with pytest.raises(DecisionRefused, match="claim_is_over"):
        decide(teller, Close("t1-1/1", "lost"), CARLA)
    pot = teller.ledger.pot
    teller.say("t1", Withdrawn("t1-1/1"))
    assert teller.ledger.pot == pot and not teller.ledger.stopped, "the money is back already"


@pytest.mark.parametrize("on_paper", [False, True])
def test_linked_pot_7_a_closed_claim_that_is_paid_is_the_houses_and_stops_the_link(on_paper: bool) -> None:
    teller = lost()
    decide(teller, Close("t1-1/1", "lost"), NUNO, CARLA)
    before, amount = teller.ledger.pot, teller.grant("t1-1/1").amount
    teller.say("t1", SettledOnPaper("t1-1/1", amount, TWO) if on_paper else Paid("t1-1/1", amount))
    after = teller.ledger.pot
    assert teller.ledger.stopped == "closed_claim_paid"
    assert after == replace(
        before, paid_e4=before.paid_e4 + amount * E4, house_funded_e4=before.house_funded_e4 + amount * E4
    )
    teller.ledger = replace(teller.ledger, stopped="")
    teller.say("t1", Paid("t1-1/1", amount))
    assert teller.ledger.stopped == "entry_makes_no_sense", "once"


def test_linked_pot_7_the_next_grant_names_what_was_closed_so_that_the_pot_follows_from_the_journals() -> None:
    teller = lost()
    decide(teller, Close("t1-1/1", "lost"), NUNO, CARLA)
    teller.say("t2", Claimed("t2-1/1", 1, wins((1, "straight_flush"))))
    assert teller.grant("t2-1/1").closed == ("t1-1/1",) and teller.ledger.closed == ()
    decide(teller, Close("t2-1/1", "lost too"), NUNO, CARLA)
    again = rebuild(teller.fresh(), teller.entries, teller.grants, teller.ledger.closed)
    assert (again.pot, again.claims) == (teller.ledger.pot, teller.ledger.claims)
    assert rebuild(teller.fresh(), teller.entries, teller.grants).claims["t2-1/1"].is_open, "no grant says so yet"
    with pytest.raises(DecisionRefused, match="a_closed_claim_is_missing"):
        rebuild(teller.fresh(), teller.entries, [replace(teller.grants[0], closed=("t1-1/7",))])


# ---- two ledgers


def test_another_sum_at_the_table_stops_the_link_and_two_persons_let_it_continue() -> None:
    teller = Teller()
    teller.chips("t1", 3)
    teller.say("t1", Counted(Totals(3, 3 * UNITS)))
    assert teller.ledger.stopped == ""
    teller.say("t1", Counted(Totals(3, 3 * UNITS, paid=1)))
    assert teller.ledger.stopped == "meters_differ"
    teller.chips("t2", 2)
    teller.say("t2", Claimed("t2-1/1", 1, wins((1, "royal_flush"))))
    teller.say("t1", Claimed("t1-1/1", 1, wins((1, "royal_flush"))))
    assert not teller.grants, "and nothing is granted"
    decide(teller, Resume(), CARLA)
    with pytest.raises(DecisionRefused, match="approved_already"):
        decide(teller, Resume(), CARLA)
    assert teller.ledger.stopped
    decide(teller, Resume(), NUNO)
    assert teller.ledger.stopped == "" and waiting_claims(teller.ledger) == ["t2-1/1", "t1-1/1"], (
        "in the order they came"
    )
    with pytest.raises(DecisionRefused, match="not_stopped"):
        decide(teller, Resume(), CARLA)


def test_parameters_change_by_two_persons_one_a_supervisor_and_for_the_next_pot() -> None:
    teller = Teller()
    other = replace(PARAMETERS, increment_bp=5000, minimum=20_500)
    decide(teller, Propose(other), NUNO, NUNO)
    with pytest.raises(DecisionRefused, match="no_such_proposal"):
        decide(teller, Approve(1), CARLA)
    decide(teller, Approve(2), NUNO)
    for again, why in ((NUNO, "approved_already"), (RITA, "a_supervisor_has_to")):
        with pytest.raises(DecisionRefused, match=why):
            decide(teller, Approve(2), again)
    decide(teller, Approve(2), CARLA)
    teller.chips("t1", 1)
    assert teller.ledger.pot.pot_e4 == 20_100 * E4 + TO_POT, "the running pot continues by its own"
    teller.say("t1", Claimed("t1-1/1", 1, wins((1, "royal_flush"))))
    assert teller.grant("t1-1/1").restarted == other and teller.ledger.pot.pot == 20_500
    teller.say("t2", Contributed(1, 1, 1, UNITS))
    assert not teller.ledger.pending, "a table that had not received it yet"
    teller.chips("t2", 1)
    assert teller.ledger.pot.pot == 20_500 + 33 + 50


# ---- journals


def test_a_new_journal_continues_from_all_of_the_one_before_it() -> None:
    teller = Teller()
    teller.chips("t1", 1)
    last = Entry("link", "t1", "t1-1", 3, Counted(Totals(1, UNITS)))
    head = head_after(teller.head("t1-1"), (last,))
    new = Entry("link", "t1", "t1-2", 1, Announced("t1-1", 3, head))
    with pytest.raises(EntriesMissing):
        apply_entry(teller.ledger, new)
    ledger = apply_entry(apply_entry(teller.ledger, last), new)
    assert ledger.current["t1"] == "t1-2" and ledger.journals["t1-1"].successor == "t1-2"
    with pytest.raises(DecisionRefused, match="journal_is_closed"):
        apply_entry(ledger, replace(last, seq=4))


@pytest.mark.parametrize(
    ("table", "announced", "why"),
    [
        ("t3", Announced(), "unknown_table"),
        ("t1", Announced(), "unknown_predecessor"),
        ("t1", Announced("t1-0", 2, BEFORE_ANY), "unknown_predecessor"),
        ("t1", Announced("t2-1", 1, BEFORE_ANY), "unknown_predecessor"),
        ("t1", Announced("t1-1", 2, BEFORE_ANY), "another_checkpoint"),
        ("t1", Announced("t1-1", 1, BEFORE_ANY), "another_checkpoint"),
        ("t1", Contributed(1, 1, 1, UNITS), "unknown_journal"),
    ],
    ids=[
        "of no table here",
        "out of nowhere",
        "of another past",
        "of another table",
        "of other entries",
        "older",
        "not",
    ],
)
def test_an_unknown_journal_is_refused_until_two_persons_admit_it(table: str, announced: Any, why: str) -> None:
    teller = Teller()
    teller.chips("t1", 1)
    new = Entry("link", table, "t1-2", 1, announced)
    with pytest.raises(DecisionRefused, match=why):
        apply_entry(teller.ledger, new)
    with pytest.raises(EntriesMissing):
        apply_entry(teller.ledger, replace(new, seq=2))
    if table == "t1" and isinstance(announced, Announced):
        decide(teller, Admit("t1", "t1-2"), CARLA)
        with pytest.raises(DecisionRefused, match=why):
            apply_entry(teller.ledger, new)
        decide(teller, Admit("t1", "t1-2"), NUNO)
        assert apply_entry(teller.ledger, new).current["t1"] == "t1-2"


def of_an_older_copy(chips: int, **totals: int) -> Teller:
    """A journal whose table has counted other chips in it than the pit: two persons admit the one that follows it."""
    teller = Teller()
    teller.chips("t1", 3)
    teller.chips("t1", chips)
    decide(teller, Admit("t1", "t1-2"), NUNO, CARLA)
    counted = Totals(**{"chip_count": 3, "contributed_e4": 3 * UNITS, **totals})
    teller.say("t1", Announced("t1-1", 2, "f" * 64, counted), journal="t1-2")
    return teller


@pytest.mark.parametrize("admitted", [True, False])
def test_linked_pot_8_what_is_counted_and_the_tables_journal_does_not_have_waits_for_two_persons(
    admitted: bool,
) -> None:
    teller = of_an_older_copy(2)
    assert teller.ledger.pending == {"t1-2/1": Pending("t1", Contributed(0, 2, 0, 2 * UNITS), counted_of="t1-1")}
    before = teller.ledger.pot
    assert before.pot_e4 == 20_100 * E4 + 5 * TO_POT and teller.ledger.pending_e4 == 0, "it counts meanwhile"
    teller.say("t1", Vouched("t1-2", 1, admitted, TWO))
    after, left = teller.ledger.pot, 5 if admitted else 3
    assert (after.pot_e4, after.reserve_e4) == (20_100 * E4 + left * TO_POT, 300 * E4 + left * TO_RESERVE)
    assert after.house_funded_e4 == 0 and not teller.ledger.pending and not teller.ledger.stopped


def test_linked_pot_8_chips_that_never_were_in_a_pot_that_was_won_are_the_houses() -> None:
    teller = of_an_older_copy(2)
    teller.say("t2", Claimed("t2-1/1", 1, wins((1, "royal_flush"))))
    before = teller.ledger.pot
    teller.say("t1", Vouched("t1-2", 1, False, TWO))
    after = teller.ledger.pot
    assert (after.pot_e4, after.reserve_e4) == (before.pot_e4, before.reserve_e4)
    assert after.house_funded_e4 - before.house_funded_e4 == 2 * UNITS


@pytest.mark.parametrize("admitted", [True, False])
def test_linked_pot_8_what_the_tables_journal_has_and_is_not_counted_waits_too(admitted: bool) -> None:
    teller = of_an_older_copy(2, chip_count=9, contributed_e4=9 * UNITS)
    before = teller.ledger.pot
    assert teller.ledger.pending_e4 == 4 * UNITS and before.pot_e4 == 20_100 * E4 + 5 * TO_POT
    teller.say("t1", Vouched("t1-2", 1, admitted, TWO))
    assert teller.ledger.pot.pot_e4 == before.pot_e4 + (4 * UNITS if admitted else 0) and not teller.ledger.pending_e4


def test_linked_pot_8_a_journal_with_the_same_sums_or_without_any_is_taken_as_it_is() -> None:
    teller = of_an_older_copy(2, chip_count=5, contributed_e4=5 * UNITS)
    assert not teller.ledger.pending
    decide(teller, Admit("t1", "t1-3"), NUNO, CARLA)
    teller.say("t1", Announced("t1-2", 9, "f" * 64), journal="t1-3")
    assert not teller.ledger.pending and not teller.ledger.stopped


def test_a_journal_belongs_to_its_table() -> None:
    teller = Teller()
    for entry in (Entry("link", "t2", "t1-1", 2, Announced()), Entry("other", "t1", "t1-1", 2, Announced())):
        with pytest.raises(DecisionRefused, match="another_table"):
            apply_entry(teller.ledger, entry)


# ---- rebuilt


def played() -> Teller:
    teller = Teller()
    first = teller.chips("t1", 5)
    teller.chips("t2", 4)
    teller.say("t2", Claimed("t2-1/1", 1, wins((1, "straight_flush"))))
    teller.say("t2", Paid("t2-1/1", teller.grant("t2-1/1").amount))
    decide(teller, Propose(replace(PARAMETERS, increment_bp=4000)), NUNO)
    decide(teller, Approve(1), NUNO, CARLA)
    teller.say("t1", Returned(first.seq, 2, 2 * UNITS))
    teller.chips("t2", 5)
    teller.say("t1", Claimed("t1-1/2", 2, wins((4, "royal_flush"), (1, "flush"))))
    teller.chips("t2", 2)
    teller.say("t1", Returned(first.seq, 1, UNITS))
    return teller


def test_the_tables_own_journals_and_their_grants_give_the_same_pot_to_the_unit() -> None:
    teller = played()
    for names in permutations(teller.entries):
        again = rebuild(teller.fresh(), {name: teller.entries[name] for name in names}, reversed(teller.grants))
        assert again.pot == replace(teller.ledger.pot, proposals=0)
        assert (again.journals, again.claims) == (teller.ledger.journals, teller.ledger.claims)


def test_journals_that_continue_from_each_other_are_read_in_whatever_order_they_are_given() -> None:
    """Two of a table's are new since the last grant; a database gives them in no order."""
    teller = Teller()
    teller.chips("t1", 5)
    for before, journal in (("t1-1", "t1-2"), ("t1-2", "t1-3")):
        through = len(teller.entries[before])
        teller.say("t1", Announced(before, through, teller.head(before)), journal=journal)
        teller.chips("t1", 2)
    teller.say("t2", Claimed("t2-1/1", 1, wins((1, "straight_flush"))))
    [granted] = teller.grants
    for names in permutations(teller.entries):
        cut = {name: granted.cut[name] for name in names}
        again = rebuild(teller.fresh(), teller.entries, [replace(granted, cut=cut)])
        assert (again.pot, again.journals, again.claims) == (
            teller.ledger.pot,
            teller.ledger.journals,
            teller.ledger.claims,
        )


def test_what_does_not_follow_from_the_journals_is_noticed() -> None:
    teller = played()
    first, second = teller.grants
    less = {**second.cut, "t2-1": second.cut["t2-1"] - 1}
    for wrong in (replace(second, cut=less), replace(second, pot=second.pot + 1), replace(second, claim="t9")):
        with pytest.raises(DecisionRefused, match="another_grant"):
            rebuild(teller.fresh(), teller.entries, [first, wrong])
    with pytest.raises(DecisionRefused, match="another_grant"):
        rebuild(teller.fresh(), teller.entries, [second])
    with pytest.raises(DecisionRefused, match="a_journal_is_missing"):
        rebuild(teller.fresh(), {"t1-1": teller.entries["t1-1"], "t2-1": teller.entries["t2-1"][1:]}, teller.grants)
    with pytest.raises(DecisionRefused, match="a_journal_is_missing t2-1"):
        rebuild(teller.fresh(), {"t1-1": teller.entries["t1-1"]}, teller.grants)


def test_a_ledger_is_what_it_was_after_it_was_written_down() -> None:
    import msgspec

    ledger = played().ledger
    assert msgspec.json.decode(msgspec.json.encode(ledger), type=PotLedger) == ledger
