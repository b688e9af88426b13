"""TODO service/http/web/words"""
