"""The progressive sign as a BetaBrite Prism: the Alpha sign protocol on USB."""
