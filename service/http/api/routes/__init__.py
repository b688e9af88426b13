"""TODO service/http/api/routes"""
