"""The configuration of the games beside 2025: what each must say, may say, and is refused."""

from pathlib import Path

import pytest

from controller.config.file import chosen_readings
from controller.config.section import Section
from controller.config.settings import engine_settings
from controller.rulebook.game import Game
from controller.rulebook.games import GAMES
from tests.config.texts import BASE, JACKPOT, OF_8, OF_2008, OF_TILES, READER, SIGN, SLOTS, changed, mistakes, read

BOTH = pytest.mark.parametrize("text", [OF_2008, OF_8], ids=["2008", "fortune-8"])
KEEP_FOR = 'seal_key_file = "seal.key"\nkeep_days = '


@pytest.mark.parametrize(("days", "kept"), [(None, 1826), (0, 0), (90, 90), (36_500, 36_500)])
def test_the_journal_keeps_five_years_or_as_many_days_as_are_configured(
    tmp_path: Path, days: int | None, kept: int
) -> None:
    expected = OF_8 if days is None else changed(OF_8, 'seal_key_file = "seal.key"', f"{KEEP_FOR}{days}")
    assert read(tmp_path, expected).keep_days == kept


@pytest.mark.parametrize("days", ["-1", "1", "89", "36501", "false", "90.0", '"90"'])
def test_another_time_to_keep_the_journal_is_refused(tmp_path: Path, days: str) -> None:
    [mistake] = mistakes(tmp_path, changed(OF_8, 'seal_key_file = "seal.key"', f"{KEEP_FOR}{days}"))
    assert mistake.key == "journal.keep_days" and mistake.expected == "0, to keep all for good, or 90 to 36500"


@BOTH
@pytest.mark.parametrize("wagers", ["", "\n[table.wagers]\nadditional = []\n", "\n[table.wagers]\n"])
def test_a_game_without_additional_bets_needs_no_section_for_them(tmp_path: Path, text: str, wagers: str) -> None:
    config = read(tmp_path, text + wagers)
    assert (config.seats, config.additional, config.jackpot, config.slots, config.sign) == (7, (), None, None, None)


OTHER_READINGS = [
    pytest.param(game, reading.key, id=f"{name}-{reading.key}")
    for name, game in GAMES.items()
    for reading in game.other_readings
]


@pytest.mark.parametrize(("game", "key"), OTHER_READINGS)
@pytest.mark.parametrize("chosen", [True, False])
def test_another_reading_is_chosen_by_its_key_and_goes_into_the_terms(game: Game, key: str, chosen: bool) -> None:
    section = Section("", {"rules": {key: chosen}}, [])
    assert chosen_readings(section, game) == ((key,) if chosen else ())
    assert chosen_readings(Section("", {}, []), game) == ()


@BOTH
def test_a_reading_that_the_game_does_not_have_is_refused(tmp_path: Path, text: str) -> None:
    [mistake] = mistakes(tmp_path, f"{text}\n[rules]\nexposed_cards_by_player = true\n")
    assert (mistake.key, mistake.expected) == ("rules.exposed_cards_by_player", "no such key")
    assert engine_settings(read(tmp_path, f"{text}\n[rules]\n")).terms.rules == ()


SEATS = pytest.mark.parametrize("seats", [0, 5, 6, 8])


@SEATS
def test_2008_art_2_1_any_other_number_of_seats_than_seven_is_refused(tmp_path: Path, seats: int) -> None:
    [mistake] = mistakes(tmp_path, changed(OF_2008, "seats = 7", f"seats = {seats}"))
    expected = ("table.seats", str(seats), "7: eight places with the bank (2.º 1)")
    assert (mistake.key, mistake.value, mistake.expected) == expected


@SEATS
def test_fortune_8_art_4_1_any_other_number_of_spaces_than_seven_is_refused(tmp_path: Path, seats: int) -> None:
    [mistake] = mistakes(tmp_path, changed(OF_8, "seats = 7", f"seats = {seats}"))
    expected = ("table.seats", str(seats), "7 spaces (4.º 1)")
    assert (mistake.key, mistake.value, mistake.expected) == expected


@BOTH
@pytest.mark.parametrize("bet", ["jackpot", "six_card_bonus"])
def test_an_additional_bet_is_refused(tmp_path: Path, text: str, bet: str) -> None:
    [mistake] = mistakes(tmp_path, f'{text}\n[table.wagers]\nadditional = ["{bet}"]\n')
    assert mistake.key == "table.wagers.additional" and "no additional bets" in mistake.expected


