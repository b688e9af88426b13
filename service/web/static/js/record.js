/** The recorder: a deal card by card, from its first call to its settlement, from as many devices as there are at the table. */

import { Refused, newId } from "./api.js";
import { el } from "./dom.js";
import { findingWords } from "./findings.js";
import { startNext } from "./record-begin.js";
import { Board, tricksTable } from "./record-board.js";
import { RecordedDeal } from "./record-deal.js";
import { FORMS, formOf, openForm } from "./record-forms.js";
import { EntryLog } from "./record-log.js";
import { entryLines, findingLines, notice, told } from "./record-notices.js";
import { Pads } from "./record-pads.js";
import { send } from "./record-send.js";
import { decided } from "./score.js";
import { refusalTold } from "./told.js";

const GRAVE = new Set(["impossible", "error", "warning"]);

/** What a player can take back at the table. */
const TAKEN_BACK = new Set(["bid_made", "card_played", "cards_discarded", "cards_drawn", "cards_shown", "contract_named", "trump_named", "slam_announced", "tricks_claimed", "deal_abandoned"]);

/** What is entered on a pad; all else by its form. */
const ON_PADS = new Set(["bid_made", "contract_named", "trump_named", "talon_turned", "cards_discarded", "cards_drawn", "card_played"]);

const RETRY = [1500, 3000, 6000, 12000, 30000];

class Recorder {
  constructor({ root, parts, words, rules, record }) {
    Object.assign(this, { root, parts, words, rules, record });
    this.mayWrite = "mayWrite" in root.dataset;
    this.actor = null;
    this.anchor = null;
    this.sending = null;
    this.mending = null;
    this.said = null;
    this.tries = 0;
    this.board = new Board(parts.board, { words, choose: this.mayWrite ? (seat) => this.choose(seat) : null, about: about(record, words) });
    this.pads = new Pads({ words, rules, write: (events) => this.write(events), form: (name, given) => this.form(name, given) });
    this.pads.redrawn = () => this.draw();
    this.layOut();
    record.addEventListener("change", () => this.changed());
    record.addEventListener("link", () => (parts.connection.textContent = record.linked ? "" : words.unlinked));
    window.addEventListener("online", () => this.resend());
    this.changed();
  }

  layOut() {
    const { words, parts } = this;
    this.says = el("div", { class: "says", role: "status", "aria-live": "polite" });
    this.prompt = el("h2", { class: "prompt", tabindex: "-1" });
    this.pad = el("div", { class: "pad" });
    this.also = el("div", { class: "also choices two" });
    this.last = el("p", { class: "last-entry" });
    this.undoButton = el("button", { type: "button", class: "worded", "data-act": "undo", text: words.record.undo, on: { click: () => this.askUndo() } });
    this.more = this.moreMenu();
    this.bar = el("div", { class: "record-bar" }, this.last, this.undoButton);
    this.mends = el("div", { class: "mends" });
    parts.pad.replaceChildren(this.bar, this.mends, this.prompt, this.pad, this.also, this.more, this.says);
    this.tricks = el("div", { class: "side-part tricks" });
    this.findings = el("div", { class: "side-part findings" });
    this.log = new EntryLog({ record: this.record, words, mend: this.mayWrite ? (entry) => this.mend(entry) : null });
    parts.side.replaceChildren(this.tricks, this.findings, this.log.root);
  }

  moreMenu() {
    const { words } = this;
    if (!this.mayWrite) {
      const note = el("button", { type: "button", class: "worded", "data-form": "note", text: words.record.note, on: { click: () => this.form("note") } });
      return el("p", { class: "more-menu" }, "mayNote" in this.root.dataset ? note : null);
    }
    this.kinds = el("div", { class: "choices two" });
    return el("details", { class: "pad-more more-menu" }, el("summary", { text: words.record.more }), this.kinds);
  }

  // What is shown

  /** The point at which something is entered now: the end of the record, or, while an entry is corrected, its place. */
  get view() {
    return this.mending?.view ?? this.record.now;
  }

  changed() {
    const { now } = this.record;
    if (!now) return;
    if (this.drawn !== now.version) this.actor = null;
    this.drawn = now.version;
    this.draw();
    this.root.dataset.version = now.version;
  }

  get due() {
    return this.view.legal?.seat ?? null;
  }

  /** Whose act is entered next: whom a person chose, else whose turn it is. Behind a gap nobody knows that. */
  get acting() {
    return this.actor ?? (this.anchor ? null : this.due);
  }

