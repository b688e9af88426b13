"""Whole logs of deals and tables."""
