"""Rounds of black-jack for the referee's own tests, one for each rule: what was filmed, and the right message."""

from collections.abc import Callable
from pathlib import Path

from tests.referee.films.blackjack import Film21, bets, dealt, hand, insurance, of, published, seat, special
from tests.referee.films.written import Message

Evening = tuple[Film21, Message]
Written = Callable[[Path], Evening]


def black_jack_at_once(folder: Path) -> Evening:
    """21: three to two, at once where the bank's open card can make none."""
    film = dealt(folder, "1:500 3:300", s1="As Kd", s3="9h 7d", bank="6c Td")
    film.pay(1, 750)
    film.stays(3)
    film.says(3, "stand")
    film.bank("6c Td", "5c")
    film.end()
    cards = {1: ["As Kd"], 3: ["9h 7d"], "bank": "6c Td 5c"}
    seats = {1: seat(hand(500, "win", 750, "21", odds="3:2")), 3: seat(hand(300, "lose", -300, "23"))}
    return film, published(bets(film.stakes), cards, "3.1 no, 3.1 stand", (21, False), seats)


def black_jack_against_black_jack(folder: Path) -> Evening:
    """20, 21: a push; and it beats 21."""
    film = dealt(folder, "1:500 3:300", s1="As Kd", s3="9h 5d", bank="Kh As")
    film.stays(3)
    film.says(3, "hit", "7c")
    film.bank("As")
    film.end()
    cards = {1: ["As Kd"], 3: ["9h 5d 7c"], "bank": "Kh As"}
    seats = {1: seat(hand(500, "push", 0, "21")), 3: seat(hand(300, "lose", -300, "20"))}
    return film, published(bets(film.stakes), cards, "3.1 no, 3.1 hit", (21, True), seats)


def a_black_jack_that_waits_is_in_play(folder: Path) -> Evening:
    """22: the bank draws against it, though all others have lost; 20: it beats 21."""
    film = dealt(folder, "1:500 3:300", s1="As Kd", s3="9h 5d", bank="Kh 6s")
    film.asked(1, "give_up", "no")
    film.stays(3)
    film.says(3, "hit", "Tc")
    film.bank("Kh 6s", "5h")
    film.pay(1, 750)
    film.end()
    cards = {1: ["As Kd"], 3: ["9h 5d Tc"], "bank": "Kh 6s 5h"}
    seats = {1: seat(hand(500, "win", 750, "21", odds="3:2")), 3: seat(hand(300, "lose", -300, "22"))}
    return film, published(bets(film.stakes), cards, "1.1 no, 3.1 no, 3.1 hit", (21, False), seats)


def split_aces(folder: Path) -> Evening:
    """26: one card each; 20: 21 after a split is no black-jack; 24: a tie."""
    film = dealt(folder, "1:500", s1="Ad Ah", bank="5c 6d")
    film.stays(1)
    film.says(1, "split", "Kd")
    film.card(1, "9c", 2)
    film.bank("5c 6d", "Td")
    film.end()
    cards = {1: ["Ad Kd", "Ah 9c"], "bank": "5c 6d Td"}
    seats = {1: seat(hand(500, "push", 0, "24"), hand(500, "lose", -500, "23", 2))}
    return film, published(bets(film.stakes), cards, "1.1 no, 1.1 split", (21, False), seats)


def split_aces_again(folder: Path) -> Evening:
    """27: an ace on a split ace is asked split or stand."""
    film = dealt(folder, "1:500", s1="As Ac", bank="9s 8s")
    film.stays(1)
    film.says(1, "split", "Ah")
    film.says(1, "split", "5d")
    film.card(1, "Ad", 2)
    film.says(1, "stand", hand=2)
    film.card(1, "9d", 3)
    film.bank("8s")
    film.pay(1, 500)
    film.end()
    cards = {1: ["As 5d", "Ah Ad", "Ac 9d"], "bank": "9s 8s"}
    seats = {1: seat(hand(500, "lose", -500, "23"), hand(500, "lose", -500, "23", 2), hand(500, "win", 500, "23", 3))}
    answers = "1.1 no, 1.1 split, 1.1 split, 1.2 stand"
    return film, published(bets(film.stakes), cards, answers, (17, False), seats)


