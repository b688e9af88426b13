"""What probably went wrong in a record: slips of the pen, misprints, omissions."""
