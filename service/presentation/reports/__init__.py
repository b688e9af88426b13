"""Reports on a deal or a table for HTML pages and files, to be judged and signed.

This package builds the values that the templates ``report_article.html`` and ``table_report_article.html``
take, with the sentences of the command line. What is judged and computed comes from `engine`.
"""
