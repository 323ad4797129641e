"""The games by name, in the order of their registry."""

GAMES = FORTUNE_3_2025, FORTUNE_3_2008, FORTUNE_8, BLACKJACK_21, TAIWAN_PAI_KAO = (
    "fortune-3-card-poker-2025", "fortune-3-card-poker-2008", "fortune-8", "blackjack-21", "taiwan-pai-kao",
)  # fmt: skip
