"""The bench put together: broker, camera, table, robot dealer and faults; it runs until it is asked to stop."""

import asyncio
import contextlib
import functools
import json
import random
from collections.abc import AsyncIterator, Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from simulators import broker as brokers
from simulators.dealer.game import AtTable
from simulators.dealer.hands import DealerPatience
from simulators.dealer.http_face import Projection, StationFace
from simulators.dealer.lock_in import LockInPress
from simulators.dealer.memory import AnyWorkplace
from simulators.dealer.robot import Robot, rings
from simulators.dealer.station_desk import StationDesk
from simulators.faults import wiring
from simulators.faults.dealer_mistakes import DealerMistakes
from simulators.faults.stage import Stage
from simulators.faults.syntax import Fault
from simulators.faults.trouble import Trouble
from simulators.felt.camera import Camera
from simulators.felt.deck import SHOE as TOP_OF_SHOE
from simulators.felt.deck import OrdersOf, Pieces, read_stack
from simulators.felt.guest import Guest
from simulators.felt.players import Players
from simulators.games import GAMES
from simulators.lifetime import film_standstills, listen_for_the_end, run_beside, say_ready
from simulators.open_devices import Furniture, Room
from simulators.pace import Pace
from simulators.panel.drawn import DrawnTable
from simulators.panel.face import PAGE as PANEL_PAGE
from simulators.panel.face import panel_served, seats_served
from simulators.panel.panel import Panel
from simulators.pins import plain_pins
from simulators.play.play import CurrentOffer, SeatPage
from simulators.setting import MIXED
from simulators.station_toml import PINS, SITE, TABLE, TOML, read_setting, station_toml


@dataclass(frozen=True, slots=True)
class Wishes:
    """The wishes of the command line; `places` is the number of places, of eight, that get tiles."""

    directory: Path
    game: str
    seats: int
    decks: int | None
    marking: str
    rounds: int | None
    source: str
    shoe: str
    slots: str
    sign: str
    pace: Pace
    seed: str
    camera: Path | None
    broker: str
    listen: str | None
    chip_rate: float
    stack: Path | None
    keep: bool
    places: str = MIXED
    panel: bool = False
    pins: bool = False
    site: str = SITE
    table: str = TABLE
    archive: str | None = None
    link: str | None = None
    pit_key: str | None = None
    pit_page: str | None = None  # address of the page of the pit that has this table
    protocol: str | None = None
    floor: Mapping[str, str] = field(default_factory=dict)  # more keys of [floor]
    guests: tuple[int, ...] = ()  # the seats at which persons play
    play_at: tuple[str, int] | None = None  # where others of the network open the pages of those seats
    faults: tuple[Fault, ...] = ()
    fault_rate: float = 0.0


async def run(wishes: Wishes) -> None:
    """Run the bench until SIGTERM or the end of standard input.

    Raises NoProgress, BrokerFailed, OSError, ValueError.
    """
    stop = asyncio.Event()
    listen_for_the_end(stop)
    async with running_bench(wishes, stop):
        say_ready(wishes.directory / TOML)
        await stop.wait()


@contextlib.asynccontextmanager
async def running_bench(wishes: Wishes, stop: asyncio.Event) -> AsyncIterator[None]:
    """The bench at work, as long as the body lasts; a failure of its works sets `stop` and is raised at the end.

    Raises NoProgress, BrokerFailed, OSError, ValueError.
    """
    wishes.directory.mkdir(parents=True, exist_ok=True)
    async with contextlib.AsyncExitStack() as open_things:
        if (broker := choose_broker(wishes)) is not None:
            await broker.start()
            open_things.push_async_callback(broker.stop)
        await open_things.enter_async_context(play(wishes, stop))
        yield


def choose_broker(wishes: Wishes) -> brokers.Mosquitto | brokers.Amqtt | None:
    """Write station.toml unless it is kept, and name the broker it speaks of, if it is ours to start."""
    path = wishes.directory / TOML
    mosquitto = brokers.find_mosquitto()
    embedded = wishes.broker == "auto" and mosquitto is None
    if embedded and wishes.protocol == "5":
        raise brokers.BrokerFailed("mosquitto is not installed, and amqtt knows MQTT 3.1.1 alone")
    if wishes.keep and path.exists():
        port = urlsplit(read_setting(path).broker).port or 1883
    else:
        port = brokers.free_port()
        ours = f"mqtt://127.0.0.1:{port}"
        text = station_toml(
            game=wishes.game,
            seats=wishes.seats,
            decks=wishes.decks,
            source=wishes.source,
            broker=ours if wishes.broker in ("auto", "none") else wishes.broker,
            protocol=wishes.protocol or (brokers.Amqtt.protocol if embedded else "5"),
            listen=wishes.listen or f"127.0.0.1:{brokers.free_port()}",
            shoe=wishes.shoe,
            slots=wishes.slots,
            sign=wishes.sign,
            marking=wishes.marking,
            panel=brokers.free_port() if wishes.panel or wishes.guests else None,
            pins=wishes.pins,
            site=wishes.site,
            table=wishes.table,
            archive=wishes.archive,
            link=wishes.link,
            floor=wishes.floor,
            keys=(wishes.pit_key,) if wishes.pit_key else (),
        )
        path.write_text(text, encoding="utf-8")
        (wishes.directory / "state").mkdir(exist_ok=True)
    if wishes.broker != "auto":
        return None
    return brokers.Mosquitto(mosquitto, wishes.directory, port) if mosquitto else brokers.Amqtt(port)


