/** The recorder: a deal card by card, from its first call to its settlement, from as many devices as there are at the table. */

import { useRules } from "../core/cards.js";
import { ApiError, getJson, newId } from "../core/api.js";
import { el } from "../core/dom.js";
import { buildFindingText } from "../replay/finding-text.js";
import { ENTRY_KINDS, applyPendingEvents } from "./pending-state.js";
import { TableBoard, buildKnownHands, buildTricksTable, formatTrickCounts } from "./table-board.js";
import { RecordedDeal } from "./recorded-deal.js";
import { EntryLog } from "./entry-log.js";
import { formatEntry, formatWithdrawnEntry } from "./notices.js";
import { outbox } from "../core/outbox.js";
import { PendingEntries } from "./pending-entries.js";
import { InputPads } from "./input-pads.js";
import { buildSettlement } from "./settlement.js";
import { trickCounts } from "../replay/score-panel.js";
import { formatApiError } from "../core/deal-text.js";
import { SEATS } from "../replay/card-tracks.js";
import words from "../messages/recorder.js";

const PLACEHOLDER_DEAL_ID = "00000000-0000-0000-0000-000000000000";
const SERIOUS_SEVERITIES = new Set(["impossible", "error", "warning"]);

/** What the first view does not need: it is loaded afterwards, before it can be tapped. */
const loadDeferredModules = () => (deferredModules ??= Promise.all(DEFERRED_MODULES.map((load) => load())).then((modules) => Object.assign({}, ...modules)));
const DEFERRED_MODULES = [() => import("./deal-start.js"), () => import("./event-forms.js"), () => import("./cached-deals.js"), () => import("./entry-correction.js")];
let deferredModules = null;

class Recorder {
  constructor({ root, parts, words, rules, record }) {
    Object.assign(this, { root, parts, words, rules, record });
    useRules(rules);
    this.mayWrite = "mayWrite" in root.dataset;
    this.actor = null;
    this.lastActor = null;
    this.length = 0;
    this.notedPoint = null;
    this.anchor = null;
    this.correction = null;
    this.undoTarget = null;
    this.chosenKind = null;
    this.deferred = {};
    this.board = new TableBoard(parts.board, { words, onChooseSeat: this.mayWrite ? (seat) => this.chooseSeat(seat) : null });
    this.pads = new InputPads({ words, rules, onEnter: (events) => this.enterEvents(events) });
    this.pads.onRedraw = () => this.draw();
    this.buildLayout();
    this.pendingEntries = new PendingEntries({ record, words, onChange: () => this.update() });
    record.addEventListener("change", () => this.update());
    record.addEventListener("link", () => this.showConnection());
    // Entries that waited when the page was opened cause no event: they are checked now.
    this.pendingEntries.update();
  }

  buildLayout() {
    const { words, parts } = this;
    this.noticeArea = el("div", { class: "notice-area", role: "status", "aria-live": "polite" });
    this.correctionArea = el("div", { class: "correction-area" });
    this.prompt = el("h2", { class: "prompt", tabindex: "-1" });
    this.kindChoices = el("div", { class: "next-kinds", role: "group", "aria-label": words.record.whatNext });
    this.pad = el("div", { class: "pad" });
    this.otherActions = el("div", { class: "other-actions choices two" });
    this.lastEntryLine = el("p", { class: "last-entry" });
    this.undoButton = el("button", { type: "button", class: "button", "data-act": "undo", text: words.record.undo, on: { click: () => this.askUndo() } });
    const bar = el("div", { class: "record-bar" }, this.lastEntryLine, this.undoButton);
    parts.pad.replaceChildren(bar, this.correctionArea, this.prompt, this.kindChoices, this.pad, this.otherActions, this.buildMoreMenu(), this.noticeArea);
    this.tricks = el("div", { class: "side-part tricks" });
    this.findings = el("div", { class: "side-part findings" });
    this.discardedPart = el("div", { class: "side-part discarded-entries" });
    this.log = new EntryLog({ record: this.record, words, onCorrect: this.mayWrite ? (entry) => this.startCorrection(entry) : null });
    parts.side.replaceChildren(this.tricks, this.findings, this.discardedPart, this.log.root);
  }

