"""TODO service/cli/views"""
