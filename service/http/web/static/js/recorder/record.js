/** The recorder: a deal card by card, from its first call to its settlement, from as many devices as there are at the table. */

import { Refused, newId } from "../core/api.js";
import { el } from "../core/dom.js";
import { findingWords } from "../replay/finding-words.js";
import { KINDS, aheadOf } from "./record-ahead.js";
import { Board, handsTold, tricksTable, tricksTold } from "./record-board.js";
import { RecordedDeal } from "./record-deal.js";
import { EntryLog } from "./record-log.js";
import { told, withdrawnTold } from "./record-notices.js";
import { outbox } from "../core/outbox.js";
import { Outgoing } from "./record-outgoing.js";
import { Pads } from "./record-pads.js";
import { settlement } from "./record-settlement.js";
import { tricksHeld } from "../replay/score.js";
import { refusalTold } from "../core/told.js";
import { SEATS } from "../replay/tracks.js";

const NO_DEAL = "00000000-0000-0000-0000-000000000000";
const GRAVE = new Set(["impossible", "error", "warning"]);

/** What the first picture can do without: it is asked for behind it, and is there before it is tapped. */
const rest = () => (asking ??= Promise.all(REST.map((load) => load())).then((modules) => Object.assign({}, ...modules)));
const REST = [() => import("./record-begin.js"), () => import("./record-forms.js"), () => import("./record-keeping.js"), () => import("./record-mending.js")];
let asking = null;

class Recorder {
  constructor({ root, parts, words, rules, record }) {
    Object.assign(this, { root, parts, words, rules, record });
    this.mayWrite = "mayWrite" in root.dataset;
    this.actor = null;
    this.chosen = null;
    this.length = 0;
    this.told = null;
    this.anchor = null;
    this.mending = null;
    this.undoing = null;
    this.kind = null;
    this.more = {};
    this.board = new Board(parts.board, { words, choose: this.mayWrite ? (seat) => this.choose(seat) : null, about: about(record, words) });
    this.pads = new Pads({ words, rules, write: (events) => this.write(events) });
    this.pads.redrawn = () => this.draw();
    this.layOut();
    this.outgoing = new Outgoing({ record, words, changed: () => this.changed() });
    record.addEventListener("change", () => this.changed());
    record.addEventListener("link", () => this.sayConnection());
    // What waited when the page was opened tells of no change: it is looked at now.
    this.outgoing.look();
  }

  layOut() {
    const { words, parts } = this;
    this.says = el("div", { class: "says", role: "status", "aria-live": "polite" });
    this.mends = el("div", { class: "mends" });
    this.prompt = el("h2", { class: "prompt", tabindex: "-1" });
    this.kindsOf = el("div", { class: "what-next", role: "group", "aria-label": words.record.whatNext });
    this.pad = el("div", { class: "pad" });
    this.also = el("div", { class: "also choices two" });
    this.last = el("p", { class: "last-entry" });
    this.undoButton = el("button", { type: "button", class: "worded", "data-act": "undo", text: words.record.undo, on: { click: () => this.askUndo() } });
    const bar = el("div", { class: "record-bar" }, this.last, this.undoButton);
    parts.pad.replaceChildren(bar, this.mends, this.prompt, this.kindsOf, this.pad, this.also, this.moreMenu(), this.says);
    this.tricks = el("div", { class: "side-part tricks" });
    this.findings = el("div", { class: "side-part findings" });
    this.thrown = el("div", { class: "side-part thrown" });
    this.log = new EntryLog({ record: this.record, words, mend: this.mayWrite ? (entry) => this.mend(entry) : null });
    parts.side.replaceChildren(this.tricks, this.findings, this.thrown, this.log.root);
  }

  moreMenu() {
    const { words } = this;
    if (!this.mayWrite) {
      const note = el("button", { type: "button", class: "worded", "data-form": "note", text: words.record.note, on: { click: () => this.form("note") } });
      return el("p", { class: "more-menu" }, "mayNote" in this.root.dataset ? note : "");
    }
    this.kinds = el("div", { class: "choices two" });
    return el("details", { class: "pad-more more-menu" }, el("summary", { text: words.record.more }), this.kinds);
  }

  // What is shown

  /** The point at which something is entered now: the end of the record with what is on its way, or an entry's place. */
  get view() {
    return this.mending?.view ?? this.ahead ?? this.record.now;
  }

