"""Months of receipt, in UTC: each has partitions of its own."""

from datetime import date


def month_of(day: date, later: int = 0) -> date:
    """The first day of a day's month, or of a month some months later (negative: earlier)."""
    months = day.year * 12 + day.month - 1 + later
    return date(months // 12, months % 12 + 1, 1)


def partition(table: str, month: date) -> str:
    """The name of a table's partition."""
    return f"{table}_{month.year:04}_{month.month:02}"


def month_of_partition(name: str) -> date:
    """The month of a partition by its name. Raises ValueError."""
    year, month = name.split("_")[-2:]
    return date(int(year), int(month), 1)
