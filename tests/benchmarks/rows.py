"""The lines of the documentation's table, and of what a measure prints."""

from collections.abc import Sequence
from typing import NamedTuple

from controller.commands.bench_table import Figures


class Row(NamedTuple):
    """What was measured, what it came to, and what something without our work came to in the same run."""

    what: str
    value: str
    reference: str = ""


def print_rows(rows: Sequence[Row]) -> None:
    """What was found, a line for each."""
    for row in rows:
        print(f"{row.what:<52} {row.value:>20}" + f"    {row.reference}" * bool(row.reference))


def in_markdown(rows: Sequence[Row]) -> str:
    """The table of the documentation."""
    lines = [Row("Measured", "Here", "Beside it, in the same run"), Row("---", "---", "---"), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def latency_rows(figures: Figures) -> list[Row]:
    """The lines of `dealer-station bench latency` in a table."""
    bare = figures["bare_bridge_acknowledged"]
    return [
        *(
            Row(f"a card to durable in the journal, {share}", f"{figures['station_durable'][f'{share}_ms']:.2f} ms")
            for share in ("p50", "p99")
        ),
        *(
            Row(
                f"a card to PUBACK of its message, {share}",
                f"{figures['station_acknowledged'][f'{share}_ms']:.2f} ms",
                f"{bare[f'{share}_ms']:.2f} ms bare bridge",
            )
            for share in ("p50", "p99")
        ),
    ]