@BOTH
@pytest.mark.parametrize(
    ("key", "section"),
    [("jackpot", JACKPOT), ("devices.slots", SLOTS), ("devices.sign", SIGN)],
    ids=["jackpot", "slots", "sign"],
)
def test_jackpot_slots_and_sign_are_refused(tmp_path: Path, text: str, key: str, section: str) -> None:
    [mistake] = mistakes(tmp_path, text + section)
    assert mistake.key == key and mistake.expected.startswith("no section")


@BOTH
def test_everything_a_game_does_not_have_is_refused_at_once(tmp_path: Path, text: str) -> None:
    additional = '\n[table.wagers]\nadditional = ["jackpot"]\n'
    found = mistakes(tmp_path, text + additional + JACKPOT + SLOTS + SIGN)
    named = {mistake.key for mistake in found}
    if named == {"table.game"}:  # it is all that another game has
        named = {*found[0].expected.rpartition(" of ")[2].split(", ")}
    assert named == {"table.wagers.additional", "jackpot", "devices.slots", "devices.sign"}


@BOTH
def test_the_source_in_use_must_be_there(tmp_path: Path, text: str) -> None:
    before, _, _ = text.partition("[devices.shoe]")
    assert read(tmp_path, before).shoe is None
    [mistake] = mistakes(tmp_path, changed(before, 'card_source = "shuffler"', 'card_source = "shoe"'))
    assert mistake.key == "table.card_source"


# ---- 2008


@pytest.mark.parametrize(("sizes", "read_as"), [("[3]", (3,)), ("[2, 3]", (2, 3)), ("[3, 2]", (3, 2))])
def test_2008_art_7_2_and_art_11_2_the_shuffler_gives_threes_and_may_give_twos(
    tmp_path: Path, sizes: str, read_as: tuple[int, ...]
) -> None:
    config = read(tmp_path, changed(OF_2008, 'port = "/dev/shuffler"', f'port = "x"\npacket_sizes = {sizes}'))
    assert config.shuffler is not None and config.shuffler.packet_sizes == read_as


def test_2008_art_7_2_a_shuffler_that_gives_no_threes_is_refused(tmp_path: Path) -> None:
    [mistake] = mistakes(tmp_path, changed(OF_2008, 'port = "/dev/shuffler"', 'port = "x"\npacket_sizes = [2]'))
    assert mistake.key == "devices.shuffler.packet_sizes"


@pytest.mark.parametrize("line", ["decks = 8", 'deal = "every_space"'])
def test_2008_art_1_1_there_is_one_deck_and_nothing_to_announce(tmp_path: Path, line: str) -> None:
    assert read(tmp_path, OF_2008).decks == 1
    [mistake] = mistakes(tmp_path, changed(OF_2008, "seats = 7", f"seats = 7\n{line}"))
    assert mistake.key == f"table.{line.partition(' ')[0]}" and mistake.expected.startswith("no such key")


# ---- Fortune 8


@pytest.mark.parametrize("decks", range(1, 9))
def test_fortune_8_art_1_1_one_to_eight_decks(tmp_path: Path, decks: int) -> None:
    assert read(tmp_path, changed(OF_8, "decks = 8", f"decks = {decks}")).decks == decks


@pytest.mark.parametrize("decks", ["0", "9", "-1", "true", "8.0", '"8"'])
def test_fortune_8_art_1_1_no_deck_and_more_than_eight_are_refused(tmp_path: Path, decks: str) -> None:
    [mistake] = mistakes(tmp_path, changed(OF_8, "decks = 8", f"decks = {decks}"))
    assert (mistake.key, mistake.expected) == ("table.decks", "one of 1, 2, 3, 4, 5, 6, 7, 8 (1.º 1))")


def test_fortune_8_art_1_1_the_number_of_decks_must_be_given(tmp_path: Path) -> None:
    [mistake] = mistakes(tmp_path, changed(OF_8, "decks = 8\n", ""))
    assert (mistake.key, mistake.value) == ("table.decks", "(missing)")


