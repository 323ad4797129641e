"""The table's settings in the configuration, as the engine takes them."""

from controller.config.file import Config
from controller.engine.state.current import Settings
from controller.rulebook.events import CardSource, Terms
from controller.rulebook.games import GAMES


def engine_settings(config: Config) -> Settings:
    """Everything by which the engine decides."""
    game = GAMES[config.game]
    terms = Terms(
        game=config.game,
        seat_count=config.seats,
        source=config.card_source,
        minimum=config.minimum,
        maximum=config.maximum,
        additional=config.additional,
        decks=config.decks,
        shared=game.betting.shared,
        manual=config.jackpot is not None and config.jackpot.manual,
        deal=config.deal,
        rules=config.rules,
        reader=config.shoe is not None or game.source.needs_device("shoe"),
        packet_sizes=config.shuffler.packet_sizes if config.shuffler is not None else (),
        chip=config.jackpot.parameters.chip if config.jackpot is not None else 0,
        house=config.house,
        time_zone=config.time_zone,
    )
    devices: dict[CardSource, object] = {"shuffler": config.shuffler, "shoe": config.shoe}
    sources = tuple(source for source, device in devices.items() if device is not None)
    return Settings(terms=terms, people=config.people, sources=sources, exponent=config.exponent, chips=config.chips)