def split_again_and_doubled(folder: Path) -> Evening:
    """26, 27, 31: split, split again, doubled after it, and drawn out; 22: lost at once."""
    film = dealt(folder, "2:500", s2="8c 8d", bank="7h Ts")
    film.stays(2)
    film.says(2, "split", "8h")
    film.says(2, "split", "Td")
    film.says(2, "stand")
    film.card(2, "3c", 2)
    film.says(2, "double", "9c", hand=2)
    film.card(2, "2d", 3)
    film.says(2, "hit", "5c", hand=3)
    film.says(2, "hit", "Tc", hand=3)
    film.bank("7h Ts")
    film.pay(2, 500)
    film.pay(2, 1000)
    film.end()
    cards = {2: ["8c Td", "8h 3c 9c", "8d 2d 5c Tc"], "bank": "7h Ts"}
    lines = hand(500, "win", 500, "23"), hand(1000, "win", 1000, "23", 2), hand(500, "lose", -500, "22", 3)
    answers = "2.1 no, 2.1 split, 2.1 split, 2.1 stand, 2.2 double, 2.3 hit, 2.3 hit"
    return film, published(bets(film.stakes), cards, answers, (17, False), {2: seat(*lines)})


def doubled_with_an_ace(folder: Path) -> Evening:
    """32: the ace that made 9 or 10 stays one; one that is drawn may be eleven."""
    film = dealt(folder, "1:500 3:300", s1="As 8d", s3="Ad 9c", bank="Ts 7s")
    film.stays(1, 3)
    film.says(1, "double", "2c")
    film.says(3, "double", "Ah")
    film.bank("Ts 7s")
    film.pay(3, 600)
    film.end()
    cards = {1: ["As 8d 2c"], 3: ["Ad 9c Ah"], "bank": "Ts 7s"}
    seats = {1: seat(hand(1000, "lose", -1000, "23")), 3: seat(hand(600, "win", 600, "23"))}
    answers = "1.1 no, 3.1 no, 1.1 double, 3.1 double"
    return film, published(bets(film.stakes), cards, answers, (17, False), seats)


def insurance_won(folder: Path) -> Evening:
    """33: two to one, and of those with complementary bets who insured (15)."""
    film = dealt(folder, "1:500 1:200+Rui 1:100+Eva 4:400", s1="9h 8d", s4="Tc 9d", bank="As Kd")
    film.asked(1, "insurance", "insure 250,0,30")
    film.asked(4, "insurance", "insure 0")
    film.says(1, "stand")
    film.says(4, "stand")
    film.bank("As Kd")
    film.pay(1, 500, "insurance")
    film.pay(1, 60, "insurance", "Eva")
    film.end()
    cards = {1: ["9h 8d"], 4: ["Tc 9d"], "bank": "As Kd"}
    seats = {
        1: seat(
            *(hand(500, "lose", -500, "23"), insurance(250, won=True)),
            *of("Rui", hand(200, "lose", -200, "23")),
            *of("Eva", hand(100, "lose", -100, "23"), insurance(30, won=True)),
        ),
        4: seat(hand(400, "lose", -400, "23")),
    }
    answers = "1.1 insure 250/0/30, 4.1 insure 0, 1.1 stand, 4.1 stand"
    return film, published(bets(film.stakes), cards, answers, (21, True), seats)


def insurance_of_a_lost_hand(folder: Path) -> Evening:
    """22, 33: all are lost and insurance is open: the second card is turned, and no third is drawn."""
    film = dealt(folder, "1:500", s1="9h 6d", bank="Ah 4d")
    film.asked(1, "insurance", "insure 100")
    film.says(1, "hit", "Tc")
    film.bank("4d")
    film.end()
    cards = {1: ["9h 6d Tc"], "bank": "Ah 4d"}
    seats = {1: seat(hand(500, "lose", -500, "22"), insurance(100, won=False))}
    return film, published(bets(film.stakes), cards, "1.1 insure 100, 1.1 hit", (15, False), seats)


def even_money(folder: Path) -> Evening:
    """34: a black-jack against an ace may take its bet's value; who does not is paid three to two (21)."""
    film = dealt(folder, "1:500 1:200+Rui 3:300", s1="As Kd", s3="Ac Qd", bank="Ah 9c")
    film.asked(1, "even_money", "even_money")
    film.pay(1, 500)
    film.pay(1, 200, player="Rui")
    film.asked(3, "even_money", "no")
    film.asked(3, "insurance", "insure 0")
    film.bank("Ah 9c")
    film.pay(3, 450)
    film.end()
    cards = {1: ["As Kd"], 3: ["Ac Qd"], "bank": "Ah 9c"}
    seats = {
        1: seat(hand(500, "win", 500, "34"), *of("Rui", hand(200, "win", 200, "34"))),
        3: seat(hand(300, "win", 450, "21", odds="3:2")),
    }
    return film, published(bets(film.stakes), cards, "1.1 even_money, 3.1 no, 3.1 insure 0", (20, False), seats)


