/**
 * What the page knows of a table: its log and those of its deals, as the live stream tells them, and the ledger that
 * the service makes of them. Whoever draws listens for "change"; nobody draws from anything else.
 */

import { asked, followed } from "./api.js";
import { entriesOf, standing } from "./corrections.js";

/** The kinds of entries that a table and its deals may hold: the stream names each message by its kind. */
const TYPES = [
  "table_opened", "player_joined", "player_left", "seats_set", "deal_started", "payment_made", "penalty_given", "table_closed",
  "deal_opened", "hand_dealt", "talon_laid", "bid_made", "cards_shown", "hand_held", "contract_named", "trump_named",
  "talon_turned", "exchange_yielded", "talon_seen", "cards_discarded", "cards_drawn", "hand_taken_over", "card_played",
  "slam_announced", "tricks_claimed", "claim_answered", "deal_abandoned", "surrender_offered", "surrender_answered",
  "action_withdrawn", "result_recorded", "irregularity_noted", "ruling_made", "deal_voided", "puesta_reserved",
  "correction_made", "gap_noted", "note_added", "deal_settled", "deal_closed",
];

/** So many milliseconds entries are gathered before the ledger is asked for. */
const GATHER = 25;

export class Evening extends EventTarget {
  /** `table` is the table's id, `rules` what its slips can say (or null), `forgotten` a word for who was forgotten. */
  constructor({ table, rules, forgotten }) {
    super();
    this.table = table;
    this.rules = rules;
    this.forgotten = forgotten;
    this.logs = new Map([[table, []]]);
    this.ledger = null;
    this.linked = true;
    this.asking = null;
    this.stale = false;
  }

  /** Reads the ledger and begins to follow; the page can be drawn when this is done. */
  async begin() {
    await this.refresh();
    followed(`/tables/${this.table}/live`, {
      types: TYPES,
      onEvent: (stream, event) => this.take(stream, [event]),
      onReset: (told) => this.reset(told),
      onLink: (linked) => this.link(linked),
    });
  }

  /** Takes entries of a log, from the stream or from an answer: each once, whichever comes first. */
  take(stream, events) {
    const log = this.logs.get(stream) ?? [];
    this.logs.set(stream, log);
    const fresh = events.filter((event) => log[event.seq - 1] === undefined);
    for (const event of fresh) log[event.seq - 1] = event;
    if (fresh.length) return this.refresh();
    return this.asking ?? Promise.resolve();
  }

  reset({ stream, version, events }) {
    if (stream === null) this.logs = new Map([[this.table, []]]);
    else this.logs.set(stream, [...events, ...(this.logs.get(stream) ?? []).slice(version)]);
    this.refresh();
  }

  link(linked) {
    if (linked === this.linked) return;
    this.linked = linked;
    this.dispatchEvent(new Event("link"));
  }

  /** Asks for the ledger anew: one question at a time, and one more if anything came in meanwhile. */
  refresh() {
    this.stale = true;
    this.asking ??= this.ask().finally(() => (this.asking = null));
    return this.asking;
  }

  async ask() {
    while (this.stale) {
      // What comes in one go is asked about once: a stream begins with all that is there.
      if (this.ledger) await new Promise((go) => setTimeout(go, GATHER));
      this.stale = false;
      try {
        this.ledger = await asked(`/tables/${this.table}/ledger`);
      } catch (refused) {
        if (!this.ledger) throw refused;
      }
    }
    this.dispatchEvent(new Event("change"));
  }

  /** How a player is called. */
  called(player) {
    const names = this.ledger?.names ?? {};
    return Object.hasOwn(names, player) ? names[player] ?? this.forgotten : player;
  }

  /** The version of a log that this page has seen. */
  version(stream = this.table) {
    const log = this.logs.get(stream) ?? [];
    return log.includes(undefined) ? log.indexOf(undefined) : log.length;
  }

  /** A log as far as it is known here without a gap. */
  log(stream) {
    return (this.logs.get(stream) ?? []).slice(0, this.version(stream));
  }

  /** The contract of that id as this table's rules have it, or one that is called by its id. */
  contract(id) {
    return this.rules?.contracts.find((one) => one.id === id) ?? { id, name: id, trumps: [], outcomes: [], nolo: false };
  }

  /**
   * Every deal of the evening, the latest first: `deal` (its id), `number`, `line` (its line of the ledger; null where
   * the deal was struck out), `struck` (the correction that did it, or null), `results` (what was entered, with what
   * undid it) and `result` (the one that stands, or null).
   */
  deals() {
    const lines = new Map((this.ledger?.lines ?? []).filter((line) => line.deal).map((line) => [line.deal, line]));
    const started = entriesOf(this.log(this.table)).filter((entry) => entry.event.type === "deal_started");
    return started
      .map(({ address, event, undone }) => {
        const log = this.log(event.deal);
        return {
          deal: event.deal,
          number: event.number,
          address,
          struck: undone,
          line: undone ? null : lines.get(event.deal) ?? null,
          opening: standing(log, "deal_opened")?.event ?? null,
          results: entriesOf(log).filter((entry) => entry.event.type === "result_recorded"),
          result: standing(log, "result_recorded"),
        };
      })
      .reverse();
  }
}