  /** Whose act is entered next: whom a person chose, else whose turn it is. Behind a gap nobody knows that. */
  get acting() {
    return this.actor ?? (this.anchor ? null : this.view.legal?.seat ?? null);
  }

  choose(seat) {
    this.actor = this.actor === seat ? null : seat;
    this.draw();
  }

  changed() {
    const { now } = this.record;
    if (!now) return;
    if (now !== this.told && !now.unjudged) this.outgoing.beware(now.findings);
    this.told = now;
    const coming = [...this.record.entries.slice(now.version), ...this.outgoing.coming];
    this.ahead = coming.length ? aheadOf(now, coming) : null;
    this.settleActor(now.version + coming.length);
    this.sayConnection();
    this.draw();
    this.root.dataset.version = now.version;
  }

  /** What stands above everything while it is so: that there is no connection, and what waits for it. */
  sayConnection() {
    const { words, record, outgoing } = this;
    const { length } = outgoing.queued;
    const late = outgoing.late && !outgoing.stuck;
    const text = late ? words.offline.unlinked(length) : record.linked ? "" : words.unlinked;
    const said = [text, length && !outbox.lasts ? words.offline.notLasting : ""].filter(Boolean).join(" ");
    if (this.parts.connection.textContent !== said) this.parts.connection.textContent = said;
  }

  /** Who was chosen counts for one entry; where that was not taken, he is still the one. */
  settleActor(length) {
    if (length > this.length) [this.actor, this.kind] = [null, null];
    else if (length < this.length) this.actor = this.chosen;
    this.length = length;
  }

  draw() {
    const inside = this.parts.pad.contains(document.activeElement) ? document.activeElement : null;
    const { acting, view } = this;
    if (this.ahead && this.kind && view.legal && !this.mending) view.legal.action = this.kind;
    this.board.draw(view.state, acting, view.legal?.seat ?? null, tricksHeld(view.state, view.score));
    this.drawSays();
    this.drawBar();
    if (this.isAnswerDue) {
      this.pads.hold(view.legal?.action === "play" ? acting : null, view.state);
      return this.pad.classList.add("is-busy");
    }
    this.pad.classList.remove("is-busy");
    this.drawKinds();
    this.drawPad(acting);
    // Behind the pad: that knows whether it asks for cards or for their number.
    this.drawPrompt(acting);
    this.drawAlso();
    this.drawSide();
    this.keepFocus(inside, this.drawn === this.length);
    this.drawn = this.length;
    return undefined;
  }

  /** Whether an answer is on its way that mostly comes at once: until then nothing else is asked for. */
  get isAnswerDue() {
    return Boolean(this.ahead) && !this.record.isUnanswered && !this.outgoing.late && !this.outgoing.stuck && !this.mending;
  }

  /**
   * Who works by keyboard goes on where something is asked next; where nothing was entered since (`still`) he stays at what
   * he was about to press.
   */
  keepFocus(inside, still) {
    if (!inside || this.parts.pad.contains(document.activeElement)) return;
    const told = JSON.stringify({ ...inside.dataset });
    const same = still ? [...this.parts.pad.querySelectorAll(inside.localName)].find((one) => JSON.stringify({ ...one.dataset }) === told) : null;
    const next = same ?? this.says.querySelector("button") ?? (this.isOffered ? this.also.querySelector("button") : null) ?? this.pad.querySelector('[tabindex="0"], button:not([tabindex="-1"]), summary');
    (next ?? this.prompt).focus({ preventScroll: true });
  }

  drawPrompt(actor) {
    const { words, view } = this;
    const { legal, state } = view;
    const name = actor ? words.player(state, actor) : "";
    const { prompt } = words.record;
    const trick = state.tricks.at(-1);
    // What was offered is answered first; the play may go on all the same.
    const { claim, surrender } = state;
    const answers = this.isOffered ? (claim ? prompt.claimed(words.player(state, claim.seat), tricksTold(claim.tricks, state, words)) : prompt.surrendered(words.player(state, surrender.seat))) : "";
    const asked = {
      bid: () => prompt.bid(name), name: () => prompt.name(name), turn: () => prompt.turn(),
      exchange: () => (this.pads.byCards ? prompt.discard(name) : prompt.exchange(name)),
      draw: () => prompt.draw(name, legal.count),
      play: () => (trick && trick.winner === null && trick.cards.length < 3 && !this.anchor ? prompt.follow(name) : prompt.lead(name)),
    };
    // Behind a trick with cards that nobody saw only a person knows who leads.
    const taken = legal?.action === "play" && trick && trick.winner === null && trick.cards.length === 3 && !this.anchor;
    const sentence = answers ? answers : !legal ? prompt.over : !actor && legal.action !== "turn" ? (taken ? prompt.took : prompt.choose) : asked[legal.action]();
    const other = this.mayWrite && !answers && legal?.seat && actor && actor !== legal.seat ? words.record.turnOf(words.player(state, legal.seat)) : "";
    this.prompt.replaceChildren(sentence, ...(other ? [" ", el("span", { class: "quiet", text: other })] : []));
  }

