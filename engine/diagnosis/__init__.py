"""TODO engine/diagnosis"""
