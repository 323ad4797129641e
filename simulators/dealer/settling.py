"""Paying and collecting by what the station's settlement says, with real chips."""

from typing import Any

from simulators.felt.table import Table

NO_STAKE_OF_ITS_OWN = {"ante_bonus"}  # reckoned on the ante, which is settled in its own line
JACKPOT = "jackpot"  # its chip is swept at lock-in, its award handed over when two people have confirmed it


def settle_line(table: Table, seat: int, line: dict[str, Any]) -> None:
    """Pay or collect one line of the settlement of a seat."""
    wager, outcome, net = line["wager"], line["outcome"], int(line["net"])
    if wager == JACKPOT:
        return
    if wager not in NO_STAKE_OF_ITS_OWN:
        if outcome == "lose":
            table.collect(seat, wager)
        else:
            table.hand_back(seat, wager)
    if outcome == "win":
        table.pay(seat, wager, net)
