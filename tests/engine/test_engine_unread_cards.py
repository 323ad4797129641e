"""Cards whose value nobody heard: they are dealt like any other, keyed in when they are turned, and counted."""

import pytest

from controller.engine.decisions.cards import UnheardCard
from controller.engine.decisions.deciders import StaleStep
from controller.engine.decisions.played import Decide, Reveal
from controller.engine.state.events import DealerTold
from controller.engine.state.persons import CorrectCards, EnterCount
from controller.rulebook.events import CardsDealt, CardsShown
from controller.rulebook.games import game_of
from controller.rulebook.steps import StepKind
from controller.words import english, sentence
from tests.engine.playing import Play, cards, stacked_for

HANDS = ("As Ks Qs", "9h 9d 2c", "2d 5h 7c", "Qd 9c 4h", "3c 3d 3h")  # seats 1 to 3, bank, rack and community


def locked(source: str = "shuffler", unread: tuple[str, ...] = (), rules: tuple[str, ...] = ()) -> Play:
    """Seat 1 ante with chip, seat 2 Pair Plus alone, seat 3 ante alone; some cards cannot be read."""
    deck = stacked_for(source, *HANDS)
    missing = [deck.index(card) for card in cards(" ".join(unread))]
    play = Play(deck, source=source, unread=missing, rules=rules).to_wagers()
    play.bet(1, ante=100).bet(2, pair_plus=200).bet(3, ante=300).chips(1)
    play.lock()
    return play


def shown(play: Play) -> dict[str, str]:
    return {place: " ".join(there) for place, there in play.round.play.shown.items()}


TRUTH = {"bank": "Qd 9c 4h", "seat 1": "As Ks Qs", "seat 2": "9h 9d 2c", "seat 3": "2d 5h 7c", "community": "3d 3h"}


@pytest.mark.parametrize("source", ["shuffler", "shoe"])
@pytest.mark.parametrize(
    ("unread", "at"),
    [
        (("As",), "seat 1"),
        (("9d", "2c"), "seat 2"),
        (("7c",), "seat 3"),
        (("Qd", "9c", "4h"), "bank"),
        (("3h",), "community"),
    ],
)
def test_an_unread_card_is_keyed_in_where_it_lies_and_the_round_is_settled(
    source: str, unread: tuple[str, ...], at: str
) -> None:
    play = locked(source, unread)
    play.deal()
    assert DealerTold(notice="card_unread") in [event for event, _ in play.entries]
    assert game_of(play.round).unread_places(play.round) == (at,)
    play.decisions()
    while play.step.kind == "reveal":
        place = play.step.to[0]
        assert play.step.key_in is (place == at)
        event = play.reveal_one()[0]
        assert event == CardsShown(to=place, cards=cards(TRUTH[place]), keyed_in=place == at)
    assert shown(play) == TRUTH
    read = locked(source).to_settled()
    assert play.round.settlement == read.round.settlement and play.vault == read.vault


@pytest.mark.parametrize("unread", [("2d",), ("5h", "7c"), ("3c",)])
def test_what_no_rule_shows_is_never_keyed_in(unread: tuple[str, ...]) -> None:
    play = locked(unread=unread).until("decisions").decisions(seat_3="fold")
    while play.step.kind == "reveal":
        assert not play.step.key_in
        play.reveal_one()
    assert play.round.void is None and "seat 3" not in play.round.play.shown


@pytest.mark.parametrize(
    ("keyed", "article"),
    [
        (None, "policy: unread cards"),  # not keyed in at all
        ("As", "policy: unread cards"),
        ("As Ks", "policy: unread cards"),
        ("As Ks Qs Js", "policy: unread cards"),
        ("As Ks 2h", "policy: unread cards"),  # Qs was read there
        ("As Qs Ks", "policy: unread cards"),  # as they came, not as one likes
        ("Ks Ks Qs", "policy: complete deck"),
        ("Qd Ks Qs", "policy: complete deck"),  # the bank's, shown already
        ("as Ks Qs", None),
        ("", None),
        ("As  Ks Qs", None),
        ("10s Ks Qs", None),
    ],
)
@pytest.mark.parametrize("source", ["shuffler", "shoe"])
def test_cards_keyed_in_wrongly_are_refused(source: str, keyed: str | None, article: str | None) -> None:
    play = locked(source, ("As",)).until("reveal")
    play.reveal_one()
    refusal = play.refused(Reveal, to="seat 1", cards=keyed)
    assert refusal.article == article
    assert "As" not in english(refusal.reason) or article is None
    play.reveal_one()
    assert shown(play)["seat 1"] == "As Ks Qs"


