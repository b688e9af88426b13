"""Deals and tables as streams of events."""
