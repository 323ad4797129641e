"""What the dealer of Taiwan-Pai Kao does next, in plain words of every language. No I/O here."""

from controller.engine.languages import Said, joined
from controller.engine.money import shown_amount
from controller.rulebook.round import Round
from controller.rulebook.steps import Step, seat_of
from controller.rulebook.taiwan_pai_kao.live import places_of
from controller.rulebook.taiwan_pai_kao.state import PlacesRound, tiles_of
from controller.rulebook.taiwan_pai_kao.turn import offered

_STEPS: dict[str, Said] = {
    "shuffle": (
        "Wash all {pieces} tiles face down and build the wall, then confirm.",
        "Baralhe as {pieces} pedras voltadas para baixo, prepare-as e confirme.",
        "請把{pieces}隻牌面向下洗勻並砌牌，然後確認。",
    ),
    "announce": (
        "Announce the deal: tiles to 8 places, or to 4.",
        "Anuncie: pedras a 8 lugares, ou a 4.",
        "宣布派牌：8個位，或4個位。",
    ),
    "places": (
        "The casino decides: tiles to 8 places, or to 4. Say so (2.º d)).",
        "O casino decide: pedras a 8 lugares, ou a 4. Anuncie (2.º d)).",
        "由娛樂場決定：派牌到8個位，或4個位，請宣布（2.º d)）。",
    ),
    "form": (
        "The banker, place {seat}, announces how the tiles are distributed (5.º c)); then confirm.",
        "O banqueiro, lugar {seat}, anuncia a forma de distribuição das pedras (5.º c)); depois confirme.",
        "莊家{seat}號位宣布派牌方式（5.º c)），然後確認。",
    ),
    "wagers": (
        "Take the bets, and changes of the tiles' order; then lock in: no more bets.",
        "Aceite as apostas e as mudanças da ordem das pedras; depois feche: não há mais apostas.",
        "接受投注，並可改動牌序；然後截注：停止下注。",
    ),
    "dice": (
        "The banker, place {seat}, shakes the four dice: enter them, or shake again if one is cocked or out.",
        "O banqueiro, lugar {seat}, agita os quatro dados: introduza-os, ou repita se um ficou mal assente ou saltou.",
        "莊家{seat}號位搖四顆骰子：請輸入點數；如有骰子傾斜或跳出，須重搖。",
    ),
    "arrange": (
        "Every place lays its front and its rear pair; then confirm.",
        "Cada lugar coloca o par da frente e o de trás; depois confirme.",
        "各位擺好前對和後對，然後確認。",
    ),
    "confirm": (
        "Collect and pay in the order shown, take the commission, then confirm the round.",
        "Recolha e pague pela ordem indicada, cobre a comissão e confirme a jogada.",
        "按所示次序收賠並收取佣金，然後確認本局。",
    ),
    "claims": (
        "Round done. Gather the tiles when no complaint is open, then confirm.",
        "Jogada terminada. Recolha as pedras quando não houver reclamações e confirme.",
        "本局完結。沒有異議後收牌，然後確認。",
    ),
}
_OFFER = (
    "Place {seat}: does it take the bank? Its capital: {least} or more.",
    "Lugar {seat}: aceita a banca? Capital: {least} ou mais.",
    "{seat}號位是否做莊？資本：{least}或以上。",
)
_GOES_ON = (
    "Place {seat}: does it go on as the bank? Its capital: {least} or more.",
    "Lugar {seat}: continua com a banca? Capital: {least} ou mais.",
    "{seat}號位是否續莊？資本：{least}或以上。",
)
_AGREE = (
    "Places {places} must agree (5.º a)).",
    "Os lugares {places} têm de concordar (5.º a)).",
    "須得{places}號位同意（5.º a)）。",
)
_DEAL = (
    "Deal a tile to place {seat}, face down.",
    "Distribua uma pedra ao lugar {seat}, voltada para baixo.",
    "派一隻牌給{seat}號位，牌面向下。",
)
_DEAL_ALL = (
    "Deal four tiles to each place from place {seat} on, counter-clockwise, face down; then say that they lie there.",
    "Distribua quatro pedras a cada lugar a partir do lugar {seat}, no sentido contrário ao relógio; depois confirme.",
    "由{seat}號位起逆時針每位派四隻牌，牌面向下，然後確認。",
)
_COUNT = (
    "Count the tiles dealt in this round as they lie on the table: {cards} are due.",
    "Conte as pedras distribuídas nesta jogada que estão na mesa: devem ser {cards}.",
    "請點算本局已派在枱面的牌：應為{cards}隻。",
)
_GAP = (
    "A tile may have been dealt unread. Stop, and count the tiles dealt so far.",
    "Uma pedra pode ter sido distribuída sem ser lida. Pare e conte as pedras já distribuídas.",
    "可能有牌未被讀取而派出。請停止並點算已派的牌。",
)
_OPEN = (
    "Open the tiles of place {seat}, and put them right if the rear pair is not the highest.",
    "Abra as pedras do lugar {seat}; reorganize-as se o par de trás não for o mais alto.",
    "打開{seat}號位的牌；後對若非最大組合，請重新配牌。",
)
_OPEN_BANK = (
    "The banker opens his tiles, place {seat}.",
    "O banqueiro abre as suas pedras, lugar {seat}.",
    "莊家{seat}號位開牌。",
)
_KEY_IN = (
    "One was not read: key in all four, front pair first.",
    "Uma não foi lida: introduza as quatro, primeiro o par da frente.",
    "有一隻未能讀取：請輸入全部四隻，前對在先。",
)


def said_at_places(round: Round, step: Step, pieces: int, exponent: int) -> Said | None:
    """The prompt of a step of this game; `pieces` is how many tiles there are, `exponent` that of the currency.

    None at another game, and where a void round is confirmed as at every game.
    """
    if not isinstance(round.play, PlacesRound) or (step.kind == "confirm" and round.void is not None):
        return None
    if step.kind == "bank":
        return _offered(round, step, exponent)
    if step.kind == "count":
        return _filled(_GAP if step.cards is None else _COUNT, cards=step.cards)
    if step.kind == "deal":
        return _filled(_DEAL if round.terms.reader else _DEAL_ALL, seat=seat_of(step.to[0]))
    if step.kind == "reveal":
        bank = tiles_of(round).bank
        own = bank is not None and seat_of(step.to[0]) == bank.place
        said = _filled(_OPEN_BANK if own else _OPEN, seat=seat_of(step.to[0]))
        return joined(said, _KEY_IN) if step.key_in else said
    # A round of before in which the dealer announced all of it keeps its words.
    of_casino = step.kind == "announce" and round.terms.banker_announces is True
    return _filled(_STEPS["places" if of_casino else step.kind], seat=step.seat, pieces=pieces)


def _offered(round: Round, step: Step, exponent: int) -> Said:
    offer = offered(tiles_of(round), places_of(round) or round.terms.seats)
    least = shown_amount(step.least, exponent)
    said = _filled(_GOES_ON if offer is not None and offer.goes_on else _OFFER, seat=step.seat, least=least)
    if not step.waiting:
        return said
    return joined(said, _filled(_AGREE, places=", ".join(map(str, step.waiting))))


def _filled(said: Said, **values: object) -> Said:
    english, portuguese, chinese = (text.format(**values) for text in said)
    return english, portuguese, chinese
