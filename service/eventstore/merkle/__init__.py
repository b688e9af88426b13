"""TODO service/eventstore/merkle"""
