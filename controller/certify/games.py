"""Which wagers of which game are certified, by name, and the jobs that do it."""

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from controller.certify.accumulated_prize import tiers_of_the_prize
from controller.certify.blackjack.main_game import ROUNDS, certify_main_game, infinite_deck
from controller.certify.blackjack.variation import Variation
from controller.certify.combinations import CombinationCount, certify_six_card_bonus, count_combinations
from controller.certify.fortune_3 import certify_ante, certify_pair_plus
from controller.certify.fortune_8 import certify_boxes, certify_new_bet
from controller.certify.insurance import certify_every_insurance
from controller.certify.jackpot_2025 import tiers_2025
from controller.certify.pai_kao import Deals, certify_place
from controller.certify.pot import PotTerms, certify_pot
from controller.certify.pot_play import HitPlayed, certify_played, play_hits, play_pot
from controller.certify.reading import Paytable, rules_of
from controller.certify.result import Certified, Job, Progress, ResultCache
from controller.rulebook.blackjack_21.paytable import DECKS as DECKS_21
from controller.rulebook.blackjack_21.paytable import DOUBLES_MORE
from controller.rulebook.blackjack_21.paytable import GAME as BLACKJACK_21
from controller.rulebook.citations import OtherReading
from controller.rulebook.fortune_3_card_poker.paytables import RULES_2025, Rules
from controller.rulebook.fortune_3_card_poker.versions import RULES as THREE_CARD
from controller.rulebook.fortune_8.paytable import BOXES
from controller.rulebook.fortune_8.paytable import GAME as FORTUNE_8
from controller.rulebook.games import GAMES as LIVE
from controller.rulebook.taiwan_pai_kao.articles import GAME as TAIWAN_PAI_KAO
from controller.rulebook.versions import AsOf

MAIN_GAMES = (BLACKJACK_21,)  # whose main game is simulated
HITS = {RULES_2025.game: 4000, BLACKJACK_21: 1000}  # played if no one asks for another number: some ten seconds each
HITS_IN_A_PART = {RULES_2025.game: 500, BLACKJACK_21: 50}  # a second or so


class CertifyRequest(Struct, frozen=True, kw_only=True):
    """What is to be certified of one game: a changed paytable and the terms of a pot belong to this game or are None.

    If `simulates` is set, `hits` of the pot and `rounds` of black-jack's main game (None: the default number) are
    played with `seed`. `as_of` is the day whose version of the regulation applies. `rules` are the readings of this
    game that the house chose instead of those decided.
    """

    game: str
    as_of: AsOf = None
    rules: tuple[OtherReading, ...] = ()
    paytable: Paytable | None = None
    terms: PotTerms | None = None
    simulates: bool = False
    hits: int = 0
    rounds: int | None = None
    seed: int = 1


def hits_of(game: str) -> int:
    """The default number of simulated hits of a game's pot; 0 for a game without a pot."""
    return HITS.get(game, 0)


def certify(asked: CertifyRequest, progress: Progress, kept: ResultCache, processes: int) -> list[Certified]:
    """All wagers of a game, in the order of the regulation."""
    found = [wager for job in jobs(asked) for wager in job(progress, kept, processes)]
    read = (*_dated(asked), *(f"[rules] {rule.key} ({rule.article}): {rule.says} {rule.odds}" for rule in asked.rules))
    return [replace(wager, notes=(*wager.notes, *read)) for wager in found] if read else found


def _dated(asked: CertifyRequest) -> tuple[str, ...]:
    """The version of the regulation, if a day was given."""
    if asked.as_of is None or isinstance(asked.as_of, datetime):
        return ()
    version = LIVE[asked.game].legal_status.validity.on(asked.as_of)
    return (f"As of {asked.as_of}: {version.act}, in force from {version.in_force}.",)


def jobs(asked: CertifyRequest) -> list[Job]:
    """The jobs that certify the wagers of a game, quick ones and long ones."""
    return GAMES[asked.game](asked)


def _of_fortune_3(asked: CertifyRequest) -> list[Job]:
    table = asked.paytable
    rules = table.rules if table is not None and table.rules is not None else rules_of(asked.game, asked.as_of)
    three = [_quick("ante and pair_plus", lambda: _ante_and_pair_plus(rules))]
    return [*three, partial(_additional_bets, rules, asked)] if rules.six_card_bonus else three


