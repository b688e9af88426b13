"""Faults that really happen: kill -9, failing disks, damaged files, two processes, a clock that jumps.

`python -m tests.system.faults` makes them in number; pytest makes some of each.
"""
