"""The reports on a deal and on a table as HTML, to be judged and signed: as a page, and as a file.

What the templates (``service/http/web/templates/report_article.html``, ``table_report_article.html``) take is
made here as plain values, the sentences those of the command line. Nothing is judged or computed here that
`engine.audit_report`, `engine.inference.unseen_cards` and `engine.tables.table_report` have not.
"""
