"""TODO service/presentation/i18n"""
