"""TODO service/presentation"""
