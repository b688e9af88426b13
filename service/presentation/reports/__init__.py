"""The reports on a deal and on a table as HTML, for whoever has to judge and sign: as a page, and as a file.

Each module makes one part of what the template (``service/http/web/templates/report_article.html``) sets:
hands as diagrams (`diagrams`), the course (`deal_course`), the clauses in force (`clauses`), what is paid
(`settlement`), what hidden cards can be (`hidden_cards`), what vouches for the record (`attestation`), and
all of it together (`deal_article`). Of a table it is what was paid beside what is due (`ledger_check`), and
all of it together (`table_article`). Nothing is judged or computed here that `engine.audit_report`,
`engine.inference.unseen_cards` and `engine.tables.table_report` have not; the sentences are those of the
command line.
"""
