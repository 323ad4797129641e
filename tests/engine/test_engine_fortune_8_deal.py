"""Fortune 8, 4.º 6 at the table: when the deal is announced; its rounds are tests/rounds/fortune_8/deal.toml."""

from controller.engine.decisions.betting import Announce
from controller.engine.decisions.played import CardsHeard
from controller.rulebook.events import Deal, DealAnnounced
from tests.engine.playing import cards
from tests.engine.spaces import Spaces

DEALS: list[Deal] = ["every_space", "spaces_with_bets"]
SEVEN = "8d Kc 2c 2d 2h 2s 3c"


def test_fortune_8_art_4_6_the_dealer_announces_when_the_bets_are_done_and_before_the_first_card() -> None:
    play = Spaces(SEVEN).to_wagers().lay(1, low=100)
    for kind in ("announce", "deal", "confirm", "claims", "begin", "shuffle", "cut", "wagers"):
        for deal in DEALS:
            if kind == "announce":
                break
            assert play.refused(Announce, deal=deal).article in ("4.º", "policy: one step at a time")
        else:
            play.go_on()
            continue
        play.until("announce").say(Announce, deal="every_space")
    announced = [event for event in play.events if isinstance(event, DealAnnounced)]
    assert announced == [DealAnnounced(deal="every_space", actor="ana")]


def test_fortune_8_art_4_6_each_round_has_its_own_announcement() -> None:
    play = Spaces()
    for deal in (*DEALS, *DEALS):
        play.announced = deal
        play.to_deal(2, 4).goes_on()
        assert len(play.report.shown_cards) == (7 if deal == "every_space" else 2)
        play.until("begin")


def test_fortune_8_several_cards_at_once_are_not_dealt() -> None:
    for kind in ("wagers", "announce", "deal"):
        play = Spaces(source="shuffler").to_wagers().lay(1, low=100)
        while not play.at(kind):
            play.go_on()
        before = play.step
        for there in ("", "8d 8c"):
            play.hear(CardsHeard(source="shuffler", cards=cards(there) if there else (), order=257))
        assert play.step == before and play.told() == ["card_not_due"]