  choose(seat) {
    this.actor = this.actor === seat ? null : seat;
    this.draw();
  }

  draw() {
    const { view, words } = this;
    const inside = this.parts.pad.contains(document.activeElement) ? document.activeElement : null;
    const actor = this.acting;
    this.board.draw(view.state, this.mayWrite ? actor : this.due, this.due);
    this.drawSays();
    this.drawPrompt(actor);
    this.drawPad(actor);
    this.drawAlso();
    this.drawBar();
    this.tricks.replaceChildren(el("h2", { text: words.record.tricksHeading }), tricksTable(this.record.now.state, words));
    this.drawFindings();
    this.keepFocus(inside);
  }

  /** Who works by keyboard goes on where something is asked next. */
  keepFocus(inside) {
    if (!inside || this.parts.pad.contains(document.activeElement)) return;
    const next = this.says.querySelector("button") ?? this.pad.querySelector('[tabindex="0"], button:not([tabindex="-1"]), summary');
    (next ?? this.prompt).focus({ preventScroll: true });
  }

  drawPrompt(actor) {
    const { words, view } = this;
    const { legal, state } = view;
    const name = actor ? words.player(state, actor) : "";
    const { prompt } = words.record;
    const asked = {
      bid: () => prompt.bid(name), name: () => prompt.name(name), turn: () => prompt.turn(),
      exchange: () => (this.pads.byCards ? prompt.discard(name) : prompt.exchange(name)),
      draw: () => prompt.draw(name, legal.count),
      play: () => (state.tricks.at(-1)?.winner === null && state.tricks.at(-1)?.cards.length < 3 ? prompt.follow(name) : prompt.lead(name)),
    };
    const told = !legal ? prompt.over : !actor && legal.action !== "turn" ? prompt.choose : asked[legal.action]();
    const other = this.mayWrite && legal?.seat && actor && actor !== legal.seat ? words.record.turnOf(words.player(state, legal.seat)) : "";
    this.prompt.replaceChildren(told, ...(other ? [" ", el("span", { class: "quiet", text: other })] : []));
  }

  drawPad(actor) {
    const { view } = this;
    this.pad.classList.toggle("is-busy", Boolean(this.sending));
    if (!this.mayWrite) return this.pad.replaceChildren(el("p", { class: "quiet", text: this.words.record.watching }), ...this.settlement());
    const asks = view.legal && (actor || view.legal.action === "turn");
    const content = asks ? this.pads.draw(view, actor, this.anchor) : [];
    this.pad.replaceChildren(...content, ...(this.mending ? [] : this.settlement()));
    return undefined;
  }

  /** What is paid as soon as that is decided, and what ends the record. */
  settlement() {
    const { words, record } = this;
    const { legal, score, state } = record.now;
    if (!score.decided && legal) return [];
    const why = score.decided ? decided(score, state, words) : [el("p", { class: "ask", text: words.record.undecided })];
    const heading = legal ? words.record.decided : words.score;
    const stops = legal?.optional && legal.action === "play" ? [el("p", { text: words.record.mayStop(words.player(state, legal.seat)) })] : [];
    return [el("section", { class: `settlement score${legal ? " is-early" : ""}` }, el("h3", { text: heading }), ...stops, ...why, ...this.endings())];
  }

  endings() {
    const { words, record, root } = this;
    const next = "mayOpen" in root.dataset
      ? el("button", { type: "button", class: "confirm", "data-act": "next", text: words.record.next, on: { click: () => this.next() } })
      : null;
    if (record.closed) return [el("p", { class: "closed-told", text: words.record.closed }), next].filter(Boolean);
    if (!this.mayWrite) return [];
    const close = el("button", { type: "button", class: next ? "worded" : "confirm", "data-act": "close", text: words.record.close, on: { click: () => this.close() } });
    return [next, el("p", { class: "closing" }, close, " ", el("span", { class: "quiet", text: words.record.closeTells }))].filter(Boolean);
  }

  /** What else may happen now, by whoever may do it. */
  drawAlso() {
    const { words, view } = this;
    const open = this.mayWrite ? view.legal?.also ?? [] : [];
    this.also.replaceChildren(...open.flatMap((one) => this.alsoButtons(one)));
    this.also.hidden = !this.also.childElementCount;
    if (!this.kinds) return;
    const at = this.at({});
    const kinds = Object.keys(FORMS).filter((name) => FORMS[name].when?.(at) ?? true);
    this.kinds.replaceChildren(...kinds.map((name) => el("button", { type: "button", class: "choice is-other", "data-form": name, text: words.record.kinds[name], on: { click: () => this.form(name) } })));
  }

