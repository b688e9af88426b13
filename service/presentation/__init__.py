"""What people read and see: texts, drawings, reports, spreadsheets."""
