"""Messages between a table and the pit of its linked pot: what is sent, and the effect of answers. No I/O here."""

from collections import Counter
from collections.abc import Iterable

from controller.engine.decisions.decision import (
    CoSigned,
    Course,
    DeviceInput,
    Input,
    Row,
    When,
    at,
    co_signed,
    require_second,
)
from controller.engine.decisions.settling import (
    at_the_link,
    close_if_cards_are_in,
    link_of,
    on_paper,
    record_messages,
    settle_if_complete,
    settle_void,
    withdraw_settlement,
)
from controller.engine.reasons import SupervisorAct, TableReason
from controller.engine.state.applied import parameters_on_paper
from controller.engine.state.current import is_lost
from controller.engine.state.events import (
    GrantCompared,
    LinkJoined,
    LinkOnPaper,
    LinkRecorded,
    LinkVouched,
    PitAccepted,
    PitKeysConfigured,
    VouchOutcome,
)
from controller.engine.state.jackpot import ChipContributed, ContributionReturned, HitPaid, HitWithdrawn
from controller.engine.state.table import PIT, claim_of, doubted_hits
from controller.link.messages import BEFORE_ANY, Announced, Body, Counted, Entry, Paid, PendingEntry
from controller.link.table import Broken, Doubted, GrantReceived, Learnt, Through, advance
from controller.rulebook.jackpot_award import Award
from controller.rulebook.refusal import Refusal
from controller.rulebook.steps import seat_place

PAPER = "policy: two persons settle on paper what a linked pot gives"
COMPARE = "policy: two persons compare a grant of a linked pot with the page of its pit"
ACCEPT = "policy: two persons accept the keys of the pit of a linked pot"
VOUCH = "policy: two persons vouch for an entry of a linked pot"


class LinkConfigured(DeviceInput, frozen=True):
    """The configuration's linked pot, received once at every start; its journal continues from `predecessor`.

    `keys` are the public keys of its pit.
    """

    link: str
    table: str
    game: str
    journal: str
    predecessor: str = ""
    through: int = 0
    head: str = BEFORE_ANY
    keys: tuple[str, ...] = ()


def link_configured(course: Course, input: LinkConfigured) -> None:
    """The journal joins the link, and says which journal it continues from; so does each epoch of it.

    The keys of the pit are accepted with it; others that the configuration has later wait for two persons.
    """
    if (link := course.table.link) is not None:
        if set(link.configured) != set(input.keys):
            course.record(PitKeysConfigured(input.keys))
        if link.kept.journal != input.journal:  # the pit may have received more than this copy has
            record_messages(course, at_the_link(course).begin(input.journal))
    else:
        course.record(LinkJoined(input.link, input.table, input.game, input.keys))
        announced = Announced(input.predecessor, input.through, input.head)
        course.record(LinkRecorded(Entry(input.link, input.table, input.journal, 1, announced)))


class LinkReceived(DeviceInput, frozen=True):
    """A message of the pit about the linked pot that has to be journaled."""

    content: tuple[Through | GrantReceived | Doubted | Learnt | Broken, ...]


def received(course: Course, input: LinkReceived) -> None:
    """Journals the new part of a message; it may come a second time before the first is durable."""
    for event in input.content:
        kept = link_of(course).kept
        overtaken = isinstance(event, Through) and event.revision < kept.at[1]
        if overtaken or advance(kept, event) == kept:
            continue
        record_messages(course, [event])
        if isinstance(event, GrantReceived) and course.table.round is not None and course.step.kind == "grant":
            _settle(course)


def _settle(course: Course) -> None:
    if course.round.void is None:
        settle_if_complete(course)
    else:
        settle_void(course)


class SettleOnPaper(CoSigned, frozen=True):
    """A supervisor enters a settlement on paper of a linked pot whose pit does not answer, at the step `grant`.

    `pot` is the amount it was computed from, `amounts` what each claim in the jackpot's `claimed` wins, in their order;
    minor units.
    """

    pot: int
    amounts: tuple[int, ...]
    reason: str


