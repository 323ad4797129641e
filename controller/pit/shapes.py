"""The tables that the archive exports: their columns, with types and units."""

from msgspec import Struct

TEXT, WHOLE, SMALL, TIME = "VARCHAR", "BIGINT", "INTEGER", "TIMESTAMP WITH TIME ZONE"
MEAN, SECONDS = "DECIMAL(10,2)", "DOUBLE"
MINOR, E4 = "minor units of `currency`", "1/10 000 of a minor unit"


class Column(Struct, frozen=True):
    """A column: its type in Parquet, and its unit if it has one. `source` is the SQL expression from which it is
    read.
    """

    name: str
    type: str
    unit: str = ""
    source: str = ""

    @property
    def sql(self) -> str:
        """The SQL that reads a value exactly or raises an error."""
        return f'{self.source or self.name}{"::bigint" if self.type == WHOLE else ""} AS "{self.name}"'


class Shape(Struct, frozen=True):
    """The columns of an exported table, and the one of its time."""

    by: str
    columns: tuple[Column, ...]


def _columns(*given: str | Column) -> tuple[Column, ...]:
    """Columns from texts: `name`, `name:TYPE` or a Column; a name without a type is text."""
    types = {"whole": WHOLE, "small": SMALL, "time": TIME}
    found = []
    for column in given:
        if isinstance(column, str):
            name, _, kind = column.partition(":")
            column = Column(name, types.get(kind, TEXT))
        found.append(column)
    return tuple(found)


def _money(*names: str) -> tuple[Column, ...]:
    return tuple(Column(name, WHOLE, MINOR) for name in names)


def _units(*names: str) -> tuple[Column, ...]:
    return tuple(Column(name, WHOLE, E4) for name in names)


_TABLE = "site", Column("table", TEXT, source='"table"'), "journal"
_CURRENCY = "currency", Column("exponent", SMALL, "decimals of `currency`")
_GAME = "game", "mode", *_CURRENCY

SHAPES = {
    "rounds": Shape("confirmed", _columns(
        *_TABLE, "sequence:whole", "round:whole", "confirmed:time", "received:time", "began:time", *_GAME, "outcome",
        "confirmed_by", "void_article", "void_reason", Column("occupied", WHOLE, "seats"),
        *_money("handle", "win", "pot"),
    )),
    "lines": Shape("confirmed", _columns(
        *_TABLE, "sequence:whole", "round:whole", "confirmed:time", "received:time", *_GAME, "seat:small", "wager",
        "player", "outcome", "odds", *_money("stake", "net", "commission"), "article",
    )),
    "hits": Shape("locked", _columns(
        *_TABLE, "round:whole", "locked:time", "received:time", "hit:whole", "seat:small", "tier", *_money("amount"),
        *_CURRENCY, "article", "paid:time", "slip:whole", Column("confirmed_by", TEXT, "JSON"), "withdrawn:time",
    )),
    "adjustments": Shape("time", _columns(
        *_TABLE, "sequence:whole", "time:time", "received:time", "what", "round:whole", "seat:small", "part",
        *_money("amount"), *_CURRENCY, "actor", "second", "reason",
    )),
    "alarms": Shape("time", _columns(
        *_TABLE, "sequence:whole", "time:time", "received:time", "what", "alarm", "actor", "text",
    )),
    "persons": Shape("time", _columns(
        *_TABLE, "sequence:whole", "time:time", "received:time", "what", "name", "role", "screen",
    )),
    "table_hours": Shape("hour", _columns(
        *_TABLE[:2], "hour:time", *_GAME, "rounds:whole", "voids:whole", Column("occupied", MEAN, "seats of a round"),
        *_money("handle", "win"), Column("median_seconds", SECONDS, "seconds"),
    )),
    "meter_hours": Shape("hour", _columns(
        *_TABLE, "link", "hour:time", *_CURRENCY, "through:whole", Column("chips", WHOLE, "chips"),
        *_units("initial_e4", "contributions_e4", "returned_e4", "house_funded_e4", "paid_e4", "adjustments_e4",
                "pot_e4", "reserve_e4", "overflow_e4", "pending_e4"),
    )),
}  # fmt: skip