def test_art_18_3_cards_that_were_all_read_are_not_keyed_in_and_no_guess_is_answered() -> None:
    play = locked().until("reveal")
    answers = {sentence(play.refused(Reveal, to="bank", cards=guess)) for guess in ("Qd 9c 4h", "Qd 9c 4c", "x")}
    assert len(answers) == 1
    play.reveal_one()
    assert shown(play) == {"bank": TRUTH["bank"]}


def test_art_18_3_a_card_keyed_in_that_lies_face_down_elsewhere_is_not_given_away() -> None:
    play = locked(unread=("4h",)).until("reveal")
    answers = []
    for wrong in ("Qd 9c As", "Qd 9c 8d"):  # one lies at seat 1, the other nowhere
        other = locked(unread=("4h",)).until("reveal")
        answers.append(len(other.say(Reveal, to="bank", cards=wrong)))
    assert answers == [1, 1]
    play.say(Reveal, to="bank", cards="Qd 9c As")
    # Whether the deck or the hand that keyed it in is wrong nobody knows: it can be put right.
    assert play.refused(Reveal, to="seat 1").article == "policy: complete deck"
    play.change(CorrectCards, to="bank", cards="Qd 9c 4h", reason="keyed in wrongly")
    play.to_settled()
    assert play.round.void is None


# ---- a card nobody heard of


@pytest.mark.parametrize("at", range(14))
def test_a_card_that_was_not_heard_lies_where_it_was_due_and_is_keyed_in(at: int) -> None:
    play = locked("shoe")
    for _ in range(at):
        play.deal_one()
    place = play.step.to[0]
    event = play.unheard_card()[0]
    assert isinstance(event, CardsDealt)
    assert (event.draws, event.places, event.unread) == ((at + 1,), (place,), (at + 1,))
    assert game_of(play.round).unread_places(play.round) == (place,) and play.vault[at + 1] is None
    play.to_settled()
    assert shown(play) == TRUTH and play.round.void is None


def test_a_whole_deal_that_nobody_heard_is_keyed_in_place_by_place() -> None:
    play = locked("shoe")
    while play.step.kind == "deal":
        play.unheard_card()
    play.to_settled()
    assert shown(play) == TRUTH and play.round.void is None
    assert play.round.settlement == locked("shoe").to_settled().round.settlement


def test_a_card_that_was_heard_after_all_makes_the_word_that_it_was_not_stale() -> None:
    play = locked("shoe")
    late = UnheardCard(input_id="x", step_id=play.step.id, actor="ana")
    play.deal_one()
    with pytest.raises(StaleStep) as stale:
        play.check(late)
    assert stale.value.current == "1/deal/2"


def test_the_shuffler_s_packets_are_waited_for() -> None:
    assert locked().refused(UnheardCard).article == "17.º 2"
    assert locked("shoe").until("decisions").refused(UnheardCard).article == "8.º"


# ---- the last count


UNREPORTED = ("wrong_count_is_unreported_card",)


@pytest.mark.parametrize(
    ("rules", "article", "carried"), [((), "17.º 1 1)", (1,)), (UNREPORTED, "policy: every card heard", ())]
)
@pytest.mark.parametrize("more", [1, -1])
def test_art_17_1_1_a_last_count_that_comes_to_another_number_voids_by_either_reading(
    more: int, rules: tuple[str, ...], article: str, carried: tuple[int, ...]
) -> None:
    play = locked("shoe", rules=rules).until("count")
    assert (play.step.id, play.step.cards) == ("1/count/1", 14)
    assert play.refused(Decide, seat=1, decision="play").article == "8.º"
    play.tell_count(14 + more)
    assert play.round.void is not None and (play.round.void.article, play.round.void.carried) == (article, carried)
    assert english(play.round.void.why) == f"{14 + more} cards are on the table, and the shoe reported 14"


@pytest.mark.parametrize("count", [0, -5, 1000])
def test_no_count_however_wrong_is_more_than_void(count: int) -> None:
    play = locked("shoe").until("count")
    play.tell_count(count)
    assert play.round.void is not None
    play.until("begin")


def test_the_shuffler_counts_itself_and_nobody_counts_at_any_other_step() -> None:
    play = locked()
    while play.step.kind != "confirm":
        assert play.step.kind != "count"
        assert play.refused(EnterCount, count=14).article == "8.º"
        play.go_on()


@pytest.mark.parametrize("step", ["deal", "decisions", "reveal"])
def test_the_last_count_is_asked_once(step: StepKind) -> None:
    play = locked("shoe").until("count")
    play.tell_count(14)
    assert play.step.kind == "decisions"
    if step != "deal":
        assert play.until(step).refused(EnterCount, count=14).article == "8.º"
