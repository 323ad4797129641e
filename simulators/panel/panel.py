"""The panel's view of the bench, and its acts there: who acts, the speed, chips and faults."""

import asyncio
import contextlib
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from simulators.dealer.http_face import StationFace
from simulators.dealer.memory import is_void
from simulators.dealer.robot import Robot
from simulators.devices.make import Wire
from simulators.devices.sign import SimulatedSign
from simulators.devices.sign_dots import HEIGHT, WIDTH, frames
from simulators.faults.injector import Injector
from simulators.faults.stage import Stage
from simulators.faults.syntax import KINDS, Ends, Fault, FaultKind, Takes
from simulators.felt.guest import Guest
from simulators.felt.luck import Luck
from simulators.felt.table import Felt
from simulators.games import GAMES
from simulators.pace import Pace, pace_from_text
from simulators.panel.drawn import DrawnTable
from simulators.panel.presets import PRESETS, faults_of
from simulators.setting import Setting

KEPT = 40  # of what went wrong
ROBOT, YOU = ACTORS = ("robot", "you")  # who acts at the dealer's screen
NO_CHIP_NOW, NO_BUTTON_NOW, NOT_LEFT_OUT, NO_FAULT = REFUSALS = ("no_chip", "no_button", "not_left_out", "no_fault")


class RefusedWish(ValueError):
    """A wish cannot be fulfilled now: its code among REFUSALS, and the reason in English."""

    def __init__(self, key: str, reason: str) -> None:
        super().__init__(reason)
        self.key = key


@contextlib.contextmanager
def _refused(key: str) -> Iterator[None]:
    """Turns a refusal inside the bench into a refused wish with this key."""
    try:
        yield
    except ValueError as mistake:
        raise RefusedWish(key, str(mistake)) from None


