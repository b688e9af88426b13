"""TODO service/eventstore/sqlite"""
