"""A deal in words, in each language, for the command line and the reports."""
