"""The progressive sign as a BetaBrite Prism: the Alpha sign protocol on USB.

It may import `alpha`, whose packets it sends, and no other make (contract `makes`). Begin with `sign.py`.
"""
