"""The table as a person at a seat sees it: what the station shows everybody, and his own cards. No I/O here."""

from typing import Any

from simulators.dealer.http_face import Projection
from simulators.dealer.settling import NO_SETTLEMENT, seat_settled
from simulators.felt.guest import Guest
from simulators.felt.table import BANK, COMMUNITY, Felt, felt_place, seat_place
from simulators.felt.tile_table import PLACE, TileTable

CAPITAL, BEHIND_HIM = "5.º c)", "5.º e)"  # Portaria 15/90/M: how much the bank wins and loses, and who shares in it
Shown = dict[str, Any]


def has_bets(view: Projection) -> bool:
    """Whether bets of a round are on the felt; before that the last round is still shown."""
    round = view.get("round") or {}
    return bool(round.get("bets") or round.get("wagers"))


def bank_seen(view: Projection, felt: Felt[Any]) -> Shown:
    """The bank's cards, those of the community, and what the bank has."""
    round = view.get("round") or {}
    open_cards = _shown(round, BANK) or str((round.get("bank") or {}).get("cards", "")).split()
    bank = _settled(round).get("bank") or {}
    return {
        "cards": open_cards,
        "down": max(0, felt.deck.count(BANK) - len(open_cards)),
        "community": _shown(round, COMMUNITY),
        "community_down": max(0, felt.deck.count(COMMUNITY) - len(_shown(round, COMMUNITY))),
        "hand": bank.get("hand_name"),
        "qualifies": bank.get("qualifies"),
        "total": (round.get("bank") or {}).get("total"),
        "dice": list(round.get("dice") or ()),
        "banker": round.get("banker"),
    }


def seats_seen(view: Projection, felt: Felt[Any], guest: Guest, face_down: bool) -> list[Shown]:
    """Every seat: its player, bets, cards, and result; the guest sees his own cards that are `face_down`."""
    round = view.get("round") or {}
    return [_seat(view, round, felt, guest, face_down, seat) for seat in felt.seats]


def _seat(view: Projection, round: Projection, felt: Felt[Any], guest: Guest, face_down: bool, seat: int) -> Shown:
    place, mine = seat_place(seat), seat == guest.seat
    open_cards = _shown(round, place)
    settled = seat_settled(_settled(round), seat)
    hands = (round.get("hands") or {}).get(str(seat)) or []
    down = 0 if hands else max(0, felt.deck.count(place) - len(open_cards))
    looks = mine and down and face_down and view["step"]["kind"] != "deal" and _holds(felt, guest)
    step = view["step"]
    return {
        "seat": seat,
        "player": felt.seats[seat].player,
        "mine": mine,
        "wagers": _wagers(round, seat),
        "chip": seat in (round.get("chips") or ()) or str(seat) in view.get("slots", {}),
        "cards": open_cards,
        "down": down,
        "own": [str(card) for card in felt.deck.at(place)] if looks else [],
        "hands": hands,
        "pairs": (round.get("pairs") or {}).get(place),
        "says": (round.get("decisions") or {}).get(str(seat)),
        "hand": settled.get("hand_name"),
        "net": settled.get("net"),
        "due": step.get("seat") == seat or place in step.get("to", ()) or seat in step.get("waiting", ()),
    }


def own_result(view: Projection, guest: Guest) -> Shown | None:
    """The guest's result of the present round, line by line; None before it is settled."""
    round = view.get("round") or {}
    settlement, void = round.get("settlement"), round.get("void")
    if settlement is None and void is None:
        return None
    settlement = settlement or NO_SETTLEMENT
    lines = [
        line
        for line in seat_settled(settlement, guest.seat).get("lines", ())
        if line.get("player") in (None, guest.name)
    ]
    bank = settlement["bank"] or {}
    if settlement["outcome"] == "settled" and bank.get("seat") == guest.seat:
        net = int(bank["net"])
        outcome = "win" if net > 0 else "lose" if net < 0 else "push"
        article = BEHIND_HIM if bank["casino"] or bank["joiners"] else CAPITAL
        stake = round["banker"]["capital"]
        lines.append(
            {"wager": "capital", "stake": stake, "outcome": outcome, "odds": None, "net": net, "article": article}
        )
    return {
        "round": round["id"],
        "lines": [{**line, "limited": line["wager"] == "place" and line.get("article") == CAPITAL} for line in lines],
        "net": sum(int(line["net"]) for line in lines),
        "void": void and void.get("article"),
    }


def _holds(felt: Felt[Any], guest: Guest) -> bool:
    """Whether he may look at the tiles of his place; at cards he always may."""
    if not isinstance(felt, TileTable):
        return True
    return felt.banker == guest.seat or felt.chips.balance(felt_place(guest.seat, PLACE, guest.name)) > 0


def _settled(round: Projection) -> Shown:
    return round.get("settlement") or NO_SETTLEMENT


def _shown(round: Projection, place: str) -> list[str]:
    return str((round.get("shown") or {}).get(place, "")).split()


def _wagers(round: Projection, seat: int) -> list[Shown]:
    bets = [bet for bet in round.get("bets") or () if bet["seat"] == seat and bet["amount"]]
    if (round.get("banker") or {}).get("place") == seat:
        bets = [{**bet, "wager": "bank"} for bet in bets]
    if not bets:
        wagers = (round.get("wagers") or {}).get(str(seat), {})
        bets = [{"wager": wager, "player": None, "amount": amount} for wager, amount in wagers.items()]
    if (round.get("decisions") or {}).get(str(seat)) == "play":
        bets += [{**bet, "wager": "play"} for bet in bets if bet["wager"] == "ante"]
    return [{key: bet[key] for key in ("wager", "player", "amount")} for bet in bets]
