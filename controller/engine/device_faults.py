"""What a device's trouble does in each phase of a round: one table, with article or policy. No I/O here.

A citation in capitals is the game's own article, filled in when a cell is asked for.

Voids are made by it and with its citations, prompts take its words, and the dealer's count is asked by it; where a cell
says that play goes on, it states what holds because nothing decides otherwise. The tests walk every cell.
"""

from typing import Literal, get_args

import msgspec
from msgspec.structs import replace

from controller.engine.languages import LANGUAGES
from controller.rulebook.events import CardSource
from controller.rulebook.game import COMPLETE_DECK, UNREAD_CARDS, Game
from controller.rulebook.steps import Phase

Action = Literal["go on", "by hand", "hold", "void"]
AnyPhase = Literal["between", "shuffle", "wagers", "deal", "decisions", "reveal", "settle", "claims"]
PHASES: tuple[AnyPhase, ...] = get_args(AnyPhase)
SOURCES = ("shuffler", "shoe")

# What a device says of itself that stands, as an alarm, until it says that it is over: name, beginning, ends.
STANDING = (
    ("jam", "jam", ("cleared",)),
    ("lid", "lid_opened", ("lid_closed",)),
    ("error", "error", ("error_cleared", "restarted")),
    ("machine", "wrong_machine", ("right_machine",)),
)


SOURCE, MATERIAL, BROKEN_DEAL, SHUFFLER_FAILED = "SOURCE", "MATERIAL", "BROKEN DEAL", "SHUFFLER FAILED"
DISPLAY = "DISPLAY"


class Cell(msgspec.Struct, frozen=True):
    """`action` under `citation`; what the dealer is told, by language, where the round waits for hands."""

    action: Action
    citation: str
    en: str = ""
    pt: str = ""
    zh: str = ""


_NOT_NEEDED = Cell("go on", "policy: nothing is wanted of it now")
_NOT_THE_SOURCE = Cell("go on", SOURCE)
_MAIN_GAME_GOES_ON = Cell("go on", "policy: the main game goes on")
_OUTBOX = Cell("go on", "policy: the floor is told later")
_NO_JACKPOT = (
    "No new jackpot chip counts. Lock in on the screen.",
    "Nenhuma ficha nova do jackpot conta. Feche as apostas no ecrã.",
    "不接受新的彩池籌碼，請在畫面上截注。",
)
_NO_JACKPOT_SIGN = (
    "No new jackpot chip counts (DISPLAY).",
    "Nenhuma ficha nova do jackpot conta (DISPLAY).",
    "不接受新的彩池籌碼（DISPLAY）。",
)
_WAIT_OR_SHOE = (
    "It shuffles when it answers again; or use the other source, if there is one.",
    "Baralha quando voltar a responder; ou use a outra fonte, se existir.",
    "恢復回應後會洗牌；如有另一來源，亦可改用。",
)


_WAIT = (
    "Wait: it goes on where it was. If it does not come back, report its failure.",
    "Aguarde: continua onde estava. Se não voltar, comunique a falha.",
    "請稍候，會由原處繼續；若不恢復，請報告故障。",
)
_JAMMED = (
    "The shuffler is jammed: clear it, or report its failure.",
    "O baralhador está encravado: resolva, ou comunique a falha.",
    "洗牌機卡牌：請排除，或報告故障。",
)


def _row(otherwise: Cell, cells: dict[AnyPhase, Cell]) -> dict[AnyPhase, Cell]:
    return {**dict.fromkeys(PHASES, otherwise), **cells}


