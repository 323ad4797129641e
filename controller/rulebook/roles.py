"""The persons of a table and their roles. No I/O here."""

from typing import Final, Literal

Role = Literal["dealer", "supervisor", "inspector", "technician"]
People = dict[str, Role]
"""The persons of the configuration, each with a role."""
DEALER: Final = "dealer"
SUPERVISOR: Final = "supervisor"
TECHNICIAN: Final = "technician"
INSPECTOR: Final = "inspector"  # of the table, the "fiscal de banca" (black-jack 8)
AT_THE_TABLE: tuple[Role, ...] = (DEALER, SUPERVISOR)
