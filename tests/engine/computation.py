"""A round of black-jack/21 computed from its report, with none of the station's own computation."""

from controller.rulebook.report import RoundReport
from tests.engine.reported import bets_at, lines, open_cards, prize_of, seats

Nets = dict[tuple[int, str], int]  # by seat and player, the seat's own ""


def points(cards: list[str], low: int = 0) -> int:
    """Aces among the first `low` cards stay 1."""
    hard = sum(10 if card[0] in "TJQK" else 1 if card[0] == "A" else int(card[0]) for card in cards)
    return hard + 10 if hard <= 11 and any(card[0] == "A" for card in cards[low:]) else hard


def is_black_jack(cards: list[str]) -> bool:
    return len(cards) == 2 and points(cards) == 21


class Bets:
    """The hands of a seat as the answers make them: how many bets of each player lie on each."""

    def __init__(self, report: RoundReport, seat: int) -> None:
        own, *others = [one for one in bets_at(report, seat) if one.wager != "jackpot"]
        self.owner, self.bets = own.player, {"": own.amount, **{str(one.player): one.amount for one in others}}
        self.hands = [dict.fromkeys(self.bets, 1)]
        self.doubled = [False]
        self.insured = dict.fromkeys(self.bets, 0)
        self.given_up = self.even_money = False
        raising: tuple[str, int] | None = None
        for answer in (one for one in report.decisions if one.seat == seat):
            word, _, values = answer.decision.partition(" ")
            at = (answer.hand or 1) - 1
            if word in ("split", "double"):
                raising = (word, at)
                if not any(self.hands[at][player] for player in list(self.bets)[1:]):
                    self.raised(word, at, set())
            elif word == "follow" and raising is not None:
                asked = [player for player in list(self.bets)[1:] if self.hands[at][player]]
                self.raised(
                    *raising, {player for player, yes in zip(asked, values.split(","), strict=True) if yes == "1"}
                )
            elif word == "insure":
                self.insured = dict(zip(self.bets, map(int, values.split(",")), strict=True))
            self.given_up |= word == "give_up"
            self.even_money |= word == "even_money"

    def raised(self, what: str, at: int, followers: set[str]) -> None:
        on, joins = self.hands[at], {"", *followers}
        if what == "double":
            self.hands[at] = {player: 2 * bets if player in joins else bets for player, bets in on.items()}
            self.doubled[at] = True
        else:
            self.hands.insert(at + 1, {player: bets if player in joins else 0 for player, bets in on.items()})
            self.doubled.insert(at + 1, False)


def nets(report: RoundReport) -> Nets:
    """What every player wins or loses at every seat in a round that was settled, by the regulation."""
    lying = open_cards(report)
    bank = lying["bank"].split()
    found: Nets = {}
    for seat in seats(report):
        bets = Bets(report, seat)
        cards = [hand.split() for place, hand in lying.items() if place.startswith(f"seat {seat}/")]
        assert len(cards) == len(bets.hands)
        for player, bet in bets.bets.items():
            net = _insurance(bets.insured[player], bank)
            for on, hand, doubled in zip(bets.hands, cards, bets.doubled, strict=True):
                stake = bet * on[player]
                if stake:
                    net += _hand(bets, hand, doubled, stake, bank, split=len(cards) > 1)
                    net += 3 * bet if _special(hand) else 0
            found[seat, player] = net
        found[seat, ""] += _chip(report, seat, bets.owner)
    return found


def _insurance(amount: int, bank: list[str]) -> int:
    """33: twice its value against a black-jack, else lost."""
    return 2 * amount if is_black_jack(bank) else -amount


def _special(cards: list[str]) -> bool:
    ranks = sorted(card[0] for card in cards)
    return ranks == list("777") or (ranks == list("678") and len({card[1] for card in cards}) == 1)


def _hand(bets: Bets, cards: list[str], doubled: bool, stake: int, bank: list[str], *, split: bool) -> int:
    mine, theirs = points(cards, 2 if doubled else 0), points(bank)
    if bets.given_up:
        return -stake // 2
    if bets.even_money:
        return stake
    if mine > 21:
        return -stake
    if is_black_jack(cards) and not split:
        return 0 if is_black_jack(bank) else stake * 3 // 2
    assert len(bank) > 1, "a hand in play and the bank not turned"
    if is_black_jack(bank):
        return -stake
    if theirs > 21 or mine > theirs:
        return stake
    return 0 if mine == theirs else -stake


def _chip(report: RoundReport, seat: int, owner: str | None) -> int:
    chips = [one.amount for one in bets_at(report, seat) if one.wager == "jackpot" and one.player == owner]
    return sum(one.amount for one in prize_of(report).awards if one.seat == seat) - sum(chips) if chips else 0


def house(report: RoundReport) -> int:
    """What the house, its pot included, has from the lines of a round: stakes it keeps less what it pays."""
    moved = [line.net for line in lines(report)]
    return sum(-net for net in moved if net < 0) - sum(net for net in moved if net > 0)
