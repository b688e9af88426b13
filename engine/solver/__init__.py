"""What would have happened: the value of every legal card when all hands are known, by exact search.

Modules, each on those before it: cards as bits (`bit_layout`), every way in which the tricks can fall and
what it pays (`trick_splits`), the ends in the order in which the sides want them (`outcome_order`), the
search (`double_dummy`), a point of a record as a position and its value (`position_value`), what is asked of
a record (`evaluation`), and the same over the deals that are possible where hands are hidden (`monte_carlo`).
"""
