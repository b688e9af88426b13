"""TODO engine/play"""
