"""TODO service/cli/io"""
