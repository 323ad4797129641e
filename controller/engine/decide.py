"""What an input means at the table as it stands: events, or a refusal with who, why and which article. No I/O here."""

from collections.abc import Iterator, Sequence

from controller.engine import decide_bank as bank
from controller.engine import decide_cards as cards
from controller.engine import decide_devices as devices
from controller.engine import decide_hands as hands
from controller.engine import decide_session as session
from controller.engine import inputs as heard
from controller.engine import jackpot
from controller.engine.alarms import acknowledge
from controller.engine.decide_betting import chip_heard, increment, lock_in
from controller.engine.decide_cards import Decision, Vault
from controller.engine.decide_corrections import adjust_round, correct
from controller.engine.decide_jackpot import adjust_meter, approve, confirm_hit, payable_after, read_parameters
from controller.engine.decide_void import report, require_open
from controller.engine.due import has_failed, refuse_unless, require
from controller.engine.events import DealerTold, Event, ShufflerExchanged, TableClosed, TableOpened
from controller.engine.inputs import FromDevice, FromPerson, Input, PersonInput
from controller.engine.persons import AT_THE_TABLE, require_second, require_supervisor
from controller.engine.prize_cards import refuse_unpaid
from controller.engine.settings import Settings, game_at, source_of, terms_of
from controller.engine.table import Table, next_step
from controller.engine.table_parts import is_loaded
from controller.rulebook.events import (
    CardSource,
    ClaimsClosed,
    DealAnnounced,
    DecisionMade,
    RoundBegun,
    RoundConfirmed,
    SourceChosen,
    Terms,
    WagerPlaced,
)
from controller.rulebook.game import CARDS_OF_A_DECK, Game
from controller.rulebook.games import game_of
from controller.rulebook.reading import check_name
from controller.rulebook.refusal import Refusal
from controller.rulebook.round import ORDERS_PER_ROUND, Round, advance
from controller.rulebook.steps import seat_place


class StaleStep(Exception):
    """An answer to a step that is no longer the table's; `current` is the one that is."""

    def __init__(self, current: str) -> None:
        super().__init__(current)
        self.current = current


def check_answers(table: Table, answers: Sequence[FromPerson], settings: Settings) -> None:
    """Raise StaleStep or Refusal where a person answers another step, or is nobody the configuration knows.

    All answers given together answer the step that the person saw, though the first of them may lead to the next.
    """
    for answer in answers:
        if answer.actor not in settings.people:
            raise Refusal("actor", f"{answer.actor!r} is not in the configuration's [people]", "policy: named actors")
        if settings.people[answer.actor] not in AT_THE_TABLE and not isinstance(answer, heard.OfAnyRole):
            role = settings.people[answer.actor]
            raise Refusal(
                "actor", f"{answer.actor} is a {role}; {' or '.join(AT_THE_TABLE)} acts here", "policy: roles"
            )
        step = step_answered(table, answer)
        if answer.step_id != step:
            raise StaleStep(step)


def step_answered(table: Table, answer: FromPerson) -> str:
    """The step id that an answer must carry.

    What is reported or corrected concerns the round and not the step it has come to: a packet that arrives while a
    person writes makes nothing stale.
    """
    match answer:
        case heard.ConfirmHit(hit=hit):
            return f"hit/{hit}"
        case heard.ApproveParameters(number=number):
            return f"parameters/{number}"
        case _ if isinstance(answer, heard.Report):
            return f"{table.rounds}/report"
        case _ if isinstance(answer, heard.Correction):
            return f"{table.rounds}/correct"
        case _ if isinstance(answer, heard.Adjustment):
            return "adjustment"
        case heard.CardReplaced() | heard.Acknowledge():
            return "table"
        case _:
            return next_step(table).id


def decide(table: Table, input: Input, settings: Settings, vault: Vault) -> Decision:
    """The events an input causes. Raises Refusal. The vault is read only for a card that is shown by this input."""
    if isinstance(input, heard.CardsHeard):
        input = cards.as_read(game_at(table, settings), input)
    match input:
        case heard.CardsHeard(source=source) if _asks(table) and table.round and source == table.round.terms.source:
            return hands.card_heard(table, input)
        case heard.CardsHeard():
            return cards.cards_heard(table, input)
        case heard.GiveUp() | heard.EvenMoney() | heard.Insure() | heard.Follow():
            return hands.answered(table, input, vault)
        case heard.Decide() if _asks(table):
            return hands.answered(table, input, vault)
        case heard.Reveal() if _asks(table):
            return hands.turned(table, input, vault)
        case heard.UnaskedCard():
            return hands.uncalled_settled(table, require_open(table), input, vault)
        case heard.UnheardCard():
            return cards.unheard_card(table)
        case heard.TilesDealt():
            return cards.tiles_dealt(table, input.actor)
        case heard.CardsCounted():
            return cards.counted(table, input)
        case heard.Reveal():
            return cards.reveal(table, input, vault)
        case _ if isinstance(input, heard.Correction):
            return correct(table, input, settings.people[input.actor], vault)
        case PersonInput():
            return Decision(events=tuple(_answer(table, input, settings)))
        case _:
            return Decision(events=tuple(_signal(table, game_at(table, settings), input)))


