"""Tests of what the hidden cards of a record can be."""
