"""Fortune 8 (Macau, Despacho SEF of 25 June 2009): paytable, wagers, the deal, settlement, round file. No I/O here."""
