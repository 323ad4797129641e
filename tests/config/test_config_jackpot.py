"""The jackpot's configuration and the law: its display, the amounts that the house fixes, and a linked pot."""

from pathlib import Path

import pytest

from controller.config.link import LinkSettings
from controller.link.messages import BEFORE_ANY
from controller.rulebook.house import Authorisation
from tests.config.texts import AUTOMATIC, EXAMPLE, MANUAL, OF_8, SIMULATED, example, mistakes, read
from tests.link.entries import PIT_KEY, PUBLIC, key_of

THE_SIGN = EXAMPLE.partition("\n[devices.sign]")[2]
WITHOUT_SIGN = ("\n[devices.sign]" + THE_SIGN, "")


def shown_by(system: str) -> tuple[str, str]:
    return "unreasonable_chips = 7", f'unreasonable_chips = 7\ndisplay = "{system}"'


def test_art_2_2_a_live_jackpot_without_its_display_is_refused(tmp_path: Path) -> None:
    for changes in ([WITHOUT_SIGN], [WITHOUT_SIGN, shown_by("sign")]):
        [mistake] = mistakes(tmp_path, example(*changes))
        assert (mistake.key, mistake.value) == ("jackpot.display", '"sign"')
        assert mistake.expected == 'a [devices.sign], or "other" where another system shows the jackpot (2.º 2)'
    assert read(tmp_path, example(SIMULATED, WITHOUT_SIGN)).sign is None
    assert read(tmp_path, example(shown_by("sign"))).sign is not None


def test_art_2_2_or_another_system_shows_it(tmp_path: Path) -> None:
    config = read(tmp_path, example(WITHOUT_SIGN, shown_by("other")))
    assert config.sign is None and config.jackpot is not None
    for text in (example(shown_by("other")), example(shown_by("other"), SIMULATED)):
        [mistake] = mistakes(tmp_path, text)
        assert (mistake.key, mistake.expected) == ("jackpot.display", '"sign": [devices.sign] is the display')
    [mistake] = mistakes(tmp_path, example(shown_by("no_one")))
    assert mistake.key == "jackpot.display" and mistake.expected == '"sign" or "other"'


def test_art_2_2_without_a_jackpot_no_display_is_asked_for(tmp_path: Path) -> None:
    before, _, rest = EXAMPLE.partition("[jackpot]")
    text = before + "[people]" + rest.partition("[people]")[2]
    text = text.replace(', "jackpot"]', "]").replace(WITHOUT_SIGN[0], "")
    assert read(tmp_path, text).jackpot is None


@pytest.mark.parametrize(
    ("tier", "amount"),
    [
        ("royal_flush", 5_000_000),
        ("straight_flush", 1_000_000),
        ("four_of_a_kind", 150_000),
        ("full_house", 50_000),
        ("flush", 25_000),
    ],
)
@pytest.mark.parametrize("mode", [[], [SIMULATED]], ids=["live", "simulation"])
def test_art_16_3_a_fixed_amount_is_at_least_one_unit(
    tmp_path: Path, tier: str, amount: int, mode: list[tuple[str, str]]
) -> None:
    [mistake] = mistakes(tmp_path, example((f"{tier} = {amount}\n", f"{tier} = 0\n"), *mode))
    assert (mistake.key, mistake.value) == (f"jackpot.fixed.{tier}", "0")
    jackpot = read(tmp_path, example((f"{tier} = {amount}\n", f"{tier} = 1\n"), *mode)).jackpot
    assert jackpot is not None and jackpot.parameters.fixed[tier] == 1


@pytest.mark.parametrize("mode", [[], [SIMULATED]], ids=["live", "simulation"])
def test_a_chip_of_every_seat_is_reasonable(tmp_path: Path, mode: list[tuple[str, str]]) -> None:
    for few in (0, 1, 5):
        [mistake] = mistakes(tmp_path, example(("unreasonable_chips = 7", f"unreasonable_chips = {few}"), *mode))
        assert (mistake.key, mistake.value) == ("jackpot.unreasonable_chips", str(few))
        assert mistake.expected == "6 to 1000: a chip of each of 6 seats counts"
    jackpot = read(tmp_path, example(("unreasonable_chips = 7", "unreasonable_chips = 6"), *mode)).jackpot
    assert jackpot is not None and jackpot.parameters.unreasonable_chips == 6


def test_a_number_of_seats_that_is_wrong_makes_no_other_mistake(tmp_path: Path) -> None:
    [mistake] = mistakes(tmp_path, example(("seats = 6  ", "seats = 8  ")))
    assert mistake.key == "table.seats"


SIMULATION = EXAMPLE.replace('mode = "live"', 'mode = "simulation"')
KEY = '\n[checkpoint]\nkey_file = "table.key"\n'
LINK = f'{KEY}\n[link]\npot = "hall"\nkeys = ["{PUBLIC}"]\n'


def test_a_table_may_share_a_pot_and_has_one_of_its_own_without_the_section(tmp_path: Path) -> None:
    assert read(tmp_path, SIMULATION).link is None
    assert read(tmp_path, SIMULATION + LINK).link == LinkSettings("hall", "no_chips", (), (PIT_KEY.verifier,))