class Panel:
    """The panel's state as JSON; `saw` is called with what the camera sees, and `bell` rings when a waiting dealer may
    continue.
    """

    def __init__(
        self,
        setting: Setting,
        robot: Robot,
        table: Felt[Any],
        face: StationFace,
        sign: SimulatedSign | None,
        stage: Stage,
        injector: Injector,
        pace: Pace,
        bell: Callable[[], None],
        drawn: DrawnTable,
        wires: Mapping[str, Wire],
        luck: Luck,
        guests: Sequence[Guest],
    ) -> None:
        self.setting = setting
        self._robot, self._table, self._face, self._sign = robot, table, face, sign
        self._stage, self._injector, self._pace, self._bell = stage, injector, pace, bell
        self._drawn, self._wires, self._luck, self._guests = drawn, wires, luck, guests
        self._lasting: dict[str, object] = {}  # the faults that last, by DEVICE:KIND
        self._happened: deque[dict[str, object]] = deque(maxlen=KEPT)
        self._count = 0
        self._ears: set[asyncio.Event] = set()

    @contextlib.contextmanager
    def news(self) -> Iterator[asyncio.Event]:
        """An event that is set when something else is wanted of a person, as long as the body lasts."""
        ear = asyncio.Event()
        self._ears.add(ear)
        try:
            yield ear
        finally:
            self._ears.discard(ear)

    def wants_other(self) -> None:
        """Another input is wanted: pages show it at once."""
        for ear in self._ears:
            ear.set()

    def saw(self, event: str, what: dict[str, object]) -> None:
        """Keeps an event of the camera: faults, wrong hands, complaints, and rounds without bets."""
        self._drawn.saw(event, what)
        if event == "fault":
            named = f"{what['device']}:{what['kind']}"
            kind = KINDS[str(what["device"]), str(what["kind"])]
            if what["on"] and kind.ends is not Ends.AT_ONCE:
                self._lasting[named] = what.get("value")
            elif not what["on"]:
                self._lasting.pop(named, None)
            self._keep(named, bool(what["on"]))
        elif event == "irregularity":
            self._keep(str(what["kind"]), True)
        elif event in ("complaint", "no_bets"):
            self._keep(event, True)

    def noticed(self, what: str) -> None:
        """A person entered something that differs from the felt."""
        self._keep(what, True)

    def furnishing(self) -> dict[str, object]:
        """The facts that stay the same: the game, its seats, where chips can be placed, every fault, the size of the
        sign.

        Amounts have `exponent` decimals; `dealer` is the name the robot acts under.
        """
        game = GAMES[self.setting.game]
        kinds = [KINDS[device, name] for device, name in (named.split(":") for named in self._injector.kinds)]
        return {
            "game": self.setting.game,
            "seats": game.seat_name,
            "device_names": dict(game.device_names),
            "words": {language: dict(words) for language, words in game.words.items()},
            "exponent": self.setting.exponent,
            "dealer": self.setting.people["dealer"],
            "lock_in": self.setting.slots is not None,
            "slots": list(self._table.seats) if self.setting.slots else [],
            "faults": [
                {
                    "device": kind.device,
                    "kind": kind.name,
                    "values": self._values(kind),
                    "lasts": kind.may_last,
                    "can_be_ended": kind.may_be_ended,
                    "ends": kind.ends.name.lower(),
                }
                for kind in kinds
            ],
            "sign": {"width": WIDTH, "height": HEIGHT} if self._sign else None,
            "wires": list(self._wires),
            "presets": list(PRESETS),
            "hit": self._has_jackpot,
            "seat_numbers": list(self._table.seats),
            "card_places": self._drawn.card_places,
        }

    def carried(self) -> dict[str, object]:
        """The last octets of each wire, the newest last."""
        return {device: [asdict(line) for line in wire.log.lines] for device, wire in self._wires.items()}

    def now(self) -> dict[str, object]:
        """The facts that change."""
        view = self._face.view if self._face.connected else None
        shown = view or {}
        return {
            "round": self._table.camera.round,
            "phase": self._stage.phase_now,
            "source": shown.get("source", self.setting.card_source),
            "prompt": view["step"].get("prompt", {"en": view["step"]["kind"]}) if view else None,
            "alarms": [{key: alarm[key] for key in ("name", "since", "texts")} for alarm in shown.get("alarms", ())],
            "notices": shown.get("notices", []),
            "drawn": self._drawn.now(),
            "hit": self._luck.wanted,
            "actor": YOU if self._robot.person.on else ROBOT,
            "wanted": [
                {
                    "number": wanted.number,
                    "input": wanted.input,
                    "void": is_void(wanted.before),
                    "entered": wanted.entered,
                    "may_be_left_out": wanted.may_be_left_out,
                }
                for wanted in self._robot.person.wanted(view)
            ],
            "asked": [guest.seat for guest in self._guests if guest.question is not None],
            "paused": self._robot.paused,
            "at_rest": self._robot.at_rest,
            "speed": self._pace.text,
            "chips": [seat for seat, sitting in self._table.seats.items() if sitting.chip_in_slot],
            "lasting": list(self._lasting),
            "happened": list(self._happened),
            "sign": None
            if self._sign is None
            else {
                "text": self._sign.readable,
                "frames": [{"scrolls": frame.scrolls, "rows": frame.rows} for frame in frames(self._sign.pages)]
                if self._sign.readable
                else [],
            },
        }

    def pause(self, paused: object) -> None:
        """The dealer stops after the piece of work in hand, or continues. Raises ValueError."""
        if not isinstance(paused, bool):
            raise ValueError("paused: true or false expected")
        self._robot.pause(paused)
        self._bell()

    def act(self, actor: object) -> None:
        """Sets who acts at the dealer's screen from now on. Raises ValueError."""
        if actor not in ACTORS:
            raise ValueError(f"actor: {' or '.join(ACTORS)} expected, not {actor!r}")
        self._robot.take_over(actor == YOU)
        self._bell()

    def leave_out(self, number: object) -> None:
        """The input wanted under this number is not entered. Raises ValueError if it is required, or is not wanted."""
        if not isinstance(number, int) or isinstance(number, bool):
            raise ValueError(f"number: a number expected, not {number!r}")
        with _refused(NOT_LEFT_OUT):
            self._robot.person.leave_out(number)
        self._bell()

    def press_lock_in(self, pressed: object) -> None:
        """The button beside the slots is pressed until its lamp lights. Raises ValueError."""
        if pressed is not True:
            raise ValueError("pressed: true expected")
        with _refused(NO_BUTTON_NOW):
            self._robot.press_lock_in()

    def change_speed(self, speed: object) -> None:
        """Sets another speed for people and machines. Raises ValueError."""
        expected = f"speed: human, device, max or a positive number, not {speed!r}"
        try:
            pace = pace_from_text(speed) if isinstance(speed, str) else None
        except ValueError:
            pace = None
        if pace is None:
            raise ValueError(expected)
        self._pace.change_to(pace)

    def drop_chip(self, seat: object) -> None:
        """Put a chip into a slot. Raises ValueError if there is no such slot, or no chip can be placed now."""
        if not isinstance(seat, int) or isinstance(seat, bool):
            raise ValueError(f"seat: a number expected, not {seat!r}")
        with _refused(NO_CHIP_NOW):
            self._robot.drop_chip(seat)

    def wish(self, fault: object) -> None:
        """Request a fault in the fault language, or the end of one. Raises ValueError."""
        if not isinstance(fault, str) or fault.strip() == "list":
            raise ValueError(f"fault: DEVICE:KIND expected, not {fault!r}")
        answer = self._injector.obey(fault)
        if answer != "ok":
            raise RefusedWish(NO_FAULT, answer.removeprefix("error: "))

    def ask_for_hit(self, wanted: object) -> None:
        """Let the next deal give a hand that wins a prize of the pot. Raises ValueError if there is no pot."""
        if wanted is not True or not self._has_jackpot:
            raise ValueError("wanted: true expected, at a table with a jackpot")
        self._luck.wanted = True

    @property
    def _has_jackpot(self) -> bool:
        return "jackpot" in self.setting.additional

    def begin_preset(self, name: object) -> None:
        """Begins every fault of this preset that this table can have. Raises ValueError."""
        if name not in PRESETS:
            raise ValueError(f"preset: one of {', '.join(PRESETS)} expected, not {name!r}")
        for fault in faults_of(str(name), self._stage.round_number):
            if fault.partition("@")[0] in self._injector.kinds:
                self.wish(fault)

    def _values(self, kind: FaultKind) -> list[str]:
        """The values that can be chosen after `=`; an empty one names nothing."""
        seats = [str(seat) for seat in range(1, self.setting.seats + 1)]
        match kind.takes:
            case Takes.SEAT:
                return seats
            case Takes.ANY_SEAT:
                return ["", *seats]
            case Takes.SEEN:
                return ["", "seen", "unseen"]
            case Takes.SPREAD:
                return ["", "spread", "kept"]
            case Takes.ANY_PLACE:
                places = ["bank", "community", *(f"seat {seat}" for seat in seats)]
                return ["", *(place for place in places if self._is_there(kind, place))]
        return []

    def _is_there(self, kind: FaultKind, place: str) -> bool:
        try:
            self._injector.of_game.check(Fault(kind.device, kind.name, place))
        except ValueError:
            return False
        return True

    def _keep(self, named: str, on: bool) -> None:
        self._count += 1
        self._happened.append({"number": self._count, "round": self._table.camera.round, "what": named, "on": on})