  buildMoreMenu() {
    const { words } = this;
    if (!this.mayWrite) {
      const note = el("button", { type: "button", class: "button", "data-form": "note", text: words.record.note, on: { click: () => this.openForm("note") } });
      return el("p", { class: "more-menu" }, "mayNote" in this.root.dataset ? note : "");
    }
    this.formChoices = el("div", { class: "choices two" });
    return el("details", { class: "pad-more more-menu" }, el("summary", { text: words.record.more }), this.formChoices);
  }

  // What is shown

  /** The point at which something is entered now: the end of the record with what is on its way, or an entry's place. */
  get shownPoint() {
    return this.correction?.point ?? this.pendingPoint ?? this.record.current;
  }

  /** Whose act is entered next: the chosen player, or else the player in turn. After a gap that is unknown. */
  get actingSeat() {
    return this.actor ?? (this.anchor ? null : this.shownPoint.legal?.seat ?? null);
  }

  chooseSeat(seat) {
    this.actor = this.actor === seat ? null : seat;
    this.draw();
  }

  update() {
    const { current } = this.record;
    if (!current) return;
    if (current !== this.notedPoint && !current.unjudged) this.pendingEntries.noteNewFindings(current.findings);
    this.notedPoint = current;
    const laterEvents = [...this.record.entries.slice(current.version), ...this.pendingEntries.waitingEvents];
    this.pendingPoint = laterEvents.length ? applyPendingEvents(current, laterEvents) : null;
    this.resetActor(current.version + laterEvents.length);
    this.showConnection();
    this.draw();
    this.root.dataset.version = current.version;
  }

  /** What stands above everything while it is so: that there is no connection, and what waits for it. */
  showConnection() {
    const { words, record, pendingEntries } = this;
    const { length } = pendingEntries.queued;
    const isLate = pendingEntries.isLate && !pendingEntries.blockedEntry;
    const text = isLate ? words.offline.unlinked(length) : record.isConnected ? "" : words.unlinked;
    const connectionText = [text, length && !outbox.isPersistent ? words.offline.notLasting : ""].filter(Boolean).join(" ");
    if (this.parts.connection.textContent !== connectionText) this.parts.connection.textContent = connectionText;
  }

  /** The chosen player counts for one entry, and stays chosen if that was not accepted. */
  resetActor(length) {
    if (length > this.length) [this.actor, this.chosenKind] = [null, null];
    else if (length < this.length) this.actor = this.lastActor;
    this.length = length;
  }

  draw() {
    const inside = this.parts.pad.contains(document.activeElement) ? document.activeElement : null;
    const { actingSeat, shownPoint } = this;
    if (this.pendingPoint && this.chosenKind && shownPoint.legal && !this.correction) shownPoint.legal.action = this.chosenKind;
    this.board.draw(shownPoint.state, actingSeat, shownPoint.legal?.seat ?? null, trickCounts(shownPoint.state, shownPoint.score), formatDealInfo(this.record, this.words));
    this.drawNotices();
    this.drawBar();
    if (this.isAwaitingAnswer) {
      this.pads.startBurst(shownPoint.legal?.action === "play" ? actingSeat : null, shownPoint.state);
      return this.pad.classList.add("is-busy");
    }
    this.pad.classList.remove("is-busy");
    this.drawKinds();
    this.drawPad(actingSeat);
    // After the pad, which knows whether it asks for cards or for their number.
    this.drawPrompt(actingSeat);
    this.drawOtherActions();
    this.drawSide();
    this.restoreFocus(inside, this.drawnLength === this.length);
    this.drawnLength = this.length;
    return undefined;
  }

