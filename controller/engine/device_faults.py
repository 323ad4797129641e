"""What a device's trouble does in each phase of a round: one table, with article or policy. No I/O here.

A citation in capitals is the game's own article, filled in when a cell is asked for.

Voids are made by it and with its citations, prompts take its words, and the dealer's count is asked by it; where a cell
says that play goes on, it states what holds because nothing decides otherwise. The tests walk every cell.
"""

from typing import Literal, get_args

import msgspec
from msgspec.structs import replace

from controller.engine.events import DeviceName
from controller.rulebook.events import CardSource
from controller.rulebook.game import COMPLETE_DECK, UNREAD_CARDS, Game
from controller.rulebook.steps import Phase
from controller.words import Words, in_every_language

Action = Literal["go on", "by hand", "hold", "void"]
AnyPhase = Literal["between", "shuffle", "wagers", "deal", "decisions", "reveal", "settle", "claims"]
Trouble = tuple[DeviceName, str]
"""A device, and what is the matter with it."""
PHASES: tuple[AnyPhase, ...] = get_args(AnyPhase)
SOURCES = ("shuffler", "shoe")
BABBLE = "babble"

# What a device says of itself that stands, as an alarm, until it says that it is over: name, beginning, ends.
STANDING = (
    ("jam", "jam", ("cleared",)),
    ("lid", "lid_opened", ("lid_closed",)),
    ("error", "error", ("error_cleared", "restarted")),
    ("machine", "wrong_machine", ("right_machine",)),
    (BABBLE, "babbling", ("quiet",)),
)


SOURCE, MATERIAL, BROKEN_DEAL, SHUFFLER_FAILED = "SOURCE", "MATERIAL", "BROKEN DEAL", "SHUFFLER FAILED"
DISPLAY = "DISPLAY"


class Cell(msgspec.Struct, frozen=True):
    """`action` under `citation`; which of the faults' words the dealer is `told`, where the round waits for hands."""

    action: Action
    citation: str
    told: str = ""


_NOT_NEEDED = Cell("go on", "policy: nothing is wanted of it now")
_NOT_THE_SOURCE = Cell("go on", SOURCE)
_MAIN_GAME_GOES_ON = Cell("go on", "policy: the main game goes on")
_OUTBOX = Cell("go on", "policy: the floor is told later")


Cells = dict[Trouble, dict[AnyPhase, Cell]]


def _row(otherwise: Cell, cells: dict[AnyPhase, Cell]) -> dict[AnyPhase, Cell]:
    return {**dict.fromkeys(PHASES, otherwise), **cells}