def test_linked_pot_2_a_link_has_one_key_of_its_pit_or_two_and_the_table_one_of_its_own(tmp_path: Path) -> None:
    other, third = (str(key_of(f"pit.example/{name}").verifier) for name in ("next", "third"))
    both = read(tmp_path, SIMULATION + LINK.replace(f'"{PUBLIC}"', f'"{PUBLIC}", "{other}"')).link
    assert both is not None and list(map(str, both.keys)) == [PUBLIC, other]
    for keys in ("", f'"{PUBLIC}", "{other}", "{third}"', '"a+b+c"', f'"{PIT_KEY.coverifier}"', "1"):
        found = mistakes(tmp_path, SIMULATION + LINK.replace(f'"{PUBLIC}"', keys))
        assert {bad.key for bad in found} == {"link.keys"}
    for text, key in ((LINK.replace("keys", "# keys"), "link.keys"), (LINK.replace(KEY, ""), "checkpoint")):
        [mistake] = mistakes(tmp_path, SIMULATION + text)
        assert mistake.key == key


def test_linked_pot_9_a_new_journal_says_which_one_it_continues_from(tmp_path: Path) -> None:
    before = f'[link.predecessor]\njournal = "older"\nthrough = 41\nhead = "{BEFORE_ANY}"\n'
    link = read(tmp_path, SIMULATION + LINK + before).link
    assert link is not None and (link.predecessor, link.through, link.head) == ("older", 41, BEFORE_ANY)
    [mistake] = mistakes(tmp_path, SIMULATION + LINK + before.replace("41", "0"))
    assert mistake.key == "link.predecessor.through"


@pytest.mark.parametrize("key", ["tenths_one_after_another", "royal_on_the_pot_as_it_was"])
def test_linked_pot_6_the_pit_awards_a_linked_pot_as_decided_whatever_a_table_chose(tmp_path: Path, key: str) -> None:
    chosen = f"\n[rules]\n{key} = true\n"
    assert read(tmp_path, SIMULATION + chosen).rules == (key,)
    [mistake] = mistakes(tmp_path, SIMULATION + LINK + chosen)
    assert (mistake.key, mistake.value) == (f"rules.{key}", "true")
    assert read(tmp_path, SIMULATION + LINK + chosen.replace("true", "false")).link is not None


def test_an_authorisation_goes_with_those_of_the_table(tmp_path: Path) -> None:
    asked = '[link.authorisation]\nreference = "DICJ 9/2026"\ndate = 2026-01-31\n'
    config = read(tmp_path, SIMULATION + LINK + asked)
    assert Authorisation("link", "DICJ 9/2026", "2026-01-31") in config.house.authorisations


def test_a_live_table_shares_a_pot_by_an_authorisation_alone(tmp_path: Path) -> None:
    [mistake] = mistakes(tmp_path, EXAMPLE + LINK)
    assert (mistake.key, mistake.value) == ("link.authorisation", "(missing)")
    assert mistake.expected == "a table [link.authorisation] with reference and date: no regulation links tables"
    asked = '[link.authorisation]\nreference = "DICJ 9/2026"\ndate = 2026-01-31\n'
    config = read(tmp_path, EXAMPLE + LINK + asked)
    assert config.mode == "live" and config.link is not None and config.link.pot == "hall"
    [mistake] = mistakes(tmp_path, EXAMPLE + LINK + asked.replace("DICJ 9/2026", ""))
    assert mistake.key == "link.authorisation.reference"


@pytest.mark.parametrize("line", ['while_down = "continue"', "while_down = 1"])
def test_linked_pot_5_no_other_policy_is_known_for_a_pit_that_is_silent(tmp_path: Path, line: str) -> None:
    [mistake] = mistakes(tmp_path, SIMULATION + LINK + line + "\n")
    assert mistake.key == "link.while_down" and mistake.expected.startswith('"no_chips"')


def test_a_pot_is_named_as_a_topic_may_be(tmp_path: Path) -> None:
    [mistake] = mistakes(tmp_path, SIMULATION + LINK.replace('"hall"', '"hall/1"'))
    assert mistake.key == "link.pot"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (OF_8, "no section: fortune-8 has no jackpot"),
        (AUTOMATIC.replace('["jackpot"]', "[]"), 'no section, or "jackpot" in table.wagers.additional'),
        (MANUAL, 'no section, or jackpot.marking = "automatic": other tables move this pot too'),
    ],
    ids=["fortune-8", "blackjack without the prize", "blackjack marked by hand"],
)
def test_where_no_chip_is_counted_by_sensors_there_is_no_link(tmp_path: Path, text: str, expected: str) -> None:
    found = [mistake for mistake in mistakes(tmp_path, text + LINK) if mistake.key == "link"]
    assert [mistake.expected for mistake in found] == [expected]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("links", "another name: below dealer/(site)/links/ are the pots that tables share"),
        ("cellar", "another name: in the broker's access list cellar is an archive"),
    ],
)
def test_linked_pot_3_no_table_has_a_name_that_may_say_more_at_the_broker(
    tmp_path: Path, name: str, expected: str
) -> None:
    text = EXAMPLE.replace('id = "table-1"', f'id = "{name}"', 1).replace(
        "[floor]\n", '[floor]\narchives = ["cellar"]\n'
    )
    [mistake] = mistakes(tmp_path, text)
    assert (mistake.key, mistake.expected) == ("table.id", expected)
    assert read(tmp_path, text.replace(f'id = "{name}"', f'id = "{name}-1"')).table == f"{name}-1"
