/**
 * What the page knows of a deal: its log as the live stream tells it, and how it stands, what is legal, what it pays
 * and what is found, as the service says it of just that log. Whoever draws listens for "change".
 */

import { asked, followed } from "../core/api.js";
import { Asking } from "../core/asking.js";
import { entriesOf } from "./corrections.js";
import { TYPES } from "../core/kinds.js";
import { calledByName } from "../core/names.js";

const ASPECTS = ["state", "legal", "score", "findings"];

/** Entries that say something about the deal and are no part of it: undoing does not begin with them. */
const BESIDE = new Set(["deal_opened", "correction_made"]);

export class RecordedDeal extends EventTarget {
  /** `names` tells how members are called, `forgotten` is a word for who was forgotten. */
  constructor({ deal, names, forgotten }) {
    super();
    this.deal = deal;
    this.forgotten = forgotten;
    this.log = [];
    this.names = names;
    this.now = null;
    this.linked = true;
    this.asking = new Asking({
      ask: async () => { this.now = await this.at({ known: this.version }); },
      isKnown: () => this.now !== null,
      // What is entered here is answered at once.
      gathers: (round) => round > 0 || this.now === null,
      done: () => this.dispatchEvent(new Event("change")),
    });
  }

  /**
   * Begins to follow; done when the deal is known as it stands. `kept` is what this device knows of it, where the page
   * was made without the service.
   */
  async begin(kept = null) {
    if (kept) {
      this.log = kept.log.map((event) => ({ ...event, kept: true }));
      this.now = kept.now;
      this.linked = false;
    }
    const asking = kept ? null : asked(`/deals/${this.deal}/events?limit=500`);
    followed(`/deals/${this.deal}/live`, {
      types: TYPES,
      onEvent: (_, event) => this.take([event]),
      onReset: (told) => this.reset(told),
      onLink: (linked) => this.link(linked),
    });
    if (asking) await this.take((await asking).events);
  }

  /** Takes entries, from the stream or from an answer: each once, whichever comes first. */
  take(events) {
    const fresh = events.filter((event) => this.log[event.seq - 1] === undefined || this.log[event.seq - 1].kept);
    for (const event of fresh) this.log[event.seq - 1] = event;
    return fresh.length ? this.asking.anew() : this.asking.running ?? Promise.resolve();
  }

  reset({ version, events }) {
    this.log = [...events, ...this.log.slice(version)];
    this.asking.anew();
  }

  link(linked) {
    if (linked === this.linked) return;
    this.linked = linked;
    if (linked) this.asking.anew();
    this.dispatchEvent(new Event("link"));
  }

  /** How the deal stands at a point: `{version, state, legal, score, findings}`, with members called by name. */
  async at(point) {
    const query = new URLSearchParams(Object.entries(point).map(([name, value]) => [name, String(value)]));
    const asking = ASPECTS.map((aspect) => asked(`/deals/${this.deal}/${aspect}?${query}`));
    const told = await Promise.all(asking);
    const [state, legal, score, { findings }] = told.map((one) => this.called(one));
    // What is written back names players as the record does.
    return { version: point.known, state, legal, score, findings, paid: told[2] };
  }

  /** Reads what came in since, without waiting for the stream. */
  async catchUp() {
    await this.take((await asked(`/deals/${this.deal}/events?after=${this.version}&limit=500`)).events);
  }

  /** Every entry in force with the state after it, as the replay tells it. */
  async replay() {
    return this.called(await asked(`/deals/${this.deal}/replay`));
  }

  /** What the service says, with members of the club called by name. */
  called(told) {
    return calledByName(told, this.names, this.forgotten);
  }

  /** Whether nobody answered when it was asked last how the deal stands: it is asked again. */
  get isUnanswered() {
    return this.asking.vain > 0;
  }

  /** The version of the log that this page has seen: as far as it is known without a gap. */
  get version() {
    // Not `indexOf`: it steps over what was never there.
    const gap = this.log.findIndex((event) => event === undefined);
    return gap < 0 ? this.log.length : gap;
  }

  /** The log as far as it is known without a gap. */
  get entries() {
    return this.log.slice(0, this.version);
  }

  /** The players as the record names them: by id where they are members. */
  get players() {
    return entriesOf(this.entries).filter((entry) => entry.event.type === "deal_opened" && !entry.undone).at(-1)?.event.players ?? {};
  }

  get closed() {
    return entriesOf(this.entries).some((entry) => entry.event.type === "deal_closed" && !entry.undone);
  }

  /**
   * The last that was entered and stands: `{addresses, entry}`. A draw goes with the discard before it, and what was
   * taken back at the table is passed over. Null where nothing is left to undo.
   */
  last() {
    const standing = entriesOf(this.entries).filter((entry) => !entry.undone);
    const takenBack = new Set(standing.filter(({ event }) => event.type === "action_withdrawn").map(({ event }) => String(event.of)));
    const open = standing.filter(({ address, event }) => !BESIDE.has(event.type) && !takenBack.has(String(address)));
    const entry = open.at(-1);
    if (!entry) return null;
    const before = open.at(-2);
    const pair = entry.event.type === "cards_drawn" && before?.event.type === "cards_discarded" && before.event.seat === entry.event.seat;
    return { entry, addresses: pair ? [before.address, entry.address] : [entry.address] };
  }
}
