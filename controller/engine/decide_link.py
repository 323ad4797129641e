"""What the pit of a linked pot is told, and what it said. No I/O here."""

from collections import Counter

from controller.engine import inputs as said_by
from controller.engine.decision import Course
from controller.engine.events import LinkJoined, LinkRecorded
from controller.engine.jackpot_events import ChipContributed, ContributionReturned
from controller.engine.table_parts import Linked
from controller.link.messages import Announced, Body, Contributed, Counted, Entry, Returned, units_of
from controller.link.table import Through, advance


def configured(course: Course, input: said_by.LinkConfigured) -> None:
    """The journal joins the link, and says which journal it goes on from."""
    if course.table.link is None:
        course.record(LinkJoined(input.link, input.table, input.game))
        announced = Announced(input.predecessor, input.through, input.head)
        course.record(LinkRecorded(Entry(input.link, input.table, input.journal, 1, announced)))


def heard(course: Course, input: said_by.LinkHeard) -> None:
    """What is news of it is kept; the same may have come twice before the first of it was durable."""
    for said in input.said:
        kept = _link(course).kept
        overtaken = isinstance(said, Through) and said.revision < kept.at[1]
        if not overtaken and advance(kept, said) != kept:
            course.record(LinkRecorded(said))


def count(course: Course, _: said_by.LinkToCount) -> None:
    """What the table has added up, for the pit to compare."""
    _enter(course, Counted(_link(course).kept.totals))


def tell_pit(course: Course) -> None:
    """Whatever this input did to the meter goes to the pit too, and is durable with it."""
    moved = course.recorded
    counted = Counter(event.round for event in moved if isinstance(event, ChipContributed))
    for round, chips in counted.items():
        learnt = _link(course).kept.learnt
        assert learnt is not None, "no round takes chips before a pot was heard of"
        _enter(course, Contributed(round, chips, learnt.terms, sum(units_of(chips, learnt.parameters))))
    gone = Counter(event.round for event in moved if isinstance(event, ContributionReturned))
    for given in _link(course).laid:  # chips that were counted before the journal joined the link are not among them
        if chips := min(gone[given.round], given.chips):
            gone[given.round] -= chips
            body = given.entry.body
            assert isinstance(body, Contributed)
            _enter(course, Returned(given.entry.seq, chips, body.units_e4 // body.chips * chips))


def _enter(course: Course, body: Body) -> None:
    kept = _link(course).kept
    course.record(LinkRecorded(Entry(kept.link, kept.table, kept.journal, kept.seq + 1, body)))


def _link(course: Course) -> Linked:
    link = course.table.link
    assert link is not None, "only a table at a link hears of it"
    return link
