"""What every `rounds` message is held to, whatever the game; every difference a sentence. No I/O here."""

from typing import Any

Message = dict[str, Any]


def strictly_equal(one: Any, other: Any) -> bool:
    """Equal, and of the same type all through: neither True nor 1.0 is an amount."""
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(strictly_equal(one[key], other[key]) for key in one)
    if isinstance(one, list):
        return len(one) == len(other) and all(strictly_equal(a, b) for a, b in zip(one, other, strict=True))
    return bool(one == other)


def part(message: object, key: str) -> Message:
    """A part of a message that should be an object; an empty one where it is not."""
    found = message.get(key) if isinstance(message, dict) else None
    return found if isinstance(found, dict) else {}


def parts(message: object, key: str) -> list[Message]:
    """A part of a message that should be a list of objects; what is no object is left out."""
    found = message.get(key) if isinstance(message, dict) else None
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


class Difference:
    """The differences of one message."""

    def __init__(self, number: int, message: Message) -> None:
        self.number = number
        self.message = message
        self.differences: list[str] = []

    def say(self, where: str, expected: object, got: object) -> None:
        """Note a difference."""
        place = f"round {self.number}, {where}" if where else f"round {self.number}"
        self.differences.append(f"{place}: expected {expected!r}, got {got!r}")

    def same(self, where: str, expected: object, got: object) -> None:
        """Note a difference if there is one."""
        if not strictly_equal(expected, got):
            self.say(where, expected, got)

    def table(self, station: dict[str, Any], source: str) -> None:
        """What every message of every game has, void or not."""
        self.same("schema", 1, self.message.get("schema"))
        self.same("source", source, self.message.get("source"))
        for key in ("game", "currency", "exponent"):
            self.same(key, station["table"][key], self.message.get(key))
        self.same("rules", [key for key, on in station.get("rules", {}).items() if on], self.message.get("rules", []))

    def void_reason(self) -> None:
        """Somebody says in words why the round is void."""
        reason = part(self.message, "void").get("reason")
        if not isinstance(reason, str) or not reason.strip():
            self.say("void, reason", "a reason", reason)

    def entries(self, key: str) -> list[Message]:
        """What a list of the message holds; says so if it is none."""
        listed, entries = self.message.get(key), parts(self.message, key)
        if not isinstance(listed, list) or len(entries) != len(listed):
            self.say(key, "a list", listed)
        return entries
