"""`python -m tests.console.screenshots [FOLDER [GAME]]`: every game's screens, in every language, at both sizes."""

import shutil
import sys
import tempfile
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

from controller.engine.languages import LANGUAGES
from simulators.station_toml import BLACKJACK_21, FORTUNE_3_2008, FORTUNE_3_2025, FORTUNE_8, TAIWAN_PAI_KAO
from tests.console.conftest import chromium
from tests.console.hands import Hands, at_a_table
from tests.console.tapping import ARGUMENTS, PHONE, WIDE, Dealer, Tapping
from tests.station.processes import Daemon, Mosquitto, ended_at_last

FOLDER = Path(__file__).parent / "screenshots"
SIZES = {"table": WIDE, "phone": PHONE}


@dataclass(frozen=True)
class Scene:
    """A round of one game, and the steps at which it is looked at; at the last one in every language."""

    game: str
    source: str
    stack: str
    bets: tuple[str, ...]
    steps: tuple[str, ...]
    chips: tuple[int, ...] = ()


SCENES = (
    Scene(
        FORTUNE_3_2025, "shuffler", "Ks Kd 4h 9s 8s 7s Jc 6d 2h Qh Qd 5c 3h Tc 6s 5s",
        ("1/ante", "1/pair_plus", "3/ante", "3/pair_plus", "3/pair_plus", "6/ante", "6/six_card_bonus"),
        ("wagers", "decisions", "confirm"), chips=(1, 3),
    ),
    Scene(
        FORTUNE_3_2008, "shoe", "Ah Td 9c Qs Kd Jd 9h 4s Kc 3d 9s 7d",
        ("1/ante", "4/ante", "4/pair_plus", "7/pair_plus"), ("decisions", "confirm"),
    ),
    Scene(
        FORTUNE_8, "shoe", "8d 2c Kh 5s 8c Ad 7h",
        ("1/eight", "1/low", "3/high", "3/high", "@A", "5/eight", "@B", "6/low", "7/high"), ("wagers", "confirm"),
    ),
    Scene(
        BLACKJACK_21, "shoe", "2c 8s Th Ad 6d 8h 9c Kd Td 3s Ts 2h 9d 4c",
        ("1/bet", "3/bet", "5/bet", "@B", "1/backing"), ("wagers", "ask", "confirm"),
    ),
    Scene(
        TAIWAN_PAI_KAO, "shoe", "6-6 5-4 1-1 6-2 4-2 2-1 6-5 6-4 5-5 5-5 4-4 3-3 6-1 5-1 3-1 2-2",
        ("2/place", "3/place", "3/place", "6/place", "@B", "3/place", "8/place", "@C", "1/place"),
        ("wagers", "dice", "reveal", "confirm"),
    ),
)  # fmt: skip


COLOURS = 256  # a screen has few more: its picture is half as large


def main(folder: Path, game: str | None = None) -> None:
    """Make them all anew in `folder`, or those of one game."""
    if game is None:
        shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True, exist_ok=True)
    for scene in SCENES:
        if game not in (None, scene.game):
            continue
        with tempfile.TemporaryDirectory() as place:
            _play(scene, Path(place), folder)


def _play(scene: Scene, place: Path, folder: Path) -> None:
    broker = Mosquitto(place / "broker")
    with (
        ended_at_last(broker),
        at_a_table(place / "table", scene.game, scene.source, scene.stack, broker.url) as hands,
    ):
        broker.start()
        daemon = Daemon(hands.config, ("127.0.0.1", hands.port))
        with ended_at_last(daemon):
            daemon.start()
            daemon.wait_answering()
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
                screens = {name: Tapping(browser, hands.port, size) for name, size in SIZES.items()}
                _look_at(scene, hands, screens, folder)
                for screen in screens.values():
                    screen.close()
                browser.close()


def _look_at(scene: Scene, hands: Hands, screens: dict[str, Tapping], folder: Path) -> None:
    wide = screens["table"]
    dealer = Dealer(wide, hands=hands, by_machine=scene.source == "shuffler")
    dealer.to("shuffle", "wagers")
    if scene.source == "shoe":
        hands.load_shoe()
    dealer.to("wagers")
    for bet in scene.bets:
        if bet.startswith("@"):
            wide.tap(f".players button:text-is('{bet[1:]}')")
        else:
            wide.lay(bet)
    for seat in scene.chips:
        hands.chip(seat)
    for step in scene.steps:
        dealer.to(step)
        while step == "ask" and not wide.has("[data-kind=decide-hit]"):
            dealer.go_on()
        last = step == scene.steps[-1]
        for language in LANGUAGES if last else LANGUAGES[:1]:
            for name, screen in screens.items() if last else [("table", wide)]:
                screen.tap(f"[data-language={language}]")
                screen.see("step => document.querySelector('[data-step]').dataset.step === step", wide.step)
                screen.page.wait_for_timeout(300)
                taken = Image.open(BytesIO(screen.page.screenshot())).convert("RGB")
                few = taken.quantize(COLOURS, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
                few.save(folder / f"{scene.game}-{step}-{language}-{name}.png", optimize=True)
        wide.tap("[data-language=en]")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER, *sys.argv[2:])
