"""TODO engine/core"""
