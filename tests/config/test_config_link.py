"""A linked pot in the configuration: where it may be, and by whose authorisation at a live table."""

from pathlib import Path

import pytest

from controller.config.link import LinkSettings
from controller.link.messages import BEFORE_ANY
from controller.rulebook.house import Authorisation
from tests.config.texts import AUTOMATIC, EXAMPLE, MANUAL, OF_8, mistakes, read
from tests.link.keys import PIT_KEY, PUBLIC, key_of

SIMULATED = EXAMPLE.replace('mode = "live"', 'mode = "simulation"')
KEY = '\n[checkpoint]\nkey_file = "table.key"\n'
LINK = f'{KEY}\n[link]\npot = "hall"\nkeys = ["{PUBLIC}"]\n'


def test_a_table_may_share_a_pot_and_has_one_of_its_own_without_the_section(tmp_path: Path) -> None:
    assert read(tmp_path, SIMULATED).link is None
    assert read(tmp_path, SIMULATED + LINK).link == LinkSettings("hall", "no_chips", (), (PIT_KEY.verifier,))


def test_linked_pot_2_a_link_has_one_key_of_its_pit_or_two_and_the_table_one_of_its_own(tmp_path: Path) -> None:
    other, third = (str(key_of(f"pit.example/{name}").verifier) for name in ("next", "third"))
    both = read(tmp_path, SIMULATED + LINK.replace(f'"{PUBLIC}"', f'"{PUBLIC}", "{other}"')).link
    assert both is not None and list(map(str, both.keys)) == [PUBLIC, other]
    for keys in ("", f'"{PUBLIC}", "{other}", "{third}"', '"a+b+c"', f'"{PIT_KEY.coverifier}"', "1"):
        found = mistakes(tmp_path, SIMULATED + LINK.replace(f'"{PUBLIC}"', keys))
        assert {bad.key for bad in found} == {"link.keys"}
    for text, key in ((LINK.replace("keys", "# keys"), "link.keys"), (LINK.replace(KEY, ""), "checkpoint")):
        [mistake] = mistakes(tmp_path, SIMULATED + text)
        assert mistake.key == key


def test_linked_pot_9_a_new_journal_says_which_one_it_continues_from(tmp_path: Path) -> None:
    before = f'[link.predecessor]\njournal = "older"\nthrough = 41\nhead = "{BEFORE_ANY}"\n'
    link = read(tmp_path, SIMULATED + LINK + before).link
    assert link is not None and (link.predecessor, link.through, link.head) == ("older", 41, BEFORE_ANY)
    [mistake] = mistakes(tmp_path, SIMULATED + LINK + before.replace("41", "0"))
    assert mistake.key == "link.predecessor.through"


@pytest.mark.parametrize("key", ["tenths_one_after_another", "royal_on_the_pot_as_it_was"])
def test_linked_pot_6_the_pit_awards_a_linked_pot_as_decided_whatever_a_table_chose(tmp_path: Path, key: str) -> None:
    chosen = f"\n[rules]\n{key} = true\n"
    assert read(tmp_path, SIMULATED + chosen).rules == (key,)
    [mistake] = mistakes(tmp_path, SIMULATED + LINK + chosen)
    assert (mistake.key, mistake.value) == (f"rules.{key}", "true")
    assert read(tmp_path, SIMULATED + LINK + chosen.replace("true", "false")).link is not None


def test_an_authorisation_goes_with_those_of_the_table(tmp_path: Path) -> None:
    asked = '[link.authorisation]\nreference = "DICJ 9/2026"\ndate = 2026-01-31\n'
    config = read(tmp_path, SIMULATED + LINK + asked)
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
    [mistake] = mistakes(tmp_path, SIMULATED + LINK + line + "\n")
    assert mistake.key == "link.while_down" and mistake.expected.startswith('"no_chips"')


def test_a_pot_is_named_as_a_topic_may_be(tmp_path: Path) -> None:
    [mistake] = mistakes(tmp_path, SIMULATED + LINK.replace('"hall"', '"hall/1"'))
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
