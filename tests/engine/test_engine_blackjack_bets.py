"""Black-jack/21 at the table, 13 to 16 and 37: until when bets are placed, how much, by whom, and who decides."""

import msgspec

from controller.engine.decisions.betting import PlaceWager
from controller.rulebook.events import WagerPlaced
from tests.engine import reported
from tests.engine.hands import Hands


def betting() -> Hands:
    return Hands().to_wagers()


def refused(play: Hands, seat: int, wager: str, amount: int, player: str | None = None) -> str | None:
    """The rule under which a bet is refused."""
    return play.refused(PlaceWager, seat=seat, wager=wager, amount=amount, player=player).article


def reported_bets(play: Hands, *seats: int) -> list[tuple[int, str, str | None, int]]:
    """Seat, wager, player and amount of every bet once no one can bet any more, at `seats` if any are named."""
    return [bet for bet in reported.reported_bets(play.until("confirm").report) if not seats or bet[0] in seats]


# ---- 15: on another's seat


def test_blackjack_rule_15_who_bets_on_another_seat_is_named_and_has_one_bet_there() -> None:
    play = betting().place_bet(1, 200, "Ana")
    for wager in ("backing", "vacant"):
        assert play.refused(PlaceWager, seat=1, wager=wager, amount=100).article == "15"
    assert refused(play, 1, "backing", 100, "Ana") == "15"  # on any of the other seats, not on his own
    play.place_bet(1, Rui=100)
    assert refused(play, 1, "vacant", 100, "Rui") == "16"
    play.place_bet(2, 100, "Rui", Ana=100)
    assert refused(play, 2, "bet", 100, "Ana") == "15"  # the seat is Rui's
    play.place_bet(1, Rui=300)
    assert sum(isinstance(event, WagerPlaced) for event in play.events) == 5
    assert play.round.bets[1] == {"bet": {"Ana": 200}, "backing": {"Rui": 300}}


# ---- 16: at a vacant seat


def test_blackjack_rule_13_what_is_placed_is_in_the_projection_by_player() -> None:
    play = betting().place_bet(1, 200, "Ana", Rui=100).vacant(3, Bia=300)
    shown = msgspec.json.decode(play.projection())["round"]
    assert shown["wagers"] == {"1": {"bet": 200, "backing": 100}, "3": {"vacant": 300}}
    assert shown["bets"] == [
        {"seat": 1, "wager": "bet", "player": "Ana", "amount": 200},
        {"seat": 1, "wager": "backing", "player": "Rui", "amount": 100},
        {"seat": 3, "wager": "vacant", "player": "Bia", "amount": 300},
    ]
