"""Fortune 3 Card Poker (Macau, 2025 and 2008): paytables, wagers, settlement, the round. No I/O here."""