_ROWS: dict[tuple[str, str], dict[AnyPhase, Cell]] = {
    ("shuffler", "lost"): {
        "shuffle": Cell("hold", SOURCE, *_WAIT_OR_SHOE),
        "deal": Cell(
            "hold",
            "policy: the shuffler keeps its reports",
            *_WAIT,
        ),
        "claims": Cell(
            "by hand",
            "policy: the dealer's word",
            "Say yourself that the cards are cleared away.",
            "Confirme no ecrã que as cartas foram recolhidas.",
            "請在畫面上確認牌已收妥。",
        ),
    },
    ("shuffler", "jam"): {
        "shuffle": Cell(
            "hold",
            SOURCE,
            "Clear the jam; or use the other source, if there is one.",
            "Resolva o encravamento; ou use a outra fonte, se existir.",
            "請排除卡牌；如有另一來源，亦可改用。",
        ),
        # Heard while the cards are dealt; the words are for a jam that stood there when the deal began.
        "deal": Cell(
            "void",
            SHUFFLER_FAILED,
            *_JAMMED,
        ),
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
    ("shoe", "lost"): {
        "deal": Cell(
            "by hand",
            UNREAD_CARDS,
            "Draw on, and say of each card that it was not heard; it is keyed in when it is turned.",
            "Continue, indicando cada carta não lida; será introduzida quando for virada.",
            "繼續抽牌，並逐張說明未被讀取；翻開時輸入。",
        ),
    },
    ("shoe", "unread"): {"deal": Cell("by hand", UNREAD_CARDS)},
    ("shoe", "reports lost"): {"deal": Cell("by hand", UNREAD_CARDS)},
    ("shoe", "error"): {"deal": Cell("by hand", UNREAD_CARDS)},
    ("slots", "lost"): {
        "between": _MAIN_GAME_GOES_ON,
        "shuffle": _MAIN_GAME_GOES_ON,
        "wagers": Cell("by hand", "policy: the main game goes on", *_NO_JACKPOT),
    },
    ("slots", "doubtful"): {"wagers": Cell("go on", "policy: doubtful sensor")},
    ("sign", "lost"): {
        "between": _MAIN_GAME_GOES_ON,
        "shuffle": _MAIN_GAME_GOES_ON,
        "wagers": Cell("go on", DISPLAY, *_NO_JACKPOT_SIGN),
    },
    ("floor", "lost"): dict.fromkeys(PHASES, _OUTBOX),
}
# A dispenser takes no orders and gives its cards one by one: it goes on where it was, whatever stopped it.
_DISPENSER_ROWS: dict[tuple[str, str], dict[AnyPhase, Cell]] = {
    ("shuffler", "lost"): {
        "deal": Cell("hold", "policy: the shuffler keeps its reports", *_WAIT),
        "claims": _ROWS["shuffler", "lost"]["claims"],
    },
    ("shuffler", "jam"): {"deal": Cell("hold", "policy: the shuffler keeps its reports", *_JAMMED)},
    ("shuffler", "restarted"): {},
    ("shuffler", "deck"): {},
    ("shuffler", "packet"): {},
}
_CELLS = {trouble: _row(_NOT_NEEDED, cells) for trouble, cells in _ROWS.items()}
_DISPENSER_CELLS = _CELLS | {trouble: _row(_NOT_NEEDED, cells) for trouble, cells in _DISPENSER_ROWS.items()}
_CALL_51 = (
    "The shuffler is jammed: call the chief inspector, who opens and clears it, or sends for a technician (51). "
    "To go on with the shoe, close the table, take the cards out (55), and choose it.",
    "O baralhador está encravado: chame o fiscal-chefe, que o abre e resolve, ou requisita um técnico (51). "
    "Para continuar com o sabot, feche a mesa, retire as cartas (55) e escolha-o.",
    "洗牌機卡牌：請主任稽查開機處理，或請技術員（51）。如改用發牌靴，請先閉枱、取出牌（55），再選用。",
)
# The cards lie open: whenever reports were lost, what lies there can be held against the screen.
_HANDS_CELLS = _DISPENSER_CELLS | {
    ("shoe", "reports lost"): _row(Cell("by hand", UNREAD_CARDS), {}),
    ("shuffler", "jam"): _row(Cell("go on", "51", *_CALL_51), {"deal": Cell("hold", "51", *_CALL_51)}),
}
# Tiles are dealt by hand: a reader that is away delays nobody, and a sign without a jackpot says nothing that counts.
_BY_HAND_ROWS: dict[tuple[str, str], dict[AnyPhase, Cell]] = {
    ("shoe", "lost"): {
        "deal": Cell(
            "by hand",
            UNREAD_CARDS,
            "Deal on, and say when all tiles lie there; they are keyed in as they are opened.",
            "Continue e indique quando todas as pedras estiverem na mesa; serão introduzidas quando forem abertas.",
            "繼續派牌，派完後確認；開牌時輸入。",
        )
    },
    ("sign", "lost"): {phase: _MAIN_GAME_GOES_ON for phase in PHASES},
    ("slots", "lost"): {},
    ("slots", "doubtful"): {},
}
_BY_HAND_CELLS = _DISPENSER_CELLS | {trouble: _row(_NOT_NEEDED, cells) for trouble, cells in _BY_HAND_ROWS.items()}
TROUBLES = tuple(_CELLS)


def cell(game: Game, device: str, trouble: str, phase: AnyPhase, source: CardSource) -> Cell:
    """What happens when `device` is in `trouble` during `phase` of a round of `game` dealt from `source`.

    Raises KeyError for a device or a trouble that the table does not have.
    """
    if game.by_hand:
        cells = _BY_HAND_CELLS
    else:
        cells = _HANDS_CELLS if game.asks else _DISPENSER_CELLS if game.continuous else _CELLS
    found = cells[device, trouble][phase]
    found = _NOT_THE_SOURCE if device in SOURCES and device != source else found
    articles = {
        SOURCE: game.citations.source,
        MATERIAL: game.citations.material,
        BROKEN_DEAL: game.citations.broken_deal,
        SHUFFLER_FAILED: game.citations.shuffler_failed,
        DISPLAY: game.citations.display,
    }
    words = {name: getattr(found, name).replace(DISPLAY, game.citations.display) for name in LANGUAGES}
    return replace(found, citation=articles.get(found.citation, found.citation), **words)


def phase_or_between(phase: Phase | None) -> AnyPhase:
    """The phase of a round, or the time between two."""
    return "between" if phase is None else phase
