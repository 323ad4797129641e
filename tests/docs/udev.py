"""The udev rules in systemd/, written from the makes of the tree."""

from pathlib import Path

from drivers.registry import all_makes
from drivers.udev import keep_off_rules, open_rules

SYSTEMD = Path(__file__).parents[2] / "systemd"


def main() -> None:
    (SYSTEMD / "70-dealer-station.rules").write_text(open_rules(all_makes()), encoding="utf-8")
    (SYSTEMD / "91-dealer-station-keep-off.rules").write_text(keep_off_rules(), encoding="utf-8")


if __name__ == "__main__":
    main()
