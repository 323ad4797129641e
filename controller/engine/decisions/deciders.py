"""Who may do what when: every input with its decider, the steps at which it is legal, and its person. No I/O here."""

from collections.abc import Callable
from typing import Any, cast

from controller.engine.decisions import (
    bank,
    betting,
    cards,
    changes,
    complaints,
    corrections,
    devices,
    hands,
    jackpot,
    link,
    prize_cards,
    session,
    tiles,
)
from controller.engine.decisions import inputs as heard
from controller.engine.decisions import void as irregular
from controller.engine.decisions.alarms import acknowledge
from controller.engine.decisions.decision import ROUNDS, Course, Row, When, at
from controller.engine.decisions.inputs import Input
from controller.engine.state.current_step import refuse_when_over
from controller.engine.state.inputs_changes import Changing
from controller.engine.state.persons import INSPECTOR
from controller.engine.state.table import Table
from controller.rulebook.round import Play

OPEN_ROUND = When("until the round is confirmed or void", refuse_when_over)
WAITING = When("while a change waits to be approved")
REPORT, ADJUSTMENT, TABLE = f"{ROUNDS}/report", "adjustment", "table"
ADJUSTS = "documents an adjustment"

ROWS: dict[type[Input], Row] = {
    # the session
    heard.OpenTable: Row(session.opened, at("open")),
    heard.Loaded: Row(session.loaded, at("load"), only="is there while the shuffler is loaded"),
    # What was miscounted while loading comes out again (black-jack 55).
    heard.CloseTable: Row(session.closed, at("begin", "load")),
    heard.Extracted: Row(session.extracted, at("extract"), only="is there while the cards are taken out"),
    heard.UseSource: Row(session.source_chosen, When("`begin`, `shuffle`, `deck`, `cut`; at black-jack `open`")),
    heard.ShufflerReplaced: Row(devices.exchanged, at("begin"), only="says that the shuffler was replaced"),
    heard.DamagedCard: Row(session.card_damaged, answers=TABLE),
    heard.CardReplaced: Row(session.card_replaced, only="replaces a damaged card", answers=TABLE),
    heard.InspectionTold: Row(session.inspection_told, only="says that the inspection was told", answers=TABLE),
    heard.SetAside: Row(devices.set_aside, only="puts a message aside", answers=TABLE),
    heard.Acknowledge: Row(acknowledge, any_role=True, answers=TABLE),
    heard.ActsDone: Row(session.acts_done, also=(INSPECTOR,), answers=TABLE),
    # a round
    heard.BeginRound: Row(session.round_begun, at("begin")),
    heard.NoBets: Row(session.no_bets, at("begin", "wagers")),
    heard.Shuffled: Row(cards.shuffled_by_hand, at("shuffle")),
    heard.DeckComplete: Row(cards.deck_complete, at("deck")),
    heard.Cut: Row(cards.cut, at("cut"), also=(INSPECTOR,)),
    heard.PassCut: Row(cards.cut_passed, at("cut")),
    heard.PlaceWarningCard: Row(hands.warning_card_placed, at("warning")),
    heard.Announce: Row(betting.announce, at("announce")),
    heard.TakeBank: Row(bank.take, at("bank")),
    heard.PassBank: Row(bank.passed, at("bank")),
    heard.AnnounceForm: Row(bank.form_announced, at("form")),
    heard.PlaceWager: Row(betting.place_wager, at("wagers")),
    heard.LockIn: Row(betting.lock_in, at("wagers")),
    heard.EnterIncrement: Row(betting.increment, at("increment")),
    heard.Dice: Row(bank.thrown, at("dice")),
    heard.DiceNull: Row(bank.annulled, at("dice")),
    heard.UnheardCard: Row(cards.unheard_card, at("deal", "burn")),
    heard.TilesDealt: Row(tiles.tiles_dealt, at("deal")),
    heard.CardsCounted: Row(cards.counted, at("count"), changes=True),
    heard.Arranged: Row(bank.arranged, at("arrange")),
    heard.Decide: Row(cards.decided, at("decisions")),
    heard.GiveUp: Row(hands.answered, at("ask")),
    heard.EvenMoney: Row(hands.answered, at("ask")),
    heard.Insure: Row(hands.answered, at("ask")),
    heard.Follow: Row(hands.answered, at("ask")),
    heard.Nobody: Row(hands.swept, at("ask")),
    heard.Reveal: Row(cards.reveal, at("reveal")),
    heard.RevealAll: Row(cards.one_by_one(cards.reveal), at("reveal")),
    heard.Confirm: Row(jackpot.confirm, at("confirm")),
    heard.CloseClaims: Row(session.claims_closed, at("claims")),
    heard.HoldCards: Row(session.held, at("claims")),
    # what is reported of a round
    heard.Exposed: Row(irregular.exposed, OPEN_ROUND, answers=REPORT, changes=True),
    heard.Misdealt: Row(irregular.misdealt, OPEN_ROUND, answers=REPORT, changes=True),
    heard.ToEmptySeat: Row(irregular.to_empty_seat, OPEN_ROUND, answers=REPORT, changes=True),
    heard.ShufflerFailed: Row(
        irregular.shuffler_failed, When("`deal`", refuse_when_over), answers=REPORT, changes=True
    ),
    heard.DealCorrected: Row(irregular.put_right, OPEN_ROUND, answers=REPORT),
    heard.TilesMoved: Row(bank.moved, When("`wagers`, `dice`", refuse_when_over), answers=REPORT),
    heard.UnaskedCard: Row(hands.uncalled_settled, OPEN_ROUND, answers=REPORT),
    heard.CutCard: Row(irregular.cut_card, answers=REPORT),
    heard.VoidRound: Row(irregular.broken_off, OPEN_ROUND, only="breaks a round off", answers=REPORT, changes=True),
    # what is corrected and adjusted
    **corrections.rows_of(corrections.Corrections()),
    heard.ApproveChanges: Row(
        lambda course, input: changes.approve(course, input, decider_of),
        WAITING,
        only="approves what changes a result",
        answers="changes",
    ),
    heard.RejectChanges: Row(changes.reject, WAITING, answers="changes"),
    heard.AdjustRound: Row(corrections.adjust_round, only=ADJUSTS, answers=ADJUSTMENT),
    heard.AdjustMeter: Row(jackpot.adjust_meter, When("between two rounds"), only=ADJUSTS, answers=ADJUSTMENT),
    heard.ReleaseKey: Row(
        corrections.release_key, When("once its round is confirmed or void"), only="releases a key", answers="key"
    ),
    heard.BeginEpoch: Row(
        devices.epoch_begun,
        When("between two rounds, while `older-copy` stands"),
        only="goes on from an older copy",
        answers="epoch",
    ),
    heard.Vouch: Row(
        link.vouched,
        When("while the pit holds the entry back, and `pot-held` stands"),
        only="vouches for what the pit holds back",
        answers="vouch",
    ),
    heard.SettleOnPaper: Row(
        link.settled_on_paper, When("`grant`, while the pit is away", at("grant").check), only="settles on paper"
    ),
    heard.CompareGrant: Row(
        link.compared_grant,
        When("while a grant of the pit is doubted, and `grant-held` stands"),
        only="compares a grant with the page of the pit",
        answers="compare",
    ),
    heard.AcceptPit: Row(
        link.accepted_pit,
        When("at a table of a linked pot"),
        only="accepts the keys of the pit",
        answers="pit",
    ),
    # complaints
    heard.Complain: Row(complaints.opened, When("until the cards of its round have gone in"), answers="complaint"),
    heard.DecideComplaint: Row(
        complaints.decided, When("while it is open"), only="decides a complaint", answers="complaint/{complaint}"
    ),
    # the jackpot
    # By one person after the other, one of them a supervisor.
    heard.ConfirmHit: Row(jackpot.confirm_hit, answers="hit/{hit}"),
    heard.WitnessCards: Row(
        prize_cards.witnessed, at("claims"), only="records that the winning cards were seen before the payment"
    ),
    heard.PrintSlip: Row(jackpot.slip_printed, answers="slip/{slip}"),
    heard.ApproveParameters: Row(jackpot.approve, any_role=True, answers="parameters/{number}"),
    # what devices say, whenever they do
    heard.ChipSensed: Row(betting.chip_heard),
    heard.ChipPassed: Row(betting.chip_heard),
    heard.ChipGone: Row(betting.chip_heard),
    heard.LockInPressed: Row(betting.lock_in_pressed),
    heard.CardsHeard: Row(cards.cards_heard),
    heard.ShuffleHeard: Row(cards.shuffle_heard),
    heard.InsertionHeard: Row(session.inserted),
    heard.DeckChecked: Row(cards.deck_checked),
    heard.ReportsMissed: Row(cards.reports_missed),
    heard.ShufflerGreeted: Row(devices.greeted),
    heard.DevicesConfigured: Row(devices.configured),
    heard.DeviceFound: Row(devices.found),
    heard.DeviceMissed: Row(devices.missed),
    heard.DeviceSaid: Row(devices.said),
    heard.ParametersRead: Row(jackpot.read_parameters),
    heard.LinkConfigured: Row(link.configured),
    heard.LinkHeard: Row(link.heard),
    heard.LinkToCount: Row(link.count),
    heard.SignInHeard: Row(session.sign_in_heard),
    heard.MessageNotTaken: Row(devices.not_taken),
    heard.FloorBeyond: Row(devices.overtaken),
    heard.SegmentsExpired: Row(session.pruned),
}
"""What is heard at any table."""

