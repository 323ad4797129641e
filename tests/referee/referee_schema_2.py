"""A `rounds` message in the keys of a settlement, which the referee compares. No I/O here.

Nothing may get lost on the way.
"""

from typing import Any

from referee_message import Message

BLACKJACK, FORTUNE_8, PAI_KAO = "blackjack-21", "fortune-8", "taiwan-pai-kao"
SAME = ("mode", "round", "currency", "exponent", "irregularities", "source", "game", "outcome")
BANK = ("hand", "qualifies", "total", "black_jack")

NOT_TOLD = "not told"  # a message names the pairs of settled rounds alone


def in_keys_of_1(told: Message) -> Message:
    """The message in these keys; any other is left as it is."""
    if "sequence" not in told:
        return told
    game = told["game"]
    void = told["void"]
    message: Message = {
        "schema": 1,
        **{key: told[key] for key in SAME},
        "void": None if void is None else {key: void[key] for key in ("article", "reason")},
        **({"rules": told["rules"]} if told["rules"] else {}),
        "corrections": told["corrections"],
        "seats": {str(one["seat"]): _seat(one, game) for one in told["seats"]},
    }
    at = {(one["to"], one.get("hand")): " ".join(one["cards"]) for one in told["cards"]}
    if "jackpot" in told:
        awards = [_without_nobody({**one, "seat": str(one["seat"])}) for one in told["jackpot"]["awards"]]
        message["jackpot"] = {**told["jackpot"], "awards": awards}
    if game in (BLACKJACK, FORTUNE_8):
        message["decks"] = told["decks"]
    if game in (FORTUNE_8, PAI_KAO):
        message["deal"] = told["deal"]
    if game == BLACKJACK:
        return message | _blackjack(told, at)
    if game == FORTUNE_8:
        if told["added_bets"]:
            message["added_bets"] = [
                {**bet, "pays": [{**pays, "cards": " ".join(pays["cards"])} for pays in bet["pays"]]}
                for bet in told["added_bets"]
            ]
        return message | {"wagers": _boxes(told), "cards": {_seat_of(to): cards for (to, _), cards in at.items()}}
    return message | (_pai_kao(told, at) if game == PAI_KAO else _poker(told, at, message["seats"]))


def _poker(told: Message, at: dict[Any, str], seats: dict[str, Any]) -> Message:
    wagers: dict[str, dict[str, int]] = {}
    for laid in told["wagers"]:
        wagers.setdefault(str(laid["seat"]), {})[laid["wager"]] = laid["amount"]
    decisions = {str(one["seat"]): one["decision"] for one in told["decisions"]}
    for seat, one in seats.items():
        one["decision"] = decisions.get(seat)
        if (f"seat {seat}", None) in at:
            one["cards"] = at[f"seat {seat}", None]
    dealer = {key: told["bank"][key] for key in BANK if key in told["bank"]}
    community = {"community": at.get(("community", None))} if told["game"].endswith("2025") else {}
    return {"wagers": wagers, "dealer": {**dealer, "cards": at.get(("bank", None))}, **community}


def _blackjack(told: Message, at: dict[Any, str]) -> Message:
    wagers: dict[str, Any] = {}
    for laid in told["wagers"]:
        here = wagers.setdefault(str(laid["seat"]), {})
        if laid["wager"] == "backing":
            here.setdefault("backers", []).append({"player": laid["player"], "bet": laid["amount"]})
        elif laid["wager"] == "jackpot" and "backers" in here and here["backers"][-1]["player"] == laid["player"]:
            here["backers"][-1]["jackpot"] = laid["amount"]
        else:
            here[laid["wager"]] = laid["amount"]
            if laid["player"] is not None:
                here["player"] = laid["player"]
    cards: dict[str, Any] = {}
    for (to, _), lying in at.items():
        if to == "bank":
            cards["bank"] = lying
        else:
            cards.setdefault(_seat_of(to), []).append(lying)
    answers = [{"seat": one["seat"], "hand": one["hand"], "answer": one["decision"]} for one in told["decisions"]]
    # The bank's cards stand among the cards alone.
    dealer = {key: told["bank"][key] for key in BANK if key in told["bank"]} if told["bank"] else {}
    if "total" in dealer:
        dealer = {"cards": at.get(("bank", None), ""), **dealer}
    return {"wagers": wagers, "cards": cards, "answers": answers, **({"dealer": dealer} if told["bank"] else {})}


def _boxes(told: Message) -> dict[str, dict[str, list[Message]]]:
    wagers: dict[str, dict[str, list[Message]]] = {}
    for laid in told["wagers"]:
        bet = {"player": laid["player"], "amount": laid["amount"]}
        wagers.setdefault(str(laid["seat"]), {}).setdefault(laid["wager"], []).append(bet)
    return wagers


def _pai_kao(told: Message, at: dict[Any, str]) -> Message:
    tiles, bank = told["tiles"], told["bank"]
    message = {key: tiles[key] for key in ("places", "form", "dice", "null_dice", "moved") if key in tiles}
    message["holders"] = {str(one["seat"]): one["player"] for one in tiles["holders"]}
    message["wagers"] = {seat: boxes["place"] for seat, boxes in _boxes(told).items()}
    message["tiles"] = {_seat_of(to): lying for (to, _), lying in at.items()}
    message["titles"] = {
        str(one["seat"]): {pair: one[pair]["title"] for pair in ("front", "rear")}
        for one in told["seats"]
        if "front" in one
    }
    if told["outcome"] == "void" and message["tiles"]:
        message["titles"] = NOT_TOLD
    message |= {key: told[key] for key in ("first_place", "order") if key in told}
    message["bank"] = None
    if bank is not None:
        casino = bank["casino"]
        share = casino["share"] if casino else 0
        message["bank"] = {
            "place": bank["seat"], "capital": bank["capital"], "casino": share, "rounds": bank["rounds"]
        }  # fmt: skip
        banker = {"place": bank["seat"], "net": bank["net"], "limited": bank["limited"]}
        if casino:
            banker["casino"] = casino
        if bank["joiners"]:
            banker["joiners"] = [_line(one, PAI_KAO) for one in bank["joiners"]]
        message["banker"] = banker
        for one in told["seats"]:
            if one["seat"] == bank["seat"] and one["net"] != bank["net"]:
                raise ValueError(f"the banker's net is {bank['net']}, his place's {one['net']}")
    return message


def _seat(told: Message, game: str) -> Message:
    seat: Message = {key: told[key] for key in ("hand", "outcome", "rearranged") if key in told}
    for pair in ("front", "rear"):
        if pair in told:
            seat[pair] = {
                "tiles": " ".join(told[pair]["cards"]), "name": told[pair]["name"], "rank": told[pair]["rank"]
            }  # fmt: skip
    if "front" in told and "outcome" not in told:
        return seat  # the banker's
    return {**seat, "net": told["net"], "lines": [_line(one, game) for one in told["lines"]]}


def _line(told: Message, game: str) -> Message:
    gone = {"odds"} if game == PAI_KAO else {"commission"}
    return _without_nobody({key: value for key, value in told.items() if key not in gone})


def _without_nobody(told: Message) -> Message:
    return {key: value for key, value in told.items() if key != "player" or value is not None}


def _seat_of(place: str) -> str:
    return place.removeprefix("seat ")