  alsoButtons({ action, seat, pays }) {
    const { words, view } = this;
    const name = words.player(view.state, seat);
    const button = (key, told, act) => el("button", { type: "button", class: "choice is-other", "data-also": key, "data-seat": seat, text: told, on: { click: act } });
    const told = words.record.also;
    const events = {
      abandon: { type: "deal_abandoned", seat, ...(pays ? { pays } : {}) }, surrender: { type: "surrender_offered", seat },
      slam: { type: "slam_announced", seat }, yield: { type: "exchange_yielded", seat },
    };
    if (action in events) return [button(pays ? `${action}-${pays}` : action, told[action](name, pays), () => this.write([events[action]]))];
    if (action === "claim") return [button(action, told.claim(name), () => this.form("claim", { seat }))];
    if (action === "show") return [button(action, told.show(name), () => this.form("shown", { seat, whole: true }))];
    if (view.state.claim) {
      return ["accept", "contest"].map((answer) => button(answer, told[answer](name), () => this.write([{ type: "claim_answered", seat, answer }])));
    }
    return ["accept", "forbid"].map((answer) => button(answer, answer === "accept" ? told.acceptSurrender(name) : told.forbid(name), () => this.write([{ type: "surrender_answered", seat, answer }])));
  }

  drawBar() {
    const { words, record } = this;
    const last = record.last();
    this.undoButton.hidden = !this.mayWrite;
    this.undoButton.disabled = !last || Boolean(this.mending);
    const sentence = last ? this.sentence(last.entry.event) : words.record.begun;
    this.last.replaceChildren(el("span", { class: "quiet", text: `${words.record.last} ` }), sentence);
  }

  sentence(event) {
    const named = this.record.called(event);
    const { state } = this.record.now;
    const trick = state.tricks.at(-1);
    const stands = named.type !== "card_played" || trick?.cards.at(-1) === named.card;
    return stands ? this.words.upper(this.words.sentence(named.type, { event: named, state })) : told(named, state, this.words);
  }

  drawFindings() {
    const { words, record } = this;
    const found = record.now.findings.filter((one) => GRAVE.has(one.severity));
    this.findings.hidden = !found.length;
    this.findings.replaceChildren(el("h2", { text: words.record.findingsHeading }), el("ul", {}, ...found.map((one) => el("li", { class: "finding" }, el("p", {}, ...findingWords(one, words))))));
  }

  // Entering

  /** What a form is told of the deal. */
  at(given) {
    const { words, rules, record, view } = this;
    return { words, rules, state: view.state, score: view.score, players: record.players, called: (player) => record.called(player), given };
  }

  form(name, given = {}) {
    openForm(name, this.at(given), { write: (events, { anchor }) => { this.anchor = anchor ?? this.anchor; this.write(events); } });
  }

  /** Enters events, as one correction while an entry is corrected. Where something breaks a rule, that is asked about first. */
  write(events) {
    if (this.sending) return undefined;
    const reason = this.mending ? this.reasonGiven() : null;
    if (this.mending && !reason) return undefined;
    const { mending } = this;
    const written = mending ? [correction(mending, events, reason)] : events;
    return this.enter(written);
  }

  enter(events, mode = "strict") {
    const dressed = events.map((event) => ({ ...event, id: newId(), recorded_at: new Date().toISOString() }));
    this.sending = { events: dressed, version: this.record.version, mode };
    this.said = null;
    this.tries = 0;
    return this.deliver();
  }

  /** Sends what has set out; it keeps its ids until it is answered or thrown away. */
  async deliver() {
    const { sending, record } = this;
    this.pad.classList.add("is-busy");
    try {
      const stored = await send(record.deal, sending.events, sending);
      this.arrived(stored);
      await record.take(stored.events);
    } catch (refused) {
      if (!(refused instanceof Refused)) throw refused;
      await this.refused(refused);
    }
    this.draw();
  }

  arrived(stored) {
    const anchored = this.sending.events.some((event) => event.type === "card_played");
    if (anchored) this.anchor = null;
    this.sending = null;
    this.mending = null;
    const found = this.record.called(stored.findings).filter((one) => GRAVE.has(one.severity));
    this.said = found.length ? { kind: "found", findings: found } : null;
  }

