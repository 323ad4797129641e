"""Taiwan-Pai Kao, the bank around the table: who is asked, with how much, who joins, what a void leaves as it was."""

import msgspec

from controller.engine.decisions.betting import PlaceWager
from controller.engine.decisions.devices import DeviceMissed
from controller.engine.decisions.played import CardsReported, Reveal
from controller.engine.decisions.session import ActsDone, BeginRound
from controller.engine.decisions.tiles import AnnounceForm, TilesDealt
from controller.engine.shown.device_orders import react
from controller.engine.state.current import cell
from controller.engine.state.events import ActsRecorded, DealerNotified
from controller.engine.state.persons import CorrectCards
from controller.engine.state.table import Table
from controller.rulebook.cards import Card
from controller.rulebook.events import CardsDealt, RoundVoided
from controller.rulebook.games import GAMES
from controller.rulebook.steps import StepKind
from controller.rulebook.taiwan_pai_kao.events import FormAnnounced
from controller.words import english
from tests.engine.places import TILE, Places
from tests.engine.reported import open_cards, tiles_of
from tests.engine.spaces import Spaces


def asked(table: Places) -> int | None:
    assert table.step.kind == "bank"
    return table.step.seat


def played_by(table: Places, place: int, *bettors: int) -> Places:
    """A round in which the place holds the bank, and these others bet; then the next one, up to the offer."""
    table.until("bank")
    for _ in range(8):
        if asked(table) != place:
            table.refuse(absent=True)
    assert asked(table) == place
    table.take_bank()
    for bettor in bettors:
        table.place_bet(bettor, f"P{bettor}", 100)
    table.until("begin").until("bank")
    return table


# ---- what is done before the bank is offered


def test_pai_kao_art_5_c_the_banker_announces_the_form_before_the_bets_and_no_one_for_him() -> None:
    table = Places().until("bank")
    assert table.refused(AnnounceForm, by=1).article == "policy: one step at a time"
    table.take_bank(form=None)
    assert (table.step.id, table.step.seat) == ("1/form", 1) and table.shown_round["form"] is None
    assert table.refused(PlaceWager, seat=2, wager="place", amount=1000, player="Ana").who == "table"
    other = table.refused(AnnounceForm, by=2)
    assert (other.who, other.article) == ("seat 2", "5.º c)")
    for form in ("x" * 41, "two\nlines"):
        assert (table.refused(AnnounceForm, by=1, form=form).who, table.step.kind) == ("form", "form")
    table.announce_form(" four from the end ")
    assert table.entries[-1][0] == FormAnnounced(form="four from the end", seat=1, actor="ana")
    assert table.at("wagers") and table.refused(AnnounceForm, by=1).who == "table"
    assert table.shown_round["form"] == tiles_of(table.confirmed()).form == "four from the end"


# ---- what the dealer is notified of, and the journal


def test_the_dealer_is_not_notified_of_what_is_not_his_to_correct() -> None:
    table = Places().until("wagers")
    table.confirmed()
    assert not table.happened(DealerNotified)


def test_a_journal_of_this_table_can_be_read_again() -> None:
    table = played_by(Places(announced="four_places"), 3, 4)
    assert table.state.used
    table.take_bank(casino=100)
    moments: tuple[StepKind, ...] = ("wagers", "deal", "reveal", "confirm")
    for moment in moments:
        if moment == "deal":
            table.place_bet(3, "Bo", 100).place_bet(1, "Ana", 200)
        kept = msgspec.json.encode(table.until(moment).table)
        assert msgspec.json.decode(kept, type=Table) == table.table
    assert table.refused(BeginRound).article == "policy: one step at a time"


# ---- Taiwan-Pai Kao, dice and deal: who shakes them, who moves the tiles, what is seen, and tiles no one has read


GAME = GAMES["taiwan-pai-kao"]
WHY = {"reason": "keyed in wrongly"}