def given_up(folder: Path) -> Evening:
    """36: half the bet, his and those beside it; 22: the bank's second card stays unseen."""
    film = dealt(folder, "1:500 1:200+Rui 3:300", s1="9h 7d", s3="Tc 6d", bank="Ks 4d")
    film.asked(1, "give_up", "give_up")
    film.asked(3, "give_up", "give_up")
    film.end()
    cards = {1: ["9h 7d"], 3: ["Tc 6d"], "bank": "Ks"}
    seats = {
        1: seat(hand(500, "lose", -250, "36"), *of("Rui", hand(200, "lose", -100, "36"))),
        3: seat(hand(300, "lose", -150, "36")),
    }
    return film, published(bets(film.stakes), cards, "1.1 give_up, 3.1 give_up", (None, None), seats)


def special_prizes(folder: Path) -> Evening:
    """35: 6-7-8 of one suit and three sevens, in split hands too, whatever the hand then wins."""
    film = dealt(folder, "1:500 3:300 5:200 5:100+Rui 5:100+Eva", s1="7h 6h", s3="7c 7d", s5="7h 7c", bank="9s Ts")
    film.stays(1, 3, 5)
    film.says(1, "hit", "8h")
    film.pay(1, 1500, "special_prize")
    film.says(3, "hit", "7s")
    film.pay(3, 900, "special_prize")
    film.says(5, "split", "7d", follow="0,1")
    film.says(5, "hit", "7s")
    film.pay(5, 600, "special_prize")
    film.pay(5, 300, "special_prize", "Rui")
    film.pay(5, 300, "special_prize", "Eva")
    film.card(5, "Td", 2)
    film.says(5, "stand", hand=2)
    film.bank("9s Ts")
    for at, amount, player in ((1, 500, None), (3, 300, None), (5, 200, None), (5, 100, "Rui"), (5, 100, "Eva")):
        film.pay(at, amount, player=player)
    film.end()
    cards = {1: ["7h 6h 8h"], 3: ["7c 7d 7s"], 5: ["7h 7d 7s", "7c Td"], "bank": "9s Ts"}
    seats = {
        1: seat(hand(500, "win", 500, "23"), special(500)),
        3: seat(hand(300, "win", 300, "23"), special(300)),
        5: seat(
            *(hand(200, "win", 200, "23"), hand(200, "lose", -200, "23", 2), special(200)),
            *of("Rui", hand(100, "win", 100, "23"), special(100)),
            *of("Eva", hand(100, "win", 100, "23"), hand(100, "lose", -100, "23", 2), special(100)),
        ),
    }
    answers = "1.1 no, 3.1 no, 5.1 no, 1.1 hit, 3.1 hit, 5.1 split, 5.1 follow 0/1, 5.1 hit, 5.2 stand"
    return film, published(bets(film.stakes), cards, answers, (19, False), seats)


def backers(folder: Path) -> Evening:
    """28, 30: who does not follow a split stays with the first hand; each may follow a double or not."""
    film = dealt(folder, "1:500 1:200+Rui 1:100+Eva", s1="8c 8d", bank="9s 8s")
    film.stays(1)
    film.says(1, "split", "3d", follow="1,0")
    film.says(1, "double", "9c", follow="0,1")
    film.card(1, "2d", 2)
    film.says(1, "double", "6c", hand=2, follow="1")
    film.bank("8s")
    for amount, player in ((1000, None), (200, "Rui"), (200, "Eva")):
        film.pay(1, amount, player=player)
    film.end()
    cards = {1: ["8c 3d 9c", "8d 2d 6c"], "bank": "9s 8s"}
    lines = [
        *(hand(1000, "win", 1000, "23"), hand(1000, "lose", -1000, "23", 2)),
        *of("Rui", hand(200, "win", 200, "23"), hand(400, "lose", -400, "23", 2)),
        *of("Eva", hand(200, "win", 200, "23")),
    ]
    answers = "1.1 no, 1.1 split, 1.1 follow 1/0, 1.1 double, 1.1 follow 0/1, 1.2 double, 1.2 follow 1"
    return film, published(bets(film.stakes), cards, answers, (17, False), {1: seat(*lines)})