  async refused(refused) {
    const { sending } = this;
    if (refused.status === 0 || refused.status >= 500 || refused.status === 429) {
      this.said = { kind: "waiting" };
      this.timer = setTimeout(() => this.resend(), RETRY[Math.min(this.tries, RETRY.length - 1)]);
      this.tries += 1;
      return;
    }
    this.sending = null;
    if (refused.type === "against-the-rules") {
      this.said = { kind: "against", findings: this.record.called(refused.problem.findings), sending };
    } else if (refused.type === "stale-version") {
      await this.overtaken(sending);
    } else {
      this.said = { kind: "refused", text: refusalTold(this.words, refused), sending };
    }
  }

  /** Others were first: what they wrote is shown, and a person decides. The same written twice stands once. */
  async overtaken(sending) {
    await this.record.catchUp();
    const theirs = this.record.entries.slice(sending.version);
    const same = sending.events.every((event, place) => theirs[place] && isSame(event, theirs[place]));
    this.said = same ? { kind: "same" } : { kind: "overtaken", theirs, sending };
  }

  resend() {
    clearTimeout(this.timer);
    if (this.sending && this.said?.kind === "waiting") this.deliver();
  }

  /** Says what came of an entry, or asks about it. */
  drawSays() {
    const { words, said } = this;
    const { record: told } = words;
    const drop = () => { this.said = null; this.sending = null; clearTimeout(this.timer); this.draw(); };
    const ways = {
      found: () => notice("found", told.found, findingLines(said.findings, words), [["well", told.well, drop]]),
      against: () => notice("against", told.against, findingLines(said.findings, words), [["no", told.no, drop], ["happened", told.happened, () => this.enter(bare(said.sending.events), "as_played")]]),
      overtaken: () => notice("overtaken", told.overtaken, [...this.lines(said.theirs), el("p", { class: "quiet", text: told.yours }), ...this.lines(said.sending.events)],
        [["drop", told.drop, drop], ["still", told.stillWrite, () => this.enter(bare(said.sending.events))]]),
      same: () => notice("same", told.same, [], [["well", told.well, drop]]),
      waiting: () => notice("waiting", told.waiting, this.lines(this.sending?.events ?? []), [["again", told.again, () => this.resend()], ["drop", told.drop, drop]]),
      refused: () => notice("refused", said.text, this.lines(said.sending.events), [["drop", told.drop, drop]]),
      undo: () => this.undoNotice(said.target),
    };
    this.says.replaceChildren(...(said ? [ways[said.kind]()] : []));
    this.mends.replaceChildren(...(this.mending ? [this.mendingNotice()] : []));
  }

  lines(events) {
    return entryLines(events.map((event) => this.record.called(event)), this.record.now.state, this.words);
  }

  // Undoing

  askUndo() {
    const target = this.record.last();
    if (!target) return;
    this.said = { kind: "undo", target };
    this.draw();
    this.says.querySelector("button")?.focus({ preventScroll: true });
  }

  undoNotice({ entry, addresses }) {
    const { record: told } = this.words;
    const strike = () => this.enter([{ type: "correction_made", replaces: addresses, with: [], reason: told.typo }], "as_played");
    const back = () => this.enter([...addresses].reverse().map((of) => ({ type: "action_withdrawn", of })), "as_played");
    const ways = [["strike", told.strikeTypo, strike]];
    if (TAKEN_BACK.has(entry.event.type)) ways.push(["withdraw", told.takenBack, back]);
    ways.push(["keep", told.keep, () => { this.said = null; this.draw(); }]);
    return notice("undo", told.undoAsk, [el("p", { class: "notice-entry", text: this.sentence(entry.event) })], ways);
  }

  // Correcting

  /** Begins to correct an entry: what is tapped from here on takes its place. */
  mend({ frame, before, sentence }) {
    this.said = null;
    this.actor = frame.event.seat ?? null;
    this.mending = { address: frame.seq, insert: false, frame, before, sentence, view: this.viewOf(before ?? frame), reason: this.words.slip.usualReason };
    if (!ON_PADS.has(frame.event.type)) this.mending.form = formOf(frame.event.type);
    this.draw();
    this.parts.pad.scrollIntoView({ block: "start" });
    this.mends.querySelector("input")?.focus({ preventScroll: true });
  }

