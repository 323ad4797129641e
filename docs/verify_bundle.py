#!/usr/bin/env python3
"""Checks a dispute bundle of a Dealer Station, offline: the record is whole, and the round was settled by the rules.

    python3 verify_bundle.py [--json] [--key KEY] [--witness KEY]... BUNDLE

One file for whoever does not want to trust the station: it shares no code with it and has the rules of the five games
written a second time. It needs Python 3.11; signatures and sealed cards need the package `cryptography`, nothing else.
docs/disputes.md says what it checks and what it cannot.

Exit codes:
  0  agrees and proved: a given key verified a signature of the tree that has the record
  1  disagrees: the report names what is wrong
  2  cannot read: the file is not a bundle of this version, or a key is not a key
  3  not ended: what is there agrees, and the round is not settled and confirmed
  4  agrees, signed by no one: no given key verified a signature, so anyone can have written the file
"not covered" in the report lists what no check of this file proves; --json has it as `not_covered`.
"""

import argparse
import base64
import hashlib
import hmac
import io
import itertools
import json
import sys
from datetime import UTC, datetime
from pathlib import Path

AGREES, DISAGREES, NO_BUNDLE, NOT_ENDED, UNSIGNED = 0, 1, 2, 3, 4
KIND, VERSION = "dealer-station dispute bundle", 1
FORM = {
    "kind": str, "version": int, "site": str, "table": str, "game": str, "mode": str, "currency": str, "exponent": int,
    "journal": str, "round": int, "contents": dict, "earlier": list, "chain": dict, "later": list, "proofs": dict,
    "released_key": (str, type(None)), "wires": list,
}  # fmt: skip
MALFORMED = (KeyError, TypeError, ValueError, IndexError, AttributeError, ArithmeticError, OSError, RecursionError)
E4 = 10_000  # contributions of jackpot chips are counted in 1/10 000 of a minor unit


class NoBundle(Exception):
    """The file is not a bundle that this program reads."""


class Wrong(Exception):
    """Something in the bundle is not as it must be."""


# ---- the record: rows, hashes, what was taken out of them


class Row:
    """One event as the journal has it."""

    def __init__(self, told):
        if type(told) is not list or len(told) != 9:
            raise NoBundle("a row is not of its form")
        self.number, self.time, self.boot, self.monotonic_ns, self.synchronised = told[:5]
        self.body, self.sealed, self.hash, self.asked = told[5], told[6], bytes.fromhex(told[7]), told[8]
        if type(self.number) is not int or type(self.monotonic_ns) is not int or type(self.synchronised) is not bool:
            raise NoBundle("a row is not of its form")
        if self.sealed == "":  # it would hash as null does
            raise NoBundle(f"event {self.number} has sealed cards of no length")
        try:
            self.event = read_json(self.body, f"event {self.number}")
        except NoBundle:
            self.event = {}
        # What a person or a device entered, at the first event of it; None where the station recorded it of itself.
        self.input = None if self.asked is None else read_json(self.asked, f"input {self.number}").get("input")
        self.type = self.event.get("type", "unreadable")

    def hash_after(self, before):
        """What its hash must be, behind the row with that one."""
        stamp = {"time": self.time, "boot": self.boot, "monotonic_ns": self.monotonic_ns}
        stamp["synchronised"] = self.synchronised
        stamped = json.dumps(stamp, separators=(",", ":"), ensure_ascii=False)
        sealed = base64.b64decode(self.sealed, validate=True) if self.sealed is not None else b""
        parts = [b"%d" % self.number, stamped.encode(), self.body.encode(), sealed]
        if self.asked is not None:
            parts.append(self.asked.encode())
        return hashlib.sha256(before + b"".join(len(part).to_bytes(4, "big") + part for part in parts)).digest()


def read_json(text, what):
    """An object. No key of it, or of an object in it, is there twice."""
    found = read_value(text, what)
    if not isinstance(found, dict):
        raise NoBundle(f"{what} is no object")
    return found


def read_value(text, what):
    """A value of JSON, as `read_json` reads objects."""

    def once(pairs):
        found = dict(pairs)
        if len(found) != len(pairs):
            raise NoBundle(f"{what}: a key stands there twice")
        return found

    try:
        return json.loads(text, object_pairs_hook=once)
    except (ValueError, RecursionError) as error:
        raise NoBundle(f"{what} is no JSON: {error}") from None


def read_rows(bundle):
    """The rows of the round, and those from before and after it that belong to it, each with the hash before it."""
    if bundle.get("kind") != KIND:
        raise NoBundle(f"this is no {KIND}")
    if bundle.get("version") != VERSION:
        raise NoBundle(f"the bundle has version {bundle.get('version')}; this program reads {VERSION}")
    check_form(bundle)
    if bundle["game"] not in GAMES:
        raise NoBundle(f"this program does not know the game {bundle['game']!r}")
    rows = [Row(told) for told in bundle["chain"]["rows"]]
    if not rows:
        raise NoBundle("the bundle has no event")
    elsewhere = {key: [(Row(one["row"]), bytes.fromhex(one["before"])) for one in bundle[key]]
                 for key in ("earlier", "later")}  # fmt: skip
    return rows, elsewhere


def check_form(bundle):
    """Every key has its type, and there is no other key."""
    for key in (*FORM, *(key for key in bundle if key not in FORM)):
        if key not in bundle:
            raise NoBundle(f"the bundle has no {key}")
        if key not in FORM:
            raise NoBundle(f"the bundle has a key that this program does not read: {key}")
        if not isinstance(bundle[key], FORM[key]) or isinstance(bundle[key], bool):
            raise NoBundle(f"{key} of the bundle has the wrong type: {json.dumps(bundle[key])[:80]}")
    if not 0 <= bundle["exponent"] <= 9:
        raise NoBundle(f"exponent of the bundle is {bundle['exponent']}, not a number from 0 to 9")
    for key, names in (("chain", {"before", "rows"}), ("contents", CONTENTS)):
        if set(bundle[key]) != names:
            raise NoBundle(f"{key} of the bundle does not have the keys {', '.join(sorted(names))}")
    for one in (*bundle["earlier"], *bundle["later"]):
        if not isinstance(one, dict) or set(one) != {"before", "row"}:
            raise NoBundle("an event from before or after the round is not of its form")


CONTENTS = {"settlement", "articles", "parameters", "inputs", "device_messages"}


def check_chain(bundle, rows, elsewhere):
    """Each row has the hash that follows from it and from the one before; none is missing, moved or put in."""
    before, number = bytes.fromhex(bundle["chain"]["before"]), rows[0].number
    for row in rows:
        if row.number != number:
            raise Wrong(f"event {number} is missing: event {row.number} follows")
        if row.hash_after(before) != row.hash:
            raise Wrong(f"event {number} is not as it was written: its hash does not follow from it")
        before, number = row.hash, number + 1
    for row, hash_before in (*elsewhere["earlier"], *elsewhere["later"]):
        if row.hash_after(hash_before) != row.hash:
            raise Wrong(f"event {row.number} is not as it was written: its hash does not follow from it")
    for row in (*rows, *(row for row, _ in (*elsewhere["earlier"], *elsewhere["later"]))):
        if row.type == "unreadable":
            raise Wrong(f"event {row.number} cannot be read")
    numbers = [row.number for row, _ in elsewhere["earlier"]]
    if numbers != sorted(set(numbers)) or (numbers and numbers[-1] >= rows[0].number):
        raise Wrong("the events from before the round are not in their order")
    numbers = [row.number for row, _ in elsewhere["later"]]
    if numbers != sorted(set(numbers)) or (numbers and numbers[0] <= rows[-1].number):
        raise Wrong("the events from after the round are not in their order")


def check_contents(bundle, rows, elsewhere, settled):
    """What is told beside the rows says what they say."""
    own = round_rows(rows)
    told = bundle["contents"]
    inputs = [row.number for row in own if row.input is not None and "actor" in row.input]
    devices = [row.number for row in own if row.input is not None and "actor" not in row.input]
    for what, found in (
        ("settlement", settled),
        ("articles", articles_of(own, settled)),
        ("parameters", {"terms": own[0].event["terms"], "jackpot": jackpot_terms_before(elsewhere["earlier"])}),
        ("inputs", inputs),
        ("device_messages", devices),
    ):
        if differs(found, told[what]):
            raise Wrong(
                f"what the bundle tells as {what} is not what its events say{first_difference(found, told[what])}"
            )


def articles_of(own, settled):
    """Every article that the round's events cite, in the order of their first citation."""
    found = []

    def gather(value):
        if isinstance(value, dict):
            if isinstance(value.get("article"), str):
                found.append(value["article"])
            for one in value.values():
                gather(one)
        elif isinstance(value, list):
            for one in value:
                gather(one)

    for row in own:
        if row.type in ("round_voided", "hit_locked"):
            gather(row.event)
    gather(settled)
    return list(dict.fromkeys(found))


def round_rows(rows):
    """The rows of the round, without the one that begins the next."""
    ends = [at for at, row in enumerate(rows) if row.type == "round_begun"]
    return rows[: ends[1]] if len(ends) > 1 else rows


def jackpot_terms_before(earlier):
    """The jackpot's parameters as events from before the round leave them; None where none are told."""
    meter = Meter()
    for row, _ in earlier:
        meter.hear(row.event)
    return meter.terms


