"""The jackpot in the configuration file: its parameters, its first pot, and where its meter is shown."""

import msgspec

from controller.config.regulation import not_at, read_authorisation
from controller.config.section import MOST_MINOR_UNITS, Section
from controller.engine.state.jackpot import MeterOpened
from controller.rulebook.game import Game
from controller.rulebook.house import Authorisation
from controller.rulebook.jackpot_award import Parameters

MOST_CHIPS = 1000  # of one round, before the dealer is asked to look


class JackpotSettings(msgspec.Struct, frozen=True):
    """The jackpot's parameters, and the amounts on the meter when a new journal begins (minor units).

    `manual`: the dealer marks the chips and enters the increment himself (black-jack 41 b)). `carried_over` says where
    a pot comes from that ran before; empty where a new one starts.
    """

    manual: bool
    initial_pot: int
    carried_over: str
    initial_reserve: int
    parameters: Parameters
    authorisations: tuple[Authorisation, ...]


def read_jackpot(
    top: Section, devices: Section, game: Game, mode: str, offered: bool, seats: int
) -> JackpotSettings | None:
    """The section of the jackpot, if the table offers one; `seats` is the number of seats."""
    if not offered:
        if "jackpot" in top:
            wanted = 'no section, or "jackpot" in table.wagers.additional'
            if (why := dict(not_at(game)).get("jackpot")) is not None:
                wanted = f"no section: {why}"
            top.report("jackpot", "a section", wanted)
            top.skip("jackpot")
        return None
    section = top.section("jackpot")
    opened = read_opening(section, game, seats)
    display = section.choice("display", ("sign", "other"), default="sign")
    if display == "other" and "sign" in devices:
        section.report("display", display, '"sign": [devices.sign] is the display')
    elif display == "sign" and "sign" not in devices and mode == "live" and not devices.missing:
        wanted = f'a [devices.sign], or "other" where another system shows the jackpot ({game.citations.display})'
        section.report("display", display, wanted)
    manual = section.free_choice("marking", game.prize.markings) == "manual"
    jackpot = JackpotSettings(
        manual=manual,
        initial_pot=opened.pot,
        carried_over=opened.carried_over or "",
        initial_reserve=opened.reserve,
        parameters=opened.parameters,
        authorisations=read_authorisation(section, "jackpot"),
    )
    if mode == "live" and game.prize.authorised_by and "authorisation" not in section:
        wanted = f"a table [jackpot.authorisation] with reference and date ({game.prize.authorised_by})"
        section.report_missing("authorisation", wanted)
    section.end()
    return jackpot


def _fixed(section: Section, tiers: tuple[str, ...]) -> dict[str, int]:
    """The fixed amounts of the house; a pot without fixed amounts has no section for them."""
    if not tiers:
        return {}
    fixed_section = section.section("fixed")
    fixed = {tier: fixed_section.integer(tier, 1, MOST_MINOR_UNITS) for tier in tiers}
    fixed_section.end()
    return fixed


def read_opening(section: Section, game: Game, seats: int) -> MeterOpened:
    """How a game's pot begins, and its parameters; `seats` is the largest number of seats at a table of the game."""
    pot = section.integer("initial_pot", 1, MOST_MINOR_UNITS)
    minimum = section.integer("minimum", 1, MOST_MINOR_UNITS)
    least = max(pot, minimum, 1)
    ceiling = section.integer("ceiling", least, MOST_MINOR_UNITS, f"not below the pot and the minimum: {least} or more")
    increment = section.integer("increment_bp", 0, 10_000, "basis points of a chip, 0 to 10000")
    most = 10_000 - increment
    reserve = section.integer("reserve_bp", 0, most, f"basis points, with increment_bp at most 10000: 0 to {most}")
    fixed = _fixed(section, game.prize.tiers)
    chip = section.integer("chip", 1, MOST_MINOR_UNITS)
    least_start = game.prize.least_in_chips * chip
    if minimum < least_start:
        section.report("minimum", minimum, f"{least_start} or more: 10 000 chips (44)")
    carried_over = section.line("carried_over") if "carried_over" in section else ""
    if pot < least_start and section.peek("initial_pot") == pot and "carried_over" not in section:
        expected = f"{least_start} or more: 10 000 chips (44); for a pot that ran before, carried_over says where"
        section.report("initial_pot", pot, expected)
    return MeterOpened(
        pot=pot,
        reserve=section.integer("initial_reserve", 0, MOST_MINOR_UNITS),
        parameters=Parameters(
            chip=chip,
            minimum=minimum,
            increment_bp=increment,
            reserve_bp=reserve,
            ceiling=ceiling,
            overflow_to=section.choice("overflow_to", ("overflow", "reserve")),
            unreasonable_chips=section.integer(
                "unreasonable_chips",
                seats,
                MOST_CHIPS,
                f"{seats} to {MOST_CHIPS}: a chip of each of {seats} seats counts",
            ),
            fixed=fixed,
        ),
        carried_over=carried_over or None,
    )
