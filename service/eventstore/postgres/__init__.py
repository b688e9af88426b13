"""TODO service/eventstore/postgres"""
