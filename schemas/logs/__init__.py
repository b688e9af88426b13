"""TODO schemas/logs"""
