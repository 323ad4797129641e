"""Floor plans in memory, as the pit's database keeps them."""

from controller.engine.outcomes import JournalUnreadable, NotFound
from controller.pit.plans import Plan


class KeptPlans:
    """`away` is a database that does not answer."""

    def __init__(self) -> None:
        self.plans: dict[str, Plan] = {}
        self.away = False

    async def of(self, person: str) -> Plan | NotFound:
        """The plan of a person."""
        return JournalUnreadable("away") if self.away else self.plans.get(person, Plan())

    async def replace(self, person: str, plan: Plan) -> Plan | NotFound:
        """The plan that is kept now."""
        kept = self.plans.get(person, Plan())
        if not self.away and plan.revision == kept.revision:
            self.plans[person] = Plan(plan.revision + 1, plan.cells)
        return await self.of(person)
