/** The slip of a table: the next deal's result, what has been entered, and correcting it. */

import { SeatingFields } from "../evening/seating-fields.js";
import { SeatingPanel } from "../evening/seating-panel.js";
import { SetAsidePanel } from "../evening/set-aside-panel.js";
import { PendingDecisions } from "./pending-decisions.js";
import { buildAmendedEvents, closeTable, correctResult, recordDeal, recordResult, reopenTable, reseatOpening, restoreDeal, strikeDeal } from "../evening/table-entries.js";
import { el } from "../core/dom.js";
import { SlipFindings } from "../evening/slip-findings.js";
import { readFacts } from "./slip-facts.js";
import { canCorrect, drawTableLog } from "../evening/table-log.js";
import { outbox } from "../core/outbox.js";
import { SlipDraft, readSlipDraft } from "./slip-draft.js";
import { SlipForm } from "./slip-form.js";
import { openTablePage } from "../evening/table-page.js";
import { buildChips } from "../core/deal-text.js";

const PREVIEW_DEAL_ID = "00000000-0000-7000-8000-000000000000";
/** Milliseconds the service has to store something before the page says that it waits. */
const WAITING_NOTICE_DELAY_MS = 600;

class SlipPage {
  constructor(page) {
    Object.assign(this, page);
    this.form = new SlipForm({ evening: this.evening, words: this.words, onConfirm: (result) => this.confirmSlip(result), onChange: (facts) => this.saveDraft(facts) });
    this.heading = el("h2", { class: "deal-number", tabindex: "-1" });
    this.seats = el("p", { class: "deal-seats" });
    this.gameChoices = el("div", { class: "choices two", role: "group", "aria-label": this.words.slip.whichGame });
    this.correctionPart = el("div", { class: "correction-fields" });
    this.endPart = el("p", { class: "end-actions" });
    this.standingsPart = el("div", { class: "current-standings" });
    this.game = this.draft.draft?.game ?? null;
    this.editing = null;
    this.decisions = new PendingDecisions({ ...page, onAmend: (entry) => this.amendEntry(entry) });
    this.findings = new SlipFindings(this.evening, () => this.drawLog());
    this.evening.addEventListener("change", () => this.draw());
    if (this.mayWrite) {
      this.seatingPanel = new SeatingPanel({ evening: this.evening, words: this.words, offersMembers: "offersMembers" in this.root.dataset });
      this.setAsidePanel = new SetAsidePanel(page);
      this.parts.form.replaceChildren(this.decisions.root, this.gameChoices, this.heading, this.seats, this.correctionPart, this.form.root, this.standingsPart, this.seatingPanel.root, this.endPart, this.setAsidePanel.root);
      this.startNextSlip();
    } else {
      this.parts.form.replaceChildren(this.heading, this.seats, this.standingsPart);
    }
    this.draw();
  }

  /** The game that is due next: where several play at one table, the one that was chosen, or the first. */
  get nextDeal() {
    const following = this.evening.listNextDeals();
    return following.find((one) => one.game === this.game) ?? following[0] ?? null;
  }

  draw() {
    this.drawHead();
    this.drawLog();
    if (!this.mayWrite) {
      this.drawStanding();
      return;
    }
    this.decisions.draw();
    const isOver = this.evening.isClosed || this.evening.isSetAside;
    if (isOver) this.drawStanding();
    else this.standingsPart.replaceChildren();
    this.form.root.hidden = (isOver && !this.editing) || (!this.editing && !this.nextDeal);
    this.seatingPanel.root.hidden = isOver || Boolean(this.editing);
    this.setAsidePanel.root.hidden = Boolean(this.editing);
    this.setAsidePanel.draw();
    this.drawGames();
    this.drawEnding();
    if (!this.editing && this.nextDeal) this.form.reseat(this.buildNextSlip());
  }

  drawLog() {
    drawTableLog(this.parts.log, {
      evening: this.evening,
      words: this.words,
      slipFindings: this.findings,
      onCorrect: this.mayWrite && !this.evening.isClosed ? (deal) => this.correctDeal(deal) : null,
      onRestore: this.mayWrite && !this.evening.isClosed ? (deal) => this.restoreStruckDeal(deal) : null,
      onUndo: this.mayWrite && !this.evening.isClosed ? (change) => this.seatingPanel.undoChange(change) : null,
    });
    this.findings.refresh();
  }

