"""What was entered wrongly: one input replaced, the round computed again, both versions kept. No I/O here."""

from msgspec import UNSET
from msgspec.structs import replace

from controller.engine import decide_bank as bank
from controller.engine import decide_tiles as tiles
from controller.engine import inputs as heard
from controller.engine.decide_betting import move_contributions
from controller.engine.decide_cards import keyed_cards, settle_if_complete, tell_if_folded
from controller.engine.decide_complaints import is_heard
from controller.engine.decide_face_up import refuse_too_often
from controller.engine.decide_hands import take_waiting
from controller.engine.decide_void import withdraw_settlement
from controller.engine.decision import Course
from controller.engine.due import rounds_over
from controller.engine.events import RoundAdjusted
from controller.engine.persons import SUPERVISOR, documented, refuse_no_amount, require_second
from controller.engine.reasons import TableReason
from controller.engine.table import Table
from controller.rulebook.blackjack_21.answers import in_words, last_answered, reworded
from controller.rulebook.blackjack_21.play import check_backers_insure
from controller.rulebook.blackjack_21.reasons import NOT_DUE
from controller.rulebook.blackjack_21.table_state import hands_of
from controller.rulebook.cards import Card, show_cards
from controller.rulebook.events import InputCorrected
from controller.rulebook.games import game_of, packet_game_of
from controller.rulebook.packets import packets_of
from controller.rulebook.reasons import LawReason
from controller.rulebook.refusal import CORRECTIONS as POLICY
from controller.rulebook.refusal import Refusal
from controller.rulebook.round import Round, advance
from controller.rulebook.steps import seat_of, seat_place


def refuse_too_early_or_late(table: Table) -> None:
    """Raises Refusal unless the bets of the round are closed, and something can still change it."""
    round = table.round
    if round is None or not round.locked:
        raise Refusal("table", TableReason.NOTHING_CLOSED, POLICY)
    if round.confirmed or round.void is not None:
        raise Refusal("table", TableReason.ROUND_OVER, POLICY)


def correct(course: Course, input: heard.Correction) -> None:
    """One input is replaced. Raises Refusal for a correction that changes nothing, or breaks the law."""
    round, correction = course.round, _correction(course, input)
    if correction.before == correction.after:
        raise Refusal(correction.at, TableReason.NOTHING_CHANGED, POLICY)
    withdraw_settlement(course)
    course.record(correction)
    _refuse_another_deal(round, course.round, correction)
    course.game.check_corrected(course.round)
    if round.terms.asks:
        _refuse_another_play(round, course.round, correction)
    if correction.what == "cards" and course.game.arranges:
        tiles.tell_if_rearranged(course, correction.at, [Card(tile) for tile in str(correction.after).split()])
    if correction.what in ("wager", "seat"):
        _close_again(course, round, correction)
    if course.game.citations.given_up:
        _tell_again_if_folded(course, round)
    if round.terms.asks:
        take_waiting(course)
    settle_if_complete(course)


def _tell_again_if_folded(course: Course, before: Round) -> None:
    """What becomes of the cards of who gave up may be another thing than the dealer was told."""
    now = course.round
    for seat, decision in packets_of(now).decisions.items():
        told = packets_of(before).decisions.get(seat) == decision and seat in before.wagers
        game = packet_game_of(now)
        if not told or game.cards_stay(before, seat) != game.cards_stay(now, seat):
            tell_if_folded(course, seat)