def _asks(table: Table) -> bool:
    return table.round is not None and table.round.terms.asks


def _answer(table: Table, input: FromPerson, settings: Settings) -> Iterator[Event]:
    role = settings.people[input.actor]
    match input:
        case heard.OpenTable():
            refuse_unless(table, "open")
            terms, game = terms_of(table, settings), game_at(table, settings)
            loads = game.asks and terms.source == "shuffler"
            yield TableOpened(actor=input.actor, load=terms.decks * CARDS_OF_A_DECK if loads else 0)
        case heard.Loaded():
            yield from session.loaded(table, role, input.actor)
        case heard.Extracted():
            yield from session.extracted(table, input, role)
        case heard.HoldCards():
            yield from session.held(table, input.actor)
        case heard.CardReplaced():
            yield from session.card_replaced(table, input, role)
        case heard.Acknowledge(alarm=name, since=since):
            yield from acknowledge(table, name, input.actor, since)
        case heard.EnterIncrement():
            yield from increment(table, input)
        case heard.CloseTable():
            yield from _close(table, input.actor)
        case heard.BeginRound():
            yield from _begin(table, settings)
        case heard.UseSource(source=source):
            yield from _use(table, source, input.actor, settings)
        case heard.ShufflerReplaced():
            refuse_unless(table, "begin")
            require_supervisor(role, "says that the shuffler was replaced")
            yield ShufflerExchanged(actor=input.actor)
        case heard.Shuffled():
            yield from cards.shuffled_by_hand(table, input)
        case heard.Cut():
            yield from cards.cut(table, input)
        case heard.PassCut():
            yield from cards.cut_passed(table, input)
        case heard.PlaceWarningCard():
            yield from cards.warning_card_placed(table, input)
        case heard.DeckComplete():
            yield from cards.deck_complete(table, input)
        case heard.PlaceWager(seat=seat, wager=wager, amount=amount):
            _refuse_late_bet(table, seat)
            # Black-jack 13: a bet may be laid until the seat's first card is due.
            round = require(table, *(("wagers", "increment", "deal") if _asks(table) else ("wagers",)))
            if input.player is not None:
                check_name(input.player, seat_place(seat), wager)
            game_of(round).check_wager(round, seat, wager, amount, input.player)
            yield WagerPlaced(seat=seat, wager=wager, amount=amount, player=input.player)
        case heard.TakeBank():
            yield from bank.take(table, input)
        case heard.PassBank():
            yield from bank.passed(table, input)
        case heard.Dice():
            yield from bank.thrown(table, input)
        case heard.DiceNull():
            yield from bank.annulled(table, input)
        case heard.Arranged():
            yield from bank.arranged(table, input.actor)
        case heard.LockIn():
            yield from lock_in(table)
        case heard.Announce(deal=deal):
            game = game_of(require(table, "announce"))
            if deal not in game.deals:
                raise Refusal("deal", f"{' or '.join(game.deals)}, not {deal}", game.citations.deal)
            yield DealAnnounced(deal=deal, actor=input.actor)
        case heard.Decide():
            yield from _decided(table, require(table, "decisions"), input)
        case heard.Confirm():
            round_id = require(table, "confirm").id
            yield RoundConfirmed(actor=input.actor)
            yield from payable_after(table, round_id)
        case heard.CloseClaims():
            require(table, "claims")
            refuse_unpaid(table)
            yield ClaimsClosed(cards=None, rounds=tuple(one.round for one in table.held))
        case heard.ConfirmHit(hit=number):
            yield from confirm_hit(table, game_at(table, settings), number, input.actor, role)
        case heard.ApproveParameters():
            yield from approve(table, input, role)
        case heard.TilesMoved():
            yield from bank.moved(table, require_open(table), input)
        case _ if isinstance(input, heard.Report):
            yield from report(table, game_at(table, settings), input, role)
        case _ if isinstance(input, heard.Adjustment):
            require_supervisor(role, "documents an adjustment")
            require_second(settings.people, input.actor, input.second)
            if isinstance(input, heard.AdjustRound):
                yield from adjust_round(table, input, settings.terms.seats)
            else:
                yield from adjust_meter(table, input)
        case _:
            raise TypeError(f"{type(input).__name__} is decided elsewhere")


def _refuse_late_bet(table: Table, seat: int) -> None:
    round = table.round
    late = game_of(round).citations.late_bet if round is not None and round.locked else ""
    if late:
        raise Refusal(seat_place(seat), "the bets are closed: none is laid, moved or taken back any more", late)


