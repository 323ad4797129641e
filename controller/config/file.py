"""The one configuration file: TOML to frozen structs, every mistake named at once."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, get_args

import msgspec

from controller.config.bets import read_bets
from controller.config.checkpoint import Checkpointing, read_checkpointing
from controller.config.chips import read_chips
from controller.config.console import LogInSettings, read_listen, read_log_in, read_panel
from controller.config.devices import Taps, read_device, read_shuffler
from controller.config.document import read_document, read_draft
from controller.config.floor import Floor, read_floor
from controller.config.jackpot import JackpotSettings, read_jackpot
from controller.config.link import LinkSettings, read_link
from controller.config.regulation import not_at, read_of_table, read_time_zone
from controller.config.section import MOST_MINOR_UNITS, Mistake, Section, most_like
from controller.engine.state.current import Mode
from controller.rulebook.events import CardSource, Deal
from controller.rulebook.game import Game
from controller.rulebook.games import GAMES
from controller.rulebook.house import AddedBet, Authorisation, BasicBets, House
from controller.rulebook.reading import Limits
from controller.rulebook.roles import AT_THE_TABLE, People, Role
from drivers.make import MakeContext, ShoeSettings, ShufflerSettings, SignSettings, SlotsSettings

UPDATE_WAIT_MINUTES = 30
KEEP_DAYS = 1826  # five years
LEAST_KEEP_DAYS, MOST_KEEP_DAYS = 90, 36_500
RECORDED_MINUTES, MOST_RECORDED_MINUTES = 10, 60
RECORDED_MEGABYTES, MOST_RECORDED_MEGABYTES = 32, 1024
MOST_ASIDE_DAYS = 366
LEAST_OF_WRONG_GAME = 3  # mistakes at least that another game explains
ROLES = get_args(Role)
LINKS = "links"


class Recorder(msgspec.Struct, frozen=True):
    """The limits of the flight recorder; with 0 minutes it records nothing.

    Recordings of rounds that may be examined are set aside for some days.
    """

    minutes: int
    megabytes: int
    aside_days: int = 7


class Config(msgspec.Struct, frozen=True):
    """Everything a station needs to know. Money in minor units; paths absolute."""

    path: Path
    mode: Mode
    site: str
    table: str
    game: str
    time_zone: str
    seats: int
    decks: int
    deal: Deal
    card_source: CardSource
    currency: str
    exponent: int
    minimum: int
    maximum: int
    chips: tuple[int, ...]
    additional: tuple[str, ...]
    rules: tuple[str, ...]
    jackpot: JackpotSettings | None
    house: House
    people: People
    journal: Path
    keep_days: int
    seal_key_file: Path
    floor: Floor
    listen: tuple[str, int]
    log_in: LogInSettings
    last_rounds: bool
    panel: str
    shuffler: ShufflerSettings | None
    shoe: ShoeSettings | None
    slots: SlotsSettings | None
    sign: SignSettings | None
    update_wait: int
    checkpoint: Checkpointing | None = None
    recorder: Recorder = Recorder(0, RECORDED_MEGABYTES)
    link: LinkSettings | None = None
    taps: Taps = {}


def read_config(path: Path) -> Config:
    """The configuration in a file. Raises BadConfiguration with every mistake, or OSError."""
    return read_document(path, partial(_config, path.absolute()), partial(_wrong_game, path.absolute()))


def parse_draft(path: Path, octets: bytes) -> Config:
    """A configuration to replace this file. It blocks. Raises BadConfiguration with every mistake, or OSError."""
    return read_draft(path, octets, partial(_config, path.absolute()), partial(_wrong_game, path.absolute()))


def _wrong_game(path: Path, document: dict[str, Any], mistakes: list[Mistake]) -> list[Mistake]:
    """One mistake in place of all those that a wrong name in `table.game` causes."""
    table = document.get("table")
    if len(mistakes) < LEAST_OF_WRONG_GAME or not isinstance(table, dict) or not isinstance(table.get("game"), str):
        return mistakes
    left: dict[str, list[Mistake]] = {}
    for game in GAMES:
        left[game] = []
        _config(path, Section("", {**document, "table": {**table, "game": game}}, left[game]))
    meant = min(left, key=lambda game: len(left[game]))
    if len(left[meant]) > len(mistakes) - LEAST_OF_WRONG_GAME or not {*left[meant]} <= {*mistakes}:
        return mistakes
    wrong = ", ".join(mistake.key for mistake in mistakes if mistake not in left[meant])
    named = table["game"]
    expected = f'"{meant}", which the file is for'
    if named in GAMES:
        expected += f"; {named} needs other values of {wrong}"
    return [Mistake("table.game", f'"{named}"', expected), *left[meant]]


def _config(path: Path, top: Section) -> Config:
    top.choice("schema", (1,))
    mode = top.choice("mode", ("simulation", "live", "shadow"))
    table = top.section("table")
    limits = table.section("limits")
    table.choice("game", tuple(GAMES))
    game = _nearest_game(table.peek("game"))
    wagers, additional, basic_bets, (bets, authorised_bets) = _wagers(table, game)
    minimum, maximum, own_limits = _limits(limits, game, bets)
    source: CardSource = table.choice_or_only("card_source", game.source.kinds)
    devices = top.section("devices", needed=any(map(game.source.needs_device, game.source.kinds)))
    for device, reason in not_at(game):
        if device in devices:
            devices.report(device, "a section", f"no section: {reason}")
            devices.skip(device)
    context = MakeContext(mode != "simulation", path.parent, table.peek_integer("seats", 7), game.source.packet_sizes)
    taps: Taps | None = {} if mode == "shadow" else None
    shuffler, shoe, slots, sign = (
        read_shuffler(devices, context, game.citations.deal, taps),
        read_device(devices, "shoe", context, ShoeSettings, taps),
        read_device(devices, "slots", context, SlotsSettings, taps),
        read_device(devices, "sign", context, SignSettings, taps),
    )
    marked_by_hand = "jackpot" in top and top.section("jackpot").peek("marking") == "manual"
    if marked_by_hand and slots is not None:
        devices.report("slots", "a section", "no section: chips that are marked by hand need no slots (41 b))")
    elif (
        "jackpot" in additional and slots is None and "slots" not in devices and not (devices.missing or marked_by_hand)
    ):
        wagers.report("additional", list(additional), "a [devices.slots] for the jackpot chips (2.º 2, 5.º 4)")
    if shuffler is not None and shoe is not None and shuffler.port == shoe.port:
        devices.report("shoe", f"port {shoe.port}", "another port than the shuffler's")
    devices.end()
    if source not in devices and not devices.missing and game.source.needs_device(source):
        table.report("card_source", source, f"a source with a device: there is no [devices.{source}]")
    journal = top.section("journal")
    console = top.section("console")
    journal_file = path.parent / journal.text("path")
    seats: int = table.choice("seats", game.seats.numbers, expected=game.seats.expected)
    offered = "jackpot" in additional or (wagers.missing and "jackpot" in top)
    jackpot = read_jackpot(top, devices, game, mode, offered, seats)
    of_jackpot = jackpot.authorisations if jackpot is not None else ()
    rules = chosen_readings(top, game)
    link = read_link(top, game, jackpot, mode, rules)
    of_link = link.authorisations if link is not None else ()
    floor = read_floor(top.section("floor"), path.parent, mode)
    authorisations = (*read_of_table(top, table, game, mode), *of_jackpot, *of_link, *authorised_bets)
    config = Config(
        path=path,
        mode=mode,
        site=table.name("site"),
        table=_table_id(table, floor),
        game=game.id,
        time_zone=read_time_zone(table, game),
        seats=seats,
        decks=_decks(table, game),
        deal=_deal(table, game),
        card_source=source,
        currency=_currency(table),
        exponent=table.integer("exponent", 0, 4),
        minimum=minimum,
        maximum=maximum,
        chips=read_chips(table, minimum, maximum, game.betting.in_multiples),
        additional=additional,
        rules=rules,
        jackpot=jackpot,
        house=House(authorisations=authorisations, basic_bets=basic_bets, limits=own_limits, bets=bets),
        people=_people(top),
        journal=journal_file,
        keep_days=_keep_days(journal),
        seal_key_file=path.parent / journal.text("seal_key_file"),
        floor=floor,
        listen=read_listen(console, mode),
        log_in=read_log_in(console, mode, path.parent, journal_file),
        last_rounds=console.choice("last_rounds", (True, False), default=not game.citations.no_records),
        panel=read_panel(top, mode),
        shuffler=shuffler,
        shoe=shoe,
        slots=slots,
        sign=sign,
        update_wait=_update_wait(top),
        checkpoint=read_checkpointing(top, path.parent),
        recorder=_recorder(top, mode),
        link=link,
        taps=taps or {},
    )
    for section in (journal, console, table, top):
        section.end()
    return config


def _limits(limits: Section, game: Game, bets: Sequence[AddedBet]) -> tuple[int, int, dict[str, Limits]]:
    """The limits of the table, and of each wager that has its own."""
    minimum, maximum = _bounds(limits)
    for wrong in game.betting.wrong_limits(minimum, maximum):
        limits.report(*wrong)
    own = {}
    wagers = (*game.betting.wagers, *(bet.name for bet in bets))
    for wager in wagers if len(wagers) > 1 else ():
        if (section := limits.optional(wager)) is not None:
            own[wager] = Limits(*_bounds(section))
            section.end()
    limits.end()
    return minimum, maximum, own


def _bounds(limits: Section) -> tuple[int, int]:
    minimum = limits.integer("min", 1, MOST_MINOR_UNITS)
    return minimum, limits.integer("max", max(minimum, 1), MOST_MINOR_UNITS, f"not below min = {minimum}")


def _nearest_game(text: object) -> Game:
    """The game, or the one that was probably meant: its other mistakes can be named in the same pass."""
    near = most_like(text, GAMES, 0) if isinstance(text, str) else ""
    return GAMES[near] if near else next(iter(GAMES.values()))


def _table_id(table: Section, floor: Floor) -> str:
    """The table's id. It is its user name at the broker, so no archive may have the same name."""
    name = table.name("id")
    if name == LINKS:
        table.report("id", name, f"another name: below dealer/(site)/{LINKS}/ are the pots that tables share")
    elif name in floor.archives:
        table.report("id", name, f"another name: in the broker's access list {name} is an archive")
    return name


