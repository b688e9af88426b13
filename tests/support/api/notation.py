"""Shared by tests that use what the tests of notation do."""

SLIP = """\
Deal: Thursday, the third
Rules: dlu
Forehand: Anna
Middlehand: Bo
Backhand: Carl

Result: M solo H, tricks 3-4-2
"""