_ROWS: Cells = {
    ("shuffler", "lost"): {
        "shuffle": Cell("hold", SOURCE, "wait_or_shoe"),
        "deal": Cell("hold", "policy: the shuffler keeps its reports", "wait"),
        "claims": Cell("by hand", "policy: the dealer's word", "cleared_away"),
    },
    ("shuffler", "jam"): {
        "shuffle": Cell("hold", SOURCE, "clear_jam"),
        # Heard while the cards are dealt; the words are for a jam that stood there when the deal began.
        "deal": Cell("void", SHUFFLER_FAILED, "jammed"),
    },
    ("shuffler", "restarted"): {
        "shuffle": Cell("hold", "policy: a forgotten order is shuffled again"),
        "wagers": Cell("hold", "policy: a forgotten order is shuffled again"),
        "deal": Cell("void", SHUFFLER_FAILED),
    },
    ("shuffler", "deck"): {
        # What is found while nothing is wanted of it is put right before the next bets.
        "between": Cell("by hand", MATERIAL),
        "claims": Cell("by hand", MATERIAL),
        "shuffle": Cell("by hand", MATERIAL),
        "wagers": Cell("by hand", MATERIAL),
        "deal": Cell("void", COMPLETE_DECK),
    },
    ("shuffler", "packet"): {"deal": Cell("void", BROKEN_DEAL)},
    ("shoe", "lost"): {"deal": Cell("by hand", UNREAD_CARDS, "draw_on")},
    ("shoe", "unread"): {"deal": Cell("by hand", UNREAD_CARDS)},
    ("shoe", "reports lost"): {"deal": Cell("by hand", UNREAD_CARDS)},
    ("shoe", "error"): {"deal": Cell("by hand", UNREAD_CARDS)},
    ("slots", "lost"): {
        "between": _MAIN_GAME_GOES_ON,
        "shuffle": _MAIN_GAME_GOES_ON,
        "wagers": Cell("by hand", "policy: the main game goes on", "no_jackpot"),
    },
    ("slots", "doubtful"): {"wagers": Cell("go on", "policy: doubtful sensor")},
    ("sign", "lost"): {
        "between": _MAIN_GAME_GOES_ON,
        "shuffle": _MAIN_GAME_GOES_ON,
        "wagers": Cell("go on", DISPLAY, "no_jackpot_sign"),
    },
    ("pit", "lost"): {
        "between": _MAIN_GAME_GOES_ON,
        "shuffle": _MAIN_GAME_GOES_ON,
        "wagers": Cell("go on", "policy: no jackpot chip without the pit", "no_jackpot_pit"),
    },
    ("floor", "lost"): dict.fromkeys(PHASES, _OUTBOX),
}
# A dispenser takes no orders and gives its cards one by one: it goes on where it was, whatever stopped it.
_DISPENSER_ROWS: Cells = {
    ("shuffler", "lost"): {
        "deal": Cell("hold", "policy: the shuffler keeps its reports", "wait"),
        "claims": _ROWS["shuffler", "lost"]["claims"],
    },
    ("shuffler", "jam"): {"deal": Cell("hold", "policy: the shuffler keeps its reports", "jammed")},
    ("shuffler", "restarted"): {},
    ("shuffler", "deck"): {},
    ("shuffler", "packet"): {},
}
_CELLS: Cells = {trouble: _row(_NOT_NEEDED, cells) for trouble, cells in _ROWS.items()}
_DISPENSER_CELLS = _CELLS | {trouble: _row(_NOT_NEEDED, cells) for trouble, cells in _DISPENSER_ROWS.items()}
# The cards lie open: whenever reports were lost, what lies there can be held against the screen.
_COMPARED_CELLS: Cells = {("shoe", "reports lost"): _row(Cell("by hand", UNREAD_CARDS), {})}
_KEPT_CELLS: Cells = {
    ("shuffler", "jam"): _row(Cell("go on", "51", "call_51"), {"deal": Cell("hold", "51", "call_51")})
}
# Tiles are dealt by hand: a reader that is away delays nobody, and a sign without a jackpot says nothing that counts.
_BY_HAND_ROWS: Cells = {
    ("shoe", "lost"): {"deal": Cell("by hand", UNREAD_CARDS, "deal_on")},
    ("sign", "lost"): {phase: _MAIN_GAME_GOES_ON for phase in PHASES},
    ("slots", "lost"): {},
    ("slots", "doubtful"): {},
    ("pit", "lost"): {},
}
_BY_HAND_CELLS = _DISPENSER_CELLS | {trouble: _row(_NOT_NEEDED, cells) for trouble, cells in _BY_HAND_ROWS.items()}
TROUBLES = tuple(_CELLS)


def cell(game: Game, device: DeviceName, trouble: str, phase: AnyPhase, source: CardSource) -> Cell:
    """What happens when `device` is in `trouble` during `phase` of a round of `game` dealt from `source`.

    Raises KeyError for a device or a trouble that the table does not have.
    """
    own = (
        (game.by_hand, _BY_HAND_CELLS),
        (game.compares_cards, _COMPARED_CELLS),
        (game.keeps_shuffler, _KEPT_CELLS),
        (game.continuous, _DISPENSER_CELLS),
    )
    cells = next((cells for holds, cells in own if holds and (device, trouble) in cells), _CELLS)
    found = cells[device, trouble][phase]
    found = _NOT_THE_SOURCE if device in SOURCES and device != source else found
    articles = {
        SOURCE: game.citations.source,
        MATERIAL: game.citations.material,
        BROKEN_DEAL: game.citations.broken_deal,
        SHUFFLER_FAILED: game.citations.shuffler_failed,
        DISPLAY: game.citations.display,
    }
    return replace(found, citation=articles.get(found.citation, found.citation))


def told_by(cell: Cell, game: Game) -> Words:
    """What the dealer is told by a cell that says something."""
    return in_every_language("faults", cell.told, display=game.citations.display)


def phase_or_between(phase: Phase | None) -> AnyPhase:
    """The phase of a round, or the time between two."""
    return "between" if phase is None else phase