def voids(table: Places) -> list[str]:
    return [event.article for event, _ in table.entries if isinstance(event, RoundVoided)]


# ---- the order of the tiles


def test_pai_kao_art_2_a_the_set_may_be_replaced_and_each_time_is_on_record() -> None:
    table = Places().until("begin")
    for _ in range(2):
        table.say(ActsDone, acts=("set_replaced",))
    assert msgspec.json.decode(table.projection())["acts"] == {"set_replaced": ["ana", "ana"]}
    assert table.happened(ActsRecorded) == [ActsRecorded(acts=("set_replaced",), actor="ana", role="dealer")] * 2


# ---- the deal


def test_pai_kao_art_2_d_the_second_round_of_four_places_has_the_other_sixteen_tiles() -> None:
    table = Places(announced="four_places").until("wagers")
    first = table.confirmed()
    used = " ".join(open_cards(first).values()).split()
    assert (tiles_of(first).place_count, first.deal, len(used)) == (4, "four_places", 16)
    table.until("begin").proceed()
    assert table.at("bank")  # neither washed nor announced
    assert sorted(table.shown_round["used"].split()) == sorted(used) and table.shown_round["places"] == 4
    second = table.confirmed()
    assert (tiles_of(second).place_count, second.deal) == (4, None)
    both = used + " ".join(open_cards(second).values()).split()
    assert sorted(both) == sorted(table.deck)
    table.until("begin").proceed()
    assert table.at("shuffle") and table.shown_round["used"] == ""


def test_pai_kao_art_2_d_a_tile_that_is_used_does_not_come_again() -> None:
    table = Places(seats=4)
    table.confirmed()
    table.until("begin")
    table.deck = [*table.deck[:16], table.deck[0], *table.deck[17:]]
    table.until("confirm")
    assert voids(table) == ["policy: complete deck"]


# ---- without a reader, or with one that does not read


def test_without_a_reader_the_dealer_says_that_all_tiles_are_there_and_keys_them_in() -> None:
    table = Places(reader=False).until("deal")
    assert "place 2" in msgspec.json.decode(table.projection())["step"]["prompt"]["en"]
    table.proceed()
    assert table.step.kind == "arrange" and len(table.round.unread) == 32
    report = table.confirmed()
    assert report.outcome == "settled"
    assert [irregularity.kind for irregularity in report.irregularities] == ["keyed_in"] * 8
    assert [(of.front, of.rear) for of in report.seats] == [(of.front, of.rear) for of in Places().confirmed().seats]


def test_a_reader_that_reads_is_counted_after_and_one_that_is_overruled_is_not() -> None:
    table = Places().until("deal")
    for _ in range(3):
        table.proceed()
    events = table.say(TilesDealt)
    dealt = [event for event in events if isinstance(event, CardsDealt)]
    assert len(dealt) == 29 and all(event.unreported and event.unread for event in dealt)
    assert table.step.kind == "arrange"
    table.take(29)
    assert table.until("confirm").round.void is None


def test_what_is_no_tile_was_not_read() -> None:
    table = Places().until("deal")
    table.take(1)
    events = table.receive(CardsReported(source="shoe", cards=(Card("As"),)))
    assert table.round.unread == (1,) and len(events) == 2 and table.vault == {1: None}
    cards = Spaces().until("wagers").place_bet(1, low=100).until("deal")
    cards.receive(CardsReported(source="shoe", cards=(Card("6-5"),)))
    assert cards.round.unread == (1,) and cards.round.play.shown == {}


def test_a_reader_or_a_sign_that_is_away_holds_no_one_up() -> None:
    assert cell(GAME, "shoe", "lost", "deal", "shoe").action == "by hand"
    assert {cell(GAME, "sign", "lost", phase, "shoe").action for phase in ("wagers", "deal", "settle")} == {"continue"}
    table = Places(watched=True).until("deal")
    for device in ("shoe", "sign"):
        table.receive(DeviceMissed(device=device, reason="unplugged"))
    prompt = msgspec.json.decode(table.projection())["step"]["prompt"]
    assert "Continue to deal" in prompt["en"] and "Continue" in prompt["pt"] and "jackpot" not in prompt["en"]
    table.say(TilesDealt)
    table.take(32)
    assert table.until("claims").round.void is None


