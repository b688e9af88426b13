"""The course of a deal: phases, auction, exchange, tricks, and the state that events fold into."""