def _deal(table: Section, game: Game) -> Deal:
    """The deal that applies to a card that comes before the dealer has announced one; a card dealt by hand comes when
    it is due.
    """
    early = game.deck.early_deals
    deal: Deal = table.free_choice("deal", early, default=early[0])
    return deal


def _currency(table: Section) -> str:
    """A code of ISO 4217."""
    from iso4217 import Currency  # it parses its table at import

    code = table.text("currency")
    if code and code not in {currency.code for currency in Currency}:
        table.report("currency", code, "a code of ISO 4217, such as MOP or EUR")
    return code


def _decks(table: Section, game: Game) -> int:
    numbers = game.deck.numbers
    expected = f"one of {', '.join(map(str, numbers))} ({game.citations.material})"
    decks: int = table.free_choice("decks", numbers, expected=expected)
    return decks


def _wagers(
    table: Section, game: Game
) -> tuple[Section, tuple[str, ...], BasicBets, tuple[tuple[AddedBet, ...], tuple[Authorisation, ...]]]:
    """The additional bets offered, where they remain, how the basic ones are offered, and those authorised beside them.

    A game that has no additional bets needs no section for them.
    """
    wagers = table.section("wagers", needed=game.betting.has_additional())
    basic_bets: BasicBets = wagers.free_choice("basic_bets", game.betting.basic_bets, default="either")
    none = f"{game.id} has no additional bets"
    additional = wagers.list_of("additional", game.betting.additional, default=(), why_none=none)
    bets = read_bets(wagers, game)
    wagers.end()
    return wagers, additional, basic_bets, bets


