"""Fortune 3 Card Poker (Macau, Despacho SEF 89/2025): paytables, wagers, settlement, round file. No I/O here."""
