"""What is posted at the table: the regulation with its legal status, and the authorisations, on console and floor."""

import json

import msgspec
import pytest
from msgspec.structs import replace

from controller.engine.shown.device_orders import posted, react
from controller.engine.shown.projection import project
from controller.engine.shown.public import PublicTable
from controller.engine.state.current import Settings
from controller.engine.state.table import Table
from controller.floor.messages import Retained
from controller.rulebook.events import Terms
from controller.rulebook.games import GAMES
from controller.rulebook.house import Authorisation, House
from controller.words import SPOKEN
from tests.engine.hands import Hands
from tests.engine.playing import IDENTITY, Play, terms

BY_THE_SRIJ = Authorisation(subject="jackpot", reference="SRIJ 12/2026", date="2026-02-01")


def public(table: Table, settings: Settings) -> PublicTable:
    return project(table, react(table, 2), settings)


def settings_with(**changed: object) -> Settings:
    return Settings(terms=terms(chip=0, additional=(), **changed), people={})


def test_art_despacho_4_the_legal_status_is_shown_before_a_round_and_in_it() -> None:
    shown = posted(Table(), settings_with(game="fortune-3-card-poker-2008"))
    assert (shown.regulation, shown.state) == ("Macau, Despacho SEF 78/2008 (97/2008)", "revoked")
    assert shown.by == "Despacho SEF 89/2025, n.º 4"
    assert shown.legal_status == {
        "en": "Macau, Despacho SEF 78/2008 (97/2008); revoked by Despacho SEF 89/2025, n.º 4",
        "pt": "Macau, Despacho SEF 78/2008 (97/2008); revogado: Despacho SEF 89/2025, n.º 4",
        "zh": "Macau, Despacho SEF 78/2008 (97/2008)；已廢止：Despacho SEF 89/2025, n.º 4",
    }
    play = Play().to_wagers()
    assert posted(play.table, settings_with(game="fortune-8")).state == "in_force"
    assert posted(play.table, settings_with(game="fortune-8")).regulation == "Macau, Despacho SEF 89/2025 (94/2025)"


@pytest.mark.parametrize("game", GAMES)
def test_every_legal_status_has_words_in_every_language_and_goes_to_the_floor(game: str) -> None:
    table = public(Table(), settings_with(game=game))
    legal_status = GAMES[game].legal_status
    assert table.posted.legal_status.keys() == SPOKEN.keys() and table.posted.legal_status["en"] == str(legal_status)
    assert all(
        legal_status.regulation in words and legal_status.by in words for words in table.posted.legal_status.values()
    )
    state = json.loads(Retained(IDENTITY).of(table, 0, "now", 1)[f"{IDENTITY.base}/state"])["data"]["posted"]
    assert (state["regulation"], state["state"], state["by"]) == (
        legal_status.regulation,
        legal_status.state,
        legal_status.by,
    )


def test_blackjack_rule_38_and_40_the_authorisation_is_in_the_round_and_on_the_floor() -> None:
    play = Hands()
    play.settings = replace(play.settings, terms=replace(play.settings.terms, house=House((BY_THE_SRIJ,))))
    play.to_wagers()
    assert play.round.terms.house.authorisations == (BY_THE_SRIJ,)
    state = json.loads(play.projection())["posted"]
    assert state["authorisations"] == [{"subject": "jackpot", "reference": "SRIJ 12/2026", "date": "2026-02-01"}]
    assert posted(play.table, settings_with(game="blackjack-21")).authorisations == (BY_THE_SRIJ,)  # of its round


def test_what_the_house_has_decided_is_kept_with_the_terms_of_a_round() -> None:
    begun = Terms("fortune-8", 7, "shoe", 1, 2)
    assert msgspec.to_builtins(begun)["house"] == {} and begun.house == House()
    kept = msgspec.to_builtins(replace(begun, house=House((BY_THE_SRIJ,))))
    assert msgspec.convert(kept, Terms).house.authorisations == (BY_THE_SRIJ,)
