"""TODO schemas/wire"""
