"""Black-jack/21 at the live table: cards one by one, each answer asked. No I/O here."""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from controller.rulebook.blackjack_21.answers import DECISIONS, in_words
from controller.rulebook.blackjack_21.bets import SeatBet, check_round_bets, check_seat_bet
from controller.rulebook.blackjack_21.moments import MOMENTS, kind_of
from controller.rulebook.blackjack_21.parts import AccumulatedPrize, KeptDispenser, LoadedSession, WarnedDeck, whose_cut
from controller.rulebook.blackjack_21.paytable import (
    BACKERS_INSURE,
    DOUBLES_MORE,
    GAME,
    PRIZES,
    SPECIAL_TIMES,
    THE_DEAL,
    THREE_SUITS,
    VALIDITY,
)
from controller.rulebook.blackjack_21.play import with_bet
from controller.rulebook.blackjack_21.points import total_of
from controller.rulebook.blackjack_21.prize import ASCENDING, Winner, award_prize, winning_cards
from controller.rulebook.blackjack_21.reasons import BlackjackReason
from controller.rulebook.blackjack_21.settle import BLACK_JACK, INSURANCE, SPECIAL, lines_so_far, settle
from controller.rulebook.blackjack_21.state import BANK_PLACE, Hand, RoundState, Seat
from controller.rulebook.blackjack_21.table_state import (
    BACKING,
    BET,
    BOXES,
    CHIP,
    VACANT,
    HandsRound,
    bettors_at,
    deciding_player,
    follow,
    hands_of,
    hole_of,
    seat_bets,
    whose_chip,
)
from controller.rulebook.blackjack_21.voided import is_dealt, settle_voided
from controller.rulebook.blackjack_21.waits import (
    CardDue,
    EvenMoneyAsked,
    FollowAsked,
    GiveUpAsked,
    HandAsked,
    InsuranceAsked,
    Over,
    TurnDue,
    Wait,
    is_paid_at_once,
    still_asked,
    waits_for,
)
from controller.rulebook.cards import Card, show_cards
from controller.rulebook.citations import UNREAD_CARDS, Citations, LegalStatus, OtherReading
from controller.rulebook.corrected import Corrected
from controller.rulebook.events import BettingClosed, CutLeft, RoundBegun, Terms
from controller.rulebook.game import AtOnce, BankView, Exposure, Game, HandState, HandView, Placed, PlayView
from controller.rulebook.jackpot_award import JackpotTerms, SettledJackpot, Win
from controller.rulebook.moments import Kind
from controller.rulebook.offers import (
    CORRECTION_OF_CARDS,
    CORRECTION_OF_SEAT,
    CUT_CARD,
    MISDEALT,
    SHUFFLER_FAILED,
    CorrectionOffer,
    Offers,
    ReportOffer,
)
from controller.rulebook.parts.betting import Betting, Seats
from controller.rulebook.pay_table import PayRow
from controller.rulebook.reasons import LawReason
from controller.rulebook.refusal import Refusal, quoted
from controller.rulebook.report import Answered, Irregularity, OpenCards, PlacedBet
from controller.rulebook.round import Play, Round, with_wager
from controller.rulebook.settlement import Line, Settlement
from controller.rulebook.steps import Step, seat_place

ERRORS = "policy: errors corrected"
MISDEAL = "policy: misdeal"
ONE_A_SLOT = "policy: one chip a slot"