  /** Whether an answer is on its way that usually comes immediately: until then nothing else is asked. */
  get isAwaitingAnswer() {
    return Boolean(this.pendingPoint) && !this.record.isServiceUnreachable && !this.pendingEntries.isLate && !this.pendingEntries.blockedEntry && !this.correction;
  }

  /**
   * Moves the keyboard focus to what is asked next, or, if nothing was entered since (`isUnchanged`), leaves it on what the user
   * was about to press.
   */
  restoreFocus(inside, isUnchanged) {
    if (!inside || this.parts.pad.contains(document.activeElement)) return;
    const focusedData = JSON.stringify({ ...inside.dataset });
    const same = isUnchanged ? [...this.parts.pad.querySelectorAll(inside.localName)].find((one) => JSON.stringify({ ...one.dataset }) === focusedData) : null;
    const next = same ?? this.noticeArea.querySelector("button") ?? (this.hasOpenOffer ? this.otherActions.querySelector("button") : null) ?? this.pad.querySelector('[tabindex="0"], button:not([tabindex="-1"]), summary');
    (next ?? this.prompt).focus({ preventScroll: true });
  }

  drawPrompt(actor) {
    const { words, shownPoint } = this;
    const { legal, state } = shownPoint;
    const name = actor ? words.player(state, actor) : "";
    const { prompt } = words.record;
    const trick = state.tricks.at(-1);
    // An offer is answered first, but the play may continue.
    const { claim, surrender } = state;
    const answers = this.hasOpenOffer ? (claim ? prompt.claimed(words.player(state, claim.seat), formatTrickCounts(claim.tricks, state, words)) : prompt.surrendered(words.player(state, surrender.seat))) : "";
    const questions = {
      bid: () => prompt.bid(name), name: () => prompt.name(name), turn: () => prompt.turn(),
      exchange: () => (this.pads.namesCards ? prompt.discard(name) : prompt.exchange(name)),
      draw: () => prompt.draw(name, legal.count),
      play: () => (trick && trick.winner === null && trick.cards.length < 3 && !this.anchor ? prompt.follow(name) : prompt.lead(name)),
    };
    // After a trick with cards that nobody saw, only the user knows who leads.
    const trickOnTable = legal?.action === "play" && trick && trick.winner === null && trick.cards.length === 3 && !this.anchor;
    const sentence = answers ? answers : !legal ? prompt.over : !actor && legal.action !== "turn" ? (trickOnTable ? prompt.took : prompt.choose) : questions[legal.action]();
    const other = this.mayWrite && !answers && legal?.seat && actor && actor !== legal.seat ? words.record.turnOf(words.player(state, legal.seat)) : "";
    this.prompt.replaceChildren(sentence, ...(other ? [" ", el("span", { class: "muted", text: other })] : []));
  }

  /** While nobody can be asked what is due, a person says what comes next. */
  drawKinds() {
    const { shownPoint, words } = this;
    this.kindChoices.hidden = !shownPoint.legal?.guessed || shownPoint.legal.action === "draw" || !this.mayWrite;
    if (this.kindChoices.hidden) return;
    this.kindChoices.replaceChildren(...ENTRY_KINDS.map((kind) =>
      el("button", { type: "button", class: "choice is-other", "data-kind": kind, "aria-pressed": String(shownPoint.legal.action === kind), text: words.record.nextKinds[kind], on: { click: () => { this.chosenKind = kind; this.draw(); } } }),
    ));
  }

  drawPad(actor) {
    const { shownPoint, words } = this;
    const ends = this.correction || this.pendingPoint ? [] : buildSettlement(this.record, { words, mayWrite: this.mayWrite, onNext: "mayOpen" in this.root.dataset ? () => this.goToNextDeal() : null, onClose: () => this.closeDeal() });
    if (!this.mayWrite) return this.pad.replaceChildren(this.buildReadOnlyReason(), ...buildKnownHands(shownPoint.state, words), ...ends);
    const asks = shownPoint.legal && (actor || shownPoint.legal.action === "turn");
    const isWaiting = !asks && shownPoint.legal?.action === "play";
    const parts = [...(asks ? this.pads.draw(shownPoint, actor, this.anchor) : isWaiting ? this.pads.drawIdle(shownPoint) : []), ...ends];
    if (parts[0] !== this.pad.firstChild) return this.pad.replaceChildren(...parts);
    // The keys stay: a key that is taken out while a finger is on it gets no click.
    while (parts[0]?.nextSibling) parts[0].nextSibling.remove();
    return this.pad.append(...parts.slice(1));
  }

