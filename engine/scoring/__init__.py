"""TODO engine/scoring"""
