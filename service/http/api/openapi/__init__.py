"""TODO service/http/api/openapi"""
