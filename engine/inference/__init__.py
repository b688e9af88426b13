"""What the hidden cards of a record can be, and what that proves (DESIGN 5).

Not to be confused with the proof that a record is as it was recorded: that is `service.transparency`.
"""
