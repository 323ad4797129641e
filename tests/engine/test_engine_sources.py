"""Shoe or shuffler, as 9.º 1 leaves to the bank: the deck shuffled, cut, counted, found wrong and made whole."""

import pytest

from controller.engine.decisions.cards import DeckChecked, DeckComplete, ShuffleReported
from controller.engine.decisions.devices import ShufflerGreeted
from controller.engine.decisions.session import BeginRound, InsertionReported, UseSource
from controller.engine.shown.device_orders import react
from controller.engine.state.events import ShufflerKnown
from controller.rulebook.events import DeckFaulted, DeckRestored, SourceChosen
from controller.rulebook.steps import StepKind
from tests.engine.playing import Play

WHOLE = DeckChecked(found=52, missing=0, duplicated=0)
SHORT = DeckChecked(found=51, missing=1, duplicated=0)
DOUBLED = DeckChecked(found=52, missing=1, duplicated=1)
LONG = DeckChecked(found=53, missing=0, duplicated=1)


def order(play: Play) -> int:
    assert play.step.order is not None
    return play.step.order


def played_on(play: Play) -> None:
    """A round with one ante is played to its settled end."""
    play.to_wagers()
    if 1 not in play.round.wagers:
        play.bet(1, ante=100)
    play.to_settled()
    assert play.round.void is None and play.round.settlement is not None
    play.until("begin")


# ---- 9.º 1: one source or the other


@pytest.mark.parametrize(("first", "second"), [("shuffler", "shoe"), ("shoe", "shuffler")])
@pytest.mark.parametrize("step", ["begin", "shuffle", "cut"])
def test_art_9_1_the_bank_takes_the_other_source_until_the_deck_is_ready(
    first: str, second: str, step: StepKind
) -> None:
    if step == "cut" and first == "shuffler":
        step = "shuffle"
    play = Play(source=first).until(step)
    assert play.say(UseSource, source=second) == (SourceChosen(source=second, actor="ana"),)  # type: ignore[arg-type]
    play.until("shuffle")
    assert play.round.terms.source == second
    played_on(play)
    play.until("shuffle")
    assert play.round.terms.source == second  # until it is changed again
    play.say(UseSource, source=first)
    played_on(play)


def test_art_9_1_a_source_the_table_has_not_and_the_one_it_has_already() -> None:
    play = Play().until("begin")
    assert play.refused(UseSource, source="shuffler").article == "9.º 1"
    play.settings = type(play.settings)(terms=play.settings.terms, people=play.settings.people, sources=("shuffler",))
    assert play.refused(UseSource, source="shoe").article == "9.º 1"


def test_art_9_1_back_and_forth_gives_no_order_twice() -> None:
    play, orders = Play().until("shuffle"), []
    for _ in range(5):
        orders.append(order(play))
        assert play.receive(ShuffleReported(order=order(play) - 1, count=52)) == ()
        play.say(UseSource, source="shoe")
        assert react(play.table, 2).shuffler is None
        assert play.receive(ShuffleReported(order=orders[-1], count=52)) == ()  # carried out too late
        play.say(UseSource, source="shuffler")
    orders.append(order(play))
    assert orders == sorted(set(orders))
    played_on(play)


@pytest.mark.parametrize("changes", [10, 150])
def test_the_orders_of_a_round_however_many_are_never_those_of_the_next(changes: int) -> None:
    play = Play()
    play.until("shuffle")
    for _ in range(changes):
        play.say(UseSource, source="shoe")
        play.say(UseSource, source="shuffler")
    last = order(play)
    played_on(play)
    assert order(play.until("shuffle")) > last


# ---- 9.º 2: by hand, cut with the cut card


def test_art_9_2_the_dealer_is_asked_to_put_the_cards_below_the_cut_card_on_top() -> None:
    assert Play(source="shoe").until("cut").prompt == {
        "en": "Let the bank or a player cut the deck at any point with the cut card. Put all cards below it on top of "
        "the others, and the deck into the shoe; then confirm who cut.",
        "pt": "A banca ou um jogador corta o baralho em qualquer ponto com o cartão de corte. Coloque todas as cartas "
        "abaixo do cartão sobre as restantes, e o baralho no shoe; confirme quem cortou.",
        "zh": "由莊家或玩家以白咭在任何位置割牌。將白咭以下的所有牌放在其餘牌之上，放入牌靴，並確認由誰割牌。",
    }


# ---- 2.º 1 1): the deck is whole


