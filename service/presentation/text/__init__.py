"""A deal told in words, in Danish and English: what the command line and the reports on paper say alike."""
