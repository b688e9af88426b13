"""TODO service/records"""
