"""A cluster of PostgreSQL servers on one machine, as people run one, and what happens when parts of it fail.

Three nodes, each with etcd, Patroni and PostgreSQL from Debian's packages (`layout`), started, killed, frozen
and cut off (`nodes`); `python -m tests.cluster up FOLDER` builds one, `down FOLDER` removes it.
"""
