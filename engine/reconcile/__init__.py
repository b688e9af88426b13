"""Two accounts of one deal, such as two phones' or a phone's and the book's (DESIGN 4, RULES 9).

Modules, each on those before it: two entries of the same act put together (`event_merge`), the accounts laid
side by side (`alignment`), and what they come to: every difference, which account contradicts itself, and one
record (`comparison`).
"""

from engine.reconcile.comparison import (
    CONFLICTING,
    MORE_DETAIL,
    ONLY_ONE,
    AccountComparison,
    AccountDifference,
    DealAccount,
    compare_accounts,
)

__all__ = [
    "CONFLICTING",
    "MORE_DETAIL",
    "ONLY_ONE",
    "AccountComparison",
    "AccountDifference",
    "DealAccount",
    "compare_accounts",
]