  /** While nobody can be asked what is due, a person says what comes next. */
  drawKinds() {
    const { view, words } = this;
    this.kindsOf.hidden = !view.legal?.guessed || view.legal.action === "draw" || !this.mayWrite;
    if (this.kindsOf.hidden) return;
    this.kindsOf.replaceChildren(...KINDS.map((kind) =>
      el("button", { type: "button", class: "choice is-other", "data-kind": kind, "aria-pressed": String(view.legal.action === kind), text: words.record.nextKinds[kind], on: { click: () => { this.kind = kind; this.draw(); } } }),
    ));
  }

  drawPad(actor) {
    const { view, words } = this;
    const ends = this.mending || this.ahead ? [] : settlement(this.record, { words, mayWrite: this.mayWrite, next: "mayOpen" in this.root.dataset ? () => this.next() : null, close: () => this.close() });
    if (!this.mayWrite) return this.pad.replaceChildren(this.whyNot(), ...handsTold(view.state, words), ...ends);
    const asks = view.legal && (actor || view.legal.action === "turn");
    const waits = !asks && view.legal?.action === "play";
    const parts = [...(asks ? this.pads.draw(view, actor, this.anchor) : waits ? this.pads.idle(view) : []), ...ends];
    if (parts[0] !== this.pad.firstChild) return this.pad.replaceChildren(...parts);
    // The keys stay: a key that is taken out while a finger is on it gets no click.
    while (parts[0]?.nextSibling) parts[0].nextSibling.remove();
    return this.pad.append(...parts.slice(1));
  }

  /** Why nothing is entered here: this reader looks on, or the evening is over, which its slip can take back. */
  whyNot() {
    const { words, root } = this;
    if (!("closed" in root.dataset)) return el("p", { class: "quiet", text: words.record.watching });
    return el("p", {}, words.slip.overHow, " ", el("a", { href: root.dataset.tableUrl, text: words.slip.reopen }));
  }

  /** What else may happen now, by whoever may do it, and what may be entered at any time. */
  drawAlso() {
    const { view } = this;
    const open = this.mayWrite ? [...(view.legal?.also ?? [])].sort((one, other) => placeOf(one) - placeOf(other)) : [];
    const place = this.isOffered ? this.pad : this.pad.nextElementSibling;
    if (place !== this.also) {
      place.before(this.also);
      // Who has just claimed, far below, sees what is asked then.
      if (this.isOffered) this.parts.pad.scrollIntoView({ block: "start" });
    }
    this.also.replaceChildren(...open.flatMap((one) => this.alsoButtons(one)));
    this.also.hidden = !this.also.childElementCount;
    if (!this.kinds) return;
    const at = this.at({});
    const { FORMS = {} } = this.more;
    const kinds = Object.keys(FORMS).filter((name) => FORMS[name].when?.(at) ?? true);
    this.kinds.replaceChildren(...kinds.map((name) => el("button", { type: "button", class: "choice is-other", "data-form": name, text: this.words.record.kinds[name], on: { click: () => this.form(name) } })));
  }

  /** Whether somebody has claimed, or offers to surrender, and others may answer. */
  get isOffered() {
    return Boolean(this.view.legal?.also?.some(({ action }) => action === "answer"));
  }