class BlackJack21(Game):
    """Black-jack/21 at the live table: the pure round, fed with the inputs of the table."""

    id = GAME
    # Neither of the two is among the texts given: 817/2005 gathers the rules of all games, 217/2007 followed it.
    legal_status = LegalStatus(
        "Portugal, Portaria 1364/2001", "replaced", "Portaria 817/2005, Portaria 217/2007", VALIDITY
    )
    citations = Citations(
        play="18",
        source="52",
        by_machine="53",
        cut="8",
        material="3",
        seats="2",
        deal=THE_DEAL,
        decision="18",
        decider="16",
        show=THE_DEAL,
        broken_deal=MISDEAL,
        shuffler_failed=MISDEAL,
        exposed=THE_DEAL,
        irregularities="18",
        display="41",
        unpaid="49",
        no_bets="12",
        damaged="51",
        worn="5",
        loading="54",
        kept="57",
        extracting="55",
        lid="59",
        complaints="62",
    )
    deck = WarnedDeck(citations)
    source = KeptDispenser(citations)
    betting = Betting(wagers=(BET,), additional=(CHIP,), times_minimum=30, in_multiples=True, shared=True)
    prize = AccumulatedPrize(citations)
    session = LoadedSession(citations)
    seats = Seats(range(6, 8), "6 or 7 (2)")
    own_words = "/hands"
    moments = MOMENTS
    other_readings = (
        OtherReading(
            DOUBLES_MORE,
            "31",
            "A hand that came of a split doubles on 9, 10 or 11 with three cards and more, too.",
            "The main game is computed with such doubles and the best play with them; the other odds are the same.",
        ),
        OtherReading(
            BACKERS_INSURE,
            "33",
            "Who bets along at a seat insures his own bet or not, whatever its player does.",
            "The odds of insurance are the same; it is offered to more.",
        ),
        OtherReading(
            THREE_SUITS,
            "43 c)",
            "Three aces win 43 c) where their suits all differ; of two suits, the first two win what two aces win.",
            "The chances of the prizes are those of this reading.",
        ),
    )

    def example(self) -> dict[str, str]:
        limits = {"table.limits.min": "500", "table.limits.max": "15000"}
        return super().example() | {"table.decks": str(self.deck.numbers[-1])} | limits

    # ---- the play

    def play(self, event: RoundBegun) -> Play:
        if not isinstance(event.left, CutLeft):
            return HandsRound()
        return HandsRound(cut_after=event.left.seat, alone=event.left.seats_betting == 1)

    def left(self, round: Round) -> CutLeft:
        return CutLeft(hands_of(round).cut_after, len(list(seat_bets(round))))

    def next_play(self, round: Round) -> Step:
        """The card that is due, the question that is asked, the card to be turned or keyed in, or the end."""
        followed = follow(round)
        if followed.unread is not None:
            place = followed.places[followed.unread][0]
            id = f"{round.id}/reveal/{place}/{followed.unread}"
            return Step(id=id, kind="reveal", to=(place,), key_in=True)
        wait = waits_for(followed.state)
        match wait:
            case CardDue(place=place, hand=hand):
                id = f"{round.id}/deal/{len(round.dealt) + 1}{_asked_again(round)}"
                return Step(id=id, kind="deal", to=(place,), hand=hand)
            case TurnDue():
                key_in = hole_of(followed.places) in round.unread
                return Step(id=f"{round.id}/reveal/{BANK_PLACE}", kind="reveal", to=(BANK_PLACE,), key_in=key_in)
            case Over():
                return Step(id=f"{round.id}/confirm", kind="confirm")
            case _:
                return self._asked(round, wait)

    def _asked(
        self, round: Round, wait: HandAsked | GiveUpAsked | EvenMoneyAsked | InsuranceAsked | FollowAsked
    ) -> Step:
        id = f"{round.id}/ask/{len(hands_of(round).moves) + 1}{_asked_again(round)}"
        asked = Step(id=id, kind="ask", seat=wait.seat, waiting=(wait.seat,))
        names = [
            backer.player for seat_bet in seat_bets(round) if seat_bet.seat == wait.seat for backer in seat_bet.backers
        ]
        still = still_asked(follow(round).state)
        match wait:
            case HandAsked(hand=hand, legal=legal, illegal=illegal):
                why = {answer: why for answer, why in illegal.items() if answer != "surrender"}
                return replace(asked, question="decision", hand=hand, legal=legal, illegal=why)
            case GiveUpAsked():
                return replace(asked, question="give_up", legal=("yes", "no"), waiting=still)
            case EvenMoneyAsked():
                return replace(asked, question="even_money", legal=("yes", "no"), waiting=still)
            case InsuranceAsked(most=most):
                return replace(asked, question="insurance", most=most, backers=tuple(names), waiting=still)
            case FollowAsked(hand=hand, backers=who):
                return replace(asked, question="follow", hand=hand, backers=tuple(names[index] for index in who))

    def view(self, round: Round) -> PlayView:
        """The hands, the bank's open cards, and the results that are already paid or collected."""
        state = follow(round).state
        asked = waits_for(state)
        hands = {
            seat.placed.seat: tuple(
                HandView(
                    cards=show_cards(hand.cards),
                    total=hand.total,
                    bet=seat.placed.bet * hand.times[0],
                    doubled=hand.doubled,
                    state=_state_of(state, seat, hand, asked),
                )
                for hand in seat.hands
            )
            for seat in state.seats
        }
        shown = state.bank_shown
        bank = BankView(show_cards(shown), total_of(shown)) if shown else None
        lines = {seat: tuple(line.result() for line in here) for seat, here in lines_so_far(state).items() if here}
        pending = sum(card.waits for card in hands_of(round).uncalled)
        return PlayView(hands=hands, bank=bank, lines=lines, pending_cards=pending)

    def at_once(self, round: Round) -> tuple[AtOnce, ...]:
        """A black-jack that the bank cannot equal (21), even money (34), a hand lost (22), given up (36), special (35).

        The cards that won a chip a part of the prize stay until it is paid (49).
        """
        state, play = follow(round).state, hands_of(round)
        now = lines_so_far(state)
        if round.settled is not None or isinstance(waits_for(state), Over) or not any(now.values()):
            return ()
        earlier = lines_so_far(replace(play, moves=play.moves[:-1]).from_the_bets(round).followed.state)
        new = {seat: [line for line in lines if line not in earlier.get(seat, ())] for seat, lines in now.items()}
        return tuple(_at_once(self, round, seat, lines) for seat, lines in new.items() if lines)

    def is_face_down(self, round: Round) -> bool:
        """Whether the card that is due is face down: the bank's second (17)."""
        wait = waits_for(follow(round).state)
        return isinstance(wait, CardDue) and not wait.face_up

    def check_deal_error(self, round: Round, what: str, place: str) -> None:
        self.check_dealt_there(round, place)

    def deal_prompt(self, round: Round) -> str:
        return "deal/bank_second" if self.is_face_down(round) else "deal/face_up"

    def seats_dealt(self, round: Round) -> tuple[int, ...]:
        """The seats with a bet; a chip alone brings no card."""
        return tuple(bet.seat for bet in seat_bets(round))

    # ---- the shoe

    def _before_the_deal(self, round: Round) -> Step | None:
        step = super()._before_the_deal(round)
        if step is None and round.terms.manual and round.chips and hands_of(round).increment is None:
            return None if hands_of(round).moves else Step(id=f"{round.id}/increment", kind="increment")
        if step is not None and step.kind == "warning":
            return replace(step, legal=("middle", "end") if hands_of(round).alone else ("end", "middle"))
        if step is None or step.kind != "cut":
            return step
        turn = whose_cut(round)
        return replace(step, id=f"{step.id}/{'bank' if turn is None else seat_place(turn)}", seat=turn)

    # ---- bets

    def deciders(self, round: Round) -> dict[int, str | None]:
        """The player whose bet decides at each seat (15, 16)."""
        return {seat_bet.seat: deciding_player(round, seat_bet.seat) for seat_bet in seat_bets(round)}

    def check_wager(self, round: Round, seat: int, wager: str, amount: int, player: str | None = None) -> None:
        """Raises Refusal for a bet that may not be there: 13 to 16, 37, 45."""
        self.check_seat(round, seat)
        who = seat_place(seat)
        if wager == CHIP:
            if not (round.terms.manual and round.terms.chip):
                beside = round.terms.chip and player in bettors_at(round, seat)[1:]
                article = ONE_A_SLOT if beside else "41 a)"
                raise Refusal(who, BlackjackReason.CHIPS_IN_SLOT, article)
            if amount not in (0, round.terms.chip):
                raise Refusal(who, BlackjackReason.CHIP_IS, "47", chip=round.terms.chip)
            if round.locked:
                raise Refusal(who, BlackjackReason.NO_CHIP_ANY_MORE, "48")
            if amount:
                marks = {**round.bets.get(seat, {}).get(CHIP, {}), player or "": amount}
                _check_marks(who, bettors_at(round, seat), tuple(marks))
            return
        if round.locked and round.terms.chip:
            raise Refusal(who, BlackjackReason.NOTHING_MORE, "48")
        if wager not in BOXES:
            raise Refusal(who, BlackjackReason.NO_SUCH_BET, "15", wager=wager, bets=", ".join(BOXES))
        if wager != BET and not player:
            raise Refusal(who, BlackjackReason.SAY_WHOSE, "15", wager=wager)
        boxes = round.bets.get(seat, {})
        if wager == BET and amount and any(name != (player or "") for name in boxes.get(BET, {})):
            raise Refusal(who, BlackjackReason.ANOTHERS_BET, "15")
        if amount:
            _check_box(who, wager, boxes, player)
        elif (player or "") not in boxes.get(wager, {}):
            raise Refusal(who, BlackjackReason.NO_BET_THERE, "15", wager=wager)
        elif wager != BET and player in boxes.get(CHIP, {}):
            raise Refusal(who, BlackjackReason.HIS_CHIP_COUNTS, "45", player=quoted(player))
        seat_bet = list(seat_bets(with_wager(round, seat, wager, amount, player)))
        here = next((bet for bet in seat_bet if bet.seat == seat), None)
        if here is not None:
            check_seat_bet(here, round.terms.minimum)
        if round.locked:
            check_round_bets([replace(bet, chip=0) for bet in seat_bet])
            state = follow(round).state
            with_bet(state, here or SeatBet(seat=seat, bet=round.terms.minimum))

    def close_betting(self, round: Round, seat_bet: tuple[int, ...]) -> BettingClosed:
        """No more chips (48); a chip counts beside a bet, and is returned without one (45)."""
        bets = list(seat_bets(round))
        check_round_bets(bets)
        for bet in bets:
            check_seat_bet(replace(bet, chip=0), round.terms.minimum)
        with_bet_there = {bet.seat for bet in bets}
        # One that was given back for want of a bet is not placed again by a bet that comes later.
        back = round.returned_chips if round.locked else ()
        marks = {seat: tuple(boxes[CHIP]) for seat, boxes in round.bets.items() if boxes.get(CHIP)}
        marked = {seat: names for seat, names in marks.items() if seat not in back}
        offered = sorted(marked if round.terms.manual else seat_bet)
        chips = tuple(seat for seat in offered if seat in with_bet_there)
        if round.terms.manual:
            for seat in chips:
                _check_marks(seat_place(seat), bettors_at(round, seat), marked[seat])
        return BettingClosed(
            chips=chips,
            returned=tuple(seat for seat in offered if seat not in with_bet_there),
            marked={seat: marked[seat] for seat in chips} if round.terms.manual else None,
        )

    # ---- the end

    def settle_round(self, round: Round, jackpot: JackpotTerms | None) -> Settlement:
        return settle(follow(round).state, jackpot)

    def kind_of(self, corrected: Corrected | None) -> Kind:
        return kind_of(corrected)

    def decided_chips(self, round: Round) -> tuple[int, ...]:
        """All chips once the deal is over: their first two cards have won or lost (43, 46)."""
        return round.chips if is_dealt(follow(round).state) else ()

    def void_round(self, round: Round, article: str, pots: tuple[int, JackpotTerms] | None) -> Settlement:
        return settle_voided(follow(round).state, article, pots)

    def prize_cards(self, round: Round, seat: int) -> tuple[Card, ...]:
        """The seat's first two, three or four cards that win, in the order dealt, even across split hands (42)."""
        return winning_cards(follow(round).state.cards_of(seat), round.terms.rules)

    def award(self, winners: Sequence[Win], chip: int, terms: JackpotTerms) -> SettledJackpot:
        return award_prize([Winner(win.seat, PRIZES[win.tier], win.player) for win in winners], chip, terms)

    def paid_after(self, earlier: str, later: str) -> str:
        return ASCENDING

    def irregularities(self, round: Round) -> Iterator[Irregularity]:
        """The irregularities: cards that no one asked for (18, 19), errors corrected, cards keyed in."""
        for card in hands_of(round).uncalled:
            if card.what == "bank" or card.annulled:
                yield Irregularity("bank_card_too_many", BANK_PLACE, "19")
            if card.seen is not None:  # one that was asked for after all is no error
                yield Irregularity("unasked_card", card.to, "18", what="seen" if card.seen else "unseen")
        for right in round.corrected_errors:
            yield Irregularity("error_corrected", right.to, ERRORS, what=right.what)
        places = follow(round).places
        for draw in round.unread:
            if draw in hands_of(round).faces and draw in places:
                yield Irregularity("keyed_in", places[draw][0], UNREAD_CARDS)

    def pay_table(self, terms: Terms) -> tuple[PayRow, ...]:
        hands = (
            PayRow(wager="hand", name="hand_state.black_jack", odds="3:2", article=BLACK_JACK),
            PayRow(wager="special_prize", odds=f"{SPECIAL_TIMES}:1", article=SPECIAL),
            PayRow(wager="insurance", odds="2:1", article=INSURANCE),
        )
        prizes = (
            PayRow(
                wager=CHIP,
                name=f"hand.{tier.name}",
                percent=0 if tier.times else 100,
                amount=tier.times and tier.times * terms.chip,
                article=tier.article,
            )
            for tier in PRIZES.values()
            if terms.chip
        )
        return (*hands, *prizes)

    def offers(self, terms: Terms) -> Offers:
        wagers = (*BOXES, CHIP) if terms.manual else BOXES
        return Offers(
            corrections=(
                CorrectionOffer("correct_wager", wagers=wagers),
                CORRECTION_OF_SEAT,
                CorrectionOffer(
                    "correct_decision", answers=(*DECISIONS, "give_up", "even_money", "no", "insure", "follow")
                ),
                CORRECTION_OF_CARDS,
            ),
            reports=(
                ReportOffer("deal_corrected", errors=("place", "order", "number")),
                MISDEALT,
                ReportOffer("unasked_card"),
                CUT_CARD,
                SHUFFLER_FAILED,
                ReportOffer("damaged_card"),
                ReportOffer("card_replaced"),
                ReportOffer("inform_inspection"),
                ReportOffer("jam_cleared"),
                ReportOffer("acts_done"),
            ),
            beside={
                "open": ("use_source", "acts_done"),
                "begin": ("no_bets",),
                "cut": ("inspector", "seat"),
                "wagers": ("no_bets",),
                "claims": ("hold_cards",),
            },
            betting=("wagers",) if terms.chip else ("wagers", "increment", "deal"),
            named="may",
            acts=self.session.acts,
            acts_again=self.session.again,
            pieces=self.deck.pieces(terms),
        )

    def bets_placed(self, round: Round) -> Iterator[PlacedBet]:
        """The players who bet along, after the seat's own bet and before its chip."""
        for seat_bet in seat_bets(round):
            player = deciding_player(round, seat_bet.seat) or round.players.get(seat_bet.seat)
            yield PlacedBet(seat_bet.seat, BET, player, seat_bet.bet)
            for backer in seat_bet.backers:
                yield PlacedBet(seat_bet.seat, BACKING, backer.player, backer.bet)
                if backer.chip:
                    yield PlacedBet(seat_bet.seat, CHIP, backer.player, backer.chip)
            if seat_bet.chip:
                yield PlacedBet(seat_bet.seat, CHIP, player, seat_bet.chip)

    def cards_shown(self, round: Round) -> Iterator[OpenCards]:
        """The open cards, hand by hand, the bank's last."""
        state = follow(round).state
        for seat in state.seats:
            for number, hand in enumerate((hand for hand in seat.hands if hand.cards), 1):
                yield OpenCards(to=seat_place(seat.placed.seat), hand=number, cards=tuple(hand.cards))
        if state.bank_shown:
            yield OpenCards(to=BANK_PLACE, cards=tuple(state.bank_shown))

    def answers_given(self, round: Round) -> Iterator[Answered]:
        for move in hands_of(round).moves:
            if move.answer is not None:
                yield Answered(move.answer.seat, move.answer.hand, in_words(move.answer))

    # ---- what has no part in this game

    def exposure(self, round: Round, place: str, count: int, which: tuple[int, ...]) -> Exposure:
        raise Refusal(place, LawReason.DEALT_FACE_UP, THE_DEAL)

    def placed(self, round: Round) -> Sequence[Placed]:
        where = {card.draw: "pending" for card in hands_of(round).uncalled if card.seen is False and card.waits}
        where |= {draw: place for draw, (place, _) in follow(round).places.items()}
        return [Placed(dealt=deal, to=tuple(where.get(draw, "discard") for draw in deal.draws)) for deal in round.dealt]

    def draws_at(self, round: Round, place: str) -> tuple[int, ...]:
        return tuple(draw for draw, (at, _) in follow(round).places.items() if at == place)

    def shown_at(self, round: Round, place: str) -> dict[int, Card]:
        faces = hands_of(round).faces
        return {draw: faces[draw] for draw in self.draws_at(round, place) if draw in faces}

    def open_cards(self, round: Round) -> list[Card]:
        return list(hands_of(round).faces.values())

    def unread_places(self, round: Round) -> tuple[str, ...]:
        places = follow(round).places
        return tuple(dict.fromkeys(places[draw][0] for draw in round.unread if draw in places))


