"""What went wrong at a table of Taiwan-Pai Kao and was corrected: the message against the camera. No I/O here."""

import re
from collections import Counter
from dataclasses import replace

from ..rules.lines import Message
from ..rules.pai_kao import Bank, Wager
from .camera import seat_of
from .irregular import corrections_of, entered_wagers
from .message import part, parts, replaced_in
from .pai_felt import Felt
from .pai_message import AgainstPlaces, as_stakes, published_bank, tiles_of
from .policies import ERRORS_CORRECTED, KEYED_IN
from .void import Dealt

CITED = {"exposed": ("4.º",), "error_corrected": ERRORS_CORRECTED, "keyed_in": KEYED_IN}
OF_THE_BANK = ("capital", "casino")


def irregularities(against: AgainstPlaces, seen: Felt, dealt: Dealt, *, reader: bool, void: bool) -> None:
    """Exposed tiles (4.º), errors corrected, tiles keyed in; a void round may end before they are reported."""
    exposed: Counter[str] = Counter()
    errors: Counter[tuple[str, str]] = Counter()
    keyed_in: set[str] = set()
    for entry in against.entries("irregularities"):
        kind, to = str(entry.get("kind")), str(entry.get("to"))
        against.cites(f"irregularities, {kind}, article", CITED.get(kind, ()), entry.get("article"))
        if kind == "exposed":
            count = entry.get("count")
            exposed[to] += count if type(count) is int and count > 0 else 0
            if type(count) is not int or count < 1:
                against.say("irregularities, exposed, count", "a number", count)
        elif kind == "error_corrected":
            errors[str(entry.get("what")), to] += 1
        elif kind == "keyed_in":
            keyed_in.add(to)
    due = Counter((str(line["what"]), str(line["to"])) for line in seen.filmed("error_corrected"))
    if exposed - seen.exposed or (not void and exposed != seen.exposed):
        against.say("irregularities, exposed", dict(seen.exposed), dict(exposed))
    if errors - due or (not void and errors != due):
        against.say("irregularities, error_corrected", dict(due), dict(errors))
    turned = {f"seat {place}" for place in seen.turned}
    if keyed_in - turned or (keyed_in and reader and not dealt.perhaps_unread):
        against.say("irregularities, keyed_in", "nothing: every tile was read", sorted(keyed_in))
    if not void and ((not reader and keyed_in != turned) or (dealt.unread and not keyed_in)):
        against.say("irregularities, keyed_in", "what was not read", sorted(keyed_in) or "nothing")


def corrections(against: AgainstPlaces, seen: Felt, *, void: bool) -> None:
    """A slip was corrected, or the round is void; and what was corrected is what happened."""
    last = corrections_of(against, seen.irregular, void=void)
    if void:
        return
    for (what, place, wager, player), entry in last.items():
        after, at = entry.get(replaced_in(entry)[1]), seat_of(place)
        where = f"corrections, {place}, {wager if what == 'wager' else what}"
        if what == "wager" and wager not in ("place", *OF_THE_BANK):
            against.say(where, f"place, {' or '.join(OF_THE_BANK)}", wager)
        if what == "wager" and wager in OF_THE_BANK:
            against.same(where, getattr(seen.bank, wager), after)
        elif what == "wager":
            here = [bet.amount for bet in seen.wagers if (bet.place, bet.player) == (at, player)]
            against.same(where, sum(here), after)
        elif what == "seat" and str(after).removeprefix("seat ") != str(at):
            against.say(where, place, after)
        elif what == "dice" and [int(die) for die in re.findall(r"\d+", str(after))] != seen.dice:
            against.say(where, seen.dice, after)
        elif what == "cards":
            stakes = seen.turned.get(at or 0)
            against.same(where, " ".join(tiles_of(stakes)) if stakes else None, after)


def entered(seen: Felt, message: Message) -> tuple[Bank | None, list[int] | None, list[Wager]]:
    """Bank, dice and wagers of a void round as the dealer entered them: a slip not corrected before remains."""
    put = {entry.get("what") for entry in parts(message, "corrections")}
    bank, dice = seen.bank, seen.dice
    for line in seen.filmed("slip_wager"):
        if bank and line["wager"] in OF_THE_BANK and "wager" not in put:
            entered_bank = published_bank(message) or bank
            bank = replace(bank, **{str(line["wager"]): getattr(entered_bank, str(line["wager"]))})
    if seen.filmed("slip_dice") and "dice" not in put and dice is not None:
        thrown = part(message, "tiles").get("dice")
        dice = thrown if isinstance(thrown, list) and len(thrown) == len(dice) else dice
    if not {"slip_wager", "slip_seat"} & {line.get("kind") for line in seen.irregular}:
        return bank, dice, seen.wagers
    wagers = entered_wagers(as_stakes(seen.wagers), message, seen.irregular)
    return bank, dice, [Wager(place, str(player), amount) for (place, _, player), amount in wagers.items()]