  alsoButtons({ action, seat, pays }) {
    const { words, view } = this;
    const name = words.player(view.state, seat);
    const button = (key, text, act) => el("button", { type: "button", class: "choice is-other", "data-also": key, "data-seat": seat, text, on: { click: act } });
    const { also } = words.record;
    const events = {
      abandon: { type: "deal_abandoned", seat, ...(pays ? { pays } : {}) }, surrender: { type: "surrender_offered", seat },
      slam: { type: "slam_announced", seat }, yield: { type: "exchange_yielded", seat },
    };
    if (action in events) return [button(pays ? `${action}-${pays}` : action, also[action](name, pays), () => this.write([events[action]]))];
    if (action === "claim") return [button(action, also.claim(name), () => this.form("claim", { seat }))];
    if (action === "show") return [button(action, also.show(name), () => this.form("shown", { seat, whole: true }))];
    const answers = view.state.claim ? { accept: also.accept, contest: also.contest } : { accept: also.acceptSurrender, forbid: also.forbid };
    const type = view.state.claim ? "claim_answered" : "surrender_answered";
    return Object.entries(answers).map(([answer, text]) => button(answer, text(name), () => this.write([{ type, seat, answer }])));
  }

  drawBar() {
    const { words } = this;
    const target = this.lastEntered();
    this.undoButton.hidden = !this.mayWrite;
    this.undoButton.disabled = !target || Boolean(this.mending) || !this.more.undoNotice;
    const waits = target?.queued ? ` ${words.record.waits[this.outgoing.waitOf(target.queued)]}` : "";
    this.last.replaceChildren(el("span", { class: "quiet", text: `${words.record.last} ` }), target ? this.sentence(target) : words.record.begun, el("i", { class: "quiet", text: waits }));
  }

  /** What was entered last: what is still on its way, else the last that stands. */
  lastEntered() {
    const queued = this.outgoing.queued.at(-1);
    return queued ? { queued, entry: { event: queued.events.at(-1) }, addresses: [] } : this.record.last();
  }

  sentence({ entry, queued }) {
    const event = this.record.called(entry.event);
    const { state } = this.record.now;
    const stands = event.type !== "card_played" || (!queued && state.tricks.at(-1)?.cards.at(-1) === event.card);
    const withdrawn = withdrawnTold(event, this.record, state, this.words);
    return stands ? this.words.upper(this.words.sentence(event.type, { event, state, withdrawn })) : told(event, this.view.state, this.words);
  }

  drawSide() {
    const { words, record } = this;
    const now = this.ahead ?? record.now;
    this.tricks.replaceChildren(el("h2", { text: words.record.tricksHeading }), tricksTable(now.state, tricksHeld(now.state, now.score), words));
    const { thrown } = this.outgoing;
    this.thrown.hidden = !thrown.length;
    this.thrown.replaceChildren(el("h2", { text: words.offline.thrown }), ...this.outgoing.thrownAway());
    const found = record.now.findings.filter((one) => GRAVE.has(one.severity));
    this.findings.hidden = !found.length;
    this.findings.replaceChildren(el("h2", { text: words.record.findingsHeading }), el("ul", {}, ...found.map((one) => el("li", { class: "finding" }, el("p", {}, ...findingWords(one, words))))));
  }

  drawSays() {
    const { undoing, mending } = this;
    const asked = undoing && !this.outgoing.stuck
      ? this.more.undoNotice(undoing, {
        words: this.words, sentence: this.sentence(undoing), keep: () => this.undo(null),
        enter: (events) => { this.undoing = null; this.outgoing.enter(events, "as_played"); }, drop: (entry) => { this.undoing = null; this.outgoing.drop(entry); },
      })
      : this.outgoing.notice();
    this.says.replaceChildren(...(asked ? [asked] : []));
    this.mends.replaceChildren(...(mending ? [this.mendingNotice(mending)] : []));
  }

  // Entering

  /** What a form is told of the deal. */
  at(given) {
    const { words, rules, record, view } = this;
    return { words, rules, state: view.state, score: view.score, players: record.players, called: (player) => record.called(player), given };
  }

  async form(name, given = {}) {
    const { openForm } = await rest();
    openForm(name, this.at(given), { write: (events, { anchor }) => { this.anchor = anchor ?? this.anchor; this.write(events); } });
  }

  /** Enters events, as one correction while an entry is corrected. */
  write(events) {
    const { mending } = this;
    const written = mending ? mending.correction(events) : null;
    if (mending && !written) return this.draw();
    if (this.isAnswerDue && !events.every((event) => event.type === "card_played")) return undefined;
    this.mending = null;
    this.undoing = null;
    this.chosen = this.actor;
    if (events.some((event) => event.type === "card_played")) this.anchor = null;
    return this.outgoing.enter(written ? [written] : events);
  }