def _check_marks(who: str, bettors: tuple[str, ...], names: tuple[str, ...]) -> None:
    """Raises Refusal for chips marked at a seat: one for each player (47), and each beside a bet of his (45)."""
    whose = [whose_chip(bettors, name) for name in names]
    for name, bettor in zip(names, whose, strict=True):
        if bettors and bettor is None:
            raise Refusal(who, BlackjackReason.NO_BET_FOR_CHIP, "45", player=quoted(name))
        if bettors and whose.count(bettor) > 1:
            raise Refusal(who, BlackjackReason.HIS_CHIP_THERE, "47")


def _check_box(who: str, wager: str, boxes: dict[str, dict[str, int]], player: str | None) -> None:
    """Raises Refusal if a seat would be both taken and vacant, or a player would have two bets at it (15, 16)."""
    if wager == VACANT and boxes.get(BET):
        raise Refusal(who, BlackjackReason.SOMEONE_SITS_THERE, "16")
    if wager == BET and boxes.get(VACANT):
        raise Refusal(who, BlackjackReason.VACANT_BETS_THERE, "16")
    elsewhere = (box for box in BOXES if box != wager)
    if any(player and player in boxes.get(box, {}) for box in elsewhere):
        raise Refusal(who, BlackjackReason.BET_THERE_ALREADY, "15", player=quoted(player))


