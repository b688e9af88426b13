"""The report on a deal as HTML, for whoever has to judge it and sign it: as a page, and as a file.

Each module makes one part of what the template (``service/web/templates/report_article.html``) sets:
hands as diagrams (`diagrams`), the course (`course`), the clauses in force (`clauses`), what is paid
(`settlement`), what vouches for the record (`vouching`), and all of it together (`article`). Nothing is
judged or computed here that `engine.report` has not; the sentences are those of the command line.
"""
