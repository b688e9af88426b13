"""Trials of the whole service, in processes of their own."""
