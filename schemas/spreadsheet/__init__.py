"""A club's slips kept in a spreadsheet: one row a deal, read tolerantly, written in one form."""
