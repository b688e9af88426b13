"""A trial: random hostile logs, sent to every endpoint that judges, counts or draws."""
