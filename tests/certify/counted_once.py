"""What takes seconds to count, and no paytable and no reading changes: once for all tests of a process."""

from functools import cache

from controller.certify.combinations import CombinationCount, count_combinations
from controller.certify.pai_kao import Deals
from controller.certify.result import Unkept, Unwatched

every_deal = cache(Deals)
# A job that is interrupted continues with what was kept; so does a job for another reading here.
SETS = Unkept()


@cache
def sets_of(size: int) -> dict[str, CombinationCount]:
    """Every set of five or six cards, by what it makes."""
    return count_combinations(size, Unwatched(), SETS, 1)