class Meter:
    """What governs the jackpot: parameters, and those agreed on for after the running pot."""

    def __init__(self):
        self.parameters = self.scheduled = None

    def hear(self, event):
        match event["type"]:
            case "meter_opened" | "pot_restarted":
                self.parameters, self.scheduled = event["parameters"], None
            case "restart_withdrawn":
                self.parameters, self.scheduled = event["parameters"], event["scheduled"]
            case "parameters_scheduled":
                self.scheduled = event["parameters_after"]

    @property
    def terms(self):
        if self.parameters is None:
            return None
        return {
            "fixed": self.parameters["fixed"],
            "minimum": (self.scheduled or self.parameters)["minimum"],
            "increment_bp": self.parameters["increment_bp"],
            "reserve_bp": self.parameters["reserve_bp"],
        }


# ---- the proof that the events are in a tree that somebody has signed: RFC 6962, and the forms of C2SP


def check_proofs(bundle, rows, elsewhere, keys, witnesses):
    """Whose tree has the events, and the signatures that given keys verified.

    The last event of the round proves all before it, for its hash covers theirs.
    """
    proofs = bundle["proofs"]
    if not proofs:
        if keys or witnesses:
            raise Wrong("a key was given to verify a signature, and the bundle has no proof")
        return "none", []
    proved = (rows[-1], *(row for row, _ in (*elsewhere["earlier"], *elsewhere["later"])))
    for number in proofs:
        if number not in {str(row.number) for row in proved}:
            raise Wrong(f"there is a proof of event {number}, which needs none")
    notes = set()
    for row in proved:
        if str(row.number) not in proofs:
            raise Wrong(f"event {row.number} is not proved")
        index, path, note = read_proof(proofs[str(row.number)])
        text, _ = read_note(note)
        _, size, root = read_checkpoint(text)
        if index != row.number - 1:
            raise Wrong(f"the proof of event {row.number} is of another event")
        if root_of(hashlib.sha256(b"\0" + row.hash).digest(), index, size, path) != root:
            raise Wrong(f"event {row.number} is not in the tree of the checkpoint")
        notes.add(note)
    if len(notes) != 1:
        raise Wrong("the proofs are of several checkpoints")
    text, signatures = read_note(notes.pop())
    origin, size, _ = read_checkpoint(text)
    own = "/".join(("dealer", *(bundle[name] for name in OF_THE_ORIGIN)))
    if origin != own:
        raise Wrong(f"the checkpoint is of {origin}, and the bundle of {own}")
    signed = [verified_by(key, text, signatures, False) for key in keys]
    signed += [verified_by(key, text, signatures, True) for key in witnesses]
    return f"in the tree of {origin} with {size} events", signed


OF_THE_ORIGIN = ("site", "table", "journal")


def not_covered(bundle, rows, later, signed):
    """By its key, each part of the bundle that nothing proves, and why."""
    found = {}
    if not signed:
        found |= dict.fromkeys(OF_THE_ORIGIN, "no verified signature names it")
    found |= dict.fromkeys(("mode", "currency", "exponent"), "the bundle's own word; no event or signature has it")
    found["later"] = "whether events after the last one of `chain` were left out"
    found["chain"] = "whether each input causes its events by the rules: `dealer-station audit replay` computes that"
    found["wires"] = "the table's own record, in no tree; blocks can be missing"
    if bundle["released_key"] is None and any(row.type == "key_released" for row in (*rows, *later)):
        found["released_key"] = "an event releases the key, and the bundle does not have it"
    if not signed:
        found["proofs"] = "no given key verified a signature (--key, --witness): anyone can have written every event"
    return found


def read_proof(text):
    """Index, path and note of a tlog-proof."""
    head, blank, note = text.partition("\n\n")
    first, *lines = head.split("\n")
    if first != "c2sp.org/tlog-proof@v1" or not blank:
        raise Wrong("a proof is not of its form")
    if lines and lines[0].startswith("extra "):
        lines = lines[1:]
    word, _, index = (lines or [""])[0].partition(" ")
    if word != "index" or not index.isdecimal():
        raise Wrong("a proof is not of its form")
    return int(index), [base64.b64decode(line, validate=True) for line in lines[1:]], note


def read_note(note):
    """Text and signatures of a signed note: of whom, key id and signature."""
    text, blank, signed = note.rpartition("\n\n")
    found = []
    for line in signed.splitlines():
        dash, name, encoded = line.split(" ")
        if dash != "\N{EM DASH}":
            raise Wrong("a signature is not of its form")
        found.append((name, base64.b64decode(encoded, validate=True)))
    if not blank or not found:
        raise Wrong("the checkpoint is not signed")
    return text + "\n", found


def read_checkpoint(text):
    origin, size, root = text.split("\n")[:3]
    return origin, int(size), base64.b64decode(root, validate=True)


def root_of(leaf, index, size, path):
    """The root that follows from a leaf and its path (RFC 9162, 2.1.3.2)."""
    if not 0 <= index < size:
        raise Wrong("a proof is of no leaf of its tree")
    at, last, found, left = index, size - 1, leaf, list(path)
    while left:
        if last == 0:
            raise Wrong("a proof is too long")
        beside = left.pop(0)
        if at % 2 or at == last:
            found = hashlib.sha256(b"\1" + beside + found).digest()
            while at % 2 == 0 and at:
                at, last = at // 2, last // 2
        else:
            found = hashlib.sha256(b"\1" + found + beside).digest()
        at, last = at // 2, last // 2
    if last:
        raise Wrong("a proof is too short")
    return found


def verified_by(key, text, signatures, witness):
    """Who signed it and when, by a key as NAME+ID+KEY."""
    try:
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    except ImportError:
        raise NoBundle("to verify a signature the package cryptography is needed") from None
    name, id, encoded = ([*key.strip().split("+", 2), "", ""])[:3]
    try:
        kind, *public = base64.b64decode(encoded, validate=True)
    except ValueError:
        raise NoBundle(f"{key!r} is not NAME+ID+KEY") from None
    own = hashlib.sha256(name.encode() + b"\n" + bytes([kind, *public])).digest()[:4]
    if own.hex() != id or kind != (4 if witness else 1):
        raise NoBundle(f"{key!r} is no key of a {'witness' if witness else 'table'}")
    for signer, told in signatures:
        if (signer, told[:4]) == (name, own):
            message, signature, when = text.encode(), told[4:], ""
            if witness:
                seconds, signature = int.from_bytes(told[4:12], "big"), told[12:]
                message = f"cosignature/v1\ntime {seconds}\n{text}".encode()
                when = f" at {datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M:%S} UTC"
            try:
                Ed25519PublicKey.from_public_bytes(bytes(public)).verify(signature, message)
            except (InvalidSignature, ValueError):
                raise Wrong(f"the signature of {name} is not its own") from None
            return f"{'cosigned' if witness else 'signed'} by {name}{when}"
    raise Wrong(f"the checkpoint is not signed by {name}")


# ---- cards


RANKS, SUITS = "23456789TJQKA", "cdhs"


def rank(card):
    return RANKS.index(card[0]) + 2


def in_sequence(ranks):
    """Whether different ranks follow one another; the ace stands above the king, or below the two."""
    ranks = sorted(ranks)
    low_ace = [1, *ranks[:-1]] if ranks[-1] == 14 else ranks
    return len(set(ranks)) == len(ranks) and any(run[-1] - run[0] == len(run) - 1 for run in (ranks, low_ace))


def three_cards(cards):
    """What three cards are called, and their worth: the greater wins, an equal one ties."""
    ranks = sorted((rank(card) for card in cards), reverse=True)
    flush, straight = len({card[1] for card in cards}) == 1, in_sequence(ranks)
    highest = 3 if ranks == [14, 3, 2] else ranks[0]
    if flush and straight:
        return "straight_flush", (5, highest)
    if ranks[0] == ranks[2]:
        return "three_of_a_kind", (4, ranks[0])
    if straight:
        return "straight", (3, highest)
    if flush:
        return "flush", (2, *ranks)
    if ranks[1] in (ranks[0], ranks[2]):
        return "pair", (1, ranks[1], ranks[2] if ranks[1] == ranks[0] else ranks[0])
    return "high_card", (0, *ranks)


FIVE_CARDS = ("straight_flush", "four_of_a_kind", "full_house", "flush", "straight", "three_of_a_kind")


def best_of(cards):
    """The best combination of five of these cards, None below three of a kind."""
    found = {five_cards(five) for five in itertools.combinations(cards, 5)}
    return next((name for name in ("royal_flush", *FIVE_CARDS) if name in found), None)


def five_cards(cards):
    ranks = [rank(card) for card in cards]
    counts = sorted((ranks.count(one) for one in set(ranks)), reverse=True)
    flush, straight = len({card[1] for card in cards}) == 1, in_sequence(ranks)
    if flush and straight:
        return "royal_flush" if set(ranks) == {10, 11, 12, 13, 14} else "straight_flush"
    if counts[0] == 4:
        return "four_of_a_kind"
    if counts == [3, 2]:
        return "full_house"
    if flush:
        return "flush"
    if straight:
        return "straight"
    return "three_of_a_kind" if counts[0] == 3 else None


def check_cards(faces, copies):
    """No card lies there oftener than there are of it."""
    seen = {}
    for card in faces:
        seen[card] = seen.get(card, 0) + 1
        if seen[card] > copies(card):
            raise Wrong(f"{card} was shown {seen[card]} times, and there are {copies(card)} of it")


# ---- sealed cards, where two persons have released the key of their round


ROUND_BYTES, NONCE_BYTES = 8, 12  # before the sealed cards: the number of the round, then the nonce


