"""The reports on a deal and on a table as HTML, for whoever has to judge and sign: as a page, and as a file.

Each module makes one part of what the template (``service/http/web/templates/report_article.html``) sets:
hands as diagrams (`diagrams`), the course (`course`), the clauses in force (`clauses`), what is paid
(`settlement`), what hidden cards can be (`unseen`), what vouches for the record (`vouching`), and all of it
together (`article`). Of a table it is what was paid beside what is due (`reckoning`), and all of it together
(`evening`). Nothing is judged or computed here that `engine.audit_report`, `engine.inference.unseen_cards`
and `engine.tables.table_report` have not; the sentences are those of the command line.
"""