OF_PLAY: dict[type[Play], dict[type[Input], Row]] = {hands.PLAY: hands.ROWS, tiles.PLAY: tiles.ROWS}
"""What is decided otherwise in a round of another kind of play than packets."""
_ANSWERS = {str(kind.__struct_config__.tag): row.answers for kind, row in ROWS.items() if row.answers}


def row_of(table: Table, input: Input) -> Row:
    """How an input is decided at this table."""
    kind = type(input)
    own = OF_PLAY.get(type(table.round.play), {}) if table.round is not None else {}
    return own.get(kind) or ROWS[kind]


def decider_of(table: Table, input: Input) -> Callable[[Course, Any], None]:
    """What decides an input once it is known that it may be decided."""
    return row_of(table, input).decider


def carry_out(course: Course, input: Input) -> None:
    """Decide an input; a change that is informed waits to be approved. Raises Refusal."""
    row = row_of(course.table, input)
    if row.changes:
        course.actor = cast(Changing, input).actor
        changes.enter(course, cast(Changing, input), decider_of)
    else:
        row.decider(course, input)


def step_ids(table: Table) -> dict[str, str]:
    """By the kind of input, the step id that one carries instead of the present step's; its fields are in braces."""
    return {kind: answers.replace(ROUNDS, str(table.rounds)) for kind, answers in _ANSWERS.items()}