def read_sealed(bundle, rows, later):
    """The value of every draw whose cards were sealed, None of one that nobody read; None while they stay sealed."""
    key = bundle.get("released_key")
    if key is None:
        return None
    released = [row for row in (*rows, *(row for row, _ in later)) if row.type == "key_released"]
    if bundle["round"] not in [row.event["round"] for row in released]:
        raise Wrong("the bundle has a key of the round's cards that nobody released")
    values = {}
    for row in rows:
        if row.sealed is not None:
            values |= opened(row, bytes.fromhex(key), bundle["journal"], bundle["round"])
    return values


def opened(row, key, journal, round):
    """The sealed cards of an event, by draw."""
    sealed = base64.b64decode(row.sealed, validate=True)
    if sealed[:ROUND_BYTES] != round.to_bytes(ROUND_BYTES, "big"):
        raise Wrong(f"event {row.number}: its cards are not sealed with the key of this round")
    found = unsealed(sealed[ROUND_BYTES:], key, f"{journal}:{row.number}", f"event {row.number}, sealed cards")
    drawn = found[0] if isinstance(found, list) else found  # behind them are cards that the input names
    return {int(draw): card for draw, card in drawn.items()}


def unsealed(sealed, key, bound, what):
    """The value in what was sealed."""
    try:
        from cryptography.exceptions import InvalidTag
        from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
    except ImportError:
        raise NoBundle("to open what is sealed the package cryptography is needed") from None
    try:
        plain = ChaCha20Poly1305(key).decrypt(sealed[:NONCE_BYTES], sealed[NONCE_BYTES:], bound.encode())
    except (InvalidTag, ValueError):
        raise Wrong(f"{what}: the released key does not open it") from None
    return read_value(plain, what)


def read_wires(bundle):
    """What the flight recorder still had of what the wires said, opened if the key was released."""
    blocks, key = bundle.get("wires") or [], bundle.get("released_key")
    if not blocks:
        return "none"
    gaps = sum(after[1] != before[1] + 1 for before, after in itertools.pairwise(blocks) if after[0] == before[0])
    told = f"{len(blocks)} blocks" + (f", {gaps} gaps" if gaps else "")
    if key is None:
        return f"{told}, sealed"
    own = hmac.digest(bytes.fromhex(key), b"dealer-station wires", "sha256")
    found = [
        unsealed(base64.b64decode(sealed, validate=True), own, f"{bundle['journal']}:wires:{run}:{number}",
                 f"block {number} of the wires")
        for run, number, sealed in blocks
    ]  # fmt: skip
    dropped = sum(block["dropped"] for block in found)
    told += f", {dropped} bytes dropped" if dropped else ""
    return f"{told}, opened, from {found[0]['began']} on"


def unshown_cards(values, rows, round):
    """The cards that no rule has shown, each with the place it was dealt to; what was shown was sealed so too."""
    places = {}
    for event in (row.event for row in rows):
        match event["type"]:
            case "cards_dealt":
                places |= dict(zip(event["draws"], event["places"], strict=True))
            case "card_burned":
                places[event["draw"]] = "burned"
            case "card_uncalled" | "card_taken":
                places[event["draw"]] = event["to"]
    left = dict(values)
    for place, card in round.shown_cards():
        # A draw is named where cards are shown one by one; elsewhere they are those of their place.
        here = [draw for draw, value in left.items() if value == card]
        if not here:
            raise Wrong(f"{card} was shown at {place}, and no card was sealed as that")
        del left[min(here, key=lambda draw: (draw != place, places.get(draw) != place))]
    return [{"draw": draw, "to": places.get(draw), "card": card} for draw, card in sorted(left.items())]


# ---- what was entered and heard, event by event


class Round:
    """What is known of a round of any game: bets as they lie, what was decided, the cards shown."""

    everywhere = False  # cards lie at a place whoever has bet there

    def __init__(self, begun):
        self.terms = begun["terms"]
        self.bets = {}  # by seat, wager and player, in the order laid
        self.chips = []
        self.marked = None
        self.carried = []
        self.deal = None
        self.decisions = {}
        self.shown = {}
        self.void = None
        self.decided_chips = []

    def hear(self, event):
        match event["type"]:
            case "wager_placed":
                self.lay(event["seat"], event["wager"], event["amount"], event.get("player"))
            case "betting_closed":
                self.chips, self.carried = event["chips"], event.get("carried", [])
                marked = event.get("marked")
                self.marked = {int(seat): names for seat, names in marked.items()} if marked else None
            case "deal_announced":
                self.deal = event["deal"]
            case "decision_made":
                self.decisions[event["seat"]] = event["decision"]
            case "cards_shown":
                self.show(event)
            case "input_corrected":
                self.correct(event)
            case "round_voided":
                self.void, self.decided_chips = event, event.get("decided", [])

    def show(self, event):
        self.shown[event["to"]] = event["cards"]

    def lay(self, seat, wager, amount, player):
        """What a bet is now; 0 takes it back. One that is changed keeps its turn."""
        whose = (player or "") if self.terms.get("shared") else ""
        laid = self.bets.setdefault(seat, {}).setdefault(wager, {})
        if amount:
            laid[whose] = amount
        else:
            laid.pop(whose, None)
        self.bets[seat] = {name: bets for name, bets in self.bets[seat].items() if bets}
        self.bets = {at: bets for at, bets in sorted(self.bets.items()) if bets}

    def correct(self, event):
        if event["what"] == "cards":
            self.shown[event["at"]] = event["after"].split()
            return
        seat = seat_number(event["at"])
        match event["what"]:
            case "wager":
                self.lay(seat, event["wager"], int(event["after"]), event.get("player"))
                if event["wager"] == "ante" and not int(event["after"]):
                    self.decisions.pop(seat, None)
            case "seat":
                self.move(seat, seat_number(event["after"]))
            case "decision":
                self.decisions[seat] = event["after"]

    def move(self, seat, to):
        """All that was entered for a seat belongs to another one."""
        self.bets = dict(sorted((to if at == seat else at, bets) for at, bets in self.bets.items()))
        self.decisions = {to if at == seat else at: said for at, said in self.decisions.items()}
        if not (self.everywhere or self.deal == "every_space"):
            here, there = f"seat {seat}", f"seat {to}"
            self.shown = {there if at == here else at: cards for at, cards in self.shown.items()}

    def cards_at(self, place):
        if place not in self.shown:
            raise Wrong(f"the cards of {place} are wanted to settle, and were never shown")
        return self.shown[place]

    def amounts(self, seat):
        return {wager: sum(laid.values()) for wager, laid in self.bets[seat].items()}

    def copies(self, card):
        return self.terms["decks"] if len(card) == 2 and card[0] in RANKS and card[1] in SUITS else 0

    def shown_cards(self):
        """Each with its place, or the number of its draw."""
        return [(place, card) for place, cards in self.shown.items() for card in cards]

    def faces(self):
        return [card for _, card in self.shown_cards()]

    # what each game says: settled(pot, meter), voided(pot, meter, before), prize(seat)


def seat_number(place):
    word, _, number = place.partition(" ")
    if word != "seat" or not number.isdigit():
        raise Wrong(f"{place} is no seat")
    return int(number)


def line(wager, stake, outcome, net, article, odds=None, **more):
    return {"wager": wager, "stake": stake, "outcome": outcome, "odds": odds, "net": net, "article": article, **more}


def won(wager, stake, to_one, article, **more):
    return line(wager, stake, "win", stake * to_one, article, f"{to_one}:1", **more)


def lost(wager, stake, article, **more):
    return line(wager, stake, "lose", -stake, article, **more)


# ---- Fortune 3 Card Poker, Macau: Despacho 89/2025, and 78/2008


POKER = {
    "fortune-3-card-poker-2025": {
        # 13.º 4), 16.º 1 to 3; a tie 7.º 1
        "ante_bonus": {"straight_flush": (5, "13.º 4) (1)"), "three_of_a_kind": (4, "13.º 4) (2)"),
                       "straight": (1, "13.º 4) (3)")},
        "pair_plus": {"straight_flush": (40, "16.º 1 1)"), "three_of_a_kind": (25, "16.º 1 2)"),
                      "straight": (5, "16.º 1 3)"), "flush": (4, "16.º 1 4)"), "pair": (1, "16.º 1 5)")},
        "six_card_bonus": {"royal_flush": (500, "16.º 2 1)"), "straight_flush": (100, "16.º 2 2)"),
                           "four_of_a_kind": (50, "16.º 2 3)"), "full_house": (20, "16.º 2 4)"),
                           "flush": (15, "16.º 2 5)"), "straight": (10, "16.º 2 6)"),
                           "three_of_a_kind": (7, "16.º 2 7)")},
        "jackpot": {"royal_flush": (100, "16.º 3 1)"), "straight_flush": (10, "16.º 3 2)"),
                    "four_of_a_kind": (0, "16.º 3 3)"), "full_house": (0, "16.º 3 4)"), "flush": (0, "16.º 3 5)")},
        "fold": "12.º 2", "no_game": "13.º 1)", "higher": "13.º 3)", "lower": "13.º 3)", "pair_plus_lost": "13.º 5)",
        "tie": {"straight_flush": "7.º 1 1)", "three_of_a_kind": "7.º 1 2)", "straight": "7.º 1 3)",
                "flush": "7.º 1 4)", "pair": "7.º 1 5)", "high_card": "7.º 1 6)"},
        "chips_go_on": ("17.º 1 1)", "17.º 2"),
    },
    "fortune-3-card-poker-2008": {
        "ante_bonus": {"straight_flush": (5, "9.º 8) (1)"), "three_of_a_kind": (4, "9.º 8) (2)"),
                       "straight": (1, "9.º 8) (3)")},
        "pair_plus": {"straight_flush": (40, "10.º 1)"), "three_of_a_kind": (25, "10.º 2)"),
                      "straight": (5, "10.º 3)"), "flush": (4, "10.º 4)"), "pair": (1, "10.º 5)")},
        "fold": "9.º 2)", "no_game": "9.º 5)", "higher": "9.º 6)", "lower": "9.º 7)", "pair_plus_lost": "9.º 9)",
        "tie": {"straight_flush": "8.º 1)", "three_of_a_kind": "8.º 2)", "straight": "8.º 3)",
                "flush": "8.º 4)", "pair": "8.º 5)", "high_card": "8.º 6)"},
        "chips_go_on": (),
    },
}  # fmt: skip


