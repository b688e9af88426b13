"""TODO service/http/web/views"""
