"""TODO service/http"""