  undo(target) {
    this.undoing = target;
    this.draw();
    this.says.querySelector("button")?.focus({ preventScroll: true });
  }

  askUndo() {
    const target = this.lastEntered();
    if (target) this.undo(target);
  }

  // Correcting

  async mend(entry) {
    const { Mending } = await rest();
    this.undoing = null;
    this.mending = new Mending(entry, { words: this.words, version: this.record.version });
    this.actor = entry.frame.event.seat ?? null;
    this.draw();
    this.parts.pad.scrollIntoView({ block: "start" });
    this.mends.querySelector("input")?.focus({ preventScroll: true });
  }

  mendingNotice(mending) {
    return mending.notice({
      strike: () => this.write([]),
      insert: () => { mending.behind(); this.actor = null; this.draw(); },
      open: (name, given) => this.form(name, given),
      stop: () => { this.mending = null; this.actor = null; this.draw(); },
    });
  }

  // The end

  close() {
    return this.write([{ type: "deal_closed", payments: this.record.now.paid.payments ?? {}, engine: this.root.dataset.engine }]);
  }

  async next() {
    const { root, words } = this;
    if (!root.dataset.table) return location.assign(root.dataset.nextUrl);
    try {
      const { startNext } = await rest();
      const deal = await startNext(root.dataset.table, newId());
      return location.assign(deal ? root.dataset.recordUrl.replace(NO_DEAL, deal) : root.dataset.nextUrl);
    } catch (refused) {
      if (!(refused instanceof Refused)) throw refused;
      // Where nobody answers, the table's own page knows who is due, and begins it all the same.
      if (refused.status === 0) return location.assign(root.dataset.nextUrl);
      return this.outgoing.say("refused", { text: refusalTold(words, refused) });
    }
  }
}

async function start(root) {
  const { lang } = document.documentElement;
  const { default: words } = await import(lang.startsWith("da") ? "../messages/record-da.js" : "../messages/record-en.js");
  const parts = Object.fromEntries([...root.querySelectorAll("[data-part]")].map((part) => [part.dataset.part, part]));
  const known = root.dataset.record ? null : await (await rest()).keptDeal(location.pathname.split("/")[2]);
  if (known) fillFrame(root, known.frame);
  if (!root.dataset.record) {
    parts.connection.textContent = words.record.notKept;
    return;
  }
  const record = new RecordedDeal({ deal: root.dataset.record, names: known?.names ?? JSON.parse(root.dataset.names), forgotten: words.forgotten });
  try {
    await Promise.all([record.begin(known), outbox.ready]);
  } catch (refused) {
    if (!(refused instanceof Refused)) throw refused;
    parts.connection.textContent = refusalTold(words, refused);
    return;
  }
  const recorder = new Recorder({ root, parts, words, rules: JSON.parse(root.dataset.rules), record });
  root.removeAttribute("data-waiting");
  recorder.more = await rest();
  recorder.draw();
  recorder.more.keepDeal(record, { data: { ...root.dataset }, heading: root.querySelector("h1").textContent });
}

/** What stands around the deal, where the browser had the page without the service. */
function fillFrame(root, { data, heading }) {
  for (const [name, value] of Object.entries(data)) root.dataset[name] = value;
  root.querySelector("h1").textContent = heading;
  document.title = document.title.replace("…", heading);
  const links = { table: data.tableUrl, replay: data.replayUrl };
  for (const [name, address] of Object.entries(links)) {
    const link = root.querySelector(`[data-link="${name}"]`);
    if (address) link.href = address;
    else link.remove();
  }
}

/** Answers come first, in the order of play. */
const placeOf = ({ action, seat }) => (action === "answer" ? 0 : SEATS.length) + SEATS.indexOf(seat);

/** Who dealt, and who sits out. */
function about(record, words) {
  const opening = record.entries.find((event) => event.type === "deal_opened") ?? {};
  const out = (record.players.sitting_out ?? []).map((player) => record.called(player));
  return [opening.dealer ? words.slip.deals(record.called(opening.dealer)) : "", out.length ? words.slip.sitsOut(words.listed(out), out.length) : ""].filter(Boolean).join(" · ");
}

for (const root of document.querySelectorAll("[data-record]")) start(root);
