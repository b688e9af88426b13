"""TODO schemas/rulesets"""