@pytest.mark.parametrize("count", [0, 51, 53])
def test_art_2_1_a_shuffle_of_another_number_is_no_deck(count: int) -> None:
    play = Play().until("shuffle")
    first = order(play)
    [fault] = play.receive(ShuffleReported(order=first, count=count))
    assert isinstance(fault, DeckFaulted) and fault.found == count
    assert (play.step.id, play.step.kind, play.step.order) == ("1/deck/1", "deck", None)
    assert react(play.table, 2).shuffler is None
    assert play.refused(BeginRound).article == "8.º"
    assert play.say(DeckComplete) == (DeckRestored(actor="ana"),)
    assert (play.step.kind, order(play)) == ("shuffle", first + 1)
    assert play.receive(ShuffleReported(order=first, count=52)) == ()
    played_on(play)


@pytest.mark.parametrize("step", ["shuffle", "wagers", "deal", "decisions", "claims"])
def test_a_whole_deck_changes_nothing(step: StepKind) -> None:
    play = Play().until("shuffle")
    if step != "shuffle":
        play.to_wagers().bet(1, ante=100)
    assert play.until(step).receive(WHOLE) == ()


def test_a_deck_of_the_shuffler_says_nothing_of_the_one_in_the_shoe() -> None:
    play = Play(source="shoe").to_wagers()
    assert play.receive(SHORT) == ()


def test_the_deck_found_wrong_again_and_again_gives_no_order_twice() -> None:
    play, orders, steps = Play().until("shuffle"), [], []
    for fault in (ShuffleReported(order=0, count=51), SHORT, DOUBLED):
        orders.append(order(play))
        play.receive(ShuffleReported(order=order(play), count=51) if isinstance(fault, ShuffleReported) else fault)
        steps.append(play.step.id)
        play.say(DeckComplete)
    orders.append(order(play))
    assert orders == sorted(set(orders)) and len(set(steps)) == 3


def test_art_2_1_a_deck_that_is_not_whole_stays_so_whatever_it_is_dealt_from() -> None:
    play = Play().until("shuffle")
    play.receive(ShuffleReported(order=order(play), count=51))
    play.say(UseSource, source="shoe")
    assert play.at("deck")
    play.say(DeckComplete)
    assert play.at("shuffle") and play.round.terms.source == "shoe"
    played_on(play)


# ---- a shuffler that was switched on again


def test_a_machine_switched_on_again_in_the_wagers_shuffles_again_and_the_wagers_stay() -> None:
    play = Play()
    play.receive(ShufflerGreeted(boot=1, last_order=0))
    play.to_wagers().bet(1, ante=100, pair_plus=200).bet(3, ante=300).chips(3)
    wagers, first = play.round.wagers, play.round.orders_used
    events = play.receive(ShufflerGreeted(boot=2, last_order=0))
    assert events[0] == ShufflerKnown(boot=2)
    assert play.step.id == "1/shuffle/2" and order(play) == play.round.orders_from + first + 1
    play.to_wagers()
    assert play.round.wagers == wagers
    play.lock()
    assert play.round.chips == (3,)
    played_on(play)


@pytest.mark.parametrize("step", ["begin", "decisions", "reveal", "confirm", "claims"])
def test_a_machine_switched_on_again_when_nothing_is_wanted_of_it_changes_nothing(step: StepKind) -> None:
    play = Play()
    play.receive(ShufflerGreeted(boot=1, last_order=0))
    play.until("begin")
    if step != "begin":
        play.to_wagers().bet(1, ante=100)
    before = play.until(step).step
    assert play.receive(ShufflerGreeted(boot=2, last_order=0)) == (ShufflerKnown(boot=2),)
    assert play.step == before


def test_a_machine_switched_on_again_while_it_shuffles_is_given_another_order() -> None:
    play = Play()
    play.receive(ShufflerGreeted(boot=1, last_order=0))
    first = order(play.until("shuffle"))
    play.receive(ShufflerGreeted(boot=2, last_order=0))
    assert order(play) == first + 1 and play.step.id == "1/shuffle/2"
    assert play.receive(ShuffleReported(order=first, count=52)) == ()
    played_on(play)


def test_the_same_machine_that_only_answers_again_changes_nothing() -> None:
    play = Play()
    play.receive(ShufflerGreeted(boot=1, last_order=0))
    play.to_wagers().bet(1, ante=100)
    before = play.step
    assert play.receive(ShufflerGreeted(boot=1, last_order=play.round.orders_from + 1)) == ()
    assert play.step == before


def test_cards_put_into_a_shuffler_that_is_idle_close_no_claims_of_the_shoe() -> None:
    play = Play(source="shoe").to_wagers().bet(1, ante=100).until("claims")
    play.receive(InsertionReported(count=52))
    assert play.step.kind == "claims"