def _of_fortune_8(asked: CertifyRequest) -> list[Job]:
    boxes, bets = (BOXES, ()) if asked.paytable is None else (asked.paytable.boxes, asked.paytable.bets)
    return [_quick("boxes", lambda: [*certify_boxes(boxes), *map(certify_new_bet, bets)])]


def _of_blackjack(asked: CertifyRequest) -> list[Job]:
    return [_main_game(asked), _quick("insurance", certify_every_insurance), partial(_accumulated_prize, asked)]


def _of_pai_kao(asked: CertifyRequest) -> list[Job]:
    return [_quick("places", lambda: certify_place(Deals(), _keys(asked)))]


def _main_game(asked: CertifyRequest) -> Job:
    """The main game at the table and on an infinite deck; without a simulation on an infinite deck alone."""
    read = Variation(doubles_more=DOUBLES_MORE in _keys(asked))
    if not asked.simulates:
        return _quick("main game on an infinite deck", lambda: [infinite_deck(read)])
    return certify_main_game(asked.rounds or ROUNDS, asked.seed, read=read)


def _keys(asked: CertifyRequest) -> tuple[str, ...]:
    return tuple(rule.key for rule in asked.rules)


def _quick(what: str, certified: Callable[[], Sequence[Certified]]) -> Job:
    """A job of a few seconds in one part."""

    def job(progress: Progress, kept: ResultCache, processes: int) -> Sequence[Certified]:
        progress.advance(0, 1, what)
        found = certified()
        progress.advance(1, 1, what)
        return found

    return job


def _ante_and_pair_plus(rules: Rules) -> list[Certified]:
    ante, *obliged = certify_ante(rules)
    return [ante, certify_pair_plus(rules), *obliged]


def _additional_bets(
    rules: Rules, asked: CertifyRequest, progress: Progress, kept: ResultCache, processes: int
) -> Sequence[Certified]:
    six = certify_six_card_bonus(rules, count_combinations(6, progress, kept, processes))
    five = count_combinations(5, progress, kept, processes)
    tiers = tiers_2025(rules, five, _keys(asked))
    found = [six, certify_pot(tiers, asked.terms)]
    if asked.terms is not None and asked.simulates:
        play = partial(_play_2025, rules, five, asked.terms, _keys(asked))
        found.append(_played(asked, asked.terms, play, progress, kept, processes))
    return found


def _accumulated_prize(
    asked: CertifyRequest, progress: Progress, kept: ResultCache, processes: int
) -> Sequence[Certified]:
    terms = asked.terms
    if terms is None:
        return [
            certify_pot(tiers_of_the_prize(decks, _keys(asked)), None, f"jackpot_{decks}_decks") for decks in DECKS_21
        ]
    found = [certify_pot(tiers_of_the_prize(terms.decks, _keys(asked)), terms)]
    if asked.simulates:
        found.append(_played(asked, terms, partial(_play_prize, terms, _keys(asked)), progress, kept, processes))
    return found


def _played(
    asked: CertifyRequest,
    terms: PotTerms,
    play: Callable[[tuple[int, str]], list[HitPlayed]],
    progress: Progress,
    kept: ResultCache,
    processes: int,
) -> Certified:
    what, in_a_part = f"hits of {asked.game}", HITS_IN_A_PART[asked.game]
    played = play_pot(play, asked.hits, in_a_part, asked.seed, what, progress, kept, processes)
    return certify_played(played, terms, asked.seed)


def _play_2025(
    rules: Rules, five: dict[str, CombinationCount], terms: PotTerms, keys: tuple[str, ...], part: tuple[int, str]
) -> list[HitPlayed]:
    return play_hits(tiers_2025(rules, five, keys), terms, *part)


def _play_prize(terms: PotTerms, keys: tuple[str, ...], part: tuple[int, str]) -> list[HitPlayed]:
    return play_hits(tiers_of_the_prize(terms.decks, keys), terms, *part)


GAMES: dict[str, Callable[[CertifyRequest], list[Job]]] = {
    **dict.fromkeys(THREE_CARD, _of_fortune_3),
    FORTUNE_8: _of_fortune_8,
    BLACKJACK_21: _of_blackjack,
    TAIWAN_PAI_KAO: _of_pai_kao,
}
"""The functions that certify the wagers of each game."""
