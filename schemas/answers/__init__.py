"""TODO schemas/answers"""
