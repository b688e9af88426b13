"""Benchmarks; each module prints its own ratios when run with `python -m bench.NAME`."""
