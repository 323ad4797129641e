"""The first page of a simulated table: the addresses of its screens, and the first steps.

It shows addresses and nothing of a round, and may not import the controller (contract `simulators`). Begin with
`first_page.py`.
"""
