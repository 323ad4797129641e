"""Fortune 3 Card Poker in the hands of the robot dealer, by the rules of 2008 and of 2025."""