  drawHead() {
    const { words, evening, editing } = this;
    const seating = editing ? editing.seating : this.nextDeal?.seating;
    const number = editing ? editing.number : this.nextDeal?.number;
    const left = evening.dealsLeft;
    if (!editing && evening.isSetAside) {
      this.heading.textContent = words.aside.heading;
      return this.seats.replaceChildren();
    }
    if (!editing && evening.isClosed) {
      this.heading.textContent = words.slip.over;
      return this.seats.replaceChildren();
    }
    if (!seating) {
      this.heading.textContent = words.slip.tooFew;
      return this.seats.replaceChildren();
    }
    this.heading.textContent = editing ? words.slip.correcting(number) : words.slip.deal(number);
    const sittingOut = (seating.sitting_out ?? []).map((player) => evening.displayName(player));
    const parts = [
      seating.dealer ? words.slip.deals(evening.displayName(seating.dealer)) : "",
      sittingOut.length ? words.slip.sitsOut(words.listed(sittingOut), sittingOut.length) : "",
      !editing && left !== null ? words.slip.left(left) : "",
    ].filter(Boolean);
    // Each of them stands in one line as long as it has room there.
    this.seats.replaceChildren(...parts.flatMap((one, index) => [index ? " · " : "", el("span", { text: one })]));
  }

  /** Onlookers, and everybody after the evening, have nothing to fill in: they see the standings. */
  drawStanding() {
    const { evening, words } = this;
    const { lines, standings } = evening.ledger;
    const rows = standings.map(({ player, chips }) => el("div", {}, el("dt", { text: evening.displayName(player) }), el("dd", {}, buildChips(words, chips))));
    this.standingsPart.replaceChildren(...(lines.length ? [el("h3", { text: words.slip.standing }), el("dl", {}, ...rows)] : []));
  }

  drawGames() {
    const following = this.evening.listNextDeals();
    this.gameChoices.hidden = following.length < 2 || Boolean(this.editing);
    this.gameChoices.replaceChildren(...following.map((one) =>
      el("button", {
        type: "button", class: "choice", "aria-pressed": String(one.game === this.nextDeal?.game), text: this.words.listed(["forehand", "middlehand", "backhand"].map((seat) => this.evening.displayName(one.seating[seat]))),
        on: { click: () => { this.game = one.game; this.draw(); } },
      }),
    ));
  }

  drawEnding() {
    const { words, evening } = this;
    const isPlanDone = evening.dealsLeft === 0;
    if (this.editing || evening.isSetAside) return this.endPart.replaceChildren();
    const tableState = evening.isClosed ? "closed" : String(isPlanDone);
    if (this.endPart.firstChild && this.endPart.dataset.done === tableState) return undefined;
    this.endPart.dataset.done = tableState;
    if (evening.isClosed) return this.drawReopening();
    const button = el("button", { type: "button", class: isPlanDone ? "button is-main" : "button", text: words.slip.end, on: { click: () => this.askToEnd() } });
    return this.endPart.replaceChildren(isPlanDone ? words.slip.planned : "", " ", button);
  }

  /** Closed by mistake, or something has to be corrected: one tap opens it again, and the record keeps both. */
  drawReopening() {
    const { words, evening } = this;
    // What has still to be sent has no place in the log yet that could be taken back.
    const open = evening.ledger.closed ? [el("button", { type: "button", class: "button", text: words.slip.reopen, on: { click: () => reopenTable(evening, words.slip.reopenReason) } })] : [];
    const sheet = el("a", { class: "button is-main", href: document.querySelector(".table-nav a[href*='/sheet']").href, text: words.slip.toSheet });
    return this.endPart.replaceChildren(sheet, " ", words.slip.overHow, " ", ...open);
  }

  askToEnd() {
    const { words } = this;
    const numbers = this.evening.listUnfinishedDeals().map((deal) => String(deal.number)).reverse();
    const open = numbers.length ? `${words.slip.endOpen(words.listed(numbers), numbers.length)} ` : "";
    const confirmButton = el("button", { type: "button", class: "button is-main", text: words.slip.endYes, on: { click: () => closeTable(this.evening) } });
    const cancelButton = el("button", { type: "button", class: "button", text: words.slip.endNo, on: { click: () => { this.endPart.replaceChildren(); this.drawEnding(); } } });
    this.endPart.replaceChildren(open + words.slip.endAsk, " ", confirmButton, " ", cancelButton);
    confirmButton.focus();
  }

  // The next deal

  startNextSlip() {
    if (this.nextDeal) this.form.startSlip({ ...this.buildNextSlip(), facts: this.draft.factsFor(this.nextDeal) });
  }

  /** What was tapped is kept until it is written down; what is tapped in a correction belongs to that. */
  saveDraft(facts) {
    if (!this.editing && this.nextDeal) this.draft.update(this.nextDeal, facts);
  }

  buildNextSlip() {
    const { rules } = this.evening;
    const { seating, pool, reserved } = this.nextDeal;
    const opening = this.evening.logWithQueued(this.evening.table)[0] ?? {};
    return {
      opening: buildPreviewOpening(rules, opening, seating, pool === null || pool === undefined ? {} : { pool, ...(reserved.length ? { reserved } : {}) }),
      // The pool depends on deals that wait: what this one pays is not known yet.
      isJudgeable: pool !== undefined,
      seating,
      label: this.words.slip.confirm,
    };
  }

