"""The game itself: cards, rulesets, events, fold, legality, judging and scoring; pure."""
