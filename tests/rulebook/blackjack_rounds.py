"""Round files of black-jack/21 for the tests: made, and their lines."""

from tests.rulebook.round_texts import Round, settled

# wager with its hand ("hand 1"), player or "", stake, net, article
Line = tuple[str, str, int, int, str]


def seat(*decisions: str, bet: int = 200, **more: object) -> Round:
    """A seat that bets 200 and decides so."""
    return {"bet": bet, "decisions": list(decisions)} | more


def backer(player: str, *follows: bool, bet: int = 100, insurance: int = 0) -> Round:
    return {"player": player, "bet": bet, "insurance": insurance, "follows": list(follows)}


def blackjack(shoe: str, *seats: Round, **more: object) -> Round:
    """A round file with these at seats 1, 2, …; minimum 100, six decks."""
    numbered = {str(number): placed for number, placed in enumerate(seats, start=1)}
    return {"game": "blackjack-21", "minimum": 100, "decks": 6, "seats": numbered, "shoe": shoe} | more


def lines(answer: Round, number: int = 1) -> list[Line]:
    """A seat's lines, short."""
    return [
        (
            f"{line['wager']} {line['hand']}" if "hand" in line else line["wager"],
            line.get("player", ""),
            line["stake"],
            line["net"],
            line["article"],
        )
        for line in answer["seats"][str(number)]["lines"]
    ]


def lines_of(shoe: str, *seats: Round, **more: object) -> list[Line]:
    """The lines of seat 1 of such a round."""
    return lines(settled(blackjack(shoe, *seats, **more)))
