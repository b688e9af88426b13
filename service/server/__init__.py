"""TODO service/server"""
