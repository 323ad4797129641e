"""The five regulations, down to their last items, and how their pages and tests are named."""

from dataclasses import dataclass, field
from functools import cached_property

from tests.law.citations import Reference, read_articles


@dataclass(frozen=True)
class Regulation:
    """One regulation: `page` is its page, below docs/law, `opening` begins the names of its tests.

    `package` is the package of its game. `text` lists every article, paragraph, item and sub-item, the innermost ones
    alone.
    """

    key: str
    title: str
    page: str
    package: str
    opening: str
    text: str

    @cached_property
    def leaves(self) -> tuple[Reference, ...]:
        """The innermost articles, in the order of the text."""
        return tuple(leaf for line in self.text.split("\n") for leaf in read_articles(line.strip()) if line.strip())

    @cached_property
    def known(self) -> frozenset[Reference]:
        """The leaves and whatever contains them."""
        return frozenset(leaf[:length] for leaf in self.leaves for length in range(1, len(leaf) + 1))


@dataclass
class Row:
    """One row of a regulation's table of articles; `references` is what `article` cites, `reason` why no software can.

    `noticing` are the tests that a broken rule names, `named` those named after it alone, `wider` after more than it.
    `decided` are the modules in which it can be broken, `cited` the others that cite it.
    """

    article: str
    references: tuple[Reference, ...]
    orders: str
    reason: str = ""
    noticing: list[str] = field(default_factory=list)
    named: list[str] = field(default_factory=list)
    wider: list[str] = field(default_factory=list)
    decided: list[str] = field(default_factory=list)
    cited: list[str] = field(default_factory=list)

    @property
    def tests(self) -> tuple[str, ...]:
        """All of them, each once."""
        return tuple(dict.fromkeys((*self.noticing, *self.named, *self.wider)))


FORTUNE_3_2025 = Regulation(
    key="2025",
    title="Fortune 3 Card Poker, 2025",
    page="fortune-3-card-poker-2025.md",
    package="fortune_3_card_poker",
    opening="test_art_",
    text="""Despacho 1 to 5
    1.º
    2.º 1 1) to 3); 2.º 2
    3.º 1 to 4
    4.º 1 to 3
    5.º 1, 2; 5.º 3 1) to 3); 5.º 4
    6.º 1) to 3)
    7.º 1 1) to 6); 7.º 2 1) to 7); 7.º 3 1) to 5)
    8.º 1) to 6)
    9.º 1 1), 2); 9.º 2, 3
    10.º 1) to 3)
    11.º 1 to 5
    12.º 1 to 4
    13.º 1) to 3); 13.º 4) (1) to (3); 13.º 5) to 7)
    14.º
    15.º 1 to 6
    16.º 1 1) to 5); 16.º 2 1) to 7); 16.º 3 1) to 5)
    17.º 1 1) to 3); 17.º 2, 3; 17.º 4 1), 2); 17.º 5
    18.º 1 to 3""",
)

FORTUNE_3_2008 = Regulation(
    key="2008",
    title="Fortune 3 Card Poker, 2008",
    page="fortune-3-card-poker-2008.md",
    package="fortune_3_card_poker",
    opening="test_2008_art_",
    text="""Despacho 1 to 3
    1.º 1) to 3)
    2.º 1, 2
    3.º 1), 2)
    4.º 1), 2)
    5.º 1 1), 2); 5.º 2
    6.º 1) to 5)
    7.º 1), 2)
    8.º 1) to 6)
    9.º 1) to 7); 9.º 8) (1) to (3); 9.º 9)
    10.º 1) to 5)
    11.º 1) to 4)""",
)

# The text numbers no article: its groups of paragraphs are counted.
FORTUNE_8 = Regulation(
    key="fortune-8",
    title="Fortune 8",
    page="fortune-8.md",
    package="fortune_8",
    opening="test_fortune_8_art_",
    text="""Despacho 1 to 3
    1.º 1) to 5)
    2.º 1, 2
    3.º
    4.º 1 to 6
    5.º
    6.º 1, 2
    7.º 1 to 3
    8.º 1, 2
    9.º 1, 2""",
)

BLACKJACK_21 = Regulation(
    key="blackjack-21",
    title="Black-jack/21",
    page="blackjack-21.md",
    package="blackjack_21",
    opening="test_blackjack_rule_",
    text="""Portaria 1.º to 3.º
    1 a), b)
    2 to 40
    41 a), b)
    42
    43 a) to e)
    44 to 49
    50 a), b)
    51 to 62""",
)

TAIWAN_PAI_KAO = Regulation(
    key="taiwan-pai-kao",
    title="Taiwan-Pai Kao",
    page="taiwan-pai-kao.md",
    package="taiwan_pai_kao",
    opening="test_pai_kao_art_",
    text="""Portaria 1.º to 3.º
    1.º a), b)
    2.º a) to h)
    3.º a) to c)
    4.º
    5.º a) to e)
    6.º a) to c)
    7.º a), b)
    8.º
    9.º a), b)
    Tabela I, II""",
)

REGULATIONS = (FORTUNE_3_2025, FORTUNE_3_2008, FORTUNE_8, BLACKJACK_21, TAIWAN_PAI_KAO)


def regulation_of(name: str) -> Regulation | None:
    """The regulation whose article the name of a test names, if it names one."""
    return next((regulation for regulation in REGULATIONS if name.startswith(regulation.opening)), None)


def family_of(name: str) -> Regulation:
    """The regulation whose tests are named so: `test_2008_…`, `test_fortune_8_…`, and of 2025 all the rest."""
    families = {
        regulation.opening.rpartition("_")[0].rpartition("_")[0] + "_": regulation for regulation in REGULATIONS
    }
    return families[max((family for family in families if name.startswith(family)), key=len)]
