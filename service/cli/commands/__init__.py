"""TODO service/cli/commands"""
