"""What the authority has authorised, in the configuration file: its reference and its date."""

from controller.config.section import Section
from controller.rulebook.game import Game
from controller.rulebook.house import Authorisation


def read_authorisation(holder: Section, of: str) -> tuple[Authorisation, ...]:
    """The authorisation inside a section; none where the file has none."""
    if (section := holder.optional("authorisation")) is None:
        return ()
    authorised = Authorisation(subject=of, reference=section.line("reference"), date=section.date("date"))
    section.end()
    return (authorised,)


def read_of_table(top: Section, table: Section, game: Game, mode: str) -> tuple[Authorisation, ...]:
    """The authorisation of the table. Without one, a live table may not play a regulation that is not in force."""
    authorised = read_authorisation(table, "table")
    ended = game.legal_status.state != "in_force" and table.peek("game") == game.id
    if mode == "live" and ended and "authorisation" not in table:
        expected = f"a regulation in force, or [table.authorisation] with reference and date: {game.legal_status}"
        top.report("mode", mode, expected)
    return authorised
