"""The linked pot in the configuration file: its name at the pit, and what applies while the pit is offline."""

from collections.abc import Collection
from typing import Literal

import msgspec

from controller.config.checkpoint import read_verifiers
from controller.config.jackpot import JackpotSettings
from controller.config.regulation import not_at, read_authorisation
from controller.config.section import Section
from controller.link.messages import BEFORE_ANY
from controller.rulebook.game import Game
from controller.rulebook.house import Authorisation
from controller.rulebook.jackpot_award import POT_READINGS
from controller.tlog.notes import ED25519, VerifierKey

MOST_ENTRIES = 2**53
MOST_KEYS = 2


class LinkSettings(msgspec.Struct, frozen=True):
    """A pot that the table shares with others. `keys` verify what its pit publishes.

    `predecessor` is the table's journal before this one; it sent the pit its entries up to `through`, with the hash
    `head`.
    """

    pot: str
    while_down: Literal["no_chips"]
    authorisations: tuple[Authorisation, ...]
    keys: tuple[VerifierKey, ...]
    predecessor: str = ""
    through: int = 0
    head: str = BEFORE_ANY


def read_link(
    top: Section, game: Game, jackpot: JackpotSettings | None, mode: str, rules: Collection[str]
) -> LinkSettings | None:
    """The section ``[link]``; without it the table has a pot of its own.

    The pit computes the awards for all tables, so `rules` of a single table cannot change them.
    """
    section = top.optional("link")
    if section is None:
        return None
    link = LinkSettings(
        pot=section.name("pot"),
        while_down=section.choice("while_down", ("no_chips",), default="no_chips"),
        authorisations=read_authorisation(section, "link"),
        keys=read_verifiers(section, "keys", ED25519),
    )
    if "keys" in section and not 1 <= len(set(link.keys)) <= MOST_KEYS:
        section.report("keys", list(map(str, link.keys)), f"one public key of the pit, or {MOST_KEYS} while it changes")
    if (before := section.optional("predecessor")) is not None:
        link = msgspec.structs.replace(
            link,
            predecessor=before.line("journal"),
            through=before.integer("through", 1, MOST_ENTRIES),
            head=before.text("head"),
        )
        before.end()
    if (why := dict(not_at(game)).get("link")) is not None:
        top.report("link", "a section", f"no section: {why}")
    elif mode == "shadow":
        top.report("link", "a section", "no section: a shadow table moves no pot of others")
    elif jackpot is None:
        top.report("link", "a section", 'no section, or "jackpot" in table.wagers.additional')
    elif jackpot.manual:
        top.report("link", "a section", 'no section, or jackpot.marking = "automatic": other tables move this pot too')
    if "checkpoint" not in top:
        top.report_missing("checkpoint", "a table [checkpoint]: its key signs what the table sends to the pit")
    if mode == "live" and "authorisation" not in section:
        wanted = "a table [link.authorisation] with reference and date: no regulation links tables"
        section.report_missing("authorisation", wanted)
    for key in POT_READINGS:
        if key in rules:
            top.report(f"rules.{key}", True, "false where the pot is linked: the pit awards it as decided")
    section.end()
    return link