def _decided(table: Table, round: Round, input: heard.Decide) -> Iterator[Event]:
    game, seat, who = game_of(round), input.seat, seat_place(input.seat)
    if seat in round.decisions:
        raise Refusal(who, f"has decided already: {round.decisions[seat]}", game.citations.decision)
    game.check_decision(round, seat, input.decision)
    if input.hand != 1:
        raise Refusal(who, "has one hand, number 1", game.citations.deal)
    made = DecisionMade(seat=seat, hand=input.hand, decision=input.decision)
    yield made
    # After a correction a decision may be the last thing that was wanting.
    yield from cards.settle_if_complete(table, advance(round, made))


def _signal(table: Table, game: Game, input: FromDevice) -> Iterator[Event]:
    match input:
        case heard.ChipSensed() | heard.ChipPassed() | heard.ChipGone():
            yield from chip_heard(table, input)
        case heard.LockInPressed():
            try:
                yield from tuple(lock_in(table))
            except Refusal as refusal:
                # A button has no screen of its own: what it is refused must be told on the dealer's.
                yield DealerTold(notice="lock_in_refused", text=str(refusal))
        case heard.ShuffleHeard():
            yield from cards.shuffle_heard(table, input)
        case heard.DeckChecked():
            yield from cards.deck_checked(table, game, input)
        case heard.ReportsMissed():
            yield from cards.reports_missed(table, game, input)
        case heard.InsertionHeard():
            yield from session.inserted(table, input)
        case heard.ShufflerGreeted():
            yield from devices.greeted(table, game, input)
        case heard.DevicesConfigured():
            yield from devices.configured(table, input)
        case heard.DeviceFound() | heard.DeviceMissed():
            yield from devices.link(table, input)
        case heard.DeviceSaid():
            yield from devices.said(table, game, input)
        case heard.ParametersRead():
            yield from read_parameters(table, input)
        case heard.SignInHeard(event=event):
            yield event
        case _:
            raise TypeError(f"{type(input).__name__} is decided elsewhere")


def _begin(table: Table, settings: Settings) -> Iterator[Event]:
    refuse_unless(table, "begin")
    terms, game = terms_of(table, settings), game_at(table, settings)
    if terms.source == "shuffler" and has_failed(table, game):
        reason = "it has failed: use the shoe, or have it replaced"
        raise Refusal("shuffler", reason, game.citations.shuffler_failed)
    if game.asks and terms.source == "shuffler" and table.load is None:
        raise Refusal("shuffler", "it is loaded as the table opens: close it and open it again", "54")
    carried = table.carried
    if not terms.chip:
        # The configuration offers no jackpot any more: there is no round for these chips to go on to.
        carried = ()
        yield from _give_back_carried(table)
    number = table.rounds + 1
    yield RoundBegun(
        round=number,
        terms=terms,
        orders_from=max(number * ORDERS_PER_ROUND, table.orders_spent),
        carried=tuple(chip.seat for chip in carried),
        cut_after=table.cut_after,
        bank=table.bank,
        ready=_lies_ready(table, terms, game),
    )


def _lies_ready(table: Table, terms: Terms, game: Game) -> bool:
    """Whether the next round is dealt from what lies there since the one before: a shoe that is kept, other tiles."""
    if table.bank is not None and table.bank.used:
        return True
    return game.keeps_shoe and terms.source == "shoe" and is_loaded(table.shoe, terms.decks, game.asks)


def _close(table: Table, actor: str) -> Iterator[Event]:
    """Close the table; there is no next round for a carried chip, so it goes back with its contribution."""
    # Packets that were miscounted while it was loaded come out again like all others (black-jack 55).
    refuse_unless(table, "begin", "load")
    yield from _give_back_carried(table)
    yield TableClosed(actor=actor)


def _give_back_carried(table: Table) -> Iterator[Event]:
    for carried in table.carried:
        yield jackpot.give_back(carried)
        yield DealerTold(notice="carried_chip_ends", seat=carried.seat)


def _use(table: Table, source: CardSource, actor: str, settings: Settings) -> Iterator[Event]:
    game = game_at(table, settings)
    refuse_unless(table, *(("open",) if game.asks and not table.open else ("begin", "shuffle", "deck", "cut")))
    article = game.citations.source
    if table.load is not None or (game.asks and table.open and source == "shuffler"):
        if table.load is not None:
            reason = "its cards stay in the shuffler until the table is closed: close it, take them out, then choose"
            raise Refusal("source", reason, "57")
        raise Refusal("source", "a shuffler is loaded as a session begins: close the table, choose, open it", "54")
    if source not in settings.sources:
        raise Refusal("source", f"this table has no {source}; it has: {', '.join(settings.sources)}", article)
    if source == source_of(table, settings):
        raise Refusal("source", f"the cards come from the {source} already", article)
    if source == "shuffler" and has_failed(table, game):
        raise Refusal("shuffler", "it has failed and was not replaced", game.citations.shuffler_failed)
    yield SourceChosen(source=source, actor=actor)
