"""Reports, scores, states and the like as JSON."""