def settled_on_paper(course: Course, input: SettleOnPaper) -> None:
    """Two persons enter a settlement while the pit is offline: the awards that the regulation gives for the pot that
    they name.

    The last amount on the sign is not used: other tables have played since. The pot may not be above its ceiling.
    """
    table = course.table
    require_second(course.settings.people, input.actor, input.second, PAPER)
    claim = claim_of(link_of(course), course.round.id)
    assert claim is not None  # or it would not be the step
    if not is_lost(table, PIT):
        raise Refusal("jackpot", TableReason.PIT_CONNECTED, PAPER)
    parameters = parameters_on_paper(table)
    if not 1 <= input.pot <= parameters.ceiling:
        raise Refusal("pot", TableReason.NO_SUCH_POT, PAPER, ceiling=parameters.ceiling)
    awards = course.game.award(claim.winners, parameters.chip, parameters.terms(input.pot)).awards
    if len(input.amounts) != len(awards):
        raise Refusal("amount", TableReason.EACH_WINNER, PAPER, count=len(awards))
    for award, amount in zip(awards, input.amounts, strict=True):
        if amount != award.amount:
            seat, due = seat_place(award.seat), award.amount
            raise Refusal(seat, TableReason.NOT_OF_THAT_POT, award.article, pot=input.pot, due=due, amount=amount)
    course.record(co_signed(course, LinkOnPaper, input, input.reason, claim=claim.claim))
    _settle(course)


class CompareGrant(CoSigned, frozen=True):
    """A supervisor enters what the page of the pit shows for a claim whose grant is doubted.

    `amount` is all that it granted for the claim, in minor units. Answers ``compare``.
    """

    claim: str
    amount: int
    reason: str


def compared_grant(course: Course, input: CompareGrant) -> None:
    """Two persons enter what the page of the pit shows for a claim: it is settled and paid by that grant.

    A round that is confirmed is not settled again by another grant: its hits are withdrawn, the pit receives the sum as
    settled by two persons, and what is paid is documented as after any round.
    """
    people, persons = course.settings.people, (input.actor, input.second)
    require_second(people, *persons, COMPARE)
    link = course.table.link
    hit = None if link is None else next((doubt for doubt in doubted_hits(link) if doubt.claim == input.claim), None)
    if hit is None:
        raise Refusal("claim", TableReason.NOTHING_DOUBTED, COMPARE)
    grants = [grant for grant in (hit.grant, hit.other) if grant is not None]
    if input.amount not in [grant.amount for grant in grants]:
        raise Refusal("amount", TableReason.NOT_GRANTED_SO, COMPARE, amount=input.amount)
    is_confirmed = any(known.round == hit.round and known.state == "payable" for known in course.meter.hits)
    otherwise = hit.grant is None or input.amount != hit.grant.amount
    course.record(co_signed(course, GrantCompared, input, input.reason))
    if otherwise and course.table.round is not None and course.round.id == hit.round and not is_confirmed:
        withdraw_settlement(course)
    if otherwise and is_confirmed:
        withdraw_unpaid(course, hit.round, hit.grant.awards if hit.grant is not None else ())
        record_messages(course, at_the_link(course).settle_on_paper(input.claim, input.amount, persons))
        close_if_cards_are_in(course)
    elif course.table.round is not None and course.step.kind == "grant":
        _settle(course)


class AcceptPit(CoSigned, frozen=True):
    """A supervisor accepts the pit's keys in the configuration; what was received under the former keys is discarded.

    `keys` are those on the screen. Answers ``pit``.
    """

    keys: tuple[str, ...]
    reason: str


def accepted_pit(course: Course, input: AcceptPit) -> None:
    """Two persons have compared the keys in the configuration with those that the pit shows."""
    require_second(course.settings.people, input.actor, input.second, ACCEPT)
    link = course.table.link
    if link is None or set(input.keys) != set(link.configured):
        raise Refusal("keys", TableReason.OTHER_KEYS, ACCEPT)
    course.record(co_signed(course, PitAccepted, input, input.reason, keys=link.configured))


class LinkToCount(DeviceInput, frozen=True):
    """It is time to send the table's totals to the pit."""