def _correction(course: Course, input: heard.Correction) -> InputCorrected:
    """What is replaced by what; the cards that are keyed in with it are drawn."""
    round, game, actor, reason = course.round, course.game, input.actor, documented(input.reason)
    match input:
        case heard.CorrectWager(seat=seat, wager=wager, amount=amount, player=player):
            game.check_amount(round, seat, wager, amount, player)
            before = game.entered(round, seat, wager, player)
            return InputCorrected("wager", seat_place(seat), before, amount, actor, reason, wager, player)
        case heard.CorrectSeat(seat=seat, to_seat=to):
            game.check_seat(round, to)
            if seat not in round.wagers or to in round.wagers:
                raise Refusal(seat_place(seat), TableReason.MOVE_TO_EMPTY, POLICY, seat=to)
            here, there = seat_place(seat), seat_place(to)
            return InputCorrected("seat", here, here, there, actor, reason)
        case heard.CorrectDecision(seat=seat, decision=decision) if round.terms.asks:
            return _answer(round, seat, decision, actor, reason)
        case heard.CorrectDecision(seat=seat, decision=decision):
            if seat not in packets_of(round).decisions:
                raise Refusal(seat_place(seat), TableReason.NOT_DECIDED, POLICY)
            packet_game_of(round).check_decision(round, seat, decision)
            before_decision = packets_of(round).decisions[seat]
            return InputCorrected("decision", seat_place(seat), before_decision, decision, actor, reason)
        case heard.CorrectDice(dice=dice):
            return bank.corrected_dice(round, dice, actor, reason)
        case heard.CorrectCards():
            return _cards(course, input, reason)


def _answer(round: Round, seat: int, words: str, actor: str, reason: str) -> InputCorrected:
    """An answer keyed in wrongly. Insurance is money that lies there; any other holds once a card followed it (18, 36).

    Answers after it that would not have been asked for now fall away: they are asked again.
    """
    game, place = game_of(round), seat_place(seat)
    answers = [move.answer for move in hands_of(round).moves]
    at = last_answered(answers, seat, words)
    given, later = answers[at], answers[at + 1 :]
    if given is None:
        raise TypeError("no answer was found")
    check_backers_insure(place, reworded(given, words).amounts)
    stake = given.question == "insurance"
    if None in later and not stake:
        raise Refusal(place, TableReason.CARD_FOLLOWED, POLICY)
    corrected = InputCorrected("decision", place, in_words(given), words, actor, reason)
    for asked_again in range(len(later) * (given.question == "decision"), len(later) + 1):
        try:
            game.next_play(advance(round, replace(corrected, asked_again=asked_again)))
        except Refusal as refusal:
            if refusal.reason.code not in NOT_DUE:
                raise
            if stake:
                raise Refusal(place, TableReason.NOT_TURNED_WITHOUT, POLICY) from None
        else:
            return replace(corrected, asked_again=asked_again)
    raise TypeError("no later answer is left, and yet one was not asked for")


def _cards(course: Course, input: heard.CorrectCards, reason: str) -> InputCorrected:
    round, vault, place, actor = course.round, course.vault, input.to, input.actor
    shown = course.game.shown_at(round, place)
    if not shown:
        raise Refusal(place, TableReason.CARDS_NOT_TURNED, POLICY)
    theirs = course.role == SUPERVISOR
    read = [None if theirs or draw in round.unread else vault.get(draw) for draw in shown]
    before = tuple(shown.values())
    if course.game.arranges:
        laid = tiles.laid_tiles(round, place, input.cards, read)
        course.draw(tiles.changed_values(laid, {draw: vault.get(draw) for draw in shown}))
        return InputCorrected("cards", place, show_cards(before), show_cards(laid), actor, reason)
    cards = keyed_cards(round, place, input.cards, read)
    refuse_too_often(course.table, round, place, cards, instead_of=before)
    course.draw({draw: card for draw, card in zip(shown, cards, strict=True) if vault.get(draw) != card})
    by_draw = tuple(shown) if round.terms.asks else ()
    return InputCorrected("cards", place, show_cards(before), show_cards(cards), actor, reason, draws=by_draw)


