"""What the devices are called, and how it is said that one of them does not answer, in every language. No I/O here."""

from controller.engine.languages import Said

DEVICES: dict[str, Said] = {
    "shuffler": ("shuffler", "baralhador", "洗牌機"),
    "shoe": ("shoe", "sabot", "發牌靴"),
    "slots": ("slots", "ranhuras", "投幣槽"),
    "sign": ("sign", "expositor", "顯示牌"),
    "floor": ("floor", "sala", "場務系統"),
}
NO_ANSWER: dict[str, Said] = {
    "shuffler": ("The shuffler does not answer", "O baralhador não responde", "洗牌機沒有回應"),
    "shoe": ("The shoe does not answer", "O sabot não responde", "發牌靴沒有回應"),
    "slots": ("The slots do not answer", "O leitor das ranhuras não responde", "投幣槽沒有回應"),
    "sign": ("The sign does not answer", "O expositor não responde", "顯示牌沒有回應"),
    "floor": ("The floor does not answer", "A sala não responde", "場務系統沒有回應"),
}