  viewOf(frame) {
    return { version: this.record.version, point: frame.seq, state: frame.state, legal: frame.legal, score: frame.score, findings: [] };
  }

  mendingNotice() {
    const { mending, words } = this;
    const { record: told } = words;
    const field = el("input", { type: "text", id: "why", maxlength: "200", autocomplete: "off", value: mending.reason, on: { input: () => (mending.reason = field.value) } });
    const ways = mending.insert ? [] : [["strike", told.strike, () => this.write([])], ["insert", told.insert, () => this.insert()]];
    if (mending.form && !mending.insert) ways.unshift(["form", told.mend, () => this.form(mending.form, mending.frame.event)]);
    ways.push(["stop", told.stopMending, () => { this.mending = null; this.actor = null; this.draw(); }]);
    return notice("mending", told.mending, [
      el("p", { class: "notice-entry", text: mending.sentence }),
      el("div", { class: "pad-field" }, el("label", { for: "why", text: told.reason }), field),
      this.mendFault ? el("p", { class: "ask", role: "alert", text: this.mendFault }) : null,
      el("p", { class: "quiet", text: mending.insert ? told.insertHow : told.mendHow }),
    ].filter(Boolean), ways);
  }

  insert() {
    Object.assign(this.mending, { insert: true, view: this.viewOf(this.mending.frame) });
    this.actor = null;
    this.draw();
  }

  reasonGiven() {
    const reason = this.mending.reason.trim();
    this.mendFault = reason ? null : this.words.record.needsReason;
    if (!reason) this.draw();
    return reason;
  }

  // The end

  close() {
    const { payments } = this.record.now.paid;
    return this.write([{ type: "deal_closed", payments: payments ?? {}, engine: this.root.dataset.engine }]);
  }

  async next() {
    const { root, words } = this;
    if (!root.dataset.table) return location.assign(root.dataset.nextUrl);
    try {
      const deal = await startNext(root.dataset.table, newId());
      location.assign(deal ? root.dataset.recordUrl.replace(NO_DEAL, deal) : root.dataset.nextUrl);
    } catch (refused) {
      if (!(refused instanceof Refused)) throw refused;
      this.said = { kind: "refused", text: refusalTold(words, refused), sending: { events: [] } };
      this.draw();
    }
    return undefined;
  }
}

const NO_DEAL = "00000000-0000-0000-0000-000000000000";

/** The correction that puts `events` in an entry's place, or behind it. */
function correction({ address, insert }, events, reason) {
  const place = insert ? { replaces: [], after: address } : { replaces: [address] };
  return { type: "correction_made", ...place, with: events, reason };
}

/** Events without what makes each a writing of its own: they are sent anew, on another version or in another mode. */
const bare = (events) => events.map(({ id, recorded_at, ...rest }) => rest);

/** Whether two devices wrote the same. */
function isSame(mine, theirs) {
  const kept = (event) => Object.entries(event).filter(([name, value]) => !["id", "recorded_at", "seq", "stored_at", "recorded_by", "basis", "accounts"].includes(name) && value !== null);
  return JSON.stringify(kept(mine).sort()) === JSON.stringify(kept(theirs).sort());
}

async function start(root) {
  const danish = document.documentElement.lang.startsWith("da");
  const { default: words } = await import(danish ? "./record-da.js" : "./record-en.js");
  const parts = Object.fromEntries([...root.querySelectorAll("[data-part]")].map((part) => [part.dataset.part, part]));
  const record = new RecordedDeal({ deal: root.dataset.record, forgotten: words.forgotten });
  try {
    await record.begin();
  } catch (refused) {
    if (!(refused instanceof Refused)) throw refused;
    parts.connection.textContent = refusalTold(words, refused);
    return;
  }
  new Recorder({ root, parts, words, rules: JSON.parse(root.dataset.rules), record });
  root.removeAttribute("data-waiting");
}

/** Who dealt, and who sits out. */
function about(record, words) {
  const opening = record.entries.find((event) => event.type === "deal_opened") ?? {};
  const out = (record.players.sitting_out ?? []).map((player) => record.called(player));
  return [opening.dealer ? words.slip.deals(record.called(opening.dealer)) : "", out.length ? words.slip.sitsOut(words.listed(out), out.length) : ""].filter(Boolean).join(" · ");
}

for (const root of document.querySelectorAll("[data-record]")) start(root);