def _refuse_another_deal(round: Round, corrected: Round, correction: InputCorrected) -> None:
    """With cards on the table no seat enters play, leaves it, or takes another's turn, unless every space gets one."""
    game = game_of(round)
    before, after = game.seats_dealt(round), game.seats_dealt(corrected)
    moved = seat_of(correction.at), seat_of(str(correction.after))
    same_turns = before == after
    if correction.what == "seat" and moved[0] is not None and moved[1] is not None:
        same_turns = before.index(moved[0]) == after.index(moved[1])
    cards_lie = bool(hands_of(round).moves) if round.terms.asks else bool(round.dealt)
    if cards_lie and not same_turns and not round.deals_everywhere:
        article = game_of(round).citations.broken_deal
        raise Refusal("table", TableReason.GONE_ELSEWHERE, article)


def _refuse_another_play(round: Round, corrected: Round, correction: InputCorrected) -> None:
    """Every answer that was followed, and every card that was drawn, must still be one that was asked for."""
    try:
        game_of(round).next_play(corrected)
    except Refusal as refusal:
        if refusal.reason.code not in NOT_DUE:
            raise
        raise Refusal(correction.at, TableReason.NOT_ASKED_FOR, POLICY) from None
    game, moved = game_of(round), {seat_of(correction.at): seat_of(str(correction.after))}
    before, after = game.deciders(round), game.deciders(corrected)
    for seat in {move.answer.seat for move in hands_of(round).moves if move.answer is not None}:
        if before.get(seat) != after.get(moved.get(seat) or seat):
            raise Refusal(seat_place(seat), TableReason.ANOTHER_DECIDER, game.citations.decider)


def _close_again(course: Course, before: Round, correction: InputCorrected) -> None:
    """The chips, weighed again beside the corrected bets (4.º 3)."""
    round, slots = course.round, course.table.slots
    counted = set(before.chips) - set(round.carried_chips)
    # A chip that was given back and is gone from the slot comes into no meter.
    at = {seat_of(correction.at), seat_of(str(correction.after))}
    still_there = {seat for seat in before.returned_chips if seat in slots and seat in at}
    gone = {seat for seat in before.returned_chips if seat in round.wagers} - still_there
    laid = tuple(sorted(counted | (set(before.returned_chips) - gone)))
    closed = game_of(round).close_betting(round, laid)
    marks_stay = closed.marked is UNSET or closed.marked == (hands_of(before).marked or {})
    if closed.chips == before.chips and closed.returned == before.returned_chips and marks_stay:
        return
    course.record(closed)
    for seat in sorted(gone):
        course.tell("chip_gone", seat)
    for seat in closed.returned:
        if seat not in before.returned_chips:
            course.tell("chip_without_basic_bet", seat)
    for seat in closed.carried_back:
        if seat in before.chips:
            course.tell("carried_chip_back", seat)
    for seat in closed.carried:
        if seat not in before.chips:
            # It was to go back for want of a bet; no sensor says whether it already did.
            course.tell("carried_chip_counts", seat)
    if round.terms.manual and hands_of(round).moves and (closed.chips != before.chips or not marks_stay):
        course.tell("increment_changed")
    move_contributions(course, closed)


def adjust_round(course: Course, input: heard.AdjustRound) -> None:
    """What a supervisor documents of a round that is confirmed."""
    require_second(course.settings.people, input.actor, input.second)
    table, seats = course.table, course.settings.terms.seats
    last = rounds_over(table)
    if not 1 <= input.round <= last:
        raise Refusal("round", TableReason.ROUND_NOT_CONFIRMED, "policy: documented adjustment", last=last)
    if not 1 <= input.seat <= seats:
        raise Refusal("seat", LawReason.NO_SUCH_SEAT, "policy: documented adjustment", seats=seats)
    refuse_no_amount(input.amount)
    adjusted = RoundAdjusted(
        of_round=input.round,
        seat=input.seat,
        amount=input.amount,
        actor=input.actor,
        reason=documented(input.reason),
        second=input.second,
        after_claims=not is_heard(table, input.round),
    )
    course.record(adjusted)
