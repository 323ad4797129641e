"""The bank of Taiwan-Pai Kao: the number of places, the bank offered until someone takes it, and how he deals."""

from simulators.dealer import hands
from simulators.dealer.http_face import Input, Projection
from simulators.dealer.round_desk import AtDesk
from simulators.dealer.taiwan_pai_kao.desk import TileDesk
from simulators.felt.gamblers import BankAnswer
from simulators.felt.tiles import Tile, tile_from_text
from simulators.setting import MIXED

EIGHT, FOUR = 8, 4
DEAL_OF = {EIGHT: "eight_places", FOUR: "four_places"}
FORMS = ("", "four by four from the front", "four by four from the end")  # by place: what its player says (5.º c)
SLIPS_AT_THE_BANK = 0.3  # share of the amounts keyed in wrongly that are the capital, or the casino's share


class Banking(AtDesk[Tile]):
    """The hands of one round; the answer of a place stays the same if it is keyed in again."""

    def __init__(self, desk: TileDesk) -> None:
        super().__init__(desk)
        self._felt, self._gamblers, self._wished_places = desk.felt, desk.gamblers, desk.places
        self._number: int | None = None
        self._offers: dict[str, BankAnswer] = {}
        self._form_filmed = False
        self._gamblers.new_round()

    async def announce(self, view: Projection) -> bool:
        """The dealer announces eight places or four (2.º d)."""
        if self._number is None:
            self._number = self._choose_number()
            await self._at.pace.person(hands.ANNOUNCE_SECONDS)
            self._felt.set_number(self._number)
        if not await self._at.desk.say(view, [{"kind": "announce", "deal": DEAL_OF[self._number]}]):
            return False
        self.follow(self._at.desk.view())
        return True

    def follow(self, view: Projection | None) -> None:
        """A person may have announced another number, or offered the bank himself: the felt is as the screen says."""
        round = view.get("round") if view else None
        if view is None or not self._memory.by_person or not round:
            return
        bank = round.get("banker")
        if self._number is None and bank:
            self._settle_number(view)
        if self._number is not None and (number := round.get("places")) and number != self._felt.number:
            self._number = number
            self._felt.set_number(number)
        if bank and bank["place"] != self._felt.banker:
            self._felt.take_bank(bank["place"], bank["capital"], bank["casino"], ())
        if round.get("form") is not None:
            self._film_form(round["form"])

    async def offer(self, view: Projection) -> bool:
        """Ask the place that the prompt names whether it takes the bank (5.º a, b)."""
        self._settle_number(view)
        step = view["step"]
        place, least = int(step["seat"]), int(step.get("least", 1))
        if place in step.get("elsewhere", ()):  # every player bets on his own place: no one else is asked
            return await self._at.desk.say(view, [{"kind": "pass_bank", "place": place, "absent": False}])
        if step["id"] not in self._offers:
            await self._at.pace.person(hands.LOOK_AND_DECIDE_SECONDS)
            own, waiting = place == self._felt.holder, [int(other) for other in step.get("waiting") or ()]
            self._offers[step["id"]] = await self._answer(place, step["legal"], least, own, waiting)
        answer = self._offers[step["id"]]
        if answer.capital is None:
            if not await self._at.desk.say(view, [{"kind": "pass_bank", "place": place, "absent": answer.absent}]):
                return False
            if not self._answered_by_person(place, False):
                self._felt.pass_bank(place, answer.absent)
            return True
        taken = {"kind": "take_bank", "place": place, "capital": answer.capital, "casino": answer.casino}
        item = {**taken, "agreed": list(answer.agreed)}
        correction = self._slip(item)
        if not await self._at.desk.say(view, [item]):
            return False
        if self._answered_by_person(place, answer.absent):
            return True
        self._felt.take_bank(place, answer.capital, answer.casino, answer.agreed)
        if correction is not None:
            self._at.table.camera.saw("irregularity", kind="slip_wager", seat=place, wager=correction["wager"])
            self._reporting.correct(correction, ("deal", "arrange", "confirm"))
        return True

    async def _answer(self, place: int, legal: list[str], least: int, own: bool, waiting: list[int]) -> BankAnswer:
        guest, still = self._at.guest_at(place), self._at.while_asked()
        if guest is not None and "take" in legal:
            capital = await guest.takes_bank(least, still)
            if capital is not None:
                return BankAnswer(capital, 0, tuple(waiting)) if capital else BankAnswer()
        offer = self._gamblers.answers_offer(place, legal, least, own, waiting)
        for other in self._at.guests:
            if other.seat in waiting and offer.capital is not None and await other.says_yes("agree", still) is False:
                return BankAnswer()
        return offer

    async def announce_form(self, view: Projection) -> bool:
        """The banker says how the tiles are distributed, and the dealer writes it down (5.º c)."""
        banker = int(view["step"]["seat"])
        form = FORMS[banker % len(FORMS)]
        await self._at.pace.person(hands.ANNOUNCE_SECONDS)
        if not await self._at.desk.say(view, [{"kind": "announce_form", "by": banker, "form": form}]):
            return False
        after = self._at.desk.view()
        known = (after.get("round") or {}).get("form") if self._memory.by_person and after else None
        self._film_form(form if known is None else known)
        return True

    def _film_form(self, form: str) -> None:
        if not self._form_filmed:
            self._form_filmed = True
            self._at.table.camera.saw("form", by=self._felt.banker, form=form)

    def _answered_by_person(self, place: int, absent: bool) -> bool:
        """Whether the felt agrees with a person's answer for a place, whatever its player wanted."""
        view = self._at.desk.view()
        if not self._memory.by_person or view is None:
            return False
        bank = (view.get("round") or {}).get("banker")
        if bank and bank["place"] == place:
            self.follow(view)
        else:
            self._felt.pass_bank(place, absent)
        return True

    def _choose_number(self) -> int:
        if self._wished_places == MIXED:
            return self._at.chance.choice((EIGHT, FOUR))
        return int(self._wished_places)

    def _settle_number(self, view: Projection) -> None:
        """Deals without an announcement: the table has four places, or sixteen tiles are left for them.

        A table that was set again between the two rounds has the others still in the stack.
        """
        if self._number is None:
            self._number = int(view["round"].get("places") or FOUR) if self._memory.by_person else FOUR
            self._felt.set_number(self._number)
            self._felt.take_out_used([tile_from_text(text) for text in view["round"].get("used", "").split()])

    def _slip(self, item: Input) -> Input | None:
        """Keys in the capital or the casino's share wrongly, by chance; returns the correction."""
        value = self._at.mistakes.take("slip_wager")
        if value is None:
            return None
        if self._at.chance.random() >= SLIPS_AT_THE_BANK:
            self._at.mistakes.put_back("slip_wager", value)
            return None
        wager = self._at.chance.choice(("capital", "casino"))
        right = item[wager]
        item[wager] += self._at.chance.choice(self._at.players.amounts)
        return {"kind": "correct_wager", "seat": item["place"], "wager": wager, "amount": right}