@contextlib.asynccontextmanager
async def play(wishes: Wishes, stop: asyncio.Event) -> AsyncIterator[None]:
    """Set the table and let the robot dealer begin; everything is closed again at the end."""
    pace, directory, seed = wishes.pace, wishes.directory, wishes.seed
    setting = read_setting(directory / TOML)
    game, camera = GAMES[setting.game], Camera(wishes.camera)
    material = game.material(setting)
    orders: OrdersOf[Any] = OrdersOf(seed, material, read_stack(wishes.stack, material) if wishes.stack else [])
    bell, stage, mistakes = asyncio.Event(), Stage(), DealerMistakes()
    english = json.loads((PANEL_PAGE / "words" / "en.json").read_bytes()) | dict(game.words.get("en", {}))
    trouble = Trouble(stage, camera, functools.partial(print_fault, english))
    deck = game.pieces(setting)
    furniture = Furniture(Room(directory, pace, seed, camera, trouble.film, bell.set), setting, deck, orders)
    furniture.shoe.leaving = stage.leaving
    if furniture.shuffler is not None:
        furniture.shuffler.leaving = stage.leaving
    players = Players(seed, setting.seats, setting.minimum, setting.maximum, setting.additional, wishes.chip_rate)
    table = game.felt(setting, players.names, deck, camera, furniture.sense)
    pins = functools.partial(plain_pins, directory / PINS) if setting.pins else None
    face = StationFace(setting.host, setting.port, bell.set, pins)
    guests = tuple(Guest(seat, players.names[seat], game.boxes_of(setting)) for seat in wishes.guests)
    look = functools.partial(wait_for_next, bell)
    lock_in = None
    if setting.slots is not None and furniture.slots is not None:
        lock_in = LockInPress(furniture.slots, setting.slots.button_input, setting.slots.lock_lamp, camera, pace, look)
    desk = StationDesk(face, setting.people, look)
    chance, patience = random.Random(f"{seed}/hands"), DealerPatience(desk.looked_at)
    workplace = AnyWorkplace(
        desk, table, players, furniture.shoe, orders, pace, stage, mistakes, chance, patience, lock_in, guests
    )
    dealt = game.dealt_at(AtTable(setting, workplace, furniture.shuffler, seed, wishes.chip_rate, wishes.places))
    robot = Robot(workplace, dealt, bell, wishes.rounds, show_round)
    afoot = trouble.afoot(
        {
            **furniture.acts,
            **wiring.deck_acts(deck, mistakes, trouble.film),
            **wiring.mistake_acts(mistakes, ("dealer", "players") if setting.slots else ("dealer",)),
        },
        wished=wishes.faults,
        rate=wishes.fault_rate,
        seed=seed,
        seats=setting.seats,
        of_game=game.faults,
        pace=pace,
        source=lambda: source_of_cards(deck, furniture.shuffler),
        socket=directory / "faults.sock",
    )
    with contextlib.closing(camera), contextlib.closing(face):
        async with furniture.opened(), afoot as injector:
            works = [*furniture.works(), face.follow(), deal(robot), film_standstills(camera)]
            drawn = DrawnTable(game, table)
            panel = Panel(
                setting, robot, table, face, furniture.sign, stage, injector, pace, bell.set, drawn, furniture.wires,
                workplace.luck, guests,
            )  # fmt: skip
            camera.watch = panel.saw
            robot.person.noticed, robot.person.wants_other = panel.noticed, panel.wants_other
            offer = CurrentOffer(setting.host, setting.port)
            seats = {guest.seat: SeatPage(setting, table, face, guest, offer) for guest in guests}
            face.watch = functools.partial(show_to, seats.values())
            if seats:
                works.append(offer.follow())
            async with (
                panel_served(panel, setting.panel, seats, wishes.pit_page),
                seats_served(seats, wishes.play_at, directory, panel.news),
                run_beside(works, stop),
            ):
                yield


def source_of_cards(deck: Pieces[Any], machine: object) -> str:
    """The source of the next round's cards, seen from where they are."""
    return "shoe" if deck.count(TOP_OF_SHOE) or machine is None else "shuffler"


def show_to(pages: Collection[SeatPage], view: Projection) -> None:
    """Shows the station's state to each page of a person."""
    for page in pages:
        page.saw(view)


async def deal(robot: Robot) -> None:
    """Let the robot play and report that it has finished; the devices stay up."""
    rounds = await robot.play()
    print(json.dumps({"finished": True, "rounds": rounds}), flush=True)


async def wait_for_next(bell: asyncio.Event, seconds: float) -> None:
    """Wait for the next ring of the bell; earlier rings do not count."""
    bell.clear()
    await rings(bell, seconds)


def print_fault(words: Mapping[str, str], fault: Fault) -> None:
    """One line a fault, as `{"fault": "slots:stuck=3", "means": "…"}`, with the panel's sentence."""
    named = Fault(fault.device, fault.kind, fault.value)
    sentence = words.get(f"means.{fault.device}.{fault.kind}") or words[f"means.wire.{fault.kind}"]
    print(json.dumps({"fault": str(named), "means": sentence}), flush=True)


def show_round(number: int, outcome: str) -> None:
    """One line a round."""
    print(json.dumps({"round": number, "robot": outcome}), flush=True)
