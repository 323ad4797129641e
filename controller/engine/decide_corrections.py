"""What was entered wrongly: one input replaced, the round reckoned anew, both versions kept. No I/O here."""

from collections.abc import Iterator

from msgspec.structs import replace

from controller.engine import decide_bank as bank
from controller.engine import decide_tiles as tiles
from controller.engine import inputs as heard
from controller.engine.decide_betting import move_contributions
from controller.engine.decide_cards import Decision, Vault, keyed_cards, settle_if_complete
from controller.engine.decide_face_up import refuse_too_often
from controller.engine.decide_hands import pending_taken
from controller.engine.decide_void import withdraw_settlement
from controller.engine.events import DealerTold, Event, RoundAdjusted
from controller.engine.persons import SUPERVISOR, documented, refuse_no_amount
from controller.engine.table import Table, fold
from controller.rulebook.answers import POLICY, in_words, last_answered, reworded
from controller.rulebook.cards import Card, show_cards
from controller.rulebook.events import InputCorrected
from controller.rulebook.games import game_of
from controller.rulebook.refusal import STEP_BY_STEP, Refusal
from controller.rulebook.round import Round, advance
from controller.rulebook.steps import seat_of, seat_place


def correct(table: Table, input: heard.Correction, role: str, vault: Vault) -> Decision:
    """The events of a correction. Raises Refusal for one that is too late, changes nothing, or breaks the law."""
    round = table.round
    if round is None or not round.locked:
        raise Refusal("table", "nothing is closed yet: enter the wager again", POLICY)
    if round.confirmed or round.void is not None:
        raise Refusal("table", "the round is confirmed or void: a supervisor documents an adjustment", POLICY)
    correction, drawn = _correction(table, round, input, role, vault)
    if correction.before == correction.after:
        raise Refusal(correction.at, "that is what was entered", POLICY)
    _refuse_another_deal(round, advance(round, correction), correction)
    game_of(round).check_corrected(advance(round, correction))
    if round.terms.asks:
        _refuse_another_play(round, correction)
    events: list[Event] = [*withdraw_settlement(table), correction]
    if correction.what == "cards" and game_of(round).arranges:
        events += tiles.told_if_rearranged(correction.at, [Card(tile) for tile in str(correction.after).split()])
    corrected = fold(table, events)
    if correction.what in ("wager", "seat"):
        events += _closed_again(corrected, round, correction)
        corrected = fold(table, events)
    if round.terms.asks:
        events += pending_taken(corrected, vault)
        corrected = fold(table, events)
    if corrected.round is not None:
        events += settle_if_complete(corrected, corrected.round)
    return Decision(events=tuple(events), drawn=drawn)


def _correction(
    table: Table, round: Round, input: heard.Correction, role: str, vault: Vault
) -> tuple[InputCorrected, dict[int, Card | None]]:
    actor, reason, game = input.actor, documented(input.reason), game_of(round)
    match input:
        case heard.CorrectWager(seat=seat, wager=wager, amount=amount, player=player):
            game.check_amount(round, seat, wager, amount, player)
            before = game.entered(round, seat, wager, player)
            return InputCorrected("wager", seat_place(seat), before, amount, actor, reason, wager, player), {}
        case heard.CorrectSeat(seat=seat, to_seat=to):
            game.check_seat(round, to)
            if seat not in round.wagers or to in round.wagers:
                raise Refusal(
                    seat_place(seat), f"bets move from a seat that has some to one that has none: {to}", POLICY
                )
            here, there = seat_place(seat), seat_place(to)
            return InputCorrected("seat", here, here, there, actor, reason), {}
        case heard.CorrectDecision(seat=seat, decision=decision) if round.terms.asks:
            return _answer(round, seat, decision, actor, reason), {}
        case heard.CorrectDecision(seat=seat, decision=decision):
            if seat not in round.decisions:
                raise Refusal(seat_place(seat), "has not decided yet", POLICY)
            game.check_decision(round, seat, decision)
            before_decision = round.decisions[seat]
            return InputCorrected("decision", seat_place(seat), before_decision, decision, actor, reason), {}
        case heard.CorrectDice(dice=dice):
            return bank.corrected_dice(round, dice, actor, reason), {}
        case heard.CorrectCards(to=place, cards=text):
            return _cards(table, round, input, place, text, role, vault)
        case _:
            raise TypeError(f"{type(input).__name__} is no correction")


def _answer(round: Round, seat: int, words: str, actor: str, reason: str) -> InputCorrected:
    """An answer keyed in wrongly. Insurance is money that lies there; any other holds once a card followed it (18, 36).

    Answers after it that would not have been asked for now fall away: they are asked again.
    """
    game, place = game_of(round), seat_place(seat)
    answers = [move.answer for move in round.moves]
    at = last_answered(answers, seat, words)
    given, later = answers[at], answers[at + 1 :]
    if given is None:
        raise TypeError("no answer was found")
    reworded(given, words)
    stake = given.question == "insurance"
    if None in later and not stake:
        raise Refusal(place, "a card has followed that answer: it stands", POLICY)
    corrected = InputCorrected("decision", place, in_words(given), words, actor, reason)
    for asked_again in range(len(later) * (given.question == "decision"), len(later) + 1):
        try:
            game.next_play(advance(round, replace(corrected, asked_again=asked_again)))
        except Refusal as refusal:
            if refusal.article != STEP_BY_STEP:
                raise
            if stake:
                raise Refusal(place, "without it the bank's second card would not have been turned", POLICY) from None
        else:
            return replace(corrected, asked_again=asked_again)
    raise TypeError("no later answer is left, and yet one was not asked for")


