"""A trial: random hostile logs, sent to every endpoint that judges, counts or draws.

``python -m tests.system.hostile_logs --logs 10000 --seed 1`` (or ``make trials``) names each log for which
one request takes too much memory or processor time, or answers 500.
"""
