"""The console in the configuration file: where it listens, and who must log in."""

import re
from pathlib import Path

import msgspec

from controller.config.section import Section, is_loopback

MINUTE, HOUR = 60, 3600
PIN_FILE = "pins.json"
PANEL = re.compile(r"http://(?:127\.0\.0\.1|localhost):[1-9][0-9]{0,4}/?")


class LogInSettings(msgspec.Struct, frozen=True):
    """Whether persons must log in, the file of their PINs, and the limits of a login in seconds.

    Without `required`, in a simulation, the person that an input names is trusted. With the token of
    `metrics_token_file` the metrics are read without a log-in.
    """

    required: bool
    pin_file: Path
    dealer_idle: int
    idle: int
    longest: int
    metrics_token_file: Path | None = None


def read_listen(console: Section, mode: str) -> tuple[str, int]:
    """The address of the screen."""
    host, port = console.address("listen")
    if mode != "simulation" and host and not is_loopback(host):
        expected = f"a loopback address in {mode} mode, such as 127.0.0.1: a PIN goes there as it was typed"
        console.report("listen", f"{host}:{port}", expected)
    return host, port


def read_panel(top: Section, mode: str) -> str:
    """The address of the simulator's page, to which the console links; empty without one. A live table has none."""
    simulation = top.optional("simulation")
    if simulation is None:
        return ""
    panel = simulation.text("panel")
    if panel and not PANEL.fullmatch(panel):
        simulation.report("panel", panel, 'a page of this computer, such as "http://127.0.0.1:8090"')
    simulation.end()
    if mode != "simulation":
        top.report("simulation", "a section", f"no section: this is a {mode} table")
    return panel.rstrip("/")


def read_log_in(console: Section, mode: str, folder: Path, journal: Path) -> LogInSettings:
    """How persons log in; in a simulation only if the section asks for it.

    The PINs are beside the journal unless `pin_file` says where.
    """
    live = mode == "live"
    pins = console.choice("pins", (True, False), default=live)
    if live and not pins:
        console.report("pins", False, "true in live mode: everyone needs a PIN")
    text = console.text("pin_file", default="")
    token = console.text("metrics_token_file", default="")
    times = console.optional("stays")
    stays = Section("console.stays", {}, []) if times is None else times
    log_in = LogInSettings(
        required=pins,
        pin_file=folder / text if text else journal.parent / PIN_FILE,
        dealer_idle=stays.integer("dealer_idle_minutes", 1, 24 * 60, default=8 * 60) * MINUTE,
        idle=stays.integer("idle_minutes", 1, 60, default=5) * MINUTE,
        longest=stays.integer("longest_hours", 1, 24, default=12) * HOUR,
        metrics_token_file=folder / token if token else None,
    )
    stays.end()
    return log_in