def vacant_seat(folder: Path) -> Evening:
    """16: the highest bet decides; of equal ones that of the player at the lowest seat."""
    film = Film21(folder)
    film.open("1:500 2:400 3:300?Ana 3:600?Rui 5:200?Rui 5:200?Ana")
    film.deal(s1="Tc 9d", s2="Th 8s", s3="Kd 9h", s5="Qc 8c", bank="9s 9d")
    film.stays(1, 2, 3, 5)
    for at in (1, 2, 3, 5):
        film.says(at, "stand")
    film.bank("9d")
    for at, amount, player in ((1, 500, "Ana"), (3, 600, "Rui"), (3, 300, "Ana")):
        film.pay(at, amount, player=player)
    film.end()
    stakes = bets("1:500 2:400 3:600?Rui 3:300?Ana 5:200?Ana 5:200?Rui")
    cards = {1: ["Tc 9d"], 2: ["Th 8s"], 3: ["Kd 9h"], 5: ["Qc 8c"], "bank": "9s 9d"}
    seats = {
        1: seat(hand(500, "win", 500, "23")),
        2: seat(hand(400, "push", 0, "24")),
        3: seat(hand(600, "win", 600, "23"), *of("Ana", hand(300, "win", 300, "23"))),
        5: seat(hand(200, "push", 0, "24"), *of("Rui", hand(200, "push", 0, "24"))),
    }
    answers = ", ".join([f"{at}.1 {word}" for word in ("no", "stand") for at in (1, 2, 3, 5)])
    return film, published(stakes, cards, answers, (18, False), seats)


def bank_stands_on_soft_17(folder: Path) -> Evening:
    """6, 19: an ace is eleven from 17 on."""
    film = dealt(folder, "1:500", s1="Tc 8d", bank="6s Ac")
    film.stays(1)
    film.says(1, "stand")
    film.bank("6s Ac")
    film.pay(1, 500)
    film.end()
    cards = {1: ["Tc 8d"], "bank": "6s Ac"}
    seats = {1: seat(hand(500, "win", 500, "23"))}
    return film, published(bets(film.stakes), cards, "1.1 no, 1.1 stand", (17, False), seats)


def bank_is_out(folder: Path) -> Evening:
    """6, 19: an ace is one where eleven passes 21, and the bank draws on below 17."""
    film = dealt(folder, "1:500", s1="Tc 2d", bank="3s Ac")
    film.stays(1)
    film.says(1, "hit", "2h")
    film.says(1, "stand")
    film.bank("3s Ac", "Qd", "2c", "9c")
    film.pay(1, 500)
    film.end()
    cards = {1: ["Tc 2d 2h"], "bank": "3s Ac Qd 2c 9c"}
    return film, published(
        bets(film.stakes), cards, "1.1 no, 1.1 hit, 1.1 stand", (25, False), {1: seat(hand(500, "win", 500, "23"))}
    )


def late_bets(folder: Path) -> Evening:
    """13: a bet may be placed until its seat's first card is due."""
    film = Film21(folder)
    film.open("1:500")
    film.card(1, "Tc")
    film.wager(4, 300)
    for place, card in ((4, "Td"), ("bank", "9s"), (1, "9d"), (4, "8h")):
        film.card(place, card)
    film.card("bank", "9h", face="down")
    film.stays(1, 4)
    film.says(1, "stand")
    film.says(4, "stand")
    film.bank("9h")
    film.pay(1, 500)
    film.end()
    cards = {1: ["Tc 9d"], 4: ["Td 8h"], "bank": "9s 9h"}
    seats = {1: seat(hand(500, "win", 500, "23")), 4: seat(hand(300, "push", 0, "24"))}
    answers = "1.1 no, 4.1 no, 1.1 stand, 4.1 stand"
    return film, published(bets("1:500 4:300"), cards, answers, (18, False), seats)


ROUNDS: tuple[Written, ...] = (
    *(black_jack_at_once, black_jack_against_black_jack, a_black_jack_that_waits_is_in_play),
    *(split_aces, split_aces_again, split_again_and_doubled, doubled_with_an_ace),
    *(insurance_won, insurance_of_a_lost_hand, even_money, given_up),
    *(special_prizes, backers, vacant_seat, bank_stands_on_soft_17, bank_is_out, late_bets),
)