  async confirmSlip(result) {
    const { editing, words } = this;
    if (editing) return this.confirmCorrection(result);
    const { nextDeal } = this;
    const entry = await recordDeal(this.evening, nextDeal, result);
    this.draft.discard();
    this.startNextSlip();
    this.draw();
    return this.showOutcome(entry, ({ answers }) => words.slip.written(startedDealNumber(answers) ?? nextDeal.number), words.offline.kept(nextDeal.number));
  }

  /**
   * Says what was done, with the next slip before the eyes: that it is stored, as `formatStored` says it of its outcome, or that it
   * is kept here until then.
   */
  async showOutcome(entry, formatStored, keptText) {
    this.showForm();
    const end = await outbox.waitForOutcome(entry.id, this.evening.isReachable ? WAITING_NOTICE_DELAY_MS : 0);
    if (end.state === "stored") return this.form.showStatus(formatStored(end), this.buildCorrectAction(entry));
    // The question stands above the form, with all its answers.
    if (end.state !== "waiting") return this.form.showStatus("");
    this.form.showStatus(keptText, this.buildCorrectAction(entry));
    outbox.waitForOutcome(entry.id, Infinity).then((outcome) => {
      // What is asked stands above the form, and may be out of sight.
      if (this.form.status.textContent !== keptText) return;
      if (outcome.state === "stored") this.form.showStatus(formatStored(outcome), this.buildCorrectAction(entry));
      else this.form.showStatus(this.words.offline.above);
    });
    return undefined;
  }

  /** The button to correct the deal just written, next to the sentence that says so. */
  buildCorrectAction(entry) {
    const [, kind, id] = entry.writes.at(-1).stream.split("/");
    const find = () => this.evening.listDeals().find((one) => one.deal === id);
    const deal = kind === "deals" ? find() : null;
    if (!deal || !canCorrect(deal)) return null;
    const { log } = this.words;
    return { text: log.correct, label: log.correctDeal(deal.number, true), act: () => this.correctDeal(find()) };
  }

  showForm() {
    if (this.parts.form.getBoundingClientRect().top < 0) this.parts.form.scrollIntoView({ block: "start" });
    this.heading.focus({ preventScroll: true });
  }

  // An earlier deal

  correctDeal(deal) {
    const { words } = this;
    const seating = { ...(deal.line?.seating ?? deal.opening?.players) };
    const first = !deal.result;
    this.reason = el("input", { type: "text", id: "reason", maxlength: "200", value: first ? "" : words.slip.usualReason, autocomplete: "off" });
    const field = el("div", { class: "reason" }, el("label", { for: "reason", text: words.slip.reason }), this.reason);
    // Which entry of the table it is, is known only when it is stored.
    const strike = deal.opening.queued ? null : el("button", { type: "button", class: "button", text: words.slip.strike, on: { click: () => this.askToStrike() } });
    this.openInForm({ ...deal, seating }, { facts: readFacts(deal.result?.event, seating), label: first ? words.slip.confirm : words.slip.confirmCorrected, above: [field, deal.opening.queued ? null : this.buildSeatingPart(seating)], actions: [strike] });
  }

  /** Where who dealt, who sat where and who sat out is corrected. */
  buildSeatingPart(seating) {
    const { words, evening } = this;
    const rounds = evening.ledger.following.flatMap((next) => [next.seating, ...(next.then ?? [])]).filter(Boolean);
    const fields = new SeatingFields({ words, seating, players: evening.ledger.players, rounds, displayName: (player) => evening.displayName(player), onChange: (changed) => this.reseatEdited(changed) });
    return el("details", { class: "seating-change" }, el("summary", { text: words.seating.heading }), fields.root);
  }

  /** The earlier deal with other places, and what it then pays. */
  reseatEdited(seating) {
    const reseated = reseatOpening(this.editing.opening, seating);
    this.editing = { ...this.editing, seating, reseated };
    this.form.reseat({ opening: reseated, isJudgeable: true, seating });
    this.drawHead();
  }

  /** What the service did not take is changed before it is sent again; they sat as they sat. */
  amendEntry(entry) {
    const { words } = this;
    const { seating, number, result } = entry.context;
    this.openInForm({ number, seating: { ...seating }, entry }, { facts: readFacts(result, seating), label: words.offline.confirmAmended, above: [], actions: [] });
  }