class Poker(Round):
    """Ante and play, Pair Plus, Six Card Bonus, and a chip for the progressive jackpot."""

    def __init__(self, begun):
        super().__init__(begun)
        self.law = POKER[self.terms["game"]]

    def stakes(self, seat):
        """In the order in which lines stand."""
        laid = self.amounts(seat)
        if seat in self.chips:
            laid["jackpot"] = self.terms["chip"]
        return {name: laid[name] for name in ("ante", "pair_plus", "six_card_bonus", "jackpot") if name in laid}

    def settled(self, pot, meter):
        bank = self.cards_at("bank")
        bank_name, bank_worth = three_cards(bank)
        plays = bank_name != "high_card" or max(map(rank, bank)) >= 12  # Q high or better
        tiers = {seat: tier for seat in self.bets if seat in self.chips and (tier := self.tier(seat))}
        jackpot = self.jackpot(tiers, pot, meter) if pot is not None else None
        awards = {award["seat"]: award for award in jackpot["awards"]} if jackpot else {}
        seats = {}
        for seat in self.bets:
            lines = list(self.lines(seat, bank, bank_worth, plays, tiers.get(seat), awards.get(seat)))
            there = self.shown.get(f"seat {seat}")
            name = three_cards(there)[0] if there else None
            seats[str(seat)] = {"hand": name, "net": sum(one["net"] for one in lines), "lines": lines}
        dealer = {"hand": bank_name, "qualifies": plays}
        answer = {"game": self.terms["game"], "outcome": "settled", "dealer": dealer, "seats": seats}
        return answer | ({"jackpot": jackpot} if jackpot else {})

    def lines(self, seat, bank, bank_worth, plays, tier, award):
        law, stakes, place = self.law, self.stakes(seat), f"seat {seat}"
        ante, decision = stakes.get("ante"), self.decisions.get(seat)
        if ante and decision not in ("play", "fold"):
            raise Wrong(f"{place} has an ante and said neither play nor fold")
        if ante and decision == "fold":
            yield lost("ante", ante, law["fold"])
        elif ante:
            name, worth = three_cards(self.cards_at(place))
            if not plays:
                yield won("ante", ante, 1, law["no_game"])
                yield line("play", ante, "push", 0, law["no_game"])
            elif worth == bank_worth:
                yield line("ante", ante, "push", 0, law["tie"][name])
                yield line("play", ante, "push", 0, law["tie"][name])
            else:
                decide = (won, (1, law["higher"])) if worth > bank_worth else (lost, (law["lower"],))
                yield decide[0]("ante", ante, *decide[1])
                yield decide[0]("play", ante, *decide[1])
            if name in law["ante_bonus"]:
                yield won("ante_bonus", ante, *law["ante_bonus"][name])
        if stake := stakes.get("pair_plus"):
            pays = law["pair_plus"].get(three_cards(self.cards_at(place))[0])
            yield won("pair_plus", stake, *pays) if pays else lost("pair_plus", stake, law["pair_plus_lost"])
        if stake := stakes.get("six_card_bonus"):
            name = best_of([*self.cards_at(place), *bank])
            pays = law["six_card_bonus"].get(name)
            yield (
                won("six_card_bonus", stake, *pays, combination=name)
                if pays
                else lost("six_card_bonus", stake, "14.º", combination=None)
            )
        if stake := stakes.get("jackpot"):
            yield (
                line("jackpot", stake, "win", award["amount"] - stake, award["article"], combination=tier)
                if award
                else lost("jackpot", stake, "15.º 1", combination=None)
            )

    def prize(self, seat):
        return [*self.cards_at(f"seat {seat}"), *self.cards_at("community")]

    def tier(self, seat):
        name = best_of(self.prize(seat))
        return name if name in self.law["jackpot"] else None

    def jackpot(self, tiers, pot, meter):
        """15.º 3 to 6: shares of the pot as it stood, from the bank's left; the whole pot after a straight flush's."""
        table = self.law["jackpot"]
        turn = sorted(tiers)
        if any(tiers[seat] == "straight_flush" for seat in turn):
            turn.sort(key=lambda seat: (tiers[seat] == "royal_flush", seat))
        left, awards = pot, []
        for seat in turn:
            percent, article = table[tiers[seat]]
            share = left if percent == 100 else min(pot * percent // 100, left)
            fixed = need(meter)["fixed"][tiers[seat]]
            amount = max(share, fixed)
            left -= share
            awards.append({"seat": seat, "tier": tiers[seat], "amount": amount, "from_pot": share,
                           "from_house": amount - share, "article": article})  # fmt: skip
        if awards and not left:
            left = need(meter)["minimum"]
        return {"pot_before": pot, "pot_after": left, "awards": awards}

    def voided(self, pot, meter, before):
        article = self.void["article"]
        carried = self.chips if article in self.law["chips_go_on"] else []
        seats = {}
        for seat in self.bets:
            lines = []
            for wager, stake in self.stakes(seat).items():
                more = {"combination": None} if wager in ("six_card_bonus", "jackpot") else {}
                more |= {"carried": seat in carried} if wager == "jackpot" else {}
                lines.append(line(wager, stake, "void", 0, article, **more))
            seats[str(seat)] = {"hand": None, "net": 0, "lines": lines}
        dealer = {"hand": None, "qualifies": None}
        answer = {"game": self.terms["game"], "outcome": "void", "dealer": dealer, "seats": seats}
        return answer | ({"jackpot": {"pot_before": pot, "pot_after": before, "awards": []}} if pot is not None else {})


def need(meter):
    if meter is None:
        raise Wrong("a prize was won, and no parameters of the jackpot are told")
    return meter


# ---- Fortune 8, Macau: Despacho 71/2009


class Fortune8(Round):
    """Seven spaces with a card each; a bet is on its card: below eight, eight, above."""

    def boxes(self):
        """Ranks or cards that win, odds and article of every box, from the player on."""
        yield "low", "234567", 1, "8.º 1", "6.º 1"
        yield "eight", "8", 11, "8.º 2", "6.º 1"
        yield "high", "9TJQKA", 1, "8.º 1", "6.º 1"
        for added in (self.terms.get("house") or {}).get("bets", []):
            yield added["name"], added["pays"], None, "9.º 1", "9.º 1"

    def each(self, line_of):
        seats = {}
        for seat, laid in self.bets.items():
            lines = []
            for box in self.boxes():
                for player, stake in laid.get(box[0], {}).items():
                    lines.append(line_of(seat, box, stake, {"player": player} if player else {}))
            seats[str(seat)] = {"net": sum(one["net"] for one in lines), "lines": lines}
        return seats

    def settled(self, pot, meter):
        def decide(seat, box, stake, whose):
            name, wins, to_one, article, article_lost = box
            [card] = self.cards_at(f"seat {seat}")
            if to_one is None:  # an authorised bet: the first odds whose cards have it
                to_one = next((pays["to_one"] for pays in wins if card in pays["cards"]), None)
            elif card[0] not in wins:
                to_one = None
            if to_one is None:
                return lost(name, stake, article_lost, **whose)
            return won(name, stake, to_one, article, **whose)

        return {"game": self.terms["game"], "outcome": "settled", "seats": self.each(decide)}

    def voided(self, pot, meter, before):
        def back(seat, box, stake, whose):
            return line(box[0], stake, "void", 0, self.void["article"], **whose)

        return {"game": self.terms["game"], "outcome": "void", "seats": self.each(back)}


# ---- Taiwan-Pai Kao, Macau: Portaria 15/90/M


TILES = (  # Table I from the highest on; a row's tiles are of one value
    ("6-6",), ("1-1",), ("4-4",), ("3-1",), ("5-5",), ("3-3",), ("2-2",), ("6-5",), ("6-4",), ("6-1",), ("5-1",),
    ("5-4", "6-3"), ("5-3", "6-2"), ("4-3", "5-2"), ("4-2",), ("4-1", "3-2"), ("2-1",),
)  # fmt: skip
TILE_ORDER = [tile for row in TILES for tile in row]
SINGLE = {"5-4", "6-3", "5-3", "6-2", "4-3", "5-2", "4-2", "4-1", "3-2", "2-1"}


def tile_class(tile):
    return next(number for number, row in enumerate(TILES) if tile in row)


def dots(tile):
    return int(tile[0]) + int(tile[2])


def pair_value(first, second):
    """7.º b): the name of two tiles, and where it stands; the lesser is the higher."""
    first, second = sorted((first, second), key=TILE_ORDER.index)
    if (first, second) == ("4-2", "2-1"):
        return "chi_chun", (0, 0)
    if tile_class(first) == tile_class(second):
        return "pair", (1, tile_class(first))
    po = {("6-6", 9): ("tin_kau_vong", 2), ("6-6", 8): ("tin_kong", 3), ("1-1", 8): ("tei_kong", 4)}
    if (first, dots(second)) in po:
        name, place = po[first, dots(second)]
        return name, (place, 0)
    points = (dots(first) + dots(second)) % 10
    return f"points_{points}", (5 + 9 - points, tile_class(first))


def all_pair_values():
    """Every value that two tiles of the set can have, the highest first: the place in it is the rank."""
    tiles = [tile for tile in TILE_ORDER for _ in range(1 if tile in SINGLE else 2)]
    return sorted({pair_value(*two)[1] for two in itertools.combinations(tiles, 2)})


PAIR_RANKS = {value: number for number, value in enumerate(all_pair_values(), start=1)}


class Pair:
    def __init__(self, first, second):
        self.tiles = sorted((first, second), key=TILE_ORDER.index)
        self.name, value = pair_value(first, second)
        self.rank = PAIR_RANKS[value]

    def told(self):
        return {"tiles": " ".join(self.tiles), "name": self.name, "rank": self.rank}


def hand_of(tiles):
    """Front and rear as laid, or put right where a higher rear pair was possible (6.º b))."""
    if len(tiles) != 4:
        raise Wrong(f"a place has {len(tiles)} tiles, not four")
    laid = Pair(*tiles[:2]), Pair(*tiles[2:])
    highest, *others = sorted(tiles, key=TILE_ORDER.index)
    best = None
    for at in range(3):
        one, other = Pair(highest, others[at]), Pair(*(others[:at] + others[at + 1 :]))
        front, rear = (other, one) if one.rank <= other.rank else (one, other)
        if best is None or (rear.rank, front.rank) < (best[1].rank, best[0].rank):
            best = front, rear
    return (*laid, False) if laid[1].rank == best[1].rank else (*best, True)


class PaiKao(Round):
    """Every place against the banker's, in the order of the dice, up to what lies behind the bank."""

    everywhere = True

    def __init__(self, begun):
        super().__init__(begun)
        self.before = begun.get("previous_bank")
        self.bank = None
        self.dice = []

    def hear(self, event):
        super().hear(event)
        match event["type"]:
            case "bank_taken":
                self.bank = {"place": event["seat"], "capital": event["capital"], "casino": event["casino_share"]}
            case "dice_thrown":
                self.dice = event["dice"]

    def correct(self, event):
        if event["what"] == "wager" and event["wager"] in ("capital", "casino"):
            self.bank[event["wager"]] = int(event["after"])
        elif event["what"] == "dice":
            self.dice = list(map(int, event["after"].split()))
        else:
            super().correct(event)

    def copies(self, tile):
        return 0 if tile not in TILE_ORDER else 1 if tile in SINGLE else 2

    def faces(self):
        return [*super().faces(), *((self.before or {}).get("used") or [])]

    def wagers(self):
        """Each wager against the bank or beside it: place, player, amount."""
        return [
            (seat, player, amount)
            for seat, laid in self.bets.items()
            for player, amount in laid.get("place", {}).items()
        ]

    def settled(self, pot, meter):
        used = (self.before or {}).get("used")
        places = 4 if used or self.terms["seat_count"] == 4 or self.deal == "four_places" else 8
        banker = self.bank["place"]
        if len(self.dice) != 4 or not all(type(die) is int and 1 <= die <= 6 for die in self.dice):
            raise Wrong("the dice were not thrown")
        named = (banker - 1 + sum(self.dice) - 1) % places + 1  # the banker counts as one
        if "deal_begins_beside_banker" in (self.terms.get("rules") or ()) and named == banker:
            named = named % places + 1
        order = [place for place in ((named - 1 + step) % places + 1 for step in range(places)) if place != banker]
        hands = {place: hand_of(self.cards_at(f"seat {place}")) for place in range(1, places + 1)}
        outcomes = {place: self.outcome(hands[place], hands[banker]) for place in order}
        joiners = [one for one in self.wagers() if one[0] == banker]
        parts = [self.bank["capital"], self.bank["casino"], *(amount for _, _, amount in joiners)]
        limit, gain, net, limited = sum(parts), 0, 0, False
        lines = {place: [] for place in order}
        for place in order:
            for _, player, stake in (one for one in self.wagers() if one[0] == place):
                outcome, moved = outcomes[place], 0
                if outcome == "lose":
                    moved = min(stake, limit - gain)
                elif outcome == "win":
                    moved = min(stake, limit + net)
                commission = moved * 5 // 100  # 8.º, rounded down
                if outcome == "lose":
                    gain, net = gain + moved, net + moved - commission
                elif outcome == "win":
                    gain, net = gain - moved, net - moved
                cut = outcome != "push" and moved < stake
                limited |= cut
                own = {"win": moved - commission, "lose": -moved, "push": 0}[outcome]
                lines[place].append({"wager": "place", "player": player, "stake": stake, "outcome": outcome,
                                     "net": own, "commission": commission,
                                     "article": "5.º c)" if cut else "6.º c)"})  # fmt: skip
        seats = {}
        for place, (front, rear, rearranged) in hands.items():
            seats[str(place)] = {"front": front.told(), "rear": rear.told(), "rearranged": rearranged}
            if place != banker:
                total = sum(one["net"] for one in lines[place])
                seats[str(place)] |= {"outcome": outcomes[place], "net": total, "lines": lines[place]}
        answer = {"game": self.terms["game"], "outcome": "settled", "first_place": named, "order": order}
        return answer | {"seats": seats, "banker": self.banker(joiners, self.shares(net, parts), limited)}

    def outcome(self, hand, banker):
        """6.º c): both higher, or one higher and one equal, wins."""
        better = sum((own.rank < other.rank) - (own.rank > other.rank)
                     for own, other in zip(hand[:2], banker[:2], strict=True))  # fmt: skip
        return "win" if better > 0 else "lose" if better < 0 else "push"

    def shares(self, net, parts):
        """5.º e): the banker's capital first, then the casino's part, then each joiner's."""
        left, shares = abs(net), []
        for part in parts:
            share = min(part, left)
            left -= share
            shares.append(share if net > 0 else -share)
        return shares

    def banker(self, joiners, shares, limited):
        own, casino, *others = shares
        told = {"place": self.bank["place"], "net": own, "limited": limited}
        if self.bank["casino"]:
            told["casino"] = {"share": self.bank["casino"], "net": casino, "article": "5.º e)"}
        if joiners:
            told["joiners"] = [
                {"wager": "bank", "player": player, "stake": amount, "net": share, "commission": 0, "article": "5.º e)",
                 "outcome": "win" if share > 0 else "lose" if share < 0 else "push"}
                for (_, player, amount), share in zip(joiners, others, strict=True)
            ]  # fmt: skip
        return told

    def voided(self, pot, meter, before):
        answer = {"game": self.terms["game"], "outcome": "void", "seats": {}}
        if self.bank is None:
            return answer
        article, joined = self.void["article"], []
        for place, player, amount in self.wagers():
            back = {"wager": "place", "player": player, "stake": amount, "outcome": "void", "net": 0, "commission": 0,
                    "article": article}  # fmt: skip
            if place == self.bank["place"]:
                joined.append(back | {"wager": "bank"})
            else:
                answer["seats"].setdefault(str(place), {"net": 0, "lines": []})["lines"].append(back)
        answer["banker"] = {"place": self.bank["place"], "net": 0, "limited": False}
        if self.bank["casino"]:
            answer["banker"]["casino"] = {"share": self.bank["casino"], "net": 0, "article": article}
        if joined:
            answer["banker"]["joiners"] = joined
        return answer


# ---- black-jack/21, Portugal: Portaria 1364/2001


def points(card):
    return 1 if card[0] == "A" else 10 if card[0] in "TJQK" else int(card[0])


def total(cards, ones=0):
    """An ace is 11 where that does not pass 21 (6); of the first `ones` cards it stays 1 (32)."""
    count = sum(map(points, cards))
    return count + 10 if count <= 11 and any(card[0] == "A" for card in cards[ones:]) else count


class Hand:
    def __init__(self, times, cards=(), split=False):
        self.times, self.cards, self.split = list(times), list(cards), split
        self.doubled = self.stood = False

    @property
    def total(self):
        return total(self.cards, 2 if self.doubled else 0)

    @property
    def black_jack(self):
        return not self.split and len(self.cards) == 2 and self.total == 21

    @property
    def pair(self):
        return len(self.cards) == 2 and points(self.cards[0]) == points(self.cards[1])

    @property
    def split_ace(self):
        return self.split and self.cards[0][0] == "A"

    @property
    def special(self):
        """6-7-8 of one suit, or three sevens (35)."""
        ranks = sorted(card[0] for card in self.cards)
        return ranks == ["7", "7", "7"] or (ranks == ["6", "7", "8"] and len({card[1] for card in self.cards}) == 1)


class Seat:
    def __init__(self, number, bettors, chip, with_chip):
        self.number = number
        self.names = [None, *(name for name, _ in bettors[1:])]  # nobody is named of who decides
        self.stakes = [bet for _, bet in bettors]
        self.chips = [chip if who in with_chip else 0 for who in range(len(bettors))]
        self.hands = [Hand([1] * len(bettors))]
        self.cards = []  # as they came, whatever hand they lay at (42)
        self.gives_up = self.even_money = False
        self.insurance = [0] * len(bettors)


class NoMore(Exception):
    """The moves of the record end here."""


class BlackJack(Round):
    """Played again from its cards and answers, in the order of the record."""

    def __init__(self, begun):
        super().__init__(begun)
        self.moves, self.by_draw = [], {}

    def hear(self, event):
        super().hear(event)
        match event["type"]:
            case "cards_dealt":
                self.moves += [("card", draw) for draw in event["draws"]]
            case "card_taken":
                self.moves.append(("card", event["draw"]))
            case "answer_given":
                self.moves.append(("answer", dict(event)))
            case "bank_turned":
                self.moves.append(("turn", None))

    def show(self, event):
        self.by_draw |= dict(zip(event["draws"], event["cards"], strict=True))

    def shown_cards(self):
        return list(self.by_draw.items())

    def move(self, seat, to):
        super().move(seat, to)
        for kind, what in self.moves:
            if kind == "answer" and what["seat"] == seat:
                what["seat"] = to

    def correct(self, event):
        if event["what"] == "cards":
            self.by_draw |= dict(zip(event["draws"], event["after"].split(), strict=True))
        elif event["what"] == "decision":
            self.answer_otherwise(seat_number(event["at"]), event["after"], event.get("asked_again", 0))
        else:
            super().correct(event)

    def answer_otherwise(self, seat, words, asked_again):
        """The seat's last answer to that question is another; later ones that fell away with it are gone."""
        if asked_again:
            del self.moves[-asked_again:]
        word, _, values = words.partition(" ")
        questions = {"give_up": ["give_up"], "even_money": ["even_money"], "no": ["give_up", "even_money"],
                     "insure": ["insurance"], "follow": ["follow"]}.get(word, ["decision"])  # fmt: skip
        for kind, given in reversed(self.moves):
            if kind == "answer" and given["seat"] == seat and given["question"] in questions:
                given |= {"decision": word, "yes": word != "no"}
                given["amounts"] = [int(one) for one in values.split(",")] if word == "insure" else []
                given["who"] = [one == "1" for one in values.split(",")] if word == "follow" else []
                return
        raise Wrong(f"an answer of seat {seat} is corrected that was never given")

    # the bets

    def seats(self):
        """Who bets where; at a seat that nobody took, the highest bet decides, of equals who sits lowest (16)."""
        sits = {}
        for seat in sorted(self.bets, reverse=True):
            sits |= {player: seat for player in self.bets[seat].get("bet", {}) if player}
        found = []
        for seat, laid in self.bets.items():
            own, others = dict(laid.get("bet", {})), {**laid.get("backing", {}), **laid.get("vacant", {})}
            if not own and laid.get("vacant"):
                first = min(others, key=lambda player: (-others[player], sits.get(player, 99)))
                own = {first: others.pop(first)}
            if not own:
                continue
            bettors = [*own.items(), *others.items()]
            names = [name for name, _ in bettors]
            marks = self.marked.get(seat, []) if self.marked is not None else [""] if seat in self.chips else []
            with_chip = {names.index(mark) if mark in names else 0 for mark in marks}
            found.append(Seat(seat, bettors, self.terms["chip"], with_chip))
        return found

    # the play

    def play(self, over):
        """The round as far as its moves go; `over`: it must come to its end, and use every move."""
        self.table, self.bank, self.hole, self.turned = self.seats(), [], None, False
        self.left = list(self.moves)
        try:
            self.play_all()
        except NoMore:
            if over:
                raise Wrong("the cards and answers of the record do not bring the round to its end") from None
            return
        if over and self.left:
            raise Wrong("the record has cards or answers that the rules did not ask for")

    def next_move(self, kind):
        if not self.left:
            raise NoMore
        found, what = self.left[0]
        if found != kind:
            raise NoMore if self.void else Wrong(f"the rules want {kind} where the record has {found}")
        return what

    def draw(self):
        """The next card face up; one whose value was never read stops the play."""
        card = self.by_draw.get(self.next_move("card"))
        if card is None:
            raise NoMore
        self.left.pop(0)
        return card

    def ask(self, question, seat, hand=None):
        given = self.next_move("answer")
        if (given["question"], given["seat"], given["hand"]) != (question, seat.number, hand):
            if self.void:
                raise NoMore
            raise Wrong(f"the rules ask seat {seat.number} for {question}; the record has another answer there")
        self.left.pop(0)
        return given

    def give(self, seat, hand):
        card = self.draw()
        hand.cards.append(card)
        seat.cards.append(card)

    def play_all(self):
        for seat in self.table:  # 17
            self.give(seat, seat.hands[0])
        self.bank.append(self.draw())
        for seat in self.table:
            self.give(seat, seat.hands[0])
        self.hole = self.next_move("card")
        self.left.pop(0)
        ace = self.bank[0][0] == "A"
        for seat in self.table:
            black_jack = seat.hands[0].black_jack
            if not ace:
                seat.gives_up = not black_jack and self.ask("give_up", seat)["yes"]
                continue
            seat.even_money = black_jack and self.ask("even_money", seat)["yes"]
            if not seat.even_money:
                seat.insurance = self.insured(seat, self.ask("insurance", seat)["amounts"])
        for seat in self.table:
            at = 0
            while at < len(seat.hands):
                self.play_hand(seat, at)
                at += 1
        waiting = any(self.in_play(seat, hand) for seat in self.table for hand in seat.hands)
        if waiting or any(any(seat.insurance) for seat in self.table):
            self.next_move("turn")
            if self.hole not in self.by_draw:
                raise NoMore
            self.left.pop(0)
            self.bank.append(self.by_draw[self.hole])
            self.turned = True
            while waiting and total(self.bank) < 17:  # 19
                self.bank.append(self.draw())

    def insured(self, seat, amounts):
        if len(amounts) != len(seat.stakes) or any(
            not 0 <= amount <= bet // 2 for amount, bet in zip(amounts, seat.stakes, strict=True)
        ):
            raise Wrong(f"seat {seat.number} insured what it may not (33)")
        return amounts

    def play_hand(self, seat, at):
        hand = seat.hands[at]
        if len(hand.cards) == 1:  # half of a pair gets its second card unasked (26)
            self.give(seat, hand)
        while True:
            split_ace_done = hand.split_ace and not hand.pair
            if seat.gives_up or hand.black_jack or hand.total >= 21 or hand.stood or hand.doubled or split_ace_done:
                return
            decision = self.ask("decision", seat, at + 1)["decision"]
            self.check(seat, hand, decision)
            if decision == "hit":
                self.give(seat, hand)
            elif decision == "stand":
                hand.stood = True
            else:
                backers = [who for who in range(1, len(hand.times)) if hand.times[who]]
                follow = dict.fromkeys(range(len(hand.times)), False) | {0: True}
                if backers:
                    follow |= dict(zip(backers, self.ask("follow", seat, at + 1)["who"], strict=True))
                if decision == "double":
                    hand.times = [on * 2 if follow[who] else on for who, on in enumerate(hand.times)]
                    hand.doubled = True
                    self.give(seat, hand)
                else:
                    first, second = hand.cards
                    others = [on if follow[who] else 0 for who, on in enumerate(hand.times)]
                    seat.hands[at : at + 1] = [Hand(hand.times, [first], True), Hand(others, [second], True)]
                    hand = seat.hands[at]
                    self.give(seat, hand)

    def check(self, seat, hand, decision):
        """18, 26, 27, 29, 31: what a hand may do."""
        more = hand.split and "double_after_split_three_cards" in (self.terms.get("rules") or ())
        low = sum(map(points, hand.cards))
        may = {
            "hit": not hand.split_ace,
            "stand": hand.total > 11,
            "double": not hand.split_ace and (len(hand.cards) == 2 or more) and low in (9, 10, 11),
            "split": hand.pair,
        }  # fmt: skip
        if not may.get(decision):
            raise Wrong(f"seat {seat.number} may not {decision} with {' '.join(hand.cards)}")

    def paid_at_once(self, hand):
        """A black-jack that the bank cannot equal (21)."""
        return hand.black_jack and bool(self.bank) and points(self.bank[0]) not in (1, 10)

    def in_play(self, seat, hand):
        return not (hand.total > 21 or seat.gives_up or seat.even_money or self.paid_at_once(hand))

    # the settlement

    def fate(self, seat, hand, bank_too):
        """Outcome, halves of the stake, odds and rule; None where the bank's cards decide and are not asked."""
        if seat.gives_up:
            return "lose", -1, None, "36"
        if seat.even_money:
            return "win", 2, "1:1", "34"
        if hand.total > 21:
            return "lose", -2, None, "22"
        if self.paid_at_once(hand):
            return "win", 3, "3:2", "21"
        if not bank_too:
            return None
        bank, bank_black_jack = total(self.bank), len(self.bank) == 2 and total(self.bank) == 21
        if hand.black_jack:
            return ("push", 0, None, "21") if bank_black_jack else ("win", 3, "3:2", "21")
        if bank_black_jack:
            return "lose", -2, None, "20" if hand.total == 21 else "23"
        if bank > 21 or hand.total > bank:
            return "win", 2, "1:1", "23"
        return ("push", 0, None, "24") if hand.total == bank else ("lose", -2, None, "23")

    def hand_lines(self, seat, who, whose, bank_too):
        for number, hand in enumerate(seat.hands, start=1):
            fate = self.fate(seat, hand, bank_too)
            if fate and hand.times[who]:
                outcome, halves, odds, rule = fate
                stake = seat.stakes[who] * hand.times[who]
                yield line("hand", stake, outcome, stake * halves // 2, rule, odds, hand=number, **whose)

    def special_lines(self, seat, who, whose):
        for number, hand in enumerate(seat.hands, start=1):
            if hand.special and hand.times[who]:
                yield won("special_prize", seat.stakes[who], 3, "35", hand=number, **whose)

    def each(self, lines_of):
        seats = {}
        for seat in self.table:
            every, own = [], 0
            for who, name in enumerate(seat.names):
                lines = list(lines_of(seat, who, {} if name is None else {"player": name}))
                every += lines
                own += 0 if who else sum(one["net"] for one in lines)
            seats[str(seat.number)] = {"net": own, "lines": every}
        return seats

    def dealer(self):
        known = total(self.bank) if self.turned else None
        black_jack = len(self.bank) == 2 and known == 21 if self.turned else None
        return {"cards": " ".join(self.bank), "total": known, "black_jack": black_jack}

    def settled(self, pot, meter):
        self.play(over=True)
        jackpot = self.jackpot(pot, meter) if pot is not None else None

        def lines_of(seat, who, whose):
            yield from self.hand_lines(seat, who, whose, True)
            if insured := seat.insurance[who]:
                bank = len(self.bank) >= 2 and total(self.bank[:2]) == 21
                yield won("insurance", insured, 2, "33", **whose) if bank else lost("insurance", insured, "33", **whose)
            yield from self.special_lines(seat, who, whose)
            if seat.chips[who]:
                yield self.chip_line(seat, who, whose, jackpot)

        answer = {"game": self.terms["game"], "outcome": "settled", "dealer": self.dealer()}
        return answer | {"seats": self.each(lines_of)} | ({"jackpot": jackpot} if jackpot else {})

    def chip_line(self, seat, who, whose, jackpot):
        chip = seat.chips[who]
        for award in jackpot["awards"]:
            if (award["seat"], award.get("player")) == (seat.number, seat.names[who]):
                return line("jackpot", chip, "win", award["amount"] - chip, award["article"], **whose)
        return lost("jackpot", chip, "43", **whose)

    def voided(self, pot, meter, before):
        self.play(over=False)
        dealt, article, jackpot = self.hole is not None, self.void["article"], None
        if pot is not None:
            jackpot = self.jackpot(pot, meter) if dealt else {"pot_before": pot, "pot_after": before, "awards": []}

        def lines_of(seat, who, whose):
            decided = {}
            if dealt:
                found = (*self.hand_lines(seat, who, whose, False), *self.special_lines(seat, who, whose))
                decided = {(one["wager"], one["hand"]): one for one in found}
            for number, hand in enumerate(seat.hands, start=1):
                if hand.times[who]:
                    stake = seat.stakes[who] * hand.times[who]
                    back = line("hand", stake, "void", 0, article, hand=number, **whose)
                    yield decided.pop(("hand", number), back)
            if seat.insurance[who]:
                yield line("insurance", seat.insurance[who], "void", 0, article, **whose)
            yield from decided.values()
            if seat.chips[who]:
                back = line("jackpot", seat.chips[who], "void", 0, article, carried=False, **whose)
                yield self.chip_line(seat, who, whose, jackpot) if dealt and jackpot else back

        answer = {
            "game": self.terms["game"],
            "outcome": "void",
            "dealer": self.dealer() | {"total": None, "black_jack": None},
        }
        return answer | {"seats": self.each(lines_of)} | ({"jackpot": jackpot} if jackpot else {})

    # the accumulated prize

    def aces(self, number):
        cards = next(seat.cards for seat in self.table if seat.number == number)
        return list(itertools.takewhile(lambda card: card[0] == "A", cards[:4]))

    def tier(self, number):
        """42, 43: the name, how many chips it pays (None: what is left of the pot), its rule, how many aces win it."""
        suits = [ace[1] for ace in self.aces(number)]
        if len(suits) == 4 and (set(suits) <= set("dh") or set(suits) <= set("cs")):
            return "four_aces_one_colour", None, "43 a)", 4
        if len(suits) >= 3:
            one_suit = len(set(suits[:3])) == 1
            return ("three_aces_one_suit", 2500, "43 b)", 3) if one_suit else ("three_aces", 250, "43 c)", 3)
        if len(suits) == 2:
            return ("two_aces_one_suit", 100, "43 d)", 2) if suits[0] == suits[1] else ("two_aces", 25, "43 e)", 2)
        return None

    def prize(self, number):
        return self.aces(number)[: self.tier(number)[3]]

    def jackpot(self, pot, meter):
        """50: smaller prizes first, the house paying what the pot cannot; what is left is divided."""
        chip = self.terms["chip"]
        winners = [(seat, who, self.tier(seat.number)) for seat in self.table if self.tier(seat.number)
                   for who in range(len(seat.chips)) if seat.chips[who]]  # fmt: skip
        left, awards = pot, []

        def award(seat, who, tier, amount, from_pot, article):
            name = seat.names[who]
            told = {"seat": seat.number, "tier": tier[0], "amount": amount, "from_pot": from_pot}
            told |= {"from_house": amount - from_pot, "article": article}
            awards.append(told if name is None else told | {"player": name})

        for seat, who, tier in sorted((one for one in winners if one[2][1]), key=lambda one: one[2][1]):
            amount = tier[1] * chip
            from_pot = min(amount, left)
            left -= from_pot
            award(seat, who, tier, amount, from_pot, tier[2])
        highest = [one for one in winners if one[2][1] is None]
        for at, (seat, who, tier) in enumerate(highest):
            amount = left // len(highest) + (left % len(highest) if at == 0 else 0)
            award(seat, who, tier, amount, amount, "43 a)" if len(highest) == 1 else "50 b)")
        left = 0 if highest else left
        return {"pot_before": pot, "pot_after": left or need(meter)["minimum"], "awards": awards}


GAMES = {
    "fortune-3-card-poker-2025": Poker,
    "fortune-3-card-poker-2008": Poker,
    "fortune-8": Fortune8,
    "blackjack-21": BlackJack,
    "taiwan-pai-kao": PaiKao,
}


# ---- the round played through, and every settlement of it computed again


class Played:
    """The round as its events tell it; each of its settlements is held against the rules."""

    def __init__(self, rows, earlier):
        begun = rows[0].event
        if begun["type"] != "round_begun":
            raise Wrong("the first event does not begin the round")
        if begun["terms"]["game"] not in GAMES:
            raise Wrong(f"there is no game {begun['terms']['game']!r}")
        self.begun, self.number = begun, begun["round"]
        self.round = GAMES[begun["terms"]["game"]](begun)
        self.meter = Meter()
        for row, _ in earlier:
            self.meter.hear(row.event)
        self.contributed = {}  # to the pot, by seat and player
        self.returned_e4 = 0  # since the round is void
        self.settlement = None  # the one that holds
        self.stood = None  # the jackpot of one that a void leaves as it was
        self.hits = []  # locked and not withdrawn
        self.due = []  # awards whose hits are to be locked next
        self.confirmed = False
        for row in rows:
            try:
                self.hear(row.event)
            except Wrong as wrong:
                raise Wrong(f"event {row.number}: {wrong}") from None
        if self.due:
            raise Wrong("an award of the settlement was never locked")

    def hear(self, event):
        kind = event["type"]
        if self.due and kind not in ("hit_locked",):
            raise Wrong("an award of the settlement was not locked")
        if self.confirmed and kind in CHANGES:
            raise Wrong(f"{kind} after the round was confirmed")
        self.round.hear(event)
        self.meter.hear(event)
        match kind:
            case "chip_contributed" | "contribution_returned":
                self.count_chip(event)
            case "settlement_withdrawn":
                self.stood, self.settlement = (self.settlement or {}).get("jackpot"), None
            case "round_settled" | "places_settled":
                self.settle(event["settlement"])
            case "hit_locked":
                self.lock(event)
            case "hit_withdrawn":
                self.withdraw(event)
            case "round_confirmed":
                self.confirmed = True

    def count_chip(self, event):
        whose = event["seat"], event.get("player")
        if event["type"] == "contribution_returned":
            parts = [event[f"from_{part}_e4"] for part in ("pot", "reserve", "overflow")]
            # One that was carried here brought it in an earlier round.
            if event["round"] == self.number and self.contributed.pop(whose, None) != parts:
                raise Wrong("a chip went back with what it had not brought")
            self.returned_e4 += event["from_pot_e4"] if self.round.void else 0
            return
        if event["round"] != self.number:
            raise Wrong("a chip of another round")
        parts = [event[f"to_{part}_e4"] for part in ("pot", "reserve", "overflow")]
        terms = self.meter.terms
        rate = None if terms is None else terms["increment_bp"] + terms["reserve_bp"]
        if rate is not None and sum(parts) != self.round.terms["chip"] * rate:
            raise Wrong(f"a chip of seat {event['seat']} brought {sum(parts)}, not {self.round.terms['chip'] * rate}")
        if whose in self.contributed:
            raise Wrong(f"a chip of seat {event['seat']} was counted twice")
        self.contributed[whose] = parts

    def settle(self, told):
        """A settlement of the record against the same by the rules."""
        if self.settlement is not None:
            raise Wrong("it is settled twice")
        round, pot = self.round, None
        if not round.void:
            check_cards(round.faces(), round.copies)
        if round.terms["chip"]:
            pot = told["jackpot"]["pot_before"]
            if type(pot) is not int or pot < 0:
                raise Wrong("the pot before the settlement is no amount")
        if round.void:
            expected = round.voided(pot, self.meter.terms, pot if pot is None else self.pot_given_back(told, pot))
            if self.stood and round.decided_chips:
                expected["jackpot"] = self.stood
        else:
            expected = round.settled(pot, self.meter.terms)
        if differs(expected, told):
            raise Wrong(f"the settlement is not what the rules say{first_difference(expected, told)}")
        self.settlement = told
        if not (round.void and self.stood and round.decided_chips):
            self.due = list(told.get("jackpot", {}).get("awards", []))

    def pot_given_back(self, told, pot):
        """The pot without the chips that went back: contributions have fractions, which no settlement tells."""
        lowest, highest = ((pot * E4 + more - self.returned_e4) // E4 for more in (0, E4 - 1))
        return told["jackpot"]["pot_after"] if lowest <= told["jackpot"]["pot_after"] <= highest else lowest

    def lock(self, event):
        if not self.due:
            raise Wrong("a hit was locked that no settlement awarded")
        award = self.due.pop(0)
        told = {name: event[name] for name in ("tier", "amount", "from_pot", "from_house", "article")}
        told |= {"seat": event["seat"]} | ({"player": event["player"]} if event.get("player") else {})
        if told != award or event["round"] != self.number:
            raise Wrong(f"the hit that was locked is not the one that was won{first_difference(award, told)}")
        if event.get("cards") and event["cards"] != self.round.prize(event["seat"]):
            raise Wrong("the cards of the hit are not those that won it")
        self.hits.append(event)

    def withdraw(self, event):
        hit = next((hit for hit in self.hits if hit["hit"] == event["hit"]), None)
        if hit is None or any(hit[name] != event[name] for name in ("amount", "from_pot", "from_house")):
            raise Wrong("a hit was withdrawn that was never locked")
        self.hits.remove(hit)


CHANGES = {
    "wager_placed", "betting_closed", "deal_announced", "decision_made", "cards_dealt", "cards_shown",
    "input_corrected", "settlement_withdrawn", "round_settled", "places_settled", "round_voided", "hit_locked",
    "hit_withdrawn", "answer_given", "bank_turned", "card_taken", "bank_taken", "dice_thrown", "round_confirmed",
    "chip_contributed", "contribution_returned",
}  # fmt: skip


def check_later(played, later):
    """What was paid later of the round is what was won."""
    hits = {hit["hit"]: hit for hit in played.hits}
    for row, _ in later:
        event = row.event
        if row.type == "hit_paid":
            hit = hits.get(event["hit"])
            if hit is None or event["amount"] != hit["amount"]:
                raise Wrong(f"event {row.number}: a hit was paid that was not won so")
        elif event.get("round", played.number) != played.number:
            raise Wrong(f"event {row.number} is of another round")


def differs(expected, told):
    """Whether two values differ; unlike `!=` it tells 1 from 1.0 and from true."""
    return expected != told or json.dumps(expected, sort_keys=True) != json.dumps(told, sort_keys=True)


def first_difference(expected, told, path=""):
    """Where two values differ first, in words."""
    if isinstance(expected, dict) and isinstance(told, dict):
        for key in [*expected, *(key for key in told if key not in expected)]:
            if key not in told or key not in expected or expected[key] != told[key]:
                there = f"{path}.{key}" if path else str(key)
                return first_difference(expected.get(key, "nothing"), told.get(key, "nothing"), there)
    if isinstance(expected, list) and isinstance(told, list) and len(expected) == len(told):
        for at, (one, other) in enumerate(zip(expected, told, strict=True)):
            if one != other:
                return first_difference(one, other, f"{path}[{at}]")
    return f": {path} is {json.dumps(told, ensure_ascii=False)}, not {json.dumps(expected, ensure_ascii=False)}"


# ---- the report


def verify(bundle, keys=(), witnesses=()):
    """What is found in a bundle, as the values of `--json`. Raises NoBundle."""
    found = {"verdict": "agrees", "wrong": [], "proof": "none", "signed": [], "lines": []}
    try:
        rows, elsewhere = read_rows(bundle)
        own = round_rows(rows)
        found |= {name: bundle[name] for name in ("site", "table", "game", "mode", "currency", "exponent", "journal")}
        found |= {"round": bundle["round"], "events": [rows[0].number, rows[-1].number]}
    except MALFORMED as error:
        raise NoBundle(f"the bundle is not of its form: {type(error).__name__}: {error}") from None
    played = values = None
    found["cards"] = "sealed" if any(row.sealed is not None for row in own) else "none"

    def check(what, *values):
        try:
            return what(*values)
        except Wrong as wrong:
            found["wrong"].append(str(wrong))
        except MALFORMED as error:
            found["wrong"].append(f"the record cannot be followed: {type(error).__name__}: {error}")
        return None

    check(check_chain, bundle, rows, elsewhere)
    proof = check(check_proofs, bundle, rows, elsewhere, keys, witnesses) or ("not good", [])
    found["proof"], found["signed"] = proof
    found["not_covered"] = not_covered(bundle, rows, [row for row, _ in elsewhere["later"]], found["signed"])
    values = check(read_sealed, bundle, own, elsewhere["later"])
    found["wires"] = check(read_wires, bundle) or "not good"
    played = check(Played, own, elsewhere["earlier"])
    if played is not None:
        if (played.number, played.begun["terms"]["game"]) != (bundle["round"], bundle["game"]):
            found["wrong"].append("the events are of another round or game than the bundle says")
        check(check_contents, bundle, rows, elsewhere, played.settlement)
        check(check_later, played, elsewhere["later"])
        if values is not None and (unshown := check(unshown_cards, values, own, played.round)) is not None:
            found |= {"cards": "opened", "unshown": unshown}
        found["outcome"] = (played.settlement or {}).get("outcome")
        found["lines"] = list(told_lines(played.settlement or {}))
        ended = played.confirmed and played.settlement is not None
        found["ended"] = ended
        if not found["wrong"] and not ended:
            found["verdict"] = "not ended"
    if found["wrong"]:
        found["verdict"] = "does not agree"
    return found


def told_lines(settlement):
    """Every line of a settlement with its seat."""
    for seat, answer in settlement.get("seats", {}).items():
        for one in answer.get("lines", []):
            yield {"seat": int(seat), **one}
    banker = settlement.get("banker", {})
    for one in banker.get("joiners", []):
        yield {"seat": banker["place"], **one}


def in_words(found):
    """The report of a person."""
    yield f"{found['site']}, table {found['table']}: {found['game']}, round {found['round']}"
    yield f"journal {found['journal']}, events {found['events'][0]} to {found['events'][1]}, {found['mode']}"
    money = f"{found['currency']} with {found['exponent']} decimals"
    if found["lines"]:
        yield f"outcome: {found['outcome']}; amounts in {money}"
        yield f"{'seat':>4}  {'wager':<16}{'player':<14}{'stake':>14}{'net':>14}  {'outcome':<8}{'odds':<7}article"
    for one in found["lines"]:
        name = one["wager"] + (f" {one['hand']}" if "hand" in one else "")
        stake, net = (decimal(one[key], found["exponent"]) for key in ("stake", "net"))
        yield (
            f"{one['seat']:>4}  {name:<16}{one.get('player', ''):<14}{stake:>14}{net:>14}  "
            f"{one['outcome']:<8}{one.get('odds') or '-':<7}{one['article']}"
        )
    if found["cards"] == "sealed":
        yield "cards that no rule has shown: sealed"
    if found["cards"] == "opened":
        told = [f"{one['card'] or 'unread'} (card {one['draw']}, {one['to']})" for one in found["unshown"]]
        yield f"cards that no rule has shown, opened with the released key: {', '.join(told) or 'none'}"
    yield f"what the wires said: {found['wires']}"
    signed = "; ".join(found["signed"]) or "no signature was verified"
    yield f"proof: {found['proof']}; {signed}"
    for part, why in found["not_covered"].items():
        yield f"not covered: {part}: {why}"
    for wrong in found["wrong"]:
        yield f"WRONG: {wrong}"
    if found["verdict"] == "agrees":
        yield f"AGREES{' AND PROVED' if found['signed'] else ', SIGNED BY NO ONE'}: {AGREED}"
    elif found["verdict"] == "not ended":
        yield "NOT ENDED: what is there agrees, and the round was not settled and confirmed yet"
    else:
        yield "DOES NOT AGREE"


AGREED = "the hashes follow from the events, and the round was settled by the rules"


def printable(text):
    """The text with everything escaped that can move a cursor, end a line or change what a reader sees."""
    return "".join(one if one.isprintable() and one != "\\" else one.encode("unicode_escape").decode() for one in text)


def decimal(amount, exponent):
    whole, rest = divmod(abs(amount), 10**exponent)
    return f"{'-' if amount < 0 else ''}{whole}" + (f".{rest:0{exponent}}" if exponent else "")


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bundle", metavar="BUNDLE", type=Path, help="the file that dealer-station dispute wrote")
    parser.add_argument("--json", action="store_true", help="a JSON object")
    parser.add_argument("--key", action="append", default=[], metavar="KEY", help="of the table, as NAME+ID+KEY")
    parser.add_argument("--witness", action="append", default=[], metavar="KEY", help="of a witness, as NAME+ID+KEY")
    options = parser.parse_args(arguments)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # for a terminal without the letters of a name or article
    try:
        bundle = read_json(options.bundle.read_text(encoding="utf-8"), str(options.bundle))
        found = verify(bundle, options.key, options.witness)
    except (OSError, UnicodeDecodeError, NoBundle) as error:
        print(printable(f"{options.bundle}: {error}"), file=sys.stderr)
        return NO_BUNDLE
    if options.json:
        print(json.dumps(found, indent=1).replace("\x7f", "\\u007f"))
    else:
        print("\n".join(map(printable, in_words(found))))
    if found["verdict"] == "agrees":
        return AGREES if found["signed"] else UNSIGNED
    return NOT_ENDED if found["verdict"] == "not ended" else DISAGREES


if __name__ == "__main__":
    sys.exit(main())