def _at_once(game: BlackJack21, round: Round, seat: int, lines: Sequence[Line]) -> AtOnce:
    """The article under which a seat is paid at once: that of the first line, which is the seat's own."""
    special = lines[0].wager == "special_prize"
    stays = special or (seat in round.chips and bool(game.prize_cards(round, seat)))
    return AtOnce(seat, "special" if special else "pay" if lines[0].net > 0 else "collect", lines[0].article, stays)


def _asked_again(round: Round) -> str:
    """After a corrected answer, questions that were asked before it are not asked again."""
    corrected = sum(correction.what == "decision" for correction in round.corrections)
    return f"/{corrected + 1}" if corrected else ""


def _state_of(state: RoundState, seat: Seat, hand: Hand, asked: Wait) -> HandState:
    """A hand's state in one word."""
    here = isinstance(asked, HandAsked) and asked.seat == seat.placed.seat and seat.hands[asked.hand - 1] is hand
    states: tuple[tuple[HandState, bool], ...] = (
        ("asked", here),
        ("given_up", bool(seat.gives_up)),
        ("lost", hand.lost),
        ("paid", bool(seat.even_money) or is_paid_at_once(state, hand)),
        ("black_jack", hand.black_jack),
        ("stood", hand.stood or hand.doubled),
    )
    return next((name for name, holds in states if holds), "waiting")
