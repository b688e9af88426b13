"""A slip in the notation."""

SLIP = """\
Deal: Thursday, the third
Rules: dlu
Forehand: Anna
Middlehand: Bo
Backhand: Carl

Result: M solo H, tricks 3-4-2
"""