def _cards(
    table: Table, round: Round, input: heard.CorrectCards, place: str, text: str, role: str, vault: Vault
) -> tuple[InputCorrected, dict[int, Card | None]]:
    shown = game_of(round).shown_at(round, place)
    if not shown:
        raise Refusal(place, "its cards are not turned yet", POLICY)
    theirs = role == SUPERVISOR
    read = [None if theirs or draw in round.unread else vault.get(draw) for draw in shown]
    if game_of(round).arranges:
        laid = tiles.laid_tiles(round, place, text, read)
        changed = tiles.changed_values(laid, {draw: vault.get(draw) for draw in shown})
        words = show_cards(shown.values()), show_cards(laid)
        return InputCorrected("cards", place, *words, input.actor, documented(input.reason)), changed
    cards = keyed_cards(round, place, text, read)
    lain = dict(zip(shown, cards, strict=True))
    drawn: dict[int, Card | None] = {draw: card for draw, card in lain.items() if vault.get(draw) != card}
    before = tuple(shown.values())
    refuse_too_often(table, round, place, cards, instead_of=before)
    by_draw = tuple(shown) if round.terms.asks else ()
    after, reason = show_cards(cards), documented(input.reason)
    return InputCorrected("cards", place, show_cards(before), after, input.actor, reason, draws=by_draw), drawn


def _refuse_another_deal(round: Round, corrected: Round, correction: InputCorrected) -> None:
    """With cards on the table no seat enters play, leaves it, or takes another's turn, unless every space gets one."""
    game = game_of(round)
    before, after = game.seats_dealt(round), game.seats_dealt(corrected)
    moved = seat_of(correction.at), seat_of(str(correction.after))
    same_turns = before == after
    if correction.what == "seat" and moved[0] is not None and moved[1] is not None:
        same_turns = before.index(moved[0]) == after.index(moved[1])
    cards_lie = bool(round.moves) if round.terms.asks else bool(round.dealt)
    if cards_lie and not same_turns and not round.deals_everywhere:
        article = game_of(round).citations.broken_deal
        raise Refusal("table", "the cards would have gone elsewhere: report a misdeal", article)


def _refuse_another_play(round: Round, correction: InputCorrected) -> None:
    """Every answer that was followed, and every card that was drawn, must still be one that was asked for."""
    try:
        game_of(round).next_play(advance(round, correction))
    except Refusal as refusal:
        if refusal.article != STEP_BY_STEP:
            raise
        reason = "an answer was given or a card drawn that would not have been asked for"
        raise Refusal(correction.at, reason, POLICY) from None
    game, moved = game_of(round), {seat_of(correction.at): seat_of(str(correction.after))}
    before, after = game.deciders(round), game.deciders(advance(round, correction))
    for seat in {move.answer.seat for move in round.moves if move.answer is not None}:
        if before.get(seat) != after.get(moved.get(seat) or seat):
            raise Refusal(seat_place(seat), "another player would have decided there", game.citations.decider)


def _closed_again(table: Table, before: Round, correction: InputCorrected) -> Iterator[Event]:
    """The chips, weighed anew beside the corrected bets (4.º 3)."""
    round = table.round
    if round is None:
        return
    counted = set(before.chips) - set(round.carried_chips)
    # A chip that was given back and is gone from the slot comes into no meter.
    at = {seat_of(correction.at), seat_of(str(correction.after))}
    still_there = {seat for seat in before.returned_chips if seat in table.slots and seat in at}
    gone = {seat for seat in before.returned_chips if seat in round.wagers} - still_there
    laid = tuple(sorted(counted | (set(before.returned_chips) - gone)))
    closed = game_of(round).close_betting(round, laid)
    if closed.chips == before.chips and closed.returned == before.returned_chips:
        return
    yield closed
    for seat in sorted(gone):
        yield DealerTold(notice="chip_gone", seat=seat)
    for seat in closed.returned:
        if seat not in before.returned_chips:
            yield DealerTold(notice="chip_without_basic_bet", seat=seat)
    for seat in closed.carried_back:
        if seat in before.chips:
            yield DealerTold(notice="carried_chip_back", seat=seat)
    for seat in closed.carried:
        if seat not in before.chips:
            # It was to go back for want of a bet; no sensor says whether it already did.
            yield DealerTold(notice="carried_chip_counts", seat=seat)
    if round.terms.manual and round.moves and closed.chips != before.chips:
        yield DealerTold(notice="increment_changed")
    yield from move_contributions(table, round, closed)


def adjust_round(table: Table, input: heard.AdjustRound, seats: int) -> Iterator[Event]:
    """What a supervisor documents of a round that is confirmed."""
    unfinished = table.round is not None and not table.round.confirmed
    last = table.rounds - unfinished
    if not 1 <= input.round <= last:
        raise Refusal("round", f"rounds 1 to {last} are confirmed", "policy: documented adjustment")
    if not 1 <= input.seat <= seats:
        raise Refusal("seat", f"this table has seats 1 to {seats}", "policy: documented adjustment")
    refuse_no_amount(input.amount)
    yield RoundAdjusted(
        of_round=input.round,
        seat=input.seat,
        amount=input.amount,
        actor=input.actor,
        reason=documented(input.reason),
        second=input.second,
    )