def record_totals(course: Course, _: LinkToCount) -> None:
    """Records the table's totals, for the pit to compare."""
    add_entry(course, Counted(link_of(course).kept.totals))


class Vouch(CoSigned, frozen=True):
    """A supervisor decides on an entry that the pit of a linked pot has on hold: it counts, or it was never made.

    `entry` is its number in `journal`, which may be an earlier one of this table. Answers ``vouch``.
    """

    journal: str
    entry: int
    outcome: VouchOutcome
    reason: str


def vouched(course: Course, input: Vouch) -> None:
    """Two persons have decided on an entry that is on hold at the pit: the pit gets their decision, the journal the
    reason.
    """
    people, persons = course.settings.people, (input.actor, input.second)
    require_second(people, *persons, VOUCH)
    link = course.table.link
    if link is None or PendingEntry(input.journal, input.entry) not in link.kept.pending_entries:
        raise Refusal("entry", TableReason.NOTHING_PENDING, VOUCH)
    course.record(co_signed(course, LinkVouched, input, input.reason))
    record_messages(course, at_the_link(course).vouch(input.journal, input.entry, input.outcome == "counts", persons))


def report_to_pit(course: Course) -> None:
    """All changes of the meter by this input are also sent to the pit, and are durable with it."""
    moved = course.recorded
    for round, chips in Counter(event.round for event in moved if isinstance(event, ChipContributed)).items():
        record_messages(course, at_the_link(course).contribute(round, chips))
    gone = Counter(event.round for event in moved if isinstance(event, ContributionReturned))
    for given in link_of(
        course
    ).returnable:  # chips that were counted before the journal joined the link are not among them
        if chips := min(gone[given.round], given.chips):
            gone[given.round] -= chips
            record_messages(course, at_the_link(course).give_back(given.entry, chips))
    for round in {event.round for event in moved if isinstance(event, HitPaid)}:
        report_paid(course, round)


def add_entry(course: Course, body: Body) -> None:
    """The journal's next entry."""
    kept = link_of(course).kept
    record_messages(course, [Entry(kept.link, kept.table, kept.journal, kept.seq + 1, body)])


def withdraw_unpaid(course: Course, round: int, awards: Iterable[Award]) -> None:
    """Withdraw the unpaid hits of a confirmed round, last first; `awards` are all that it won of a linked pot."""
    won = {(award.seat, award.player or "", award.tier): award for award in awards}
    for hit in reversed(course.meter.hits):
        if hit.round == round and hit.state == "payable":
            award = won[hit.seat, hit.player, hit.tier]
            course.record(HitWithdrawn(hit.hit, hit.amount, award.from_pot, award.from_house, linked=True))


def report_paid(course: Course, round: int) -> None:
    """Once every hit of a round is paid, so is its claim."""
    claim = claim_of(link_of(course), round)
    unpaid = [hit for hit in course.meter.hits if hit.round == round and hit.state != "paid"]
    if claim is None or unpaid:
        return
    if (paper := on_paper(course, claim)) is not None:
        record_messages(course, at_the_link(course).settle_on_paper(claim.claim, paper.amount, paper.persons))
    elif claim.grant is not None:
        add_entry(course, Paid(claim.claim, claim.grant.amount))


ROWS: dict[type[Input], Row] = {
    Vouch: Row(
        vouched,
        When("while the pit has the entry on hold, and `entries-on-hold` is active"),
        only=SupervisorAct.VOUCHES,
        answers="vouch",
    ),
    SettleOnPaper: Row(
        settled_on_paper, When("`grant`, while the pit is away", at("grant").check), only=SupervisorAct.SETTLES_ON_PAPER
    ),
    CompareGrant: Row(
        compared_grant,
        When("while a grant of the pit is doubted, and `grant-doubted` is active"),
        only=SupervisorAct.COMPARES_GRANT,
        answers="compare",
    ),
    AcceptPit: Row(
        accepted_pit,
        When("at a table of a linked pot"),
        only=SupervisorAct.ACCEPTS_KEYS,
        answers="pit",
    ),
    LinkConfigured: Row(link_configured),
    LinkReceived: Row(received),
    LinkToCount: Row(record_totals),
}