  /** Why nothing is entered here: this reader only watches, or the evening is over, which its slip can undo. */
  buildReadOnlyReason() {
    const { words, root } = this;
    if (!("closed" in root.dataset)) return el("p", { class: "muted", text: words.record.watching });
    return el("p", {}, words.slip.overHow, " ", el("a", { href: root.dataset.tableUrl, text: words.slip.reopen }));
  }

  /** What else may happen now, and by whom, and what may be entered at any time. */
  drawOtherActions() {
    const { shownPoint } = this;
    const open = this.mayWrite ? [...(shownPoint.legal?.also ?? [])].sort((one, other) => actionSortKey(one) - actionSortKey(other)) : [];
    const neighbour = this.hasOpenOffer ? this.pad : this.pad.nextElementSibling;
    if (neighbour !== this.otherActions) {
      neighbour.before(this.otherActions);
      // After a claim, further down the page, the next question is scrolled into view.
      if (this.hasOpenOffer) this.parts.pad.scrollIntoView({ block: "start" });
    }
    this.otherActions.replaceChildren(...open.flatMap((one) => this.buildActionButtons(one)));
    this.otherActions.hidden = !this.otherActions.childElementCount;
    if (!this.formChoices) return;
    const at = this.buildFormContext({});
    const { EVENT_FORMS = {} } = this.deferred;
    const kinds = Object.keys(EVENT_FORMS).filter((name) => EVENT_FORMS[name].isOffered?.(at) ?? true);
    this.formChoices.replaceChildren(...kinds.map((name) => el("button", { type: "button", class: "choice is-other", "data-form": name, text: this.words.record.kinds[name], on: { click: () => this.openForm(name) } })));
  }

  /** Whether somebody has claimed, or offers to surrender, and others may answer. */
  get hasOpenOffer() {
    return Boolean(this.shownPoint.legal?.also?.some(({ action }) => action === "answer"));
  }

  buildActionButtons({ action, seat, pays }) {
    const { words, shownPoint } = this;
    const name = words.player(shownPoint.state, seat);
    const button = (key, text, act) => el("button", { type: "button", class: "choice is-other", "data-also": key, "data-seat": seat, text, on: { click: act } });
    const { also } = words.record;
    const events = {
      abandon: { type: "deal_abandoned", seat, ...(pays ? { pays } : {}) }, surrender: { type: "surrender_offered", seat },
      slam: { type: "slam_announced", seat }, yield: { type: "exchange_yielded", seat },
    };
    if (action in events) return [button(pays ? `${action}-${pays}` : action, also[action](name, pays), () => this.enterEvents([events[action]]))];
    if (action === "claim") return [button(action, also.claim(name), () => this.openForm("claim", { seat }))];
    if (action === "show") return [button(action, also.show(name), () => this.openForm("shown", { seat, whole: true }))];
    const answers = shownPoint.state.claim ? { accept: also.accept, contest: also.contest } : { accept: also.acceptSurrender, forbid: also.forbid };
    const type = shownPoint.state.claim ? "claim_answered" : "surrender_answered";
    return Object.entries(answers).map(([answer, text]) => button(answer, text(name), () => this.enterEvents([{ type, seat, answer }])));
  }

  drawBar() {
    const { words } = this;
    const target = this.findLastEntry();
    this.undoButton.hidden = !this.mayWrite;
    this.undoButton.disabled = !target || Boolean(this.correction) || !this.deferred.buildUndoNotice;
    const waitText = target?.queuedEntry ? ` ${words.record.waits[this.pendingEntries.waitReason(target.queuedEntry)]}` : "";
    this.lastEntryLine.replaceChildren(el("span", { class: "muted", text: `${words.record.last} ` }), target ? this.formatEntrySentence(target) : words.record.begun, el("i", { class: "muted", text: waitText }));
  }