  /** Opens an earlier deal in the form, with the other actions on it. */
  openInForm(editing, { facts, label, above, actions }) {
    const { words } = this;
    this.editing = editing;
    this.form.showStatus("");
    const back = el("button", { type: "button", class: "button", text: words.slip.back, on: { click: () => this.stopEditing() } });
    this.actions = el("p", { class: "form-actions" }, back, ...actions.filter(Boolean));
    this.correctionPart.replaceChildren(...above.filter(Boolean), this.actions);
    this.form.startSlip({ opening: this.findOpening(editing), isJudgeable: true, seating: editing.seating, facts, label });
    this.draw();
    this.parts.form.scrollIntoView({ block: "start" });
    this.heading.focus({ preventScroll: true });
  }

  /** The opening of an earlier deal; of one that is not stored, as the table will complete it. */
  findOpening({ opening, seating }) {
    if (opening?.ruleset) return opening;
    return buildPreviewOpening(this.evening.rules, this.evening.logWithQueued(this.evening.table)[0] ?? {}, seating, {});
  }

  stopEditing() {
    this.editing = null;
    this.form.showStatus("");
    this.correctionPart.replaceChildren();
    this.startNextSlip();
    this.draw();
  }

  async confirmCorrection(result) {
    const { editing, evening, words } = this;
    if (editing.entry) return this.confirmAmendment(result);
    const reason = editing.result || editing.reseated ? this.readReason() : "";
    if ((editing.result || editing.reseated) && !reason) return undefined;
    const deal = { ...editing, address: editing.result?.address, opening: editing.reseated ? { address: editing.openingAddress, event: editing.reseated } : null };
    const entry = await (editing.result ? correctResult : recordResult)(evening, deal, result, reason);
    this.stopEditing();
    const formatDone = editing.result ? words.slip.corrected : words.slip.written;
    return this.showOutcome(entry, () => formatDone(editing.number), words.offline.kept(editing.number));
  }

  async confirmAmendment(result) {
    const { editing, words } = this;
    const { entry, seating, number } = editing;
    const [events, rest] = buildAmendedEvents(entry, seating, result);
    await outbox.amend(entry.id, events, { rest, context: { ...entry.context, seating, result } });
    this.stopEditing();
    return this.showOutcome(entry, ({ answers }) => words.slip.written(startedDealNumber(answers) ?? number), words.offline.kept(number));
  }

  /** What takes a deal out of the evening is asked about once, in the place of what led there. */
  askToStrike() {
    const { words, actions } = this;
    if (!this.readReason()) return;
    const previousActions = [...actions.childNodes];
    const confirmButton = el("button", { type: "button", class: "button is-main", text: words.slip.strikeYes, on: { click: () => this.strikeEditedDeal() } });
    const cancelButton = el("button", { type: "button", class: "button", text: words.slip.endNo, on: { click: () => { actions.replaceChildren(...previousActions); previousActions.at(-1).focus(); } } });
    actions.replaceChildren(el("span", { text: words.slip.strikeAsk(this.editing.number) }), confirmButton, cancelButton);
    confirmButton.focus();
  }

  async strikeEditedDeal() {
    const { editing, words } = this;
    const reason = this.readReason();
    if (!reason) return;
    const entry = await strikeDeal(this.evening, editing, reason);
    this.stopEditing();
    this.showOutcome(entry, () => words.slip.struck(editing.number), words.offline.kept(editing.number));
  }

  async restoreStruckDeal(deal) {
    const { words } = this;
    const entry = await restoreDeal(this.evening, deal, words.slip.restoreReason);
    this.showOutcome(entry, () => words.slip.restored(deal.number), words.offline.kept(deal.number));
  }

  readReason() {
    const reason = this.reason.value.trim();
    if (!reason) {
      this.form.showStatus(this.words.slip.needsReason);
      this.reason.focus();
    }
    return reason;
  }
}

/** The number that a deal has got, which is another where others wrote first; undefined where none was started. */
const startedDealNumber = (answers = []) => answers.flatMap((one) => one?.table?.events ?? []).find((event) => event.type === "deal_started")?.number;

/** The opening that a slip is judged by before it is stored. */
function buildPreviewOpening(rules, { ruleset, revision, switches }, seating, pool) {
  const { forehand, middlehand, backhand, sitting_out, dealer } = seating;
  const players = { forehand, middlehand, backhand, ...(sitting_out?.length ? { sitting_out } : {}) };
  return {
    type: "deal_opened", id: PREVIEW_DEAL_ID, ruleset: ruleset ?? rules?.id, players, dealer, ...pool,
    ...(revision ?? rules?.revision ? { revision: revision ?? rules.revision } : {}),
    ...(switches ? { switches } : {}),
  };
}

openTablePage(async (page) => {
  const { table } = page.evening;
  return new SlipPage({ ...page, draft: new SlipDraft(table, page.mayWrite ? await readSlipDraft(table) : null) });
});