@pytest.mark.parametrize("deal", ["every_space", "spaces_with_bets"])
def test_fortune_8_art_4_6_the_deal_that_holds_before_the_announcement_may_be_chosen(tmp_path: Path, deal: str) -> None:
    assert read(tmp_path, changed(OF_8, "decks = 8", f'decks = 8\ndeal = "{deal}"')).deal == deal


def test_fortune_8_art_4_6_before_the_announcement_every_space_if_nothing_is_configured(tmp_path: Path) -> None:
    assert read(tmp_path, OF_8).deal == "every_space"
    [mistake] = mistakes(tmp_path, changed(OF_8, "decks = 8", 'decks = 8\ndeal = "every space"'))
    assert (mistake.key, mistake.value) == ("table.deal", '"every space"')


def test_fortune_8_art_1_3_the_dispenser_gives_single_cards_and_no_packets(tmp_path: Path) -> None:
    assert read(tmp_path, OF_8).shuffler is not None
    found = mistakes(tmp_path, changed(OF_8, 'port = "/dev/shuffler"', 'port = "x"\npacket_sizes = [1]'))
    assert [(bad.key, bad.expected[:11]) for bad in found] == [("devices.shuffler.packet_sizes", "no such key")]


@pytest.mark.parametrize("line", ["decks = 1", 'deal = "every_space"'])
def test_2025_has_neither_decks_nor_an_announced_deal(tmp_path: Path, line: str) -> None:
    text = changed(BASE.replace("GAME", "fortune-3-card-poker-2025"), "seats = 7", f"seats = 7\n{line}")
    found = [mistake.key for mistake in mistakes(tmp_path, text)]
    assert f"table.{line.partition(' ')[0]}" in found


@pytest.mark.parametrize("seats", [8, 4])
def test_a_table_of_tiles_needs_no_device_and_is_dealt_by_hand(tmp_path: Path, seats: int) -> None:
    config = read(tmp_path, changed(OF_TILES, "seats = 8", f"seats = {seats}"))
    assert (config.seats, config.card_source, config.shoe, config.sign, config.jackpot) == (
        seats,
        "shoe",
        None,
        None,
        None,
    )
    assert config.decks == 1 and config.additional == ()


def test_a_table_of_tiles_may_have_a_reader_and_a_sign(tmp_path: Path) -> None:
    config = read(tmp_path, OF_TILES + READER + SIGN)
    assert config.shoe is not None and config.sign is not None


@pytest.mark.parametrize("seats", [3, 5, 6, 7, 9])
def test_pai_kao_art_3_a_a_table_is_set_out_for_8_or_4_places(tmp_path: Path, seats: int) -> None:
    [mistake] = mistakes(tmp_path, changed(OF_TILES, "seats = 8", f"seats = {seats}"))
    assert (mistake.key, mistake.value, mistake.expected) == ("table.seats", str(seats), "8 or 4 places (3.º a))")


def test_a_table_of_tiles_has_no_shuffler_no_slots_no_jackpot_and_no_key_for_its_deal(tmp_path: Path) -> None:
    shuffler = '\n[devices.shuffler]\ndriver = "shuffler-link"\nport = "/dev/shuffler"\n'
    text = changed(OF_TILES, "seats = 8\n", 'seats = 8\ncard_source = "shuffler"\ndeal = "eight_places"\n')
    found = {mistake.key: mistake.expected for mistake in mistakes(tmp_path, text + shuffler + SLOTS + JACKPOT)}
    assert set(found) == {"table.card_source", "table.deal", "devices.shuffler", "devices.slots", "jackpot"}
    assert found["devices.shuffler"] == "no section: taiwan-pai-kao is dealt by hand"


def test_a_deal_of_another_game_is_no_deal_of_spaces(tmp_path: Path) -> None:
    [mistake] = mistakes(tmp_path, changed(OF_8, "decks = 8\n", 'decks = 8\ndeal = "four_places"\n'))
    assert mistake.key == "table.deal"


@pytest.mark.parametrize(("devices", "reads"), [("", False), (READER, True)])
def test_tiles_are_read_where_there_is_a_reader(tmp_path: Path, devices: str, reads: bool) -> None:
    settings = engine_settings(read(tmp_path, OF_TILES + devices))
    assert (settings.terms.reader, settings.sources) == (reads, ("shoe",) if reads else ())
    assert engine_settings(read(tmp_path, OF_8)).terms.reader