# ---- Taiwan-Pai Kao, tiles turned and settled: as placed, as corrected, and what is notified of it


FOR_2 = "6-6 2-1 4-2 6-6"  # dealt to place 2, which the dice name


def test_pai_kao_art_1_a_a_tile_that_comes_too_often_voids_the_round_and_is_not_named() -> None:
    table = Places(watched=True)
    table.deck = [table.deck[31], *table.deck[1:]]  # there is one 2-1
    table.until("confirm")
    voided = [(event.article, english(event.why)) for event, _ in table.entries if isinstance(event, RoundVoided)]
    assert voided == [("policy: complete deck", "one tile came too often")]
    assert not any(TILE.search(channel) for channel in table.channels)


def test_a_tile_keyed_in_wrongly_that_comes_again_can_be_corrected() -> None:
    table = Places(FOR_2, unread=[28])  # the banker's first tile: 4-1
    table.until("reveal")
    lying = table.lying_at("seat 1").split()
    wrong = " ".join(["2-1", *lying[1:]])
    table.turn(wrong)
    refusal = table.refused(Reveal, to="seat 2")
    assert refusal.article == "policy: complete deck" and "keyed in wrongly" in english(refusal.reason)
    table.change(CorrectCards, to="seat 1", cards=" ".join(lying), **WHY)
    assert table.until("confirm").round.void is None


# ---- corrections


def test_a_tile_that_its_reader_read_is_a_supervisor_s_to_correct() -> None:
    table = Places(seats=4).until("confirm")
    lying = open_cards(table.report)["seat 2"]
    other = lying.replace("1-1", "2-1", 1)
    assert table.refused(CorrectCards, to="seat 2", cards=other, **WHY).article == "policy: unread cards"
    table.change(CorrectCards, "rui", to="seat 2", cards=other, **WHY)
    assert open_cards(table.confirmed())["seat 2"] == other
    assert sorted(str(tile) for tile in table.vault.values()).count("2-1") == 1


# ---- the sign


def sign(table: Places) -> list[str]:
    shown = react(table.table, 2).sign
    assert shown is not None and shown.amount_text == ""
    return [page.text for page in shown.pages]


def test_the_sign_shows_the_bank_then_the_dice_then_the_bank_s_pairs_by_their_names() -> None:
    table = Places("6-6 6-6 6-5 6-5", seats=4)
    assert react(table.table, 2).sign is None
    table.until("bank")
    assert sign(table) == ["TAIWAN-PAI KAO"] * 2
    table.take_bank()
    assert sign(table) == ["BANCA LUGAR 1", "BANK PLACE 1"]
    table.until("dice").throw(1, 1, 1, 2)  # place 1 itself is the first
    assert sign(table) == ["BANCA LUGAR 1 DADOS 5 LUGAR 1", "BANK PLACE 1 DICE 5 PLACE 1"]
    table.until("reveal").turn()
    assert sign(table) == ["BANCA SEONG FU T'AU + SEONG TIN", "BANK SEONG FU T'AU + SEONG TIN"]
    assert sign(table.until("claims")) == ["TAIWAN-PAI KAO"] * 2


def test_a_pair_without_a_name_in_the_table_is_shown_by_its_tiles_on_the_sign() -> None:
    table = Places("6-6 6-6 1-1 2-1", seats=4)
    table.dice = (1, 1, 1, 2)
    table.until("reveal").turn()
    assert sign(table) == ["BANCA 1-1 2-1 + SEONG TIN", "BANK 1-1 2-1 + SEONG TIN"]
    assert table.shown_round["pairs"]["seat 1"]["front"]["title"] is None
