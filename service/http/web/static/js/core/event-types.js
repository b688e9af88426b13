/** The kinds of entries, by which a live stream names its messages. */

/** The kinds of entries that a table and its deals may hold: the stream names each message by its kind. */
export const EVENT_TYPES = [
  "table_opened", "player_joined", "player_left", "seats_set", "deal_started", "payment_made", "penalty_given", "table_closed", "table_voided",
  "deal_opened", "hand_dealt", "talon_laid", "bid_made", "cards_shown", "hand_held", "contract_named", "trump_named",
  "talon_turned", "exchange_yielded", "talon_seen", "cards_discarded", "cards_drawn", "hand_taken_over", "card_played",
  "slam_announced", "tricks_claimed", "claim_answered", "deal_abandoned", "surrender_offered", "surrender_answered",
  "action_withdrawn", "result_recorded", "irregularity_noted", "ruling_made", "deal_voided", "puesta_reserved",
  "correction_made", "gap_noted", "note_added", "deal_settled", "deal_closed",
];