def chosen_readings(top: Section, game: Game) -> tuple[str, ...]:
    """The keys of the readings that are chosen instead of those decided."""
    section = top.optional("rules")
    if section is None:
        return ()
    keys = [reading.key for reading in game.other_readings]
    chosen = tuple(key for key in keys if section.choice(key, (False, True), default=False))
    section.end()
    return chosen


def _update_wait(top: Section) -> int:
    """The longest time, in seconds, for which a newer station waits for the end of a round."""
    section = top.optional("update")
    if section is None:
        return 60 * UPDATE_WAIT_MINUTES
    minutes = section.integer("wait_minutes", 0, 24 * 60)
    section.end()
    return 60 * minutes


def _recorder(top: Section, mode: str) -> Recorder:
    """The recorder of the wires. A live or shadow table has it; a simulation only with the section."""
    section = top.optional("recorder")
    if section is None:
        return Recorder(RECORDED_MINUTES if mode != "simulation" else 0, RECORDED_MEGABYTES)
    minutes = section.integer("minutes", 0, MOST_RECORDED_MINUTES, default=RECORDED_MINUTES)
    most = section.integer("megabytes", 1, MOST_RECORDED_MEGABYTES, default=RECORDED_MEGABYTES)
    aside = section.integer("aside_days", 0, MOST_ASIDE_DAYS, default=Recorder(0, 0).aside_days)
    section.end()
    return Recorder(minutes, most, aside)


def _keep_days(journal: Section) -> int:
    """The days for which the journal keeps its events; 0 means for ever."""
    expected = f"0, to keep all for good, or {LEAST_KEEP_DAYS} to {MOST_KEEP_DAYS}"
    days = journal.integer("keep_days", 0, MOST_KEEP_DAYS, expected, default=KEEP_DAYS)
    if 0 < days < LEAST_KEEP_DAYS:
        journal.report("keep_days", days, expected)
    return days


def _people(top: Section) -> People:
    section = top.section("people")
    people = {name: section.choice(name, ROLES) for name in section}
    if not section.missing:
        for role in AT_THE_TABLE:
            if role not in people.values():
                top.report("people", list(people), f"at least one {role}")
    return people
