"""The content of the first page of a simulated table."""

from pathlib import Path

from simulators.http_stream import host_field
from simulators.setting import Setting

PAGE = Path(__file__).parent / "page"


def first_page(setting: Setting, plays: bool, pit: str | None) -> dict[str, object]:
    """The addresses of the screens as JSON, whether a person `plays` at a seat, and where the table's `pit` is."""
    screen = f"http://{host_field(setting.host, setting.port)}"
    return {
        "game": setting.game,
        "pot": "jackpot" in setting.additional,
        "pit": pit,
        "tiles": {
            "screen": f"{screen}/",
            "panel": "/",
            **({"play": "/play"} if plays else {}),
            "display": f"{screen}/display",
        },
        "floor": f"mosquitto_sub -L {setting.broker}/dealer/{setting.name}/# -v",
        "watch": f"dealer-station watch --url {screen}",
    }
