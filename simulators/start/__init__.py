"""The first page of a simulated table: where each of its screens is, and what to do first.

It shows addresses and nothing of a round, and may not import the controller (contract `simulators`). Begin with
`first_page.py`.
"""
