"""What the first page of a simulated table shows."""

from pathlib import Path

from simulators.http_stream import host_field
from simulators.setting import Setting

PAGE = Path(__file__).parent / "page"


def first_page(setting: Setting, plays: bool) -> dict[str, object]:
    """The addresses of the screens as JSON, and whether a person `plays` at a seat."""
    screen = f"http://{host_field(setting.host, setting.port)}"
    return {
        "game": setting.game,
        "tiles": {
            "screen": f"{screen}/",
            "panel": "/",
            **({"play": "/play"} if plays else {}),
            "display": f"{screen}/display",
        },
        "floor": f"mosquitto_sub -L {setting.broker}/dealer/{setting.name}/# -v",
        "watch": f"dealer-station watch --url {screen}",
    }
