"""Which game the robot dealer plays at a table, chosen here and nowhere else."""

from simulators import station_toml
from simulators.dealer.blackjack_21.game import Blackjack21
from simulators.dealer.fortune_3_card_poker.game import Fortune3Of2008, Fortune3Of2025
from simulators.dealer.fortune_8.dealing import EVERY_SPACE
from simulators.dealer.fortune_8.game import Fortune8
from simulators.dealer.game import Game
from simulators.dealer.lock_in import LockIn
from simulators.dealer.memory import AnyWorkplace
from simulators.dealer.taiwan_pai_kao.game import TaiwanPaiKao
from simulators.devices.dispenser import Dispenser
from simulators.devices.lidded_dispenser import LiddedDispenser
from simulators.devices.shuffler import Shuffler
from simulators.felt.blackjack_table import BlackjackTable
from simulators.felt.gamblers import Gamblers
from simulators.felt.players import Bettors
from simulators.felt.punters import Punters
from simulators.felt.tile_table import TileTable
from simulators.station_toml import MIXED, Setting


def game_of(
    setting: Setting | None,
    workplace: AnyWorkplace,
    machine: Shuffler | Dispenser | None,
    lock_in: LockIn | None,
    seed: int | str,
    chip_rate: float = 0.0,
    places: str = MIXED,
) -> Game:
    """The game of this table, 2025's Fortune 3 where no setting is given. Raises ValueError for a table without it."""
    game = setting.game if setting else station_toml.FORTUNE_3_2025
    match game, machine, lock_in:
        case station_toml.BLACKJACK_21, LiddedDispenser(), _ if setting and isinstance(workplace.table, BlackjackTable):
            jackpot = "jackpot" in setting.additional
            punters = Punters(seed, setting.seats, setting.minimum, setting.maximum, jackpot, chip_rate)
            increment = setting.chip * setting.increment_bp // 10_000
            return Blackjack21(workplace, machine, workplace.table, punters, lock_in, increment)
        case station_toml.FORTUNE_3_2025, Shuffler(), LockIn():
            return Fortune3Of2025(workplace, machine, lock_in)
        case station_toml.FORTUNE_3_2008, Shuffler(), None:
            return Fortune3Of2008(workplace, machine)
        case station_toml.FORTUNE_8, Dispenser(), None:
            added = setting.added if setting else ()
            bettors = Bettors(seed, len(workplace.table.seats), workplace.players.amounts, added)
            return Fortune8(workplace, machine, bettors, setting.deal if setting else EVERY_SPACE)
        case station_toml.TAIWAN_PAI_KAO, None, None if setting and isinstance(workplace.table, TileTable):
            felt = workplace.table
            gamblers = Gamblers(seed, workplace.players.names, setting.minimum, setting.maximum)
            wished = places if setting.seats == 8 else "4"
            return TaiwanPaiKao(workplace, felt, gamblers, setting.shoe, wished)
        case _:
            raise ValueError(f"the robot dealer cannot play {game} with a {type(machine).__name__} at this table")