  /** What was entered last: what is still on its way, else the last that stands. */
  findLastEntry() {
    const queued = this.pendingEntries.queued.at(-1);
    return queued ? { queuedEntry: queued, entry: { event: queued.events.at(-1) }, addresses: [] } : this.record.lastEntry();
  }

  formatEntrySentence({ entry, queuedEntry }) {
    const event = this.record.withMemberNames(entry.event);
    const { state } = this.record.current;
    const isOnTable = event.type !== "card_played" || (!queuedEntry && state.tricks.at(-1)?.cards.at(-1) === event.card);
    const withdrawn = formatWithdrawnEntry(event, this.record, state, this.words);
    return isOnTable ? this.words.upper(this.words.sentence(event.type, { event, state, withdrawn })) : formatEntry(event, this.shownPoint.state, this.words);
  }

  drawSide() {
    const { words, record } = this;
    const point = this.pendingPoint ?? record.current;
    this.tricks.replaceChildren(el("h2", { text: words.record.tricksHeading }), buildTricksTable(point.state, trickCounts(point.state, point.score), words));
    const { discardedEntries } = this.pendingEntries;
    this.discardedPart.hidden = !discardedEntries.length;
    this.discardedPart.replaceChildren(el("h2", { text: words.offline.thrown }), ...this.pendingEntries.buildDiscardedList());
    const serious = record.current.findings.filter((one) => SERIOUS_SEVERITIES.has(one.severity));
    this.findings.hidden = !serious.length;
    this.findings.replaceChildren(el("h2", { text: words.record.findingsHeading }), el("ul", {}, ...serious.map((one) => el("li", { class: "finding" }, el("p", {}, ...buildFindingText(one, words))))));
  }

  drawNotices() {
    const { undoTarget, correction } = this;
    const undoNotice = undoTarget && !this.pendingEntries.blockedEntry
      ? this.deferred.buildUndoNotice(undoTarget, {
        words: this.words, sentence: this.formatEntrySentence(undoTarget), onKeep: () => this.setUndoTarget(null),
        submit: (events) => { this.undoTarget = null; this.pendingEntries.submit(events, "as_played"); }, discard: (entry) => { this.undoTarget = null; this.pendingEntries.discard(entry); },
      })
      : this.pendingEntries.buildNotice();
    this.noticeArea.replaceChildren(...(undoNotice ? [undoNotice] : []));
    this.correctionArea.replaceChildren(...(correction ? [this.buildCorrectionNotice(correction)] : []));
  }

  // Entering

  /** What a form needs of the deal. */
  buildFormContext(given) {
    const { words, rules, record, shownPoint } = this;
    return { words, rules, state: shownPoint.state, score: shownPoint.score, players: record.players, displayName: (player) => record.withMemberNames(player), given };
  }

  async openForm(name, given = {}) {
    const { openEventForm } = await loadDeferredModules();
    openEventForm(name, this.buildFormContext(given), { onSubmit: (events, { anchor }) => { this.anchor = anchor ?? this.anchor; this.enterEvents(events); } });
  }

  /** Enters events, as one correction while an entry is corrected. */
  enterEvents(events) {
    const { correction } = this;
    const written = correction ? correction.buildCorrection(events) : null;
    if (correction && !written) return this.draw();
    if (this.isAwaitingAnswer && !events.every((event) => event.type === "card_played")) return undefined;
    this.correction = null;
    this.undoTarget = null;
    this.lastActor = this.actor;
    if (events.some((event) => event.type === "card_played")) this.anchor = null;
    return this.pendingEntries.submit(written ? [written] : events);
  }

  setUndoTarget(target) {
    this.undoTarget = target;
    this.draw();
    this.noticeArea.querySelector("button")?.focus({ preventScroll: true });
  }

