"""The console's gate as a configuration has it: its persons and times, and the sign-ins that its journal holds."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec
import structlog

from controller.config.document import BadConfiguration
from controller.config.file import Config
from controller.config.section import Mistake
from controller.console.gate import Gate
from controller.console.listening import KIOSK, RULES, rules_hold
from controller.console.pins import PinsUnreadable, pins_set
from controller.console.sessions import SessionLimits
from controller.console.throttle import COUNTED_SECONDS
from controller.engine.decisions.session import SignInReceived
from controller.engine.state.events import SignInEvent
from controller.queries.sign_ins import ages, sign_ins_since
from controller.runtime.bus import Bus, FromStation

LEAST_TOKEN = 16  # characters

log = structlog.get_logger()


def make_gate(config: Config, journal: Path, bus: Bus) -> Gate | None:
    """The gate; None in a simulation with PINs off. Raises JournalUnavailable, JournalCorrupt, BadConfiguration."""

    def report(event: SignInEvent) -> None:
        log.info("entry", **msgspec.to_builtins(event))
        bus.publish(FromStation(SignInReceived(event=event)))

    log_in = config.log_in
    if not log_in.required:
        return None
    gate = Gate(
        people=config.people,
        pins=log_in.pin_file,
        limits=SessionLimits(dealer_idle=log_in.dealer_idle, idle=log_in.idle, longest=log_in.longest),
        report=report,
        metrics_token=_metrics_token(config),
    )
    now = datetime.now(UTC)
    sign_ins = sign_ins_since(journal, config.mode, now - timedelta(seconds=COUNTED_SECONDS))
    try:
        set_ago = {name: (now - at).total_seconds() for name, at in pins_set(log_in.pin_file).items()}
    except PinsUnreadable:
        set_ago = {}  # no one can log in, and the log says why
    gate.throttle.resume(ages(sign_ins, now), set_ago)
    return gate


def _metrics_token(config: Config) -> str:
    file = config.log_in.metrics_token_file
    if file is None:
        return ""
    try:
        token, why = file.read_text(encoding="utf-8-sig").strip(), ""
    except (OSError, UnicodeDecodeError) as error:
        token, why = "", f"; {error}"
    if len(token) < LEAST_TOKEN:
        expected = f"a file that can be read, with a token of at least {LEAST_TOKEN} characters{why}"
        raise BadConfiguration(config.path, [Mistake("console.metrics_token_file", str(file), expected)])
    return token


async def log_if_open_to_every_user(config: Config) -> None:
    """Log, as the station starts, where every user of this computer may connect to its console.

    It takes a second if the rules are loaded.
    """
    if not await rules_hold(config.listen[1]):
        log.warning(
            "every user of this computer may connect to the console: the rules by user are not loaded",
            expected=f"nft -f {config.path.with_name(RULES)}, as `dealer-station setup` does for a user {KIOSK}",
        )


def log_if_closed(gate: Gate | None, config: Config) -> None:
    """Logs, when the station starts, that no one can log in or that no one needs to."""
    closed = None if gate is None else gate.why_closed()
    if gate is None:
        log.info("PINs are off: no PIN is asked for")
    elif closed is not None:
        remedy = f"dealer-station pin NAME --config {config.path}"
        log.warning("no one can log in: the console is read-only", reason=closed, expected=remedy)