  askUndo() {
    const target = this.findLastEntry();
    if (target) this.setUndoTarget(target);
  }

  // Correcting

  async startCorrection(entry) {
    if (entry.frame.event.type === "deal_opened") return this.correctOpening();
    const { EntryCorrection } = await loadDeferredModules();
    this.undoTarget = null;
    this.correction = new EntryCorrection(entry, { words: this.words, version: this.record.version });
    this.actor = entry.frame.event.seat ?? null;
    this.draw();
    this.parts.pad.scrollIntoView({ block: "start" });
    this.correctionArea.querySelector("input")?.focus({ preventScroll: true });
    return undefined;
  }

  /** Who dealt and who sat where, chosen among the deal's players and those of its table, where that can be read. */
  async correctOpening() {
    const { table } = this.root.dataset;
    const ledger = table ? await getJson(`/tables/${table}/ledger`).catch(() => null) : null;
    this.openForm("opening", { opening: this.record.opening, ledger });
  }

  buildCorrectionNotice(correction) {
    return correction.buildNotice({
      strike: () => this.enterEvents([]),
      insert: () => { correction.insertAfter(); this.actor = null; this.draw(); },
      open: (name, given) => this.openForm(name, given),
      stop: () => { this.correction = null; this.actor = null; this.draw(); },
    });
  }

  // The end

  closeDeal() {
    return this.enterEvents([{ type: "deal_closed", payments: this.record.current.paid.payments ?? {}, engine: this.root.dataset.engine }]);
  }

  async goToNextDeal() {
    const { root, words } = this;
    if (!root.dataset.table) return location.assign(root.dataset.nextUrl);
    try {
      const { startNextDeal } = await loadDeferredModules();
      const deal = await startNextDeal(root.dataset.table, newId());
      return location.assign(deal ? root.dataset.recordUrl.replace(PLACEHOLDER_DEAL_ID, deal) : root.dataset.nextUrl);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // Without an answer, the table's own page knows who deals, and starts the deal.
      if (error.status === 0) return location.assign(root.dataset.nextUrl);
      return this.pendingEntries.setRemark("refused", { text: formatApiError(words, error) });
    }
  }
}

async function start(root) {
  const parts = Object.fromEntries([...root.querySelectorAll("[data-part]")].map((part) => [part.dataset.part, part]));
  const cached = root.dataset.record ? null : await (await loadDeferredModules()).readCachedDeal(location.pathname.split("/")[2]);
  if (cached) fillFrame(root, cached.frame);
  if (!root.dataset.record) {
    parts.connection.textContent = words.record.notKept;
    return;
  }
  const record = new RecordedDeal({ deal: root.dataset.record, names: cached?.names ?? JSON.parse(root.dataset.names), forgottenName: words.forgotten });
  try {
    await Promise.all([record.load(cached), outbox.ready]);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    parts.connection.textContent = formatApiError(words, error);
    return;
  }
  const recorder = new Recorder({ root, parts, words, rules: JSON.parse(root.dataset.rules), record });
  root.removeAttribute("data-waiting");
  recorder.deferred = await loadDeferredModules();
  recorder.draw();
  recorder.deferred.startDealCache(record, { data: { ...root.dataset }, heading: root.querySelector("h1").textContent });
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
const actionSortKey = ({ action, seat }) => (action === "answer" ? 0 : SEATS.length) + SEATS.indexOf(seat);

/** Who dealt, and who sits out. */
function formatDealInfo(record, words) {
  const opening = record.opening?.event ?? {};
  const sittingOut = (record.players.sitting_out ?? []).map((player) => record.withMemberNames(player));
  return [opening.dealer ? words.slip.deals(record.withMemberNames(opening.dealer)) : "", sittingOut.length ? words.slip.sitsOut(words.listed(sittingOut), sittingOut.length) : ""].filter(Boolean).join(" · ");
}

for (const root of document.querySelectorAll("[data-record]")) start(root);
